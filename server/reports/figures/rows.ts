import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy, readCounted, searchFor } from "#server/core/database/listing.ts";
import {
  assignmentsAsOf,
  type Counted,
  type Counters,
  groupConditions,
  partCountAsOf,
  partsAsOf,
} from "#server/reports/figures/assignments.ts";
import { inScoreBucket, isStoppedAt } from "#server/reports/figures/figures.ts";
import { addMoments } from "#server/reports/figures/moments.ts";
import { findSubject, openSubject, resolveQuery } from "#server/reports/figures/report.ts";
import { isSetByAdmin } from "#server/courses/setByAdmin.ts";
import { minutesOf } from "#shared/core/dates.ts";
import { statusText } from "#shared/courses/assignmentStatus.ts";
import texts from "#shared/locales/en/reports.json" with { type: "json" };
import type { reports } from "#shared/reports/reports.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";

type Query = QueryOf<typeof reports.rows>;
type Filter = Pick<Query, "group" | "stoppedAt" | "week" | "score" | "q">;

/** The condition of the rows that a filter shows, over `assignments`, `reach`, `span` and `users`. */
function matching(counted: Counted, { group, stoppedAt, week, score, q }: Filter) {
  const conditions: RawBuilder<unknown>[] = [groupConditions[group]];
  if (stoppedAt !== undefined) conditions.push(isStoppedAt(sql`${stoppedAt}`));
  if (score !== undefined) conditions.push(inScoreBucket(sql`${score}`));
  if (week !== undefined) {
    const moment = group === "startedIn" ? "first_started_at" : "completed_at";
    const monday = sql`date_trunc('week', assignments.${sql.raw(moment)} at time zone span.zone)::date`;
    conditions.push(sql`${monday} = ${week}::date`);
  }
  if (q) conditions.push(searchFor(q, searchedIn(counted)));
  return sql.join(conditions, sql` and `);
}

/** The columns that are searched: in the report on one learner, only the courses differ. */
export const searchedIn = ({ personId }: Counted) => (personId ? ["courses.title"] : ["users.name", "users.email"]);

/** The assignments that a figure counts, as a query without its columns. */
const selectAssignments = (counted: Counted, filter: Filter, counters: Counters) => {
  const assignments = assignmentsAsOf(counted, filter.group === "activeIn" ? "period" : counters);
  const needsParts = filter.stoppedAt !== undefined;
  const reach = needsParts ? sql`left join reach on reach.enrolment_id = assignments.enrolment_id` : sql``;
  return {
    ctes: needsParts ? sql`${assignments}, ${partsAsOf(counted.asOf, partCount(counted))}` : assignments,
    tables: sql`
      from assignments
      cross join span
      ${reach}
      left join users on users.id = assignments.person_id
      left join companies on companies.id = assignments.company_id
      left join courses on courses.id = assignments.course_id
      where ${matching(counted, filter)}`,
  };
};
const partCount = ({ filters: { courseId }, asOf }: Counted) =>
  courseId ? partCountAsOf(courseId, asOf) : sql`2147483647`;

/** The number of an erased person, the same in every row of a report; nobody can be identified by it. */
export const erasedNumber = sql`upper(left(assignments.person_id::text, 4))`;
const sortPerson = sql`lower(coalesce(nullif(users.name, ''), users.email))`;
/** By the name of the learner, or of the course if all are of one learner. */
export const sortName = ({ personId }: Counted) => (personId ? sql`lower(courses.title)` : sortPerson);
const columns = sql`
        assignments.enrolment_id as id,
        users.id as user_id, ${erasedNumber} as person, users.name, users.email,
        assignments.company_id, companies.name as company,
        assignments.course_id, courses.title as course,
        assignments.status, assignments.success, assignments.overdue,
        assignments.progress, assignments.score::float8 as score_percent,
        assignments.due_date, assignments.assigned_at,
        assignments.first_started_at as started_at, assignments.completed_at, assignments.last_activity_at,
        assignments.status = 'completed'
          and ${isSetByAdmin(sql.ref("assignments.enrolment_id"), sql.ref("span.at"))} as set_by_admin,
        assignments.attempt_no as attempts,
        assignments.seconds as active_seconds, assignments.reported_seconds,
        span.at`;
type RowOfPeople = Omit<ReportRow, "sessionId" | "t">;
type Found = Omit<RowOfPeople, "parts">;

const countRows = async (db: Db, counted: Counted, filter: Filter) => {
  const { ctes, tables } = selectAssignments(counted, filter, "none");
  const { rows } = await sql<{ total: number }>`
    with ${ctes}
    select count(*)::int as total
    ${tables}`.execute(db);
  return rows[0]?.total ?? 0;
};

/** One page of the assignments that a figure counts, with the states of their parts and the moment to replay. */
export async function listRows(ctx: Ctx<User>, id: string, query: Query) {
  const { counted } = await resolveQuery(ctx, await openSubject(ctx, id), query);
  const { items, total } = await readRowsOf(ctx, counted, query);
  return { items: await addMoments(ctx, items, { asOf: counted.asOf, group: query.group }), total };
}

/** Sorts that need the counters of all assignments; others read those of the page. */
const COUNTED_SORTS = ["activeSeconds", "lastActivityAt"];

/** First the page, then what its rows show: counters and parts are read for these rows only. */
export async function readRowsOf(
  { db }: Ctx<User>,
  counted: Counted,
  query: Filter & Pick<Query, "page" | "size" | "sort">,
) {
  const counters = COUNTED_SORTS.includes(query.sort.replace("-", "")) ? "day" : "none";
  const { ctes, tables } = selectAssignments(counted, query, counters);
  const order = orderBy(query.sort, {
    name: sortName(counted),
    dueDate: sql`assignments.due_date`,
    scorePercent: sql`assignments.score`,
    activeSeconds: sql`assignments.seconds`,
    completedAt: sql`assignments.completed_at`,
    lastActivityAt: sql`assignments.last_activity_at`,
  });
  const { rows: page } = await sql<{ id: string; total: number }>`
    with ${ctes}
    select assignments.enrolment_id as id, count(*) over ()::int as total
    ${tables}
    order by ${order}, assignments.enrolment_id
    limit ${query.size}
    offset ${(query.page - 1) * query.size}`.execute(db);
  const items = await showRows(
    db,
    counted,
    page.map(({ id }) => id),
  );
  return { items, total: page[0]?.total ?? (query.page > 1 ? await countRows(db, counted, query) : 0) };
}

/** What the rows of these enrolments show, in this order. */
async function showRows(db: Db, counted: Counted, ids: string[]) {
  if (ids.length === 0) return [];
  const ofPage: Counted = { ...counted, only: { column: "enrolmentId", ids } };
  const { ctes, tables } = selectAssignments(ofPage, { group: "assigned" }, "day");
  const place = sql`least(part.position, ${partCount(counted)})`;
  const { rows } = await sql<RowOfPeople>`
    with ${ctes},
    found as materialized (
      select ${columns}
      ${tables}
    )
    select
      found.*,
      coalesce((
        select jsonb_agg(jsonb_build_object('position', ${place}, 'state', part.state) order by part.position)
        from (
          select distinct on (history.position) history.position, history.state
          from part_history history
          where history.enrolment_id = found.id
            and history.attempt_no = found.attempts
            and history.position is not null
            and history.recorded_at < found.at
          order by history.position, history.id desc
        ) part
      ), '[]') as parts
    from found`.execute(db);
  const shown = new Map(
    rows.map(({ name, email, ...row }) => [row.id, { ...row, name: row.userId ? name : null, email }]),
  );
  return ids.flatMap((id) => shown.get(id) ?? []);
}

/** One page of the learners of a report, each with their courses. */
export async function listPeople(ctx: Ctx<User>, id: string, query: QueryOf<typeof reports.people>) {
  const { counted } = await resolveQuery(ctx, await findSubject(ctx, id), query);
  const search = query.q ? searchFor(query.q, ["users.name", "users.email"]) : sql`true`;
  const { items: page, total } = await readCounted(query, (limit, offset) =>
    sql<{ id: string; total: number }>`
      with ${assignmentsAsOf(counted, "none")},
      people as (
        select distinct person_id as id
        from assignments
      )
      select people.id, count(*) over ()::int as total
      from people
      left join users on users.id = people.id
      where ${search}
      order by ${sortPerson} nulls last, people.id
      limit ${limit}
      offset ${offset}`.execute(ctx.db),
  );
  const ids = page.map((person) => person.id);
  return {
    items: (await showPeople(ctx.db, { ...counted, only: { column: "personId", ids } }, ids)) as never[],
    total,
  };
}

async function showPeople(db: Db, counted: Counted, ids: string[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with ${assignmentsAsOf(counted, "day")}
    select
      assignments.person_id as id,
      users.id as user_id,
      ${erasedNumber} as person,
      users.name,
      count(*)::int as assigned,
      count(*) filter (where ${groupConditions.completed})::int as completed,
      count(*) filter (where assignments.overdue)::int as overdue,
      sum(assignments.seconds)::int as active_seconds,
      jsonb_agg(
        jsonb_build_object(
          'courseId', assignments.course_id,
          'status', assignments.status,
          'success', assignments.success,
          'overdue', assignments.overdue,
          'score', assignments.score
        )
        order by assignments.course_id, assignments.assigned_at
      ) as courses
    from assignments
    left join users on users.id = assignments.person_id
    group by assignments.person_id, users.id`.execute(db);
  const shown = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => shown.get(id) ?? []);
}

const { columns: heads, erased } = texts.report;

/** All assignments that a figure counts, as CSV or XLSX; times in UTC, active time in minutes. */
export async function exportReport(ctx: Ctx<User>, id: string, { format, ...query }: QueryOf<typeof reports.export>) {
  const subject = await findSubject(ctx, id);
  const { counted } = await resolveQuery(ctx, subject, query);
  const { ctes, tables } = selectAssignments(counted, query, "day");
  const total = await countRows(ctx.db, counted, query);
  const all = sql<Found>`(
    with ${ctes}
    select ${columns}
    ${tables}
    order by ${sortName(counted)} nulls last, assignments.enrolment_id)`;
  const rows = readRows(ctx, ctx.db.selectFrom(all.as("rows")).selectAll());
  await record(ctx.db, ctx, {
    action: "reports.export",
    ...(subject.kind === "learner" && { people: [id] }),
    companyId: subject.companyId ?? counted.filters.companyId,
    courseId: counted.filters.courseId,
    details: { rows: total, format },
  });
  return exportRows<Found>(
    `${subject.kind}-report`,
    format,
    rows,
    [
      [heads.learner, (row) => row.name ?? erased.replace("{{number}}", row.person)],
      [heads.email, (row) => row.email],
      [heads.company, (row) => row.company],
      [heads.course, (row) => row.course],
      [heads.status, statusText],
      [heads.progress, (row) => row.progress],
      [heads.score, (row) => row.scorePercent],
      [heads.attempts, (row) => row.attempts],
      [heads.minutes, (row) => minutesOf(row.activeSeconds)],
      [heads.reported, (row) => minutesOf(row.reportedSeconds)],
      [heads.due, (row) => row.dueDate],
      [heads.assigned, (row) => row.assignedAt],
      [heads.started, (row) => row.startedAt],
      [heads.completed, (row) => row.completedAt],
      [heads.last, (row) => row.lastActivityAt],
    ],
    total,
  );
}
