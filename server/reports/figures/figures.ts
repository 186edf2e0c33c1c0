import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import {
  assignmentsAsOf,
  type Counted,
  groupConditions,
  inPeriodBefore,
  partCountAsOf,
  partsAsOf,
} from "#server/reports/figures/assignments.ts";
import type { ReportFigures, ReportKind, Totals } from "#shared/reports/reportFigures.ts";

const countOf = (condition: RawBuilder<unknown>, name: string) =>
  sql`count(*) filter (where ${condition})::int as ${sql.raw(`"${name}"`)}`;
const median = (value: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql`percentile_cont(0.5) within group (order by ${value}) filter (where ${condition})`;
const { completed } = groupConditions;

const totals = sql`count(distinct a.person_id)::int as people, ${sql.join(
  (["assigned", "notStarted", "started", "completed", "overdue", "scored", "passed", "failed"] as const).map((group) =>
    countOf(groupConditions[group], group),
  ),
)},
  round(avg(a.score), 1)::float8 as "meanScore",
  round(${median(sql`a.score_float`, sql`a.score_float is not null`)}::numeric, 1)::float8 as "medianScore",
  ${median(sql`a.seconds`, completed)} as "medianSeconds",
  ${median(sql`a.days`, sql`a.days is not null`)} as "medianDays"`;

const periodOf = (conditions: Record<keyof typeof inPeriodBefore, RawBuilder<unknown>>, seconds: RawBuilder<unknown>) =>
  sql`jsonb_build_object(${sql.join(
    Object.entries(conditions).map(([name, condition]) => sql`${sql.lit(name)}, count(*) filter (where ${condition})`),
  )}, 'activePeople', (select count(*) from (select a.person_id from a, span where ${conditions.activeIn} group by 1) active),
    'activeSeconds', coalesce(sum(${seconds}), 0)::bigint)`;

const { assignedIn, startedIn, completedIn, dueIn, onTimeIn, activeIn } = groupConditions;
const inThisPeriod = { assignedIn, startedIn, completedIn, dueIn, onTimeIn, activeIn };

const mondayOf = (column: string) => sql`date_trunc('week', a.${sql.raw(column)} at time zone span.zone)::date`;
const weeks = sql`(select coalesce(jsonb_agg(w order by w.week), '[]') from (
    select week::date::text as week, coalesce(started.n, 0) as "startedIn", coalesce(completed.n, 0) as "completedIn"
    from span, generate_series(
      date_trunc('week', since at time zone zone), (until - interval '1 microsecond') at time zone zone, interval '1 week') week
    left join (select ${mondayOf("first_started_at")} as monday, count(*)::int as n
      from a, span where ${startedIn} group by 1) started on started.monday = week::date
    left join (select ${mondayOf("completed_at")} as monday, count(*)::int as n
      from a, span where ${completedIn} group by 1) completed on completed.monday = week::date) w)`;

const scoreBucket = sql`least(90, floor(greatest(a.score, 0) / 10) * 10)::int`;
const scores = sql`(select jsonb_agg(coalesce(found.n, 0) order by bucket) from generate_series(0, 90, 10) bucket
    left join (select ${scoreBucket} as bucket, sum(n)::int as n
      from (select score, count(*) as n from a where score is not null group by 1) a group by 1) found using (bucket))`;

/** Scores from a multiple of ten, below the next one; 100 belongs to the last. */
export const inScoreBucket = (from: RawBuilder<unknown>) => sql`(a.score is not null and ${scoreBucket} = ${from})`;
/** Assignments that got no further than a part and are not completed; 0 for those that opened none. */
export const isStoppedAt = (position: RawBuilder<unknown>) =>
  sql`(a.status <> 'completed' and coalesce(reach.furthest, 0) = ${position})`;

const parts = (count: RawBuilder<unknown>) => sql`(select coalesce(jsonb_agg(p order by p.position), '[]') from (
    select position, coalesce(sum(ends.n) filter (where ends.is_completed or ends.furthest >= position), 0)::int as reached,
      coalesce(sum(ends.n) filter (where not ends.is_completed and ends.furthest = position), 0)::int as stopped,
      coalesce(done.n, 0) as done
    from generate_series(1, ${count}) as places (position)
    left join (select position, count(*)::int as n from (select distinct position, enrolment_id from outcomes where state = 'done') once group by 1)
      done using (position) left join (
      select ${completed} as is_completed, coalesce(reach.furthest, 0) as furthest, count(*) as n
      from a left join reach using (enrolment_id) group by 1, 2) ends on true group by position, done.n) p)`;

/** Learners of a company by their access, as of the same time. Whoever moved away or is erased is none of them. */
const members = ({ user, filters: { companyId }, asOf }: Counted) => sql`(select to_jsonb(m) from (
    select count(*) filter (where status = 'invited')::int as invited, count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'suspended')::int as suspended
    from (select distinct on (h.person_id) h.* from membership_history h
      where h.person_id in (select person_id from membership_history f
        where f.company_id = ${companyId} and ${inScope(user, { company: "f.companyId" })})
        and h.recorded_at < ${asOf}::timestamptz order by h.person_id, h.id desc) last
    where company_id = ${companyId} and role = 'learner' and change <> 'removed') m)`;

const dayInSpan = (column: string) => sql`(a.${sql.raw(column)} at time zone span.zone)::date`;
/** The times of a learner, and every assignment with its result. */
const learnerRecord = sql`(select jsonb_build_object(
    'activeSeconds', coalesce(sum(a.seconds), 0), 'reportedSeconds', coalesce(sum(a.reported_seconds), 0),
    'assignments', coalesce(jsonb_agg(jsonb_build_object('id', a.enrolment_id, 'courseId', a.course_id,
      'status', case when a.overdue then 'overdue' else a.status end, 'success', a.success, 'score', a.score, 'seconds', a.seconds,
      'dueDate', a.due_date, 'startedOn', ${dayInSpan("first_started_at")}, 'completedOn', ${dayInSpan("completed_at")})
      order by a.enrolment_id), '[]')) from a, span)`;

const dayOf = (column: string) => sql`(a.${sql.raw(column)} at time zone a.timezone)::date`;
/** Assignments with what is sorted for medians, which is computed once for all groups. */
const timed = sql`(select a.*, case when scale(a.score) = 0 and abs(a.score) < 1000 then a.score::int::float8 else a.score::float8 end as score_float, case when ${completed} then ${dayOf("completed_at")} - ${dayOf("first_started_at")} end as days from a offset 0) a`;

/** The totals of a report alone. */
export async function readTotals(db: Db, counted: Counted): Promise<Totals> {
  const { rows } = await sql<{ totals: Totals }>`with ${assignmentsAsOf(counted, "day")}
    select to_jsonb(f) as totals from (select ${totals} from ${timed}) f`.execute(db);
  return rows[0]?.totals as Totals;
}

/** All figures of a report in one statement, so that they are of one moment. */
export async function readFigures(db: Db, kind: ReportKind, counted: Counted): Promise<ReportFigures> {
  const isCourse = kind === "course";
  const { courseId } = counted.filters;
  const partCount = courseId ? partCountAsOf(courseId, counted.asOf) : sql`1`;
  const splitBy = isCourse ? sql`a.company_id` : sql`a.course_id`;
  const { rows } = await sql<{ figures: ReportFigures }>`
    with ${assignmentsAsOf(counted)}${isCourse ? sql`, ${partsAsOf(counted.asOf, partCount)}` : sql``},
    counts as (select grouping(${splitBy}) as of_all, ${splitBy} as id, ${totals} from ${timed} group by grouping sets ((), (${splitBy}))),
    periods as (select jsonb_build_object('period', ${periodOf(inThisPeriod, sql`a.seconds_until - a.seconds_since`)},
      'before', ${periodOf(inPeriodBefore, sql`a.seconds_since - a.seconds_before`)}) as figures from a, span)
    select (select figures from periods) || jsonb_build_object(
      'totals', (select to_jsonb(counts) - 'of_all' - 'id' from counts where of_all = 1),
      'split', (select coalesce(jsonb_agg(to_jsonb(counts) - 'of_all' order by id), '[]') from counts where of_all = 0),
      'weeks', ${weeks}, 'scores', ${scores},
      'parts', ${isCourse ? parts(partCount) : sql`'[]'::jsonb`},
      'members', ${kind === "company" ? members(counted) : sql`null::jsonb`},
      'record', ${kind === "learner" ? learnerRecord : sql`null::jsonb`}) as figures`.execute(db);
  return rows[0]?.figures as ReportFigures;
}
