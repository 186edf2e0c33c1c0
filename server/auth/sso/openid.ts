import * as openid from "openid-client";
import type { Identity } from "#server/auth/sso/google.ts";
import type { Config } from "#server/core/config.ts";
import { email as emailShape } from "#shared/users.ts";

/** A client that is registered at an OpenID provider. */
export type OpenIdClient = { issuer: string; clientId: string; clientSecret: string };
/** What has to be the same when the person comes back. */
export type OpenIdRequest = { verifier: string; nonce: string };

const CACHE_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const discoveryCache = new Map<string, { at: number; found: Promise<openid.Configuration> }>();

/** Plain HTTP only between programs of one machine, for trying things out. */
export const isLoopback = (url: URL) =>
  url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);

/** Reads the provider's own description when it is needed first, and again when that failed or is an hour old. */
function discover({ issuer, clientId, clientSecret }: OpenIdClient) {
  const key = JSON.stringify([issuer, clientId, clientSecret]);
  const known = discoveryCache.get(key);
  if (known && Date.now() - known.at < CACHE_MS) return known.found;
  const address = new URL(issuer);
  const found = openid.discovery(address, clientId, clientSecret, openid.ClientSecretPost(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    execute: [openid.enableNonRepudiationChecks, ...(isLoopback(address) ? [openid.allowInsecureRequests] : [])],
  });
  discoveryCache.set(key, { at: Date.now(), found });
  found.catch(() => discoveryCache.delete(key));
  return found;
}

export const returnUrl = (config: Config) => `${config.publicUrl}/api/auth/external/return`;

/** Where to send the browser: authorization code, PKCE (S256), state and nonce. `hint` fills in the email there, `again` wants a login even of people who are logged in there, `prompt` says so in words that Google does not know. */
export async function startOpenId(
  config: Config,
  client: OpenIdClient,
  state: string,
  { hint, again, prompt }: { hint?: string | undefined; again?: boolean; prompt?: "login" | undefined } = {},
): Promise<{ address: string; request: OpenIdRequest }> {
  const provider = await discover(client);
  const request = { verifier: openid.randomPKCECodeVerifier(), nonce: openid.randomNonce() };
  const address = openid.buildAuthorizationUrl(provider, {
    redirect_uri: returnUrl(config),
    scope: "openid email profile",
    state,
    nonce: request.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: "S256",
    ...(hint ? { login_hint: hint } : { prompt: "select_account" }),
    ...(again && { max_age: "0" }),
    ...(prompt && { prompt }),
  });
  return { address: address.href, request };
}

/** Exchanges the code for an identity. Signature, issuer, audience, nonce, state and PKCE are checked by the library. */
export async function finishOpenId(
  config: Config,
  client: OpenIdClient,
  { search, state, request }: { search: string; state: string; request: OpenIdRequest },
): Promise<Identity> {
  const provider = await discover(client);
  const tokens = await openid.authorizationCodeGrant(provider, new URL(returnUrl(config) + search), {
    pkceCodeVerifier: request.verifier,
    expectedNonce: request.nonce,
    expectedState: state,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("The provider sent no id token");
  const more =
    typeof claims.email === "string" ? claims : await openid.fetchUserInfo(provider, tokens.access_token, claims.sub);
  const { email_verified: verified, name } = more;
  const { data: email } = emailShape.safeParse(more.email);
  if (!email) throw new Error("The provider sent no email");
  return {
    subject: claims.sub,
    email,
    verified: verified === true,
    name: typeof name === "string" ? name.trim().slice(0, 120) : "",
    ...(claims.auth_time !== undefined && { at: claims.auth_time }),
  };
}
