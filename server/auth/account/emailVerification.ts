import { sql } from "kysely";
import { deleteUnverifiedRegistration, revertClaim } from "#server/auth/account/invitationClaims.ts";
import { activatedMail, enqueueAccountMail } from "#server/auth/mails.ts";
import {
  deleteOneTimeTokens,
  createOneTimeToken,
  readOneTimeToken,
  consumeOneTimeToken,
} from "#server/auth/oneTimeTokens.ts";
import { type Db, inTransaction, type Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/throttle.ts";

const LINK_SECONDS = 3 * 86_400;
/** Confirmation mails to one address in an hour, and asked for from one network. */
const MAILS_PER_ADDRESS = 3;
const MAILS_PER_NETWORK = 60;

/** Tells an address that its record was completed, or made with an access code; the mail carries the proof while one is wanted. */
export async function enqueueActivatedMail(services: Services, tx: Db | Tx, userId: string) {
  const person = await tx
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .where("users.id", "=", userId)
    .select([
      "users.id",
      "users.email",
      "users.name",
      "users.companyId",
      "users.emailVerificationPending",
      "companies.name as company",
    ])
    .executeTakeFirstOrThrow();
  const token = person.emailVerificationPending
    ? await createOneTimeToken(tx, "verifyEmail", userId, LINK_SECONDS)
    : null;
  const link = token && `${services.config.publicUrl}/confirm-email?token=${token}`;
  await enqueueAccountMail(services, tx, person, "auth.activated", activatedMail({ ...person, link }));
}

/** Sends the confirmation again. Says nothing about whether there is anybody to send it to. */
export async function resendConfirmation(services: Services, email: string, network: string) {
  const { db } = services;
  const allowed =
    (await reserve(db, ["mailbox from", network], MAILS_PER_NETWORK, 3600)) &&
    (await reserve(db, ["mailbox", email], MAILS_PER_ADDRESS, 3600));
  if (!allowed) throw new Problem(429, "auth.tooManyMails", { values: { count: MAILS_PER_ADDRESS } });
  const person = await db
    .selectFrom("users")
    .where(sql`lower(email)`, "=", email)
    .where("emailVerificationPending", "=", true)
    .where("status", "=", "active")
    .select("id")
    .executeTakeFirst();
  if (person) await inTransaction(db, (tx) => enqueueActivatedMail(services, tx, person.id));
}

export async function readConfirmation({ db }: Services, token: string) {
  const ticket = await readOneTimeToken(db, "verifyEmail", token);
  const person =
    ticket &&
    (await db
      .selectFrom("users")
      .leftJoin("companies", "companies.id", "users.companyId")
      .where("users.id", "=", ticket.userId)
      .where("users.emailVerificationPending", "=", true)
      .select(["users.email", "users.name", "companies.name as company"])
      .executeTakeFirst());
  if (!person) throw new Problem(404, "auth.confirmationInvalid");
  return { ...person, company: person.company ?? "" };
}

/** The owner of the mailbox says whether it was them. A claim that was not is undone; a record that a stranger made with a code goes. */
export async function answerConfirmation({ db }: Services, token: string, mine: boolean) {
  return inTransaction(db, async (tx) => {
    const ticket = await consumeOneTimeToken(tx, "verifyEmail", token);
    if (!ticket) throw new Problem(404, "auth.confirmationInvalid");
    await deleteOneTimeTokens(tx, ticket.userId);
    if (!mine)
      return void ((await deleteUnverifiedRegistration(tx, ticket.userId)) || (await revertClaim(tx, ticket.userId)));
    await tx
      .updateTable("users")
      .set({ emailVerificationPending: false, emailVerified: true, invitationHash: null })
      .where("id", "=", ticket.userId)
      .execute();
  });
}
