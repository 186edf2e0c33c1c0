import { sql } from "kysely";
import { claim, undoClaim } from "#server/auth/account/invitationClaims.ts";
import { hashPassword } from "#server/auth/betterAuth.ts";
import { enqueueActivatedMail } from "#server/auth/account/emailVerification.ts";
import { addPassword, isWeak } from "#server/auth/password/passwords.ts";
import { connectionFor, domainOf, refuseIfEnforced } from "#server/auth/sso/ssoDomains.ts";
import { dropOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { type Db, inTransaction, isUniqueViolation, type Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack, reserve } from "#server/core/throttle.ts";
import type { Registration } from "#shared/auth.ts";
import { normalCode } from "#shared/companies.ts";
import { email as emailShape } from "#shared/users.ts";

/** Code guesses from one network in a quarter of an hour. */
const CODE_GUESSES = 60;
/** Refused registrations from one network in a quarter of an hour: the answers tell who has an account (spec section 5). */
const REFUSALS = 100;

/**
 * Registers a person (spec sections 4 and 5; research C.4). A record without `lastActive` and without a way in is
 * claimed and keeps its company; everybody else needs a company's access code. One statement decides each race.
 */
export async function register(services: Services, input: Registration, network: string): Promise<{ email: string }> {
  const { db, config } = services;
  if (!(await reserve(db, ["register", network], REFUSALS, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const parsed = emailShape.safeParse(input.email);
  if (!parsed.success) throw new Problem(422, "auth.emailInvalid");
  const email = parsed.data;
  if (!config.passwordSignUp || (await connectionFor(db, email))?.enforced)
    throw new Problem(403, "auth.signUpDisabled");
  if (isWeak(input.password)) throw new Problem(422, "auth.passwordWeak");

  const known = await registrable(db, email, input.accessCode);
  if (!known && !(await reserve(db, ["code", network], CODE_GUESSES, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const password = await hashPassword(input.password);
  await inTransaction(db, async (tx) => {
    if (known) {
      await claim(tx, known.id, { name: input.name, via: "claim", pending: config.claimConfirmation });
      await addPassword(tx, known.id, password);
      await enqueueActivatedMail(services, tx, known.id);
      return;
    }
    const joined = await join(tx, {
      name: input.name,
      email,
      accessCode: input.accessCode ?? "",
      confirm: config.claimConfirmation,
    });
    await addPassword(tx, joined.id, password);
    if (joined.pending) await enqueueActivatedMail(services, tx, joined.id);
  }).catch(whenTaken);
  // Only refusals and wrong codes count: an office that registers together is no burglar.
  await giveBack(db, ["register", network]);
  if (!known) await giveBack(db, ["code", network]);
  return { email };
}

/** The invited record that this email may claim, nothing when a new one is to be made; refuses everybody else. */
export async function registrable(db: Db, email: string, accessCode: string | undefined) {
  const known = await db
    .selectFrom("users")
    .leftJoin("authAccounts", "authAccounts.userId", "users.id")
    .where(sql`lower(users.email)`, "=", email)
    .select(["users.id", "users.lastActive", "authAccounts.id as account"])
    .executeTakeFirst();
  if (known?.lastActive) throw new Problem(409, "auth.alreadyActive");
  if (known?.account) throw new Problem(409, "auth.emailInUse");
  if (!known && !accessCode) throw new Problem(422, "auth.codeRequired");
  return known;
}

export function whenTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw new Problem(409, "auth.emailInUse");
  throw error;
}

/** `verified`: the mailbox is proven; `confirm`: a mail can ask for that proof. */
type Joining = { name: string; email: string; accessCode: string; verified?: boolean; confirm?: boolean };

/**
 * A new learner in the company of the code; the use of the code is counted in the same statement that checks it. Where only
 * some domains may join, a typed address proves nothing: the mailbox is proven before the first sign-in (`pending`).
 */
export async function join(tx: Tx, input: Joining): Promise<{ id: string; pending: boolean }> {
  const company = await usableCompany(tx, input.accessCode);
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

/** A new active learner with the courses of the company, if a place is left. The company's row is locked meanwhile. */
export async function addLearner(
  tx: Tx,
  companyId: string,
  { email, name, via, verified = false, pending = false }: NewLearner,
) {
  const { learnerLimit } = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select("learnerLimit")
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (learnerLimit !== null && (await countLearners(tx, companyId)) >= learnerLimit)
    throw new Problem(409, "companies.full", { values: { limit: learnerLimit } });
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

/** Everybody who takes a place: invited and active learners. */
export async function countLearners(db: Db | Tx, companyId: string) {
  const row = await db
    .selectFrom("users")
    .where("companyId", "=", companyId)
    .where("status", "!=", "suspended")
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return row.n;
}

/** The active company that a code opens: its current code, or the previous one within its days of grace. */
export const usableCompany = (db: Db | Tx, typed: string) => {
  const code = normalCode(typed);
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

/** Invited, or claimed by somebody who has not proven the mailbox. */
const invited = (db: Db, token: string) =>
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
    .select(["users.id", "users.email", "users.name", "companies.name as company", "companies.color"]);

export async function readInvitation({ db }: Services, token: string) {
  const found = await invited(db, token).executeTakeFirst();
  if (!found) throw new Problem(404, "auth.invitationGone");
  return found;
}

/** The link came by mail, so it also proves the mailbox, and wins over a claim that has not. */
export async function acceptInvitation(services: Services, token: string, input: { name: string; password: string }) {
  const found = await readInvitation(services, token);
  if (isWeak(input.password)) throw new Problem(422, "auth.passwordWeak");
  await refuseIfEnforced(
    services.db,
    found.email,
    (await services.db.selectFrom("users").where("id", "=", found.id).select("companyId").executeTakeFirst())
      ?.companyId ?? null,
  );
  const password = await hashPassword(input.password);
  await inTransaction(services.db, async (tx) => {
    await undoClaim(tx, found.id);
    await claim(tx, found.id, { name: input.name, via: "invitation", verified: true });
    await addPassword(tx, found.id, password);
    await dropOneTimeTokens(tx, found.id);
  });
  return { email: found.email };
}

/** The company behind a code, for the registration page; guessing is slowed down. */
export async function previewCode({ db }: Services, code: string, network: string) {
  if (!(await reserve(db, ["code", network], CODE_GUESSES, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const company = await usableCompany(db, code);
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
