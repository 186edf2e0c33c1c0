import { type RawBuilder, sql } from "kysely";
import { inScope } from "#server/core/scope.ts";
import type { FigureGroup, ReportFilters } from "#shared/reportFigures.ts";
import type { User } from "#shared/users.ts";

/**
 * What is counted: `asOf` is an instant; everything that was recorded before it counts, and nothing after it. With `personId`, only the
 * assignments of this person, by the number that they have in the history.
 */
export type Counted = { user: User; filters: ReportFilters; asOf: string; personId?: string | null };

/** Whose rows of a table with the state of enrolments they are. */
const scopeIn = (table: string) => ({ company: `${table}.companyId`, person: `${table}.personId` });

const startOf = (day: string, zone: string) => sql`(${day}::date::timestamp at time zone ${zone})`;
const endOf = (day: string, zone: string) => sql`((${day}::date + 1)::timestamp at time zone ${zone})`;

type Time = "at" | "until" | "since" | "before";
/**
 * The counters of an enrolment after its last commit before a time: those of the current quarter of an hour are in `enrolments` (`e`), earlier ones in
 * `enrolment_activity`, which is read only for enrolments with later activity that had begun before.
 */
const joinCounters = (name: Time, time: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    left join lateral (select c.active_seconds, c.reported_seconds, c.progress, c.recorded_at from enrolment_activity c
      where ${condition} and (e.id is null or e.last_activity_at >= ${time}) and coalesce(s.first_started_at < ${time}, true)
        and c.enrolment_id = s.enrolment_id and c.recorded_at < ${time} order by c.recorded_at desc limit 1) ${sql.ref(`at_${name}`)} on true`;
const counterAt = (
  name: Time,
  time: RawBuilder<unknown>,
  counter: "active_seconds" | "reported_seconds" | "progress",
) =>
  sql`case when e.last_activity_at < ${time} then ${sql.ref(`e.${counter}`)} else ${sql.ref(`at_${name}.${counter}`)} end`;
const secondsAt = (
  name: Time,
  time: RawBuilder<unknown>,
  counter: "active_seconds" | "reported_seconds" = "active_seconds",
) => sql`coalesce(${counterAt(name, time, counter)}, 0)`;
const lastAt = (name: Time, time: RawBuilder<unknown>) =>
  sql`case when e.last_activity_at < ${time} then e.last_activity_at else ${sql.ref(`at_${name}.recorded_at`)} end`;

/**
 * The CTEs of every report: `span` (its times) and `a`, one row for each assignment that counts, as it was at `asOf`. Of every enrolment
 * the last row that was recorded before is its state (docs/decisions/0020-history.md); withdrawn and deleted ones do not count. The time zone
 * of a company, which decides when a due date is over, is that of the same moment. `until` is the end of the period, at most `asOf`.
 * With `counters` of the day alone, those of the period are left out, which only figures need.
 */
export function assignmentsAsOf(
  { user, filters: { from, to, zone, companyId, courseId }, asOf, personId }: Counted,
  counters: "day" | "period" = "period",
) {
  const at = sql`${asOf}::timestamptz`;
  const since = startOf(from, zone);
  const until = sql`least(${endOf(to, zone)}, ${at})`;
  const before = sql`((${from}::date - (${to}::date - ${from}::date + 1))::timestamp at time zone ${zone})`;
  const isEarlier = sql`${until} < ${at}`;
  const periodCounters = sql`
      case when ${isEarlier} then ${secondsAt("until", until)} else ${secondsAt("at", at)} end as seconds_until,
      case when ${isEarlier} then ${lastAt("until", until)} else ${lastAt("at", at)} end as last_until,
      ${secondsAt("since", since)} as seconds_since, ${lastAt("since", since)} as last_since, ${secondsAt("before", before)} as seconds_before`;
  const joinPeriod = sql`${joinCounters("until", until, isEarlier)} ${joinCounters("since", since, sql`true`)} ${joinCounters("before", before, sql`true`)}`;
  return sql`
  span as materialized (select ${at} as at, ${since} as since, ${until} as until, ${before} as before, ${zone}::text as zone),
  states as (
    select distinct on (h.enrolment_id) h.enrolment_id, h.person_id, h.company_id, h.course_id, h.change, h.status, h.success,
      h.score_percent, h.due_date, h.attempt_no, h.version_id, h.assigned_at, h.first_started_at, h.completed_at
    from enrolment_history h where h.recorded_at < ${at} and ${inScope(user, scopeIn("h"))}
      and ${personId ? sql`h.person_id = ${personId}` : sql`true`} and ${companyId ? sql`h.company_id = ${companyId}` : sql`true`} and ${courseId ? sql`h.course_id = ${courseId}` : sql`true`}
    order by h.enrolment_id, h.id desc
  ),
  zones as materialized (
    select distinct on (company_id) company_id, timezone from company_history
    where recorded_at < ${at} and ${personId ? sql`company_id in (select states.company_id from states)` : inScope(user, { company: "company_history.companyId" })}
    order by company_id, id desc
  ),
  a as materialized (
    select s.enrolment_id, s.person_id, s.company_id, s.course_id, s.status, s.success, s.score_percent::numeric as score, s.due_date,
      coalesce(s.attempt_no, 0) as attempt_no, s.assigned_at,
      case when s.status <> 'assigned' then s.first_started_at end as first_started_at,
      case when s.status = 'completed' then s.completed_at end as completed_at,
      z.timezone,
      coalesce(s.status <> 'completed' and (s.due_date + 1)::timestamp at time zone z.timezone <= ${at}, false) as overdue,
      coalesce(s.status = 'completed' and s.completed_at < (s.due_date + 1)::timestamp at time zone z.timezone, false) as on_time,
      (s.due_date + 1)::timestamp at time zone z.timezone as due_until,
      ${secondsAt("at", at)} as seconds, ${secondsAt("at", at, "reported_seconds")} as reported_seconds,
      ${counterAt("at", at, "progress")} as progress, ${lastAt("at", at)} as last_activity_at${counters === "period" ? sql`, ${periodCounters}` : sql``}
    from states s left join zones z on z.company_id = s.company_id
    left join enrolments e on e.id = s.enrolment_id and e.user_id is not null
    ${joinCounters("at", at, sql`true`)} ${counters === "period" ? joinPeriod : sql``}
    where s.change <> 'removed' and s.status <> 'withdrawn'
  )`;
}

const isBetween = (column: string, from: string, until: string) =>
  sql`(a.${sql.raw(column)} >= span.${sql.raw(from)} and a.${sql.raw(column)} < span.${sql.raw(until)})`;

/** The conditions of the groups of a period, over `a` and `span`. */
const inPeriod = (from: "since" | "before", until: "until" | "since") => {
  const dueIn = sql`coalesce(${isBetween("due_until", from, until)}, false)`;
  return {
    assignedIn: isBetween("assigned_at", from, until),
    startedIn: isBetween("first_started_at", from, until),
    completedIn: isBetween("completed_at", from, until),
    dueIn,
    onTimeIn: sql`(${dueIn} and a.on_time)`,
    activeIn: sql`coalesce(a.last_${sql.raw(until)} >= span.${sql.raw(from)}, false)`,
  };
};
export const inPeriodBefore = inPeriod("before", "since");

/** Which assignments of `a` a figure counts. The list behind a figure uses the same condition, so that both have the same number. */
export const groupConditions: Record<FigureGroup, RawBuilder<unknown>> = {
  assigned: sql`true`,
  notStarted: sql`a.status = 'assigned'`,
  started: sql`a.status <> 'assigned'`,
  completed: sql`a.status = 'completed'`,
  overdue: sql`a.overdue`,
  scored: sql`a.score is not null`,
  passed: sql`a.success = 'passed'`,
  failed: sql`a.success = 'failed'`,
  ...inPeriod("since", "until"),
};

/**
 * The CTEs of the parts of a course, after those of `assignmentsAsOf`: `outcomes`, the state of every part of the latest attempt, and
 * `reach`, the furthest part of every assignment that somebody has opened. `count` is the number of parts of the version in use; a part
 * of another version counts at its place, at most as the last one.
 */
export const partsAsOf = (asOf: string, count: RawBuilder<unknown>) => sql`
  outcomes as materialized (
    select distinct on (p.enrolment_id, p.position) p.enrolment_id, least(p.position, ${count}) as position, p.state
    from part_history p join a on a.enrolment_id = p.enrolment_id and a.attempt_no = p.attempt_no
    where p.recorded_at < ${asOf}::timestamptz and p.position is not null order by p.enrolment_id, p.position, p.id desc
  ),
  reach as (select enrolment_id, max(position) as furthest from outcomes group by 1)`;

/** The number of parts of the version of a course that was in use, or 1. */
export const partCountAsOf = (courseId: string, asOf: string) => sql`greatest(1, coalesce((
    select count(*)::int from parts_in_order((select live_version_id from course_history
      where course_id = ${courseId} and recorded_at < ${asOf}::timestamptz order by id desc limit 1))), 1))`;
