import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { assignmentsAsOf } from "#server/reports/figures/assignments.ts";
import { readTotals } from "#server/reports/figures/figures.ts";
import { openSubject, resolveQuery } from "#server/reports/figures/report.ts";
import { erasedNumber, searchedIn, sortName } from "#server/reports/figures/rows.ts";
import type { reports } from "#shared/reports/reports.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type AssignmentChange, assignmentChanges } from "#shared/reports/reportQueries.ts";
import type { ChangedRow } from "#shared/reports/reportRows.ts";

/** How an assignment differs between two days: `earlier`, which has no row if it was made later, and `later`. */
const conditions: Record<AssignmentChange, RawBuilder<boolean>> = {
  added: sql`earlier.enrolment_id is null`,
  removed: sql`later.enrolment_id is null`,
  started: sql`(later.status <> 'assigned' and coalesce(earlier.status, 'assigned') = 'assigned')`,
  completed: sql`(later.status = 'completed' and earlier.status is distinct from 'completed')`,
  reopened: sql`(earlier.status = 'completed' and later.status <> 'completed')`,
  overdue: sql`(later.overdue and earlier.overdue is distinct from true)`,
  score: sql`(later.enrolment_id is not null and later.score is distinct from earlier.score)`,
  dueDate: sql`(
    earlier.enrolment_id is not null
    and later.enrolment_id is not null
    and later.due_date is distinct from earlier.due_date
  )`,
};
const anyChange = sql.join(Object.values(conditions), sql` or `);

const stateOf = (day: "earlier" | "later") => {
  const column = (name: string) => sql.ref(`${day}.${name}`);
  return sql`case
      when ${column("enrolment_id")} is not null
      then jsonb_build_object(
        'status', ${column("status")},
        'success', ${column("success")},
        'overdue', ${column("overdue")},
        'scorePercent', ${column("score")},
        'dueDate', ${column("due_date")}
      )
    end`;
};
const kinds = sql`to_jsonb(array_remove(array[${sql.join(
  assignmentChanges.map((change) => sql`case when ${conditions[change]} then ${change}::text end`),
)}], null))`;
const counts = sql`jsonb_build_object(${sql.join(
  assignmentChanges.map((change) => sql`${change}::text, count(*) filter (where ${conditions[change]})`),
)})`;

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
type ChangesPage = { items: ChangedRow[]; total: number; counts: Record<AssignmentChange, number> };

/**
 * One page of the assignments that differ between the end of the day `since` and the time of the report, with the
 * totals of both, all from the history: what was recorded later changes neither.
 */
export async function listChanges(ctx: Ctx<User>, id: string, query: QueryOf<typeof reports.changes>) {
  const subject = await openSubject(ctx, id);
  const { counted } = await resolveQuery(ctx, subject, query);
  const { asOf: since } = (
    await resolveQuery(ctx, subject, { ...query, asOf: query.since ?? dayBefore(counted.filters.from) })
  ).counted;
  const earlier = { ...counted, asOf: since < counted.asOf ? since : counted.asOf };
  const change = query.change ? conditions[query.change] : sql`true`;
  const search = query.q ? searchFor(query.q, searchedIn(counted)) : sql`true`;
  const { rows } = await sql<ChangesPage>`
    with earlier as materialized (
      with ${assignmentsAsOf(earlier, "day")}
      select assignments.*
      from assignments
    ),
    later as materialized (
      with ${assignmentsAsOf(counted, "day")}
      select assignments.*
      from assignments
    ),
    changed as materialized (
      select
        coalesce(later.enrolment_id, earlier.enrolment_id) as id,
        coalesce(later.person_id, earlier.person_id) as person_id,
        coalesce(later.company_id, earlier.company_id) as company_id,
        coalesce(later.course_id, earlier.course_id) as course_id,
        ${stateOf("earlier")} as before,
        ${stateOf("later")} as after,
        ${kinds} as kinds,
        ${change} as matches
      from later
      full join earlier on earlier.enrolment_id = later.enrolment_id
      where ${anyChange}
    ),
    matching as materialized (
      select
        changed.*,
        users.id as user_id,
        users.name,
        ${sortName(counted)} as place
      from changed
      left join users on users.id = changed.person_id
      left join courses on courses.id = changed.course_id
      where changed.matches
        and ${search}
    ),
    page as (
      select
        assignments.id,
        assignments.user_id as "userId", ${erasedNumber} as person, assignments.name,
        assignments.company_id as "companyId", companies.name as company,
        assignments.course_id as "courseId", courses.title as course,
        assignments.before, assignments.after, assignments.kinds,
        assignments.place
      from matching assignments
      left join companies on companies.id = assignments.company_id
      left join courses on courses.id = assignments.course_id
      order by assignments.place nulls last, assignments.id
      limit ${query.size}
      offset ${(query.page - 1) * query.size}
    )
    select
      (select count(*)::int from matching) as total,
      (
        select ${counts}
        from later
        full join earlier on earlier.enrolment_id = later.enrolment_id
      ) as counts,
      coalesce((
        select jsonb_agg(to_jsonb(page) - 'place' order by place nulls last, id)
        from page
      ), '[]') as items`.execute(ctx.db);
  const [before, after] = await Promise.all([readTotals(ctx.db, earlier), readTotals(ctx.db, counted)]);
  return { ...(rows[0] as ChangesPage), since: earlier.asOf, asOf: counted.asOf, before, after };
}
