import { type RawBuilder, sql } from "kysely";
import { selectCompaniesWithStats } from "#server/companies/companyRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { shown } from "#server/core/database/measured.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import { type companies, normaliseCode } from "#shared/companies/companies.ts";
import { MAX_CHOICES, type QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

type Query = QueryOf<typeof companies.list>;

export async function listCompanies(ctx: Ctx<User>, query: Query) {
  const matching = matchCompanies(ctx, query);
  const sort = query.sort ?? "name";
  const by = sort.replace("-", "");
  const counted = isStatistic(by) ? statistics[by] : null;
  const order = orderBy(
    sort,
    {
      name: { notNull: sql`lower(companies.name)` },
      learners: { notNull: sql`coalesce(statistic.value, 0)` },
      overdue: { notNull: sql`coalesce(statistic.value, 0)` },
      completed: sql`statistic.value`,
      lastActivity: shown(ctx.user, "lastActivity", "companies.id", sql`statistic.value`),
    },
    { text: query.q, columns: ["companies.name"] },
  );
  const sorted = counted
    ? matching
        .leftJoin(counted.as<"statistic">(sql.ref("statistic")), "statistic.companyId", "companies.id")
        .orderBy(order)
    : matching.orderBy(order);
  return readPage(query, {
    ids: sorted.orderBy("companies.id").select("companies.id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => selectCompaniesWithStats(ctx).where(isOneOf("companies.id", ids)).execute(),
  });
}

/** The companies that filters and fields offer: those that are not archived, by name. */
export async function listCompanyChoices(ctx: Ctx<User>) {
  const items = await matchCompanies(ctx, {})
    .orderBy(sql`lower(companies.name)`)
    .orderBy("companies.id")
    .limit(MAX_CHOICES)
    .select(["companies.id", "companies.name", "companies.status"])
    .execute();
  return { items, total: items.length };
}

function matchCompanies({ db, user }: Ctx<User>, { status, courseId, q }: Pick<Query, "status" | "courseId" | "q">) {
  let rows = db.selectFrom("companies").where(inScope(user, { company: "companies.id" }));
  rows = status ? rows.where("companies.status", "=", status) : rows.where("companies.status", "!=", "archived");
  if (courseId)
    rows = rows.where(
      sql<boolean>`exists (
        select from enrolments
        where enrolments.company_id = companies.id
          and enrolments.course_id = ${courseId}
          and enrolments.status <> 'withdrawn'
      )`,
    );
  if (q)
    rows = rows.where(({ or }) =>
      or([
        searchFor(q, ["companies.name"]),
        sql<boolean>`companies.access_code = ${normaliseCode(q)}`,
        searchFor(normaliseCode(q), ["companies.accessCode"]),
      ]),
    );
  return rows;
}

type Statistic = { companyId: string; value: unknown };
const isStatistic = (field: string): field is keyof typeof statistics => field in statistics;
/** The statistics that a list can be sorted by: one value per company, computed for all of them. */
const statistics: Record<"learners" | "overdue" | "completed" | "lastActivity", RawBuilder<Statistic>> = {
  learners: sql`(
    select company_id, count(*) as value
    from users
    where role = 'learner'
    group by company_id
  )`,
  overdue: sql`(
    select enrolments.company_id, count(*) as value
    from enrolments
    join companies on companies.id = enrolments.company_id
    where ${isOverdue}
    group by enrolments.company_id
  )`,
  completed: sql`(
    select company_id, count(*) filter (where status = 'completed')::real / count(*) as value
    from enrolments
    where status <> 'withdrawn'
    group by company_id
  )`,
  lastActivity: sql`(
    select company_id, max(last_activity_at) as value
    from enrolments
    where status <> 'withdrawn'
    group by company_id
  )`,
};
