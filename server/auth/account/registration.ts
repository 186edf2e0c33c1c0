import { sql } from "kysely";
import { claimInvitation } from "#server/auth/account/invitationClaims.ts";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { enqueueActivatedMail } from "#server/auth/account/emailVerification.ts";
import { addPassword, refuseWeakPassword } from "#server/auth/password/passwords.ts";
import { findConnectionByEmail } from "#server/auth/sso/ssoDomains.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack, reserve } from "#server/core/limits/throttle.ts";
import { confirmsClaims } from "#server/mails/mailServer.ts";
import type { Registration } from "#shared/auth/auth.ts";
import { normaliseCode } from "#shared/companies/companies.ts";
import { email as emailShape } from "#shared/core/users.ts";
import { MAX_CODE_GUESSES, joinByCode, findCompanyByCode } from "#server/auth/account/accessCodes.ts";

/** The most refused registrations from one network in 15 minutes: the responses reveal who has an account. */
const MAX_REFUSALS = 100;

/**
 * Registers a person. An account without `lastActive` and without a sign-in method is claimed and keeps its company;
 * everyone else needs a company's access code. Concurrent registrations are decided by a single statement each.
 */
export async function register(services: Services, input: Registration, network: string): Promise<{ email: string }> {
  const { db, config } = services;
  if (!(await reserve(db, ["register", network], MAX_REFUSALS, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const parsed = emailShape.safeParse(input.email);
  if (!parsed.success) throw new Problem(422, "auth.emailInvalid");
  const email = parsed.data;
  if (!config.passwordSignUp || (await findConnectionByEmail(db, email))?.enforced)
    throw new Problem(403, "auth.signUpDisabled");
  const owner = { name: input.name, email };
  await refuseWeakPassword(db, input.password, { ...owner, companyId: null });

  const accessCode = normaliseCode(input.accessCode ?? "");
  const invited = await findClaimableUser(db, { email, accessCode, network });
  // After the guess was counted, because refusing the name of a company reveals whose access code it is.
  const companyId = invited ? invited.companyId : ((await findCompanyByCode(db, accessCode))?.id ?? null);
  await refuseWeakPassword(db, input.password, { ...owner, companyId });
  const password = await hashPassword(input.password);
  const confirm = await confirmsClaims(services);
  await inTransaction(db, async (tx) => {
    if (invited) {
      await claimInvitation(tx, invited.id, { name: input.name, via: "claim", pending: confirm });
      await addPassword(tx, invited.id, password);
      await enqueueActivatedMail(services, tx, invited.id);
      return;
    }
    const created = await joinByCode(tx, {
      name: input.name,
      email,
      accessCode,
      confirm,
    });
    await addPassword(tx, created.id, password);
    if (created.pending) await enqueueActivatedMail(services, tx, created.id);
  }).catch(rethrowEmailInUse);
  // Only refusals and wrong codes count, so that many people in one office can register.
  await giveBack(db, ["register", network]);
  if (accessCode) await giveBack(db, ["code", network]);
  return { email };
}

/**
 * The invited account that this email may claim; undefined if a new account can be created. Throws if the email is
 * taken, if the access code is missing (only invited people need none), and if an invited person enters a wrong code,
 * although their company does not depend on it. `accessCode` is normalised; unless empty, it counts as a guess of the
 * network.
 */
export async function findClaimableUser(
  db: Db,
  { email, accessCode, network }: { email: string; accessCode: string; network: string },
) {
  const account = await db
    .selectFrom("users")
    .leftJoin("authAccounts", "authAccounts.userId", "users.id")
    .where(sql`lower(users.email)`, "=", email)
    .select(["users.id", "users.companyId", "users.lastActive", "authAccounts.id as signInMethod"])
    .executeTakeFirst();
  if (account?.lastActive) throw new Problem(409, "auth.alreadyActive");
  if (account?.signInMethod) throw new Problem(409, "auth.emailInUse");
  if (!account && !accessCode) throw new Problem(422, "auth.codeRequired");
  if (accessCode && !(await reserve(db, ["code", network], MAX_CODE_GUESSES, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  if (account && accessCode && !(await findCompanyByCode(db, accessCode))) throw new Problem(422, "auth.codeInvalid");
  return account;
}

export function rethrowEmailInUse(error: unknown): never {
  if (isUniqueViolation(error)) throw new Problem(409, "auth.emailInUse");
  throw error;
}
