import * as openid from "openid-client";
import type { Identity } from "#server/auth/sso/google.ts";
import type { Config } from "#server/core/config.ts";
import type { GuardedFetch } from "#server/core/outgoing/guardedFetch.ts";
import type { Services } from "#server/core/services.ts";
import { email as emailShape } from "#shared/core/users.ts";

/** A client registered at an OpenID provider. */
export type OpenIdClient = { issuer: string; clientId: string; clientSecret: string };
/** PKCE verifier and nonce that must match when the person returns. */
export type OpenIdRequest = { verifier: string; nonce: string };

type WithFetch = Pick<Services, "config" | "fetch">;

const CACHE_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const discoveryCache = new Map<string, { at: number; configuration: Promise<openid.Configuration> }>();

/** True for plain HTTP on this machine, allowed for development only. */
export const isLoopback = (url: URL) =>
  url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);

/** Loads the provider's discovery document; cached for an hour, retried after a failure. */
function discover(fetch: GuardedFetch, { issuer, clientId, clientSecret }: OpenIdClient) {
  const key = JSON.stringify([issuer, clientId, clientSecret]);
  const cached = discoveryCache.get(key);
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.configuration;
  const url = new URL(issuer);
  const configuration = openid.discovery(url, clientId, clientSecret, openid.ClientSecretPost(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    [openid.customFetch]: fetch as openid.CustomFetch,
    execute: [openid.enableNonRepudiationChecks, ...(isLoopback(url) ? [openid.allowInsecureRequests] : [])],
  });
  discoveryCache.set(key, { at: Date.now(), configuration });
  configuration.catch(() => discoveryCache.delete(key));
  return configuration;
}

export const returnUrl = (config: Config) => `${config.publicUrl}/api/auth/external/return`;

/**
 * Authorization URL with code flow, PKCE (S256), state and nonce. `hint` prefills the email; `forceLogin` requires a
 * login even if the person is logged in at the provider (`max_age=0`); `prompt` requests the same with a parameter that
 * Google does not support.
 */
export async function startOpenId(
  { config, fetch }: WithFetch,
  client: OpenIdClient,
  state: string,
  { hint, forceLogin, prompt }: { hint?: string | undefined; forceLogin?: boolean; prompt?: "login" | undefined } = {},
): Promise<{ address: string; request: OpenIdRequest }> {
  const provider = await discover(fetch, client);
  const request = { verifier: openid.randomPKCECodeVerifier(), nonce: openid.randomNonce() };
  const address = openid.buildAuthorizationUrl(provider, {
    redirect_uri: returnUrl(config),
    scope: "openid email profile",
    state,
    nonce: request.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: "S256",
    ...(hint ? { login_hint: hint } : { prompt: "select_account" }),
    ...(forceLogin && { max_age: "0" }),
    ...(prompt && { prompt }),
  });
  return { address: address.href, request };
}

/**
 * Exchanges the authorization code for an identity. The library verifies signature, issuer, audience, nonce, state and
 * PKCE.
 */
export async function finishOpenId(
  { config, fetch }: WithFetch,
  client: OpenIdClient,
  { search, state, request }: { search: string; state: string; request: OpenIdRequest },
): Promise<Identity> {
  const provider = await discover(fetch, client);
  const tokens = await openid.authorizationCodeGrant(provider, new URL(returnUrl(config) + search), {
    pkceCodeVerifier: request.verifier,
    expectedNonce: request.nonce,
    expectedState: state,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("The provider sent no id token");
  const profile =
    typeof claims.email === "string" ? claims : await openid.fetchUserInfo(provider, tokens.access_token, claims.sub);
  const { email_verified: verified, name } = profile;
  const { data: email } = emailShape.safeParse(profile.email);
  if (!email) throw new Error("The provider sent no email");
  return {
    subject: claims.sub,
    email,
    verified: verified === true,
    name: typeof name === "string" ? name.trim().slice(0, 120) : "",
    ...(claims.auth_time !== undefined && { at: claims.auth_time }),
  };
}
