import { type NotNull, sql } from "kysely";
import { deleteUnverifiedRegistration, revertClaim } from "#server/auth/account/invitationClaims.ts";
import { activatedMail, enqueueAccountMail } from "#server/auth/mails.ts";
import {
  deleteOneTimeTokens,
  createOneTimeToken,
  readOneTimeToken,
  consumeOneTimeToken,
} from "#server/auth/oneTimeTokens.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/limits/throttle.ts";

const LINK_SECONDS = 3 * 86_400;
/** The most verification emails per hour: to one address, and requested from one network. */
const MAILS_PER_ADDRESS = 3;
const MAILS_PER_NETWORK = 60;

/**
 * Notifies a person that their account was activated. The email contains a verification link if the address must be
 * verified.
 */
export async function enqueueActivatedMail(services: Services, tx: Db, userId: string) {
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

/** Resends the verification email. The response does not reveal whether the account exists. */
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
  const stored = await readOneTimeToken(db, "verifyEmail", token);
  const person =
    stored &&
    (await db
      .selectFrom("users")
      .leftJoin("companies", "companies.id", "users.companyId")
      .where("users.id", "=", stored.userId)
      .where("users.emailVerificationPending", "=", true)
      .select(["users.email", "users.name", "companies.name as company"])
      .$narrowType<{ email: NotNull }>()
      .executeTakeFirst());
  if (!person) throw new Problem(404, "auth.confirmationInvalid");
  return { ...person, company: person.company ?? "" };
}

/**
 * The owner of the address confirms or rejects an account. A rejected claim is reverted; a rejected registration with
 * an access code is deleted.
 */
export async function answerConfirmation({ db }: Services, token: string, isMine: boolean) {
  return inTransaction(db, async (tx) => {
    const stored = await consumeOneTimeToken(tx, "verifyEmail", token);
    if (!stored) throw new Problem(404, "auth.confirmationInvalid");
    await deleteOneTimeTokens(tx, stored.userId);
    if (!isMine)
      return void ((await deleteUnverifiedRegistration(tx, stored.userId)) || (await revertClaim(tx, stored.userId)));
    await tx
      .updateTable("users")
      .set({ emailVerificationPending: false, emailVerified: true, invitationHash: null })
      .where("id", "=", stored.userId)
      .execute();
  });
}
