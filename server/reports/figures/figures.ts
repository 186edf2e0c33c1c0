import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { roundedPercent } from "#server/core/database/roundedPercent.ts";
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

const TOTAL_GROUPS = [
  "assigned",
  "notStarted",
  "started",
  "completed",
  "overdue",
  "scored",
  "passed",
  "failed",
] as const;
const totals = sql`
      count(distinct assignments.person_id)::int as people,
      ${sql.join(TOTAL_GROUPS.map((group) => countOf(groupConditions[group], group)))},
      (${roundedPercent(sql`avg(assignments.score)`)})::float8 as "meanScore",
      (${roundedPercent(median(sql`assignments.score_float`, sql`assignments.score_float is not null`))})::float8
        as "medianScore",
      ${median(sql`assignments.seconds`, completed)} as "medianSeconds",
      ${median(sql`assignments.days`, sql`assignments.days is not null`)} as "medianDays"`;

/** Null if there is something to add up, and none of it may be seen. */
const sumOrNothing = (value: RawBuilder<unknown>) => sql`coalesce(sum(${value}), case when count(*) = 0 then 0 end)`;
const showsActivity = sql`(count(*) = 0 or bool_or(assignments.shows_activity))`;
const periodOf = (conditions: Record<keyof typeof inPeriodBefore, RawBuilder<unknown>>, seconds: RawBuilder<unknown>) =>
  sql`jsonb_build_object(
        ${sql.join(
          Object.entries(conditions).map(
            ([name, condition]) => sql`${sql.lit(name)}, count(*) filter (where ${condition})`,
          ),
        )}
      ) || jsonb_build_object(
        'activeIn', case when ${showsActivity} then count(*) filter (where ${conditions.activeIn}) end,
        'activePeople', case when ${showsActivity} then (
          select count(*)
          from (
            select assignments.person_id
            from assignments, span
            where ${conditions.activeIn}
            group by assignments.person_id
          ) active
        ) end,
        'activeSeconds', ${sumOrNothing(seconds)}::bigint
      )`;

const { assignedIn, startedIn, completedIn, dueIn, onTimeIn, activeIn } = groupConditions;
const inThisPeriod = { assignedIn, startedIn, completedIn, dueIn, onTimeIn, activeIn };

const countByMonday = (column: string, condition: RawBuilder<unknown>) => sql`
        select
          date_trunc('week', assignments.${sql.raw(column)} at time zone span.zone)::date as monday,
          count(*)::int as count
        from assignments, span
        where ${condition}
        group by monday`;
const weeks = sql`(
      with started as (${countByMonday("first_started_at", startedIn)}
      ),
      completed as (${countByMonday("completed_at", completedIn)}
      ),
      weeks as (
        select
          week::date::text as week,
          coalesce(started.count, 0) as "startedIn",
          coalesce(completed.count, 0) as "completedIn"
        from span, generate_series(
          date_trunc('week', since at time zone zone),
          (until - interval '1 microsecond') at time zone zone,
          interval '1 week'
        ) week
        left join started on started.monday = week::date
        left join completed on completed.monday = week::date
      )
      select coalesce(jsonb_agg(weeks order by weeks.week), '[]')
      from weeks
    )`;

const scoreBucket = sql`least(90, floor(greatest(assignments.score, 0) / 10) * 10)::int`;
const scores = sql`(
      with scores as (
        select score, count(*) as count
        from assignments
        where score is not null
        group by score
      ),
      counts as (
        select ${scoreBucket} as bucket, sum(assignments.count)::int as count
        from scores assignments
        group by bucket
      )
      select jsonb_agg(coalesce(counts.count, 0) order by bucket)
      from generate_series(0, 90, 10) bucket
      left join counts using (bucket)
    )`;

/** Scores from a multiple of ten up to the next one; 100 belongs to the last bucket. */
export const inScoreBucket = (from: RawBuilder<unknown>) =>
  sql`(assignments.score is not null and ${scoreBucket} = ${from})`;
/** Assignments that got no further than a part and are not completed; 0 for those in which no part was opened. */
export const isStoppedAt = (position: RawBuilder<unknown>) =>
  sql`(assignments.status <> 'completed' and coalesce(reach.furthest, 0) = ${position})`;

const parts = (count: RawBuilder<unknown>) => sql`(
      with done as (
        select position, count(*)::int as count
        from (
          select distinct position, enrolment_id
          from outcomes
          where state = 'done'
        ) once
        group by position
      ),
      ends as (
        select
          ${completed} as is_completed,
          coalesce(reach.furthest, 0) as furthest,
          count(*) as count
        from assignments
        left join reach using (enrolment_id)
        group by 1, 2
      ),
      parts as (
        select
          position,
          coalesce(sum(ends.count) filter (where ends.is_completed or ends.furthest >= position), 0)::int as reached,
          coalesce(sum(ends.count) filter (where not ends.is_completed and ends.furthest = position), 0)::int
            as stopped,
          coalesce(done.count, 0) as done
        from generate_series(1, ${count}) as places (position)
        left join done using (position)
        left join ends on true
        group by position, done.count
      )
      select coalesce(jsonb_agg(parts order by parts.position), '[]')
      from parts
    )`;

/** The learners of a company by their access, as of the same time, without those who moved away or were erased. */
const members = ({ user, filters: { companyId }, asOf }: Counted) => sql`(
      with latest as (
        select distinct on (history.person_id) history.*
        from membership_history history
        where history.person_id in (
            select ever.person_id
            from membership_history ever
            where ever.company_id = ${companyId}
              and ${inScope(user, { company: "ever.companyId" })}
          )
          and history.recorded_at < ${asOf}::timestamptz
        order by history.person_id, history.id desc
      ),
      members as (
        select
          count(*) filter (where status = 'invited')::int as invited,
          count(*) filter (where status = 'active')::int as active,
          count(*) filter (where status = 'suspended')::int as suspended
        from latest
        where company_id = ${companyId}
          and role = 'learner'
          and change <> 'removed'
      )
      select to_jsonb(members)
      from members
    )`;

const dayInSpan = (column: string) => sql`(assignments.${sql.raw(column)} at time zone span.zone)::date`;
/** The times of a learner, and every assignment with its result. */
const learnerRecord = sql`(
      select jsonb_build_object(
        'activeSeconds', ${sumOrNothing(sql`assignments.seconds`)},
        'reportedSeconds', ${sumOrNothing(sql`assignments.reported_seconds`)},
        'assignments', coalesce(
          jsonb_agg(
            jsonb_build_object(
              'id', assignments.enrolment_id,
              'courseId', assignments.course_id,
              'status', case when assignments.overdue then 'overdue' else assignments.status end,
              'success', assignments.success,
              'score', assignments.score,
              'seconds', assignments.seconds,
              'dueDate', assignments.due_date,
              'startedOn', ${dayInSpan("first_started_at")},
              'completedOn', ${dayInSpan("completed_at")}
            )
            order by assignments.enrolment_id
          ),
          '[]'
        )
      )
      from assignments, span
    )`;

const dayOf = (column: string) => sql`(assignments.${sql.raw(column)} at time zone assignments.timezone)::date`;
/** The CTE `timed`: the assignments with what medians sort, computed once for all groups (`offset 0`). */
const timed = sql`
  timed as (
    select
      assignments.*,
      case
        when scale(assignments.score) = 0 and abs(assignments.score) < 1000 then assignments.score::int::float8
        else assignments.score::float8
      end as score_float,
      case when ${completed} then ${dayOf("completed_at")} - ${dayOf("first_started_at")} end as days
    from assignments
    offset 0
  )`;

/** The totals of a report alone. */
export async function readTotals(db: Db, counted: Counted): Promise<Totals> {
  const { rows } = await sql<{ totals: Totals }>`
    with ${assignmentsAsOf(counted, "day")},
    ${timed},
    totals as (
      select ${totals}
      from timed assignments
    )
    select to_jsonb(totals) as totals
    from totals`.execute(db);
  return rows[0]?.totals as Totals;
}

/** All figures of a report in one statement, so that they are of one moment. */
export async function readFigures(db: Db, kind: ReportKind, counted: Counted): Promise<ReportFigures> {
  const isCourse = kind === "course";
  const { courseId } = counted.filters;
  const partCount = courseId ? partCountAsOf(courseId, counted.asOf) : sql`1`;
  const splitBy = isCourse ? sql`assignments.company_id` : sql`assignments.course_id`;
  const { rows } = await sql<{ figures: ReportFigures }>`
    with ${assignmentsAsOf(counted)},${isCourse ? sql`${partsAsOf(counted.asOf, partCount)},` : sql``}
    ${timed},
    counts as (
      select
        grouping(${splitBy}) as of_all,
        ${splitBy} as id,
        ${totals}
      from timed assignments
      group by grouping sets ((), (${splitBy}))
    ),
    periods as (
      select jsonb_build_object(
        'period', ${periodOf(inThisPeriod, sql`assignments.seconds_until - assignments.seconds_since`)},
        'before', ${periodOf(inPeriodBefore, sql`assignments.seconds_since - assignments.seconds_before`)}
      ) as figures
      from assignments, span
    )
    select (select figures from periods) || jsonb_build_object(
      'totals', (
        select to_jsonb(counts) - 'of_all' - 'id'
        from counts
        where of_all = 1
      ),
      'split', (
        select coalesce(jsonb_agg(to_jsonb(counts) - 'of_all' order by id), '[]')
        from counts
        where of_all = 0
      ),
      'weeks', ${weeks},
      'scores', ${scores},
      'parts', ${isCourse ? parts(partCount) : sql`'[]'::jsonb`},
      'members', ${kind === "company" ? members(counted) : sql`null::jsonb`},
      'record', ${kind === "learner" ? learnerRecord : sql`null::jsonb`}
    ) as figures`.execute(db);
  return rows[0]?.figures as ReportFigures;
}
