import { record } from "#server/audit/service.ts";
import { checkFactorCode } from "#server/auth/factors/totp.ts";
import { listReauthOptions, markReauthenticated } from "#server/auth/reauth/reauthPolicy.ts";
import { findLinkedUser, GOOGLE, type Identity } from "#server/auth/sso/google.ts";
import { verifyPasskey } from "#server/auth/factors/passkeys.ts";
import type { Client } from "#server/auth/service.ts";
import { verifyCredentials } from "#server/auth/password/passwordSignIn.ts";
import { type Connection, ssoProviderId } from "#server/auth/sso/ssoDomains.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, forbidden, Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/throttle.ts";
import type { ReauthInput, ReauthMethod } from "#shared/account.ts";
import { REAUTH_MINUTES, type User } from "#shared/users.ts";

/** Failures of one person that are written down in a quarter of an hour: the log cannot be cleared of more. */
const MAX_LOGGED_FAILURES = 20;

/** Confirms who sits at this session. Failures are written into the audit log: somebody else may sit there. */
export async function reauthenticate(ctx: Ctx<User>, client: Client, sessionId: string, input: ReauthInput) {
  const { ways } = await listReauthOptions(ctx, ctx.user);
  if (!ways.includes(input.way)) throw forbidden();
  await verifyReauth(ctx, client, input).catch(recordFailure(ctx, input.way));
  await markReauthenticated(ctx.db, ctx.user.id, sessionId);
}

async function verifyReauth(ctx: Ctx<User>, client: Client, input: ReauthInput) {
  const { user } = ctx;
  if (input.way === "app") return checkFactorCode(ctx, user.id, { method: "app", code: input.code });
  if (input.way === "passkey") {
    const owner = await verifyPasskey(ctx, input.response).catch((error: unknown) => {
      // 401 would say that the session is over.
      throw error instanceof Problem && error.status === 401 ? new Problem(422, "auth.passkeyFailed") : error;
    });
    if (owner !== user.id) throw new Problem(403, "auth.reauthWrongAccount");
    return;
  }
  const found = await verifyCredentials(ctx, client, user.email.toLowerCase(), input.password);
  if (found?.id !== user.id) throw badField("password", "auth.wrongPassword");
}

/**
 * The end of a sign-in at a provider that was asked for as a proof: it must be a way that this person has, the same person, and
 * a login of just now. A SAML answer has to say when that was; OpenID providers are asked, but not all of them say it.
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
  const { ways, company } = await listReauthOptions(services, user);
  if (connection ? company?.connectionId !== connection.id : !ways.includes("google")) return failed(forbidden());
  if ((await findLinkedUser(db, connection ? ssoProviderId(connection.id) : GOOGLE, subject))?.id !== userId)
    return failed(new Problem(403, "auth.reauthWrongAccount"));
  const isOld = at === undefined ? connection?.kind === "saml" : at < Date.now() / 1000 - REAUTH_MINUTES * 60;
  if (isOld) return failed(new Problem(403, "auth.reauthStale", { values: { minutes: REAUTH_MINUTES } }));
  await markReauthenticated(db, userId, sessionId);
}

const recordFailure =
  (ctx: Services & { user: Pick<User, "id" | "role"> }, way: ReauthMethod) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof Problem && (await reserve(ctx.db, ["proof failed", ctx.user.id], MAX_LOGGED_FAILURES, 900)))
      await record(ctx.db, ctx, {
        action: "account.reauthFailed",
        people: [ctx.user.id],
        details: { by: way === "company" ? "sso" : way, locked: error.status === 429 },
      });
    throw error;
  };
