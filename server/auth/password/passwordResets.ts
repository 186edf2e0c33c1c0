import { sql } from "kysely";
import { z } from "zod";
import { recordAccountAction } from "#server/audit/service.ts";
import { claimInvitation } from "#server/auth/account/invitationClaims.ts";
import { GOOGLE } from "#server/auth/sso/google.ts";
import { resetMail, useSsoMail, enqueueAccountMail } from "#server/auth/mails.ts";
import { isWeakPassword, setPassword } from "#server/auth/password/passwords.ts";
import { activeUsers, endSessions } from "#server/auth/service.ts";
import { endExpiredSessions } from "#server/auth/sso/ssoSessions.ts";
import { findEnforcedConnection } from "#server/auth/sso/ssoDomains.ts";
import {
  deleteOneTimeTokens,
  createOneTimeToken,
  readOneTimeToken,
  deleteExpiredOneTimeTokens,
  consumeOneTimeToken,
} from "#server/auth/oneTimeTokens.ts";
import { inTransaction, type Tx } from "#server/core/db.ts";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { releaseAll, reserve } from "#server/core/throttle.ts";

const LINK_SECONDS = 3600;
/** Reset mails to one address in an hour, and asked for from one network. */
const MAILS_PER_ADDRESS = 3;
const MAILS_PER_NETWORK = 60;

/**
 * Asks for a reset mail. Whether there is anybody to send it to is looked up later, by a job: known and unknown addresses
 * get the same answer in the same time.
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
      .where((e) => e.or([e("users.companyId", "is", null), e("companies.status", "=", "active")]))
      .select(["users.id", "users.email", "users.name", "users.companyId"])
      .executeTakeFirst();
    if (!person) return;
    const enforced = await findEnforcedConnection(tx, email, person.companyId);
    const letter = enforced
      ? useSsoMail({ name: person.name, company: enforced.company, link: `${config.publicUrl}/login` })
      : resetMail({
          name: person.name,
          link: `${config.publicUrl}/reset-password?token=${await createOneTimeToken(tx, "passwordReset", person.id, LINK_SECONDS)}`,
        });
    await enqueueAccountMail(services, tx, person, "auth.reset", letter);
  });
});

/** Tokens that are over leave the tables. */
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
  const ticket = await readOneTimeToken(db, "passwordReset", token);
  const person =
    ticket &&
    (await db.selectFrom("users").where("id", "=", ticket.userId).select(["email", "name"]).executeTakeFirst());
  if (!person) throw new Problem(404, "auth.resetInvalid");
  return person;
}

/**
 * Sets the password from a reset link: single use, proves the mailbox, ends every session, lifts every lock. An invited
 * record is completed by it; people who came in by Google or their company get a first password.
 */
export async function resetPassword(services: Services, token: string, password: string) {
  if (isWeakPassword(password)) throw new Problem(422, "auth.passwordWeak");
  return inTransaction(services.db, async (tx) => {
    const ticket = await consumeOneTimeToken(tx, "passwordReset", token);
    if (!ticket) throw new Problem(404, "auth.resetInvalid");
    const { userId } = ticket;
    const person = await tx
      .selectFrom("users")
      .where("id", "=", userId)
      .select(["email", "status", "emailVerified"])
      .forUpdate()
      .executeTakeFirst();
    if (!person) throw new Problem(404, "auth.resetInvalid");
    if (person.status === "invited") await claimInvitation(tx, userId, { name: "", via: "invitation", verified: true });
    if (!(await activeUsers(tx).where("users.id", "=", userId).select("users.id").executeTakeFirst()))
      throw new Problem(403, "auth.disabled");
    if (!person.emailVerified) await removeUnverifiedSignInMethods(tx, userId);
    await setPassword(services, tx, userId, password);
    await tx
      .updateTable("users")
      .set({ emailVerified: true, emailVerificationPending: false, invitationHash: null })
      .where("id", "=", userId)
      .execute();
    await deleteOneTimeTokens(tx, userId);
    await endSessions(tx, [userId]);
    await releaseAll(tx, person.email.toLowerCase());
    await recordAccountAction(tx, userId, "account.passwordReset");
    return { email: person.email };
  });
}

/**
 * The mailbox is proven for the first time: what opens the door without the password may be of somebody who registered with
 * this address before its owner did. An app stays: it opens nothing by itself.
 */
async function removeUnverifiedSignInMethods(tx: Tx, userId: string) {
  await tx.deleteFrom("authPasskeys").where("userId", "=", userId).execute();
  await tx.deleteFrom("authAccounts").where("userId", "=", userId).where("providerId", "=", GOOGLE).execute();
}
