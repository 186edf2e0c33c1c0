import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { requirePassword } from "#server/auth/account/account.ts";
import { readCookie, writeCookie } from "#server/auth/cookies.ts";
import { openSession } from "#server/auth/sessions.ts";
import type { OauthFlow } from "#server/auth/sso/oauthFlow.ts";
import { GOOGLE, linkGoogle, registerWithGoogle, signInWithGoogle } from "#server/auth/sso/google.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { finishOpenId, type OpenIdRequest, startOpenId } from "#server/auth/sso/openid.ts";
import { reauthenticateWithProvider } from "#server/auth/reauth/reauth.ts";
import type { Client } from "#server/auth/service.ts";
import { findOrCreateLearner, readIdentity, startSso } from "#server/auth/sso/sso.ts";
import { refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import type { ExternalResult, ExternalStart } from "#shared/auth/auth.ts";
import type { User } from "#shared/core/users.ts";

/** Time a person may take at the provider. */
const FLOW_SECONDS = 600;
const BROWSER_SECONDS = 3600;

/**
 * Starts a sign-in at a provider. The access code stays on the server, under a state that works once and only in this
 * browser; the returned URL contains nothing else of ours.
 */
export async function startProviderSignIn(
  services: Services & { user: User | null },
  client: Client,
  input: ExternalStart,
  sessionId: string | null,
) {
  const { db, config } = services;
  const { user } = services;
  const needsUser = input.purpose === "link" || input.purpose === "reauth";
  if (needsUser && !user) throw new Problem(401, "core.signedOut");
  if (input.purpose === "link" && user) {
    await refuseIfSsoEnforced(db, user.email, user.companyId);
    await requirePassword({ ...services, user }, sessionId ?? "", input.password);
  }
  const state = newToken();
  const connectionId = input.provider === GOOGLE ? null : input.provider;
  if (connectionId && input.purpose !== "signIn" && input.purpose !== "reauth") throw notFound();
  const { address, request } = connectionId
    ? await startSso(services, connectionId, state, { hint: input.email, forceLogin: input.purpose === "reauth" })
    : await startGoogle(services, state, input);
  const browser = readCookie(config, client.cookies, "browser") ?? newToken();
  const id = randomUUID();
  await db
    .insertInto("authOauthFlows")
    .values({
      stateHash: hashToken(state),
      id,
      browserHash: hashToken(browser),
      connectionId,
      purpose: input.purpose,
      userId: needsUser ? (user?.id ?? null) : null,
      request: JSON.stringify({
        ...request,
        ...(input.accessCode && { accessCode: input.accessCode }),
        ...(input.purpose === "reauth" && { sessionId }),
      }),
      expiresAt: new Date(Date.now() + FLOW_SECONDS * 1000).toISOString(),
    })
    .execute();
  return { address, flow: id, cookies: [writeCookie(config, "browser", browser, BROWSER_SECONDS)] };
}

async function startGoogle(services: Services, state: string, { purpose }: ExternalStart) {
  const { google } = services.config;
  if (!google) throw notFound();
  return startOpenId(services, google, state, { forceLogin: purpose === "reauth" }).catch((error: unknown) => {
    services.log.warn({ err: error }, "Google did not respond");
    throw new Problem(502, purpose === "register" ? "auth.googleRegistrationFailed" : "auth.googleFailed");
  });
}

const flowMatch = (services: Services, client: Client, state: string) => ({
  state: hashToken(state),
  browser: hashToken(readCookie(services.config, client.cookies, "browser") ?? ""),
  now: sql<string>`now()`,
});

/** Consumes the flow of a state: once, and only in the browser that started it. */
async function consumeFlow(services: Services, client: Client, state: string): Promise<OauthFlow | undefined> {
  const match = flowMatch(services, client, state);
  return services.db
    .deleteFrom("authOauthFlows")
    .where("stateHash", "=", match.state)
    .where("browserHash", "=", match.browser)
    .where("expiresAt", ">", match.now)
    .returning(["id", "connectionId", "purpose", "userId", "request", "profile"])
    .executeTakeFirst();
}

type Finished = { result: ExternalResult; cookies: string[] };

/** Completes a sign-in after the return from the provider. Errors are part of the result, not thrown. */
export async function finishProviderSignIn(
  services: Services,
  library: BetterAuth,
  client: Client,
  search: string,
): Promise<Finished> {
  const query = new URLSearchParams(search);
  const state = query.get("state") ?? "";
  const flow = await consumeFlow(services, client, state);
  if (!flow) return { result: { flow: "", ...failure(new Problem(400, "auth.googleFailed")) }, cookies: [] };
  try {
    if (query.get("error") === "access_denied") throw new Problem(403, "auth.cancelled");
    const finished = flow.connectionId
      ? await finishSso(services, library, client, flow, search, state)
      : await finishGoogle(services, library, client, flow, search, state);
    return { result: { flow: flow.id, outcome: finished.outcome }, cookies: finished.cookies };
  } catch (error) {
    const cookies = (error as { cookies?: string[] }).cookies ?? [];
    return {
      result: { flow: flow.id, ...failure(error instanceof Problem ? error : unexpected(services, flow, error)) },
      cookies,
    };
  }
}

const failure = (problem: Problem) => {
  const { error, code, details } = problem.body();
  return { problem: { error, code, ...(details && { details }) } };
};

function unexpected({ log }: Services, flow: OauthFlow, error: unknown) {
  log.warn({ err: error }, "a sign-in at a provider failed");
  if (flow.connectionId) return new Problem(502, "auth.ssoFailed");
  return new Problem(502, flow.purpose === "register" ? "auth.googleRegistrationFailed" : "auth.googleFailed");
}

async function finishGoogle(
  services: Services,
  library: BetterAuth,
  client: Client,
  { purpose, request, userId }: OauthFlow,
  search: string,
  state: string,
) {
  if (!services.config.google) throw notFound();
  const identity = await finishOpenId(services, services.config.google, {
    search,
    state,
    request: request as OpenIdRequest,
  });
  if (purpose === "register") {
    await registerWithGoogle(services, identity, { accessCode: request.accessCode, network: client.network });
    return { outcome: "registered" as const, cookies: [] };
  }
  if (purpose === "link") {
    await linkGoogle(services.db, userId ?? "", identity);
    return { outcome: "linked" as const, cookies: [] };
  }
  if (purpose === "reauth") {
    await reauthenticateWithProvider(
      services,
      { userId: userId ?? "", sessionId: request.sessionId ?? "" },
      null,
      identity,
    );
    return { outcome: "reauthenticated" as const, cookies: [] };
  }
  const { cookies } = await openSession(
    services,
    library,
    client,
    await signInWithGoogle(services, identity),
    "google",
  );
  return { outcome: "signedIn" as const, cookies };
}

async function finishSso(
  services: Services,
  library: BetterAuth,
  client: Client,
  flow: OauthFlow,
  search: string,
  state: string,
) {
  const { connection, identity } = await readIdentity(services, flow, search, state);
  if (flow.purpose === "reauth") {
    await reauthenticateWithProvider(
      services,
      { userId: flow.userId ?? "", sessionId: flow.request.sessionId ?? "" },
      connection,
      identity,
    );
    return { outcome: "reauthenticated" as const, cookies: [] };
  }
  const { cookies } = await openSession(
    services,
    library,
    client,
    await findOrCreateLearner(services, connection, identity),
    "sso",
    { connectionId: flow.connectionId },
  );
  return { outcome: "signedIn" as const, cookies };
}
