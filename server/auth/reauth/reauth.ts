import { record } from "#server/audit/service.ts";
import { checkFactorCode } from "#server/auth/factors/totp.ts";
import { listReauthOptions, markReauthenticated } from "#server/auth/reauth/reauthPolicy.ts";
import { findLinkedUser, GOOGLE, type Identity } from "#server/auth/sso/google.ts";
import { verifyPasskey } from "#server/auth/factors/passkeys.ts";
import { verifyOwnPin } from "#server/auth/pins/ownPin.ts";
import type { Client } from "#server/auth/service.ts";
import { verifyCredentials } from "#server/auth/password/passwordSignIn.ts";
import { type Connection, ssoProviderId } from "#server/auth/sso/ssoDomains.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, forbidden, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import type { ReauthInput, ReauthMethod } from "#shared/auth/account.ts";
import { REAUTH_MINUTES, type User } from "#shared/core/users.ts";

/** The most failures per person in 15 minutes that are written to the audit log, which cannot be edited. */
const MAX_LOGGED_FAILURES = 20;

/**
 * Reauthenticates the person in this session. Failures are written to the audit log, because someone else may be using
 * the session.
 */
export async function reauthenticate(ctx: Ctx<User>, client: Client, sessionId: string, input: ReauthInput) {
  const { methods } = await listReauthOptions(ctx, ctx.user);
  if (!methods.includes(input.method)) throw forbidden();
  await verifyReauth(ctx, client, input).catch(recordFailure(ctx, input.method));
  await markReauthenticated(ctx.db, ctx.user.id, sessionId);
}

async function verifyReauth(ctx: Ctx<User>, client: Client, input: ReauthInput) {
  const { user } = ctx;
  if (input.method === "pin") return void (await verifyOwnPin(ctx, client, input.pin, "pin"));
  if (input.method === "app") return checkFactorCode(ctx, user.id, { method: "app", code: input.code });
  if (input.method === "passkey") {
    const owner = await verifyPasskey(ctx, input.response).catch((error: unknown) => {
      // The browser would take a 401 for an expired session.
      throw error instanceof Problem && error.status === 401 ? new Problem(422, "auth.passkeyFailed") : error;
    });
    if (owner !== user.id) throw new Problem(403, "auth.reauthWrongAccount");
    return;
  }
  const owner = await verifyCredentials(ctx, client, {
    email: user.email?.toLowerCase() ?? "",
    password: input.password,
  });
  if (owner?.id !== user.id) throw badField("password", "auth.wrongPassword");
}

/**
 * Completes a reauthentication at a provider. The method must be available to the person, the provider account must be
 * theirs, and the login must be recent. SAML responses must contain the time of login; for OpenID Connect `auth_time`
 * is checked if present.
 */
export async function reauthenticateWithProvider(
  services: Services,
  { userId, sessionId }: { userId: string; sessionId: string },
  connection: Pick<Connection, "id" | "kind"> | null,
  { subject, at }: Identity,
) {
  const { db } = services;
  const user = await db
    .selectFrom("users")
    .where("id", "=", userId)
    .select(["id", "email", "role", "companyId"])
    .executeTakeFirst();
  if (!user) throw new Problem(401, "core.signedOut");
  const failed = recordFailure({ ...services, user }, connection ? "company" : "google");
  const { methods, company } = await listReauthOptions(services, user);
  if (connection ? company?.connectionId !== connection.id : !methods.includes("google")) return failed(forbidden());
  if ((await findLinkedUser(db, connection ? ssoProviderId(connection.id) : GOOGLE, subject))?.id !== userId)
    return failed(new Problem(403, "auth.reauthWrongAccount"));
  const oldest = Date.now() / 1000 - REAUTH_MINUTES * 60;
  const isOld = at === undefined ? connection?.kind === "saml" : at < oldest;
  if (isOld) return failed(new Problem(403, "auth.reauthStale", { values: { minutes: REAUTH_MINUTES } }));
  await markReauthenticated(db, userId, sessionId);
}

const recordFailure =
  (ctx: Services & { user: Pick<User, "id" | "role"> }, method: ReauthMethod) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof Problem && (await reserve(ctx.db, ["reauth failed", ctx.user.id], MAX_LOGGED_FAILURES, 900)))
      await record(ctx.db, ctx, {
        action: "account.reauthFailed",
        people: [ctx.user.id],
        details: { by: method === "company" ? "sso" : method, locked: error.status === 429 },
      });
    throw error;
  };
