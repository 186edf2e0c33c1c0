import { type NotNull, sql } from "kysely";
import { z } from "zod";
import { recordAccountAction } from "#server/audit/service.ts";
import { claimInvitation } from "#server/auth/account/invitationClaims.ts";
import { GOOGLE } from "#server/auth/sso/google.ts";
import { resetMail, useSsoMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { clearLockouts } from "#server/auth/password/lockouts.ts";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { refuseWeakPassword, setPassword } from "#server/auth/password/passwords.ts";
import { activeUsers, endSessions } from "#server/auth/service.ts";
import { endExpiredSessions } from "#server/auth/sso/ssoSessions.ts";
import { findEnforcedConnection } from "#server/auth/sso/ssoDomains.ts";
import {
  deleteOneTimeTokens,
  deleteTokensFor,
  createOneTimeToken,
  readOneTimeToken,
  deleteExpiredOneTimeTokens,
  consumeOneTimeToken,
} from "#server/auth/oneTimeTokens.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/limits/throttle.ts";

const LINK_SECONDS = 3600;
/** The most reset emails per hour: to one address, and requested from one network. */
const MAILS_PER_ADDRESS = 3;
const MAILS_PER_NETWORK = 60;

/**
 * Requests a reset email. The account is looked up later, by a job, so that known and unknown addresses get the same
 * response in the same time.
 */
export async function requestPasswordReset({ db }: Services, email: string, network: string) {
  const allowed =
    (await reserve(db, ["reset from", network], MAILS_PER_NETWORK, 3600)) &&
    (await reserve(db, ["reset", email], MAILS_PER_ADDRESS, 3600));
  if (!allowed) throw new Problem(429, "auth.tooManyMails", { values: { count: MAILS_PER_ADDRESS } });
  await sendPasswordReset.enqueue(db, { email });
}

export const sendPasswordReset = job("auth:reset", z.object({ email: z.string() }), async (services, { email }) => {
  const { db, config } = services;
  await inTransaction(db, async (tx) => {
    const person = await tx
      .selectFrom("users")
      .leftJoin("companies", "companies.id", "users.companyId")
      .where(sql`lower(users.email)`, "=", email)
      .where("users.status", "!=", "suspended")
      // An invited admin can only use the link of the invitation, which expires and can be revoked.
      .where((e) => e.or([e("users.role", "=", "learner"), e("users.status", "=", "active")]))
      .where((e) => e.or([e("users.companyId", "is", null), e("companies.status", "=", "active")]))
      .select(["users.id", "users.email", "users.name", "users.companyId"])
      .forUpdate("users")
      .executeTakeFirst();
    if (!person) return;
    // Only the newest link works.
    await deleteTokensFor(tx, person.id, "passwordReset");
    const enforced = await findEnforcedConnection(tx, email, person.companyId);
    const createResetLink = async () => {
      const token = await createOneTimeToken(tx, "passwordReset", person.id, LINK_SECONDS);
      return `${config.publicUrl}/reset-password?token=${token}`;
    };
    const mail = enforced
      ? useSsoMail({ name: person.name, company: enforced.company, link: `${config.publicUrl}/login` })
      : resetMail({ name: person.name, link: await createResetLink() });
    await enqueueAccountMail(services, tx, person, "auth.reset", mail);
  });
});

/** Deletes expired tokens, OAuth flows, WebAuthn challenges and single sign-on sessions. */
export const deleteExpiredSignInData = job(
  "auth:sweep",
  z.object({}),
  async ({ db }) => {
    await deleteExpiredOneTimeTokens(db);
    await endExpiredSessions(db);
  },
  "17 * * * *",
);

export async function readPasswordReset({ db }: Services, token: string) {
  const stored = await readOneTimeToken(db, "passwordReset", token);
  const person =
    stored &&
    (await db
      .selectFrom("users")
      .where("id", "=", stored.userId)
      .select(["email", "name", "companyId"])
      .$narrowType<{ email: NotNull }>()
      .executeTakeFirst());
  if (!person) throw new Problem(404, "auth.resetInvalid");
  return person;
}

/**
 * Sets a password with a reset link. The link works once and verifies the address; all sessions end and all lockouts
 * are cleared. Activates an invited account. People who signed in with Google or single sign-on so far get their first
 * password.
 */
export async function resetPassword(services: Services, token: string, password: string) {
  await refuseWeakPassword(services.db, password, await readPasswordReset(services, token));
  const hash = await hashPassword(password);
  return inTransaction(services.db, async (tx) => {
    const stored = await consumeOneTimeToken(tx, "passwordReset", token);
    if (!stored) throw new Problem(404, "auth.resetInvalid");
    const { userId } = stored;
    const person = await tx
      .selectFrom("users")
      .where("id", "=", userId)
      .select(["email", "status", "emailVerified"])
      .$narrowType<{ email: NotNull }>()
      .forUpdate()
      .executeTakeFirst();
    if (!person) throw new Problem(404, "auth.resetInvalid");
    if (person.status === "invited") await claimInvitation(tx, userId, { name: "", via: "invitation", verified: true });
    if (!(await activeUsers(tx).where("users.id", "=", userId).select("users.id").executeTakeFirst()))
      throw new Problem(403, "auth.disabled");
    if (!person.emailVerified) await removeUnverifiedSignInMethods(tx, userId);
    await setPassword(services, tx, userId, hash);
    await tx
      .updateTable("users")
      .set({ emailVerified: true, emailVerificationPending: false, invitationHash: null })
      .where("id", "=", userId)
      .execute();
    await deleteOneTimeTokens(tx, userId);
    await endSessions(tx, [userId]);
    await clearLockouts(tx, person.email.toLowerCase());
    await recordAccountAction(tx, userId, "account.passwordReset");
    return { email: person.email };
  });
}

/**
 * Removes passkeys and Google when an address is verified for the first time: they may belong to someone who registered
 * with the address before its owner did. The authenticator app stays, because it is no sign-in method by itself.
 */
async function removeUnverifiedSignInMethods(tx: Tx, userId: string) {
  await tx.deleteFrom("authPasskeys").where("userId", "=", userId).execute();
  await tx.deleteFrom("authAccounts").where("userId", "=", userId).where("providerId", "=", GOOGLE).execute();
}
