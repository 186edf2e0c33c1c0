import { sql } from "kysely";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import { domainOf } from "#server/auth/sso/ssoDomains.ts";
import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { enrolByRules } from "#server/enrolmentRules/enrolling.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { giveBack, reserve } from "#server/core/limits/throttle.ts";
import { normaliseCode } from "#shared/companies/companies.ts";

// Access codes: whether a code is valid, and how a person joins the company with it

/** The most access code attempts from one network in 15 minutes. */
export const MAX_CODE_GUESSES = 60;

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
  await enrolByRules(tx, [id]);
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
