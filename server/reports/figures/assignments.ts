import { type RawBuilder, sql } from "kysely";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { FigureGroup } from "#shared/reports/reportFigures.ts";
import type { User } from "#shared/core/users.ts";
import type { ReportFilters } from "#shared/reports/reportQueries.ts";

/**
 * What is counted: `asOf` is an instant; everything that was recorded before it counts, and nothing after it. With
 * `personId`, only the assignments of this person, by the number that they have in the history.
 */
export type Counted = {
  user: User;
  filters: ReportFilters;
  asOf: string;
  personId?: string | null;
  /** Only these enrolments, or these people, of those that count. */
  only?: { column: "enrolmentId" | "personId"; ids: string[] };
};

/** Whose rows of a table with the state of enrolments they are. */
const scopeIn = (table: string) => ({ company: `${table}.companyId`, person: `${table}.personId` });

const startOf = (day: string, zone: string) => sql`(${day}::date::timestamp at time zone ${zone})`;
const endOf = (day: string, zone: string) => sql`((${day}::date + 1)::timestamp at time zone ${zone})`;

type Time = "at" | "until" | "since" | "before";
/**
 * The counters of an enrolment after its last commit before a time of `span`: those of the current quarter of an hour
 * are in `enrolments` (`e`), earlier ones in `enrolment_activity`, which is read only for enrolments with later
 * activity that had begun before.
 */
const activityAt = (time: Time, condition = sql`true`) => {
  const at = sql.ref(`span.${time}`);
  return sql`case when ${condition} and (e.id is null or e.last_activity_at >= ${at}) and coalesce(s.first_started_at < ${at}, true) then
      (select c from enrolment_activity c where c.enrolment_id = s.enrolment_id and c.recorded_at < ${at} order by c.recorded_at desc limit 1)
    end as ${sql.ref(`at_${time}`)}`;
};
type Counter = "active_seconds" | "reported_seconds" | "progress" | "last_activity_at";
const counterAt = (time: Time, counter: Counter) =>
  sql`case when c.last_activity_at < ${sql.ref(`c.${time}`)} then ${sql.ref(`c.${counter}`)}
    else (${sql.ref(`c.at_${time}`)}).${sql.raw(counter === "last_activity_at" ? "recorded_at" : counter)} end`;
const secondsAt = (time: Time) => sql`coalesce(${counterAt(time, "active_seconds")}, 0)`;

const periodCounters = sql`,
      case when c.until < c.at then ${secondsAt("until")} else ${secondsAt("at")} end as seconds_until,
      case when c.until < c.at then ${counterAt("until", "last_activity_at")} else ${counterAt("at", "last_activity_at")} end as last_until,
      ${secondsAt("since")} as seconds_since, ${counterAt("since", "last_activity_at")} as last_since, ${secondsAt("before")} as seconds_before`;
const dayCounters = sql`,
      ${secondsAt("at")} as seconds, coalesce(${counterAt("at", "reported_seconds")}, 0) as reported_seconds,
      ${counterAt("at", "progress")} as progress, ${counterAt("at", "last_activity_at")} as last_activity_at`;

/** The score as a decimal. Most are whole, and those are converted ten times as fast as an integer. */
const score = sql`case when abs(c.score_percent) < 1000 and c.score_percent = trunc(c.score_percent) then c.score_percent::int::numeric
      else c.score_percent::numeric end`;

/**
 * Of which times an assignment has its counters. Reading them costs more than its state, so what shows none of them
 * does without.
 */
export type Counters = "none" | "day" | "period";

/**
 * The CTEs of every report: `span` (its times) and `a`, one row for each assignment that counts, as it was at `asOf`.
 * Of every enrolment the last row that was recorded before is its state (docs/decisions/0020-history.md); withdrawn and
 * deleted ones do not count. The time zone of a company, which decides when a due date is over, is that of the same
 * moment. `until` is the end of the period, at most `asOf`. An enrolment never changes its company or course, so that
 * the rows are sorted as their index is (`enrolment_history_states`).
 */
export function assignmentsAsOf(
  { user, filters: { from, to, zone, companyId, courseId }, asOf, personId, only }: Counted,
  counters: Counters = "period",
) {
  const at = sql`${asOf}::timestamptz`;
  /** Of a company or a course, in the history and in `enrolments`, so that no other rows are read from either. */
  const isOfSubject = (table: string) =>
    sql`${companyId ? sql`${sql.ref(`${table}.companyId`)} = ${companyId}` : sql`true`} and ${courseId ? sql`${sql.ref(`${table}.courseId`)} = ${courseId}` : sql`true`}`;
  const conditions = [
    inScope(user, scopeIn("h")),
    isOfSubject("h"),
    ...(personId ? [sql`h.person_id = ${personId}`] : []),
    ...(only ? [isOneOf(`h.${only.column}`, only.ids)] : []),
  ];
  const state = sql`select s.*, z.timezone, (s.due_date + 1)::timestamp at time zone z.timezone as due_until, span.at, span.since, span.until, span.before`;
  const tables = sql`from states s cross join span left join zones z on z.company_id = s.company_id`;
  const isCounted = sql`where s.change <> 'removed' and s.status <> 'withdrawn'`;
  // `offset 0` keeps what is computed here from being computed for each of its uses.
  const source =
    counters === "none"
      ? sql`${state} ${tables} ${isCounted} offset 0`
      : sql`${state}, e.last_activity_at, e.active_seconds, e.reported_seconds, e.progress, ${activityAt("at")}
        ${counters === "period" ? sql`, ${activityAt("until", sql`span.until < span.at`)}, ${activityAt("since")}, ${activityAt("before")}` : sql``}
        ${tables} left join enrolments e on e.id = s.enrolment_id and e.user_id is not null and ${isOfSubject("e")} ${isCounted} offset 0`;
  return sql`
  span as materialized (select ${at} as at, ${startOf(from, zone)} as since, least(${endOf(to, zone)}, ${at}) as until,
    ((${from}::date - (${to}::date - ${from}::date + 1))::timestamp at time zone ${zone}) as before, ${zone}::text as zone),
  states as (
    select distinct on (h.course_id, h.company_id, h.enrolment_id) h.enrolment_id, h.person_id, h.company_id, h.course_id, h.change, h.status, h.success,
      h.score_percent, h.due_date, h.attempt_no, h.assigned_at, h.first_started_at, h.completed_at
    from enrolment_history h where h.recorded_at < ${at} and ${sql.join(conditions, sql` and `)}
    order by h.course_id, h.company_id, h.enrolment_id, h.id desc
  ),
  zones as materialized (
    select distinct on (company_id) company_id, timezone from company_history
    where recorded_at < ${at} and ${personId ? sql`company_id in (select states.company_id from states)` : inScope(user, { company: "company_history.companyId" })}
    order by company_id, id desc
  ),
  a as (
    select c.enrolment_id, c.person_id, c.company_id, c.course_id, c.status, c.success, ${score} as score, c.due_date,
      coalesce(c.attempt_no, 0) as attempt_no, c.assigned_at,
      case when c.status <> 'assigned' then c.first_started_at end as first_started_at,
      case when c.status = 'completed' then c.completed_at end as completed_at,
      c.timezone, c.due_until,
      coalesce(c.status <> 'completed' and c.due_until <= c.at, false) as overdue,
      coalesce(c.status = 'completed' and c.completed_at < c.due_until, false) as on_time${counters === "none" ? sql`` : dayCounters}${counters === "period" ? periodCounters : sql``}
    from (${source}) c
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

/**
 * Which assignments of `a` a figure counts. The list behind a figure uses the same condition, so that both have the
 * same number.
 */
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
 * The CTEs of the parts of a course, after those of `assignmentsAsOf`: `outcomes`, the state of every part of the
 * latest attempt, and `reach`, the furthest part of every assignment that somebody has opened. `count` is the number of
 * parts of the version in use; a part of another version counts at its place, at most as the last one.
 */
export const partsAsOf = (asOf: string, count: RawBuilder<unknown>) => sql`
  outcomes as materialized (
    select a.enrolment_id, least(p.position, ${count}) as position, p.state
    from a cross join lateral (
      select distinct on (h.position) h.position, h.state from part_history h
      where h.enrolment_id = a.enrolment_id and h.attempt_no = a.attempt_no and h.recorded_at < ${asOf}::timestamptz and h.position is not null
      order by h.position, h.id desc) p
    where a.attempt_no > 0
  ),
  reach as (select enrolment_id, max(position) as furthest from outcomes group by 1)`;

/** The number of parts of the version of a course that was in use, or 1. */
export const partCountAsOf = (courseId: string, asOf: string) => sql`greatest(1, coalesce((
    select count(*)::int from parts_in_order((select live_version_id from course_history
      where course_id = ${courseId} and recorded_at < ${asOf}::timestamptz order by id desc limit 1))), 1))`;
