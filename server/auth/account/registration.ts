import { sql } from "kysely";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import { claimInvitation, revertClaim } from "#server/auth/account/invitationClaims.ts";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { enqueueActivatedMail } from "#server/auth/account/emailVerification.ts";
import { addPassword, refuseWeakPassword } from "#server/auth/password/passwords.ts";
import { findConnectionByEmail, domainOf, refuseIfSsoEnforced } from "#server/auth/sso/ssoDomains.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { type Db, inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack, reserve } from "#server/core/limits/throttle.ts";
import type { Registration, auth } from "#shared/auth/auth.ts";
import { normaliseCode } from "#shared/companies/companies.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { email as emailShape } from "#shared/core/users.ts";

/** The most access code attempts from one network in 15 minutes. */
const MAX_CODE_GUESSES = 60;
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
  await inTransaction(db, async (tx) => {
    if (invited) {
      await claimInvitation(tx, invited.id, { name: input.name, via: "claim", pending: config.claimConfirmation });
      await addPassword(tx, invited.id, password);
      await enqueueActivatedMail(services, tx, invited.id);
      return;
    }
    const created = await joinByCode(tx, {
      name: input.name,
      email,
      accessCode,
      confirm: config.claimConfirmation,
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

/** `verified`: the address is verified already; `confirm`: it can be verified by email. */
type CodeRegistration = { name: string; email: string; accessCode: string; verified?: boolean; confirm?: boolean };

/**
 * Creates a learner in the company of the access code. The use is counted in the statement that checks the limit. If
 * the company restricts email domains, the address must be verified before the first sign-in (`pending`).
 */
export async function joinByCode(tx: Tx, input: CodeRegistration): Promise<{ id: string; pending: boolean }> {
  const company = await findCompanyByCode(tx, input.accessCode);
  if (!company || (company.allowedDomains.length > 0 && !company.allowedDomains.includes(domainOf(input.email))))
    throw new Problem(422, "auth.codeInvalid");
  const counted = await tx
    .updateTable("companies")
    .set((e) => ({ codeUsedCount: e("codeUsedCount", "+", 1) }))
    .where("id", "=", company.id)
    .where((e) => e.or([e("codeMaxUses", "is", null), e("codeUsedCount", "<", e.ref("codeMaxUses"))]))
    .returning("id")
    .executeTakeFirst();
  if (!counted) throw new Problem(422, "auth.codeInvalid");
  const pending = input.confirm === true && !input.verified && company.allowedDomains.length > 0;
  return { id: await addLearner(tx, company.id, { ...input, via: "code", pending }), pending };
}

type NewLearner = { email: string; name: string; via: "code" | "sso"; verified?: boolean; pending?: boolean };

/** Creates an active learner with the courses of the company, if it has a free seat. Locks the company's row. */
export async function addLearner(
  tx: Tx,
  companyId: string,
  { email, name, via, verified = false, pending = false }: NewLearner,
) {
  const company = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["id", "learnerLimit"])
    .forUpdate()
    .executeTakeFirstOrThrow();
  await refuseIfFull(tx, company, 1);
  const { id } = await tx
    .insertInto("users")
    .values({
      email,
      name,
      role: "learner",
      status: "active",
      companyId,
      activatedVia: via,
      emailVerified: verified,
      emailVerificationPending: pending,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await enrolInCompanyCourses(tx, id, companyId, via === "code" ? "code" : "company");
  return id;
}

/** The active company with this access code: its current code, or its previous one during the grace period. */
export const findCompanyByCode = (db: Db, typed: string) => {
  const code = normaliseCode(typed);
  return db
    .selectFrom("companies")
    .where("status", "=", "active")
    .where("codeEnabled", "=", true)
    .where((e) => e.or([e("codeExpiresAt", "is", null), e("codeExpiresAt", ">", sql<string>`now()`)]))
    .where((e) =>
      e.or([
        e("accessCode", "=", code),
        e.and([e("previousCode", "=", code), e("previousCodeUntil", ">", sql<string>`now()`)]),
      ]),
    )
    .selectAll()
    .executeTakeFirst();
};

/** The account of an invitation: still invited, or claimed with an unverified address. */
const findInvitation = (db: Db, token: string) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .where("invitationHash", "=", hashToken(token))
    .where("invitationExpiresAt", ">", sql<string>`now()`)
    .where((e) =>
      e.or([
        e("users.status", "=", "invited"),
        e.and([e("users.status", "=", "active"), e("users.emailVerificationPending", "=", true)]),
      ]),
    )
    .where("companies.status", "=", "active")
    .select([
      "users.id",
      "users.email",
      "users.name",
      "users.companyId",
      "companies.name as company",
      "companies.color",
    ]);

export async function readInvitation({ db }: Services, token: string) {
  const invitation = await findInvitation(db, token).executeTakeFirst();
  if (!invitation) throw new Problem(404, "auth.invitationInvalid");
  return invitation;
}

/** Accepts an invitation. The link came by email, so it verifies the address and overrides an unverified claim. */
export async function acceptInvitation(services: Services, token: string, input: BodyOf<typeof auth.acceptInvitation>) {
  const invitation = await readInvitation(services, token);
  await refuseWeakPassword(services.db, input.password, { ...invitation, name: input.name });
  await refuseIfSsoEnforced(services.db, invitation.email, invitation.companyId);
  const password = await hashPassword(input.password);
  await inTransaction(services.db, async (tx) => {
    await revertClaim(tx, invitation.id);
    await claimInvitation(tx, invitation.id, { name: input.name, via: "invitation", verified: true });
    await addPassword(tx, invitation.id, password);
    await deleteOneTimeTokens(tx, invitation.id);
  });
  return { email: invitation.email };
}

/** The company behind an access code, for the registration page. Throttled against guessing. */
export async function previewCode({ db }: Services, code: string, network: string) {
  if (!(await reserve(db, ["code", network], MAX_CODE_GUESSES, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const company = await findCompanyByCode(db, code);
  if (!company) throw new Problem(404, "auth.codeInvalid");
  await giveBack(db, ["code", network]);
  const { name, color, welcome } = company;
  return {
    name,
    color,
    welcome,
    logo: company.logo ? `data:${company.logoType};base64,${company.logo.toString("base64")}` : null,
  };
}
