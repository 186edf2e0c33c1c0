import Bowser from "bowser";
import { recordAccountAction } from "#server/audit/service.ts";
import { listFactors } from "#server/auth/factors/factors.ts";
import { readPendingEmail } from "#server/auth/account/pendingEmail.ts";
import { requireReauth } from "#server/auth/reauth/reauthPolicy.ts";
import { GOOGLE } from "#server/auth/sso/google.ts";
import { hashPassword, runInPasswordQueue, verifyPassword } from "#server/auth/password/hashing.ts";
import { reserveConfirmation } from "#server/auth/password/lockouts.ts";
import { refuseWeakPassword, setPassword } from "#server/auth/password/passwords.ts";
import { findPin } from "#server/auth/pins/ownPin.ts";
import { findEnforcedConnection } from "#server/auth/sso/ssoDomains.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import type { accounts } from "#shared/auth/account.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const credentialOf = (db: Db, userId: string) =>
  db
    .selectFrom("authAccounts")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .select("password")
    .executeTakeFirst();

/** A person's own account with its sign-in methods and second factors. */
export async function readAccount({ db, config, user }: Ctx<User>) {
  const accounts = await db.selectFrom("authAccounts").where("userId", "=", user.id).select("providerId").execute();
  const methods = await listFactors(db, user.id);
  const { count } = await db
    .selectFrom("authRecoveryCodes")
    .where("userId", "=", user.id)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const passkeys = await db
    .selectFrom("authPasskeys")
    .where("userId", "=", user.id)
    .select(["id", "name", "createdAt", "lastUsedAt"])
    .orderBy("createdAt")
    .execute();
  const company = user.companyId ? await findEnforcedConnection(db, user.email, user.companyId) : null;
  const has = (provider: string) => accounts.some(({ providerId }) => providerId === provider);
  return {
    name: user.name,
    email: user.email,
    hasPassword: has("credential"),
    hasPin: (await findPin(db, user.id)) !== "none",
    hasGoogle: has(GOOGLE),
    googleEnabled: config.google !== null,
    ssoCompany: accounts.some(({ providerId }) => providerId.startsWith("sso:")) ? (company?.company ?? "") : null,
    ssoEnforced: company !== null,
    hasApp: methods.includes("app"),
    recoveryCodes: count,
    passkeys,
    pendingEmail: await readPendingEmail(db, user.id),
    mustSetUpFactor: user.needsFactor === true,
  };
}

export async function updateProfile({ db, user }: Ctx<User>, name: string) {
  await db
    .updateTable("users")
    .set((e) => ({ name, version: e("version", "+", 1), updatedAt: new Date().toISOString() }))
    .where("id", "=", user.id)
    .execute();
}

/**
 * Verifies the password again before a sensitive change, so that an unattended session is not enough. People without a
 * password need recent authentication instead.
 */
export async function requirePassword(
  ctx: Ctx<User>,
  sessionId: string,
  password: string | undefined,
  field = "password",
) {
  const { db, user } = ctx;
  const credential = await credentialOf(db, user.id);
  if (!credential) return requireReauth(ctx, user, sessionId);
  const attempt = await reserveConfirmation(db, user.id);
  const verify = () => verifyPassword(credential.password, password ?? "");
  if (!(await runInPasswordQueue(verify, { isPriority: true }))) throw badField(field, "auth.wrongPassword");
  await attempt.clear();
}

/**
 * Changes the password and ends all sessions except `currentSession`. People without a password set their first one by
 * email (passwordResets.ts).
 */
export async function changePassword(
  ctx: Ctx<User>,
  currentSession: string,
  { current, password }: BodyOf<typeof accounts.changePassword>,
) {
  if (!(await credentialOf(ctx.db, ctx.user.id))) throw conflict("auth.noPassword");
  await requirePassword(ctx, currentSession, current, "current");
  await refuseWeakPassword(ctx.db, password, ctx.user, "password");
  const hash = await hashPassword(password);
  await inTransaction(ctx.db, async (tx) => {
    await setPassword(ctx, tx, ctx.user.id, hash);
    await deleteOneTimeTokens(tx, ctx.user.id);
    await tx.deleteFrom("authSessions").where("userId", "=", ctx.user.id).where("id", "!=", currentSession).execute();
    await recordAccountAction(tx, ctx.user.id, "account.password");
  });
}

/** Active sessions of a person, with device and time but no location. */
export async function listSessions({ db, user }: Ctx<User>, currentSession: string) {
  const rows = await db
    .selectFrom("authSessions")
    .where("userId", "=", user.id)
    .where("expiresAt", ">", new Date().toISOString())
    .where((e) => e.or([e("endsAt", "is", null), e("endsAt", ">", new Date().toISOString())]))
    .select(["id", "userAgent", "createdAt", "seenAt"])
    .orderBy("seenAt", "desc")
    .execute();
  const items = rows.map(({ id, userAgent, createdAt, seenAt }) => ({
    id,
    ...deviceOf(userAgent),
    createdAt,
    lastActive: seenAt,
    current: id === currentSession,
  }));
  return { items: items.toSorted((a, b) => Number(b.current) - Number(a.current)), total: items.length };
}

/** Browser and operating system such as "Chrome on Linux", and the kind of device. */
function deviceOf(userAgent: string | null) {
  if (!userAgent) return { device: "", kind: "computer" as const };
  const { browser, os, platform } = Bowser.parse(userAgent);
  const kind = platform.type === "mobile" || platform.type === "tablet" ? ("phone" as const) : ("computer" as const);
  return { device: [browser.name, os.name].filter(Boolean).join(" on "), kind };
}

export async function endSession({ db, user }: Ctx<User>, id: string) {
  await inTransaction(db, async (tx) => {
    const ended = await tx
      .deleteFrom("authSessions")
      .where("id", "=", id)
      .where("userId", "=", user.id)
      .returning("id")
      .executeTakeFirst();
    if (!ended) throw notFound();
    await recordAccountAction(tx, user.id, "account.sessionsEnded", { sessions: 1 });
  });
}

export async function endOtherSessions({ db, user }: Ctx<User>, currentSession: string) {
  return inTransaction(db, async (tx) => {
    const { length: ended } = await tx
      .deleteFrom("authSessions")
      .where("userId", "=", user.id)
      .where("id", "!=", currentSession)
      .returning("id")
      .execute();
    if (ended > 0) await recordAccountAction(tx, user.id, "account.sessionsEnded", { sessions: ended });
    return { ended };
  });
}

/** Unlinks Google, unless it is the only sign-in method. */
export async function unlinkGoogle(ctx: Ctx<User>, sessionId: string, password: string | undefined) {
  await requirePassword(ctx, sessionId, password);
  await inTransaction(ctx.db, async (tx) => {
    const accounts = await tx
      .selectFrom("authAccounts")
      .where("userId", "=", ctx.user.id)
      .select(["id", "providerId"])
      .forUpdate()
      .execute();
    if (!accounts.some(({ providerId }) => providerId !== GOOGLE)) throw conflict("auth.lastSignInMethod");
    const unlinked = await tx
      .deleteFrom("authAccounts")
      .where("userId", "=", ctx.user.id)
      .where("providerId", "=", GOOGLE)
      .returning("id")
      .execute();
    if (unlinked.length > 0) await recordAccountAction(tx, ctx.user.id, "account.googleUnlinked");
  });
}
