import { record } from "#server/audit/service.ts";
import { endSessions } from "#server/auth/service.ts";
import { createAccessCode } from "#server/companies/codeRotation.ts";
import { announceToRecorded } from "#server/recordings/service.ts";
import { readCompany, selectCompaniesWithStats, updateVersioned } from "#server/companies/companyRows.ts";
import { inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { readAcademyZone } from "#server/settings/service.ts";
import type { Company, companies } from "#shared/companies/companies.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export const getCompany = (ctx: Ctx<User>, id: string) =>
  selectCompaniesWithStats(ctx).where("companies.id", "=", id).executeTakeFirstOrThrow(notFound);

/** Creates a company with slug and access code; retries with other ones if they are taken. */
export async function createCompany(ctx: Ctx<User>, input: BodyOf<typeof companies.create>): Promise<Company> {
  const timezone = input.timezone ?? (await readAcademyZone(ctx.db));
  const base = slugOf(input.name);
  for (let attempt = 0; ; attempt++) {
    const slug = attempt === 0 ? base : `${base}-${createAccessCode().slice(0, 4).toLowerCase()}`;
    try {
      return await inTransaction(ctx.db, async (tx) => {
        const { id } = await tx
          .insertInto("companies")
          .values({ ...input, timezone, slug, accessCode: createAccessCode(), updatedBy: ctx.user.id })
          .returning("id")
          .executeTakeFirstOrThrow();
        await record(tx, ctx, { action: "companies.create", companyId: id });
        return readCompany({ ...ctx, db: tx }, id);
      });
    } catch (error) {
      if (attempt > 8 || !isUniqueViolation(error)) throw error;
    }
  }
}

const slugOf = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "company";

export const updateCompany = (ctx: Ctx<User>, id: string, { version, ...input }: BodyOf<typeof companies.update>) =>
  inTransaction(ctx.db, async (tx) => {
    const fields = Object.keys(input);
    const updated = await updateVersioned({ ...ctx, db: tx }, id, version, input, "companies.update", { fields });
    if (input.recordPages === false) await announceToRecorded(tx, id);
    return updated;
  });

/** Changes the status: active ⇄ suspended, both → archived, archived → active. Ends all sessions unless active. */
export async function setCompanyStatus(
  ctx: Ctx<User>,
  id: string,
  { status, version }: BodyOf<typeof companies.setStatus>,
) {
  const company = await readCompany(ctx, id);
  if (company.status === "archived" && status === "suspended") throw conflict("companies.archiveFirst");
  return inTransaction(ctx.db, async (tx) => {
    const changed = await updateVersioned({ ...ctx, db: tx }, id, version, { status }, "companies.status", {
      from: company.status,
      to: status,
    });
    if (status !== "active")
      await endSessions(
        tx,
        (await tx.selectFrom("users").where("companyId", "=", id).select("id").execute()).map((user) => user.id),
      );
    return changed;
  });
}
