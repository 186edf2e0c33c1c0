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

/**
 * What makes a difference between an assignment on one day (`b`, no row before it was made) and on a later one (`a`).
 */
const conditions: Record<AssignmentChange, RawBuilder<boolean>> = {
  added: sql`b.enrolment_id is null`,
  removed: sql`a.enrolment_id is null`,
  started: sql`(a.status <> 'assigned' and coalesce(b.status, 'assigned') = 'assigned')`,
  completed: sql`(a.status = 'completed' and b.status is distinct from 'completed')`,
  reopened: sql`(b.status = 'completed' and a.status <> 'completed')`,
  overdue: sql`(a.overdue and b.overdue is distinct from true)`,
  score: sql`(a.enrolment_id is not null and a.score is distinct from b.score)`,
  dueDate: sql`(b.enrolment_id is not null and a.enrolment_id is not null and a.due_date is distinct from b.due_date)`,
};
const anyChange = sql.join(Object.values(conditions), sql` or `);

const stateOf = (name: string) => sql`case when ${sql.ref(`${name}.enrolment_id`)} is not null then jsonb_build_object(
  'status', ${sql.ref(`${name}.status`)}, 'overdue', ${sql.ref(`${name}.overdue`)},
  'scorePercent', ${sql.ref(`${name}.score`)}, 'dueDate', ${sql.ref(`${name}.due_date`)}) end`;
const kinds = sql`to_jsonb(array_remove(array[${sql.join(
  assignmentChanges.map((change) => sql`case when ${conditions[change]} then ${change}::text end`),
)}], null))`;
const counts = sql`jsonb_build_object(${sql.join(
  assignmentChanges.map((change) => sql`${change}::text, count(*) filter (where ${conditions[change]})`),
)})`;

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
type Found = { items: ChangedRow[]; total: number; counts: Record<AssignmentChange, number> };

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
  const { rows } = await sql<Found>`with
    b as materialized (with ${assignmentsAsOf(earlier, "day")} select a.* from a),
    a as materialized (with ${assignmentsAsOf(counted, "day")} select a.* from a),
    changed as materialized (
      select coalesce(a.enrolment_id, b.enrolment_id) as id, coalesce(a.person_id, b.person_id) as person_id,
        coalesce(a.company_id, b.company_id) as company_id, coalesce(a.course_id, b.course_id) as course_id,
        ${stateOf("b")} as before, ${stateOf("a")} as after, ${kinds} as kinds, ${change} as matches
      from a full join b on b.enrolment_id = a.enrolment_id where ${anyChange}),
    matching as materialized (
      select changed.*, users.id as user_id, users.name, ${sortName(counted)} as place
      from changed left join users on users.id = changed.person_id left join courses on courses.id = changed.course_id where changed.matches and ${search}),
    found as (
      select a.id, a.user_id as "userId", ${erasedNumber} as person, a.name, a.company_id as "companyId", companies.name as company,
        a.course_id as "courseId", courses.title as course, a.before, a.after, a.kinds, a.place
      from matching a left join companies on companies.id = a.company_id left join courses on courses.id = a.course_id
      order by a.place nulls last, a.id limit ${query.size} offset ${(query.page - 1) * query.size})
    select (select count(*)::int from matching) as total,
      (select ${counts} from a full join b on b.enrolment_id = a.enrolment_id) as counts,
      coalesce((select jsonb_agg(to_jsonb(found) - 'place' order by place nulls last, id) from found), '[]') as items`.execute(
    ctx.db,
  );
  const [before, after] = await Promise.all([readTotals(ctx.db, earlier), readTotals(ctx.db, counted)]);
  return { ...(rows[0] as Found), since: earlier.asOf, asOf: counted.asOf, before, after };
}
