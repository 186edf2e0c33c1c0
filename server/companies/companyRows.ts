import { sql, type Updateable } from "kysely";
import { record } from "#server/audit/service.ts";
import { takesSeat } from "#server/auth/account/companySeats.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Companies } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { hiddenFrom, shown } from "#server/core/database/measured.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import type { AuditAction, AuditDetails } from "#shared/audit/audit.ts";
import type { Company } from "#shared/companies/companies.ts";
import type { User } from "#shared/core/users.ts";

// How rows of companies are read, and changed with optimistic locking.

const logoUrl = sql<string | null>`case
  when companies.logo is null then null
  else '/api/companies/' || companies.id || '/logo?v=' || companies.version
end`;
const columns = [
  "id",
  "name",
  "slug",
  "pinLogin",
  "status",
  "accessCode",
  "previousCode",
  "previousCodeUntil",
  "codeEnabled",
  "codeExpiresAt",
  "codeMaxUses",
  "codeUsedCount",
  "allowedDomains",
  "timezone",
  "contactName",
  "contactEmail",
  "learnerLimit",
  "notes",
  "color",
  "welcome",
  "erasurePolicy",
  "retentionYears",
  "maskNames",
  "recordPages",
  "recordingDays",
  "version",
  "createdAt",
  "updatedAt",
] as const;

export const selectCompanies = (db: Db) =>
  db
    .selectFrom("companies")
    .select(columns.map((column) => `companies.${column}` as const))
    .select(logoUrl.as("logo"));

/**
 * Statistics of the enrolments of a company, whose row is `companies`. Grouped by course first, because counting
 * courses would sort all enrolments.
 */
const enrolmentsOfCompany = (user: User) => sql<{
  courses: number;
  assigned: number;
  completed: number;
  overdue: number;
  activeSeconds: number | null;
  lastActivity: string | null;
}>`(
  select
    count(*)::int as courses,
    coalesce(sum(assigned), 0)::int as assigned,
    coalesce(sum(completed), 0)::int as completed,
    coalesce(sum(overdue), 0)::int as overdue,
    ${shown(user, "activeTime", "companies.id", sql`coalesce(sum(active_seconds), 0)::int`)} as active_seconds,
    ${shown(user, "lastActivity", "companies.id", sql`max(last_activity)`)} as last_activity
  from (
    select
      count(*) as assigned,
      count(*) filter (where status = 'completed') as completed,
      sum(active_seconds) as active_seconds,
      max(last_activity_at) as last_activity,
      count(*) filter (where ${isOverdue}) as overdue
    from enrolments
    where enrolments.company_id = companies.id
      and status <> 'withdrawn'
    group by course_id
  ) of_course)`;

/** Companies with statistics of their learners and enrolments, computed row by row. */
export const selectCompaniesWithStats = ({ db, user }: Ctx<User>) =>
  selectCompanies(db)
    .where(inScope(user, { company: "companies.id" }))
    .innerJoinLateral(
      (e) =>
        e
          .selectFrom("users")
          .where(sql<boolean>`users.role = 'learner'`)
          .whereRef("users.companyId", "=", "companies.id")
          .select([
            sql<number>`count(*)::int`.as("learners"),
            sql<number>`count(*) filter (where ${takesSeat})::int`.as("seats"),
            sql<number>`count(*) filter (where users.status = 'invited')::int`.as("invited"),
          ])
          .as("people"),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      () => enrolmentsOfCompany(user).as<"work">(sql.ref("work")),
      (join) => join.onTrue(),
    )
    .select([
      "people.learners",
      "people.seats",
      "people.invited",
      "work.courses",
      "work.assigned",
      "work.completed",
      "work.overdue",
      "work.activeSeconds",
      hiddenFrom(user, "companies.id").as("hidden"),
      "work.lastActivity",
    ]);

/** A company in the scope of the user; 404 for any other. */
export const readCompany = ({ db, user }: Pick<Ctx<User>, "db" | "user">, id: string) =>
  selectCompanies(db)
    .where("companies.id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .executeTakeFirstOrThrow(notFound);

/**
 * Writes `values` if the row is still at `version`; otherwise throws 409 with the current row and who changed it, so
 * that concurrent changes are not overwritten.
 */
export async function updateVersioned(
  ctx: Ctx<User>,
  id: string,
  version: number,
  values: Updateable<Companies>,
  action: AuditAction,
  details: AuditDetails = {},
): Promise<Company> {
  return inTransaction(ctx.db, (tx) => writeVersioned({ ...ctx, db: tx }, id, version, values, action, details));
}

async function writeVersioned(
  ctx: Ctx<User>,
  id: string,
  version: number,
  values: Updateable<Companies>,
  action: AuditAction,
  details: AuditDetails,
) {
  const { db, user } = ctx;
  const updated = await db
    .updateTable("companies")
    .set((e) => ({ ...values, version: e("version", "+", 1), updatedAt: new Date().toISOString(), updatedBy: user.id }))
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .where("version", "=", version)
    .returning("id")
    .executeTakeFirst();
  if (updated) {
    await record(db, ctx, { action, companyId: id, details });
    return readCompany(ctx, id);
  }
  const current = await readCompany(ctx, id);
  const author = await db
    .selectFrom("users")
    .innerJoin("companies", "companies.updatedBy", "users.id")
    .where("companies.id", "=", id)
    .select("users.name")
    .executeTakeFirst();
  throw conflict("core.conflict", { current, changedBy: author?.name ?? null, changedAt: current.updatedAt });
}
