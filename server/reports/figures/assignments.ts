import { type RawBuilder, sql } from "kysely";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { shown } from "#server/core/database/measured.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
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
  /** Also what its company has switched off: to be stored, and hidden from those who read it (`issued/hidden.ts`). */
  withHidden?: true;
  /** Only these enrolments, or these people, of those that count. */
  only?: { column: "enrolmentId" | "personId"; ids: string[] };
};

const startOf = (day: string, zone: string) => sql`(${day}::date::timestamp at time zone ${zone})`;
const endOf = (day: string, zone: string) => sql`((${day}::date + 1)::timestamp at time zone ${zone})`;

/** Whether a person was in a group at a time. */
const wasMember = (groupId: string, at: RawBuilder<unknown>) =>
  sql<boolean>`history.person_id in (
        select member.person_id
        from group_members member
        where member.group_id = ${groupId}
          and member.since < ${at}
          and (member.until is null or member.until >= ${at})
      )`;

/** A column of `span`: the time of the report, the end and the start of its period, and the start of the one before. */
type Time = "at" | "until" | "since" | "before";

/**
 * The counters of an enrolment after its last commit before a time of `span`. Those of the current quarter of an hour
 * are in `enrolments`, earlier ones in `enrolment_activity`, which is read only for enrolments that began before that
 * time and were active after it.
 */
const activityAt = (time: Time, condition = sql`true`) => {
  const at = sql.ref(`span.${time}`);
  return sql`case
        when ${condition}
          and (enrolments.id is null or enrolments.last_activity_at >= ${at})
          and coalesce(states.first_started_at < ${at}, true)
        then (
          select activity
          from enrolment_activity activity
          where activity.enrolment_id = states.enrolment_id
            and activity.recorded_at < ${at}
          order by activity.recorded_at desc
          limit 1
        )
      end as ${sql.ref(`at_${time}`)}`;
};
type Counter = "active_seconds" | "reported_seconds" | "progress" | "last_activity_at";
const counterAt = (time: Time, counter: Counter) => {
  const current = sql.ref(`measured.${counter}`);
  const earlier = sql.raw(counter === "last_activity_at" ? "recorded_at" : counter);
  return sql`case
        when measured.last_activity_at < ${sql.ref(`measured.${time}`)} then ${current}
        else (${sql.ref(`measured.at_${time}`)}).${earlier}
      end`;
};
const secondsAt = (time: Time) => sql`coalesce(${counterAt(time, "active_seconds")}, 0)`;
/** At the end of the period. That is mostly the time of the report, whose counters are read anyway. */
const atPeriodEnd = (read: (time: Time) => RawBuilder<unknown>) =>
  sql`case when measured.until < measured.at then ${read("until")} else ${read("at")} end`;
const lastActivityAt = (time: Time) => counterAt(time, "last_activity_at");

/** SQL: a value, or null if the company has switched its kind off for the reader. */
type Seen = (kind: MeasuredKind, value: RawBuilder<unknown>) => RawBuilder<unknown>;
const periodCounters = (seen: Seen) => sql`,
      ${seen("activeTime", atPeriodEnd(secondsAt))} as seconds_until,
      ${seen("lastActivity", atPeriodEnd(lastActivityAt))} as last_until,
      ${seen("activeTime", secondsAt("since"))} as seconds_since,
      ${seen("lastActivity", lastActivityAt("since"))} as last_since,
      ${seen("activeTime", secondsAt("before"))} as seconds_before,
      ${seen("lastActivity", sql`true`)} as shows_activity`;
const dayCounters = (seen: Seen) => sql`,
      ${seen("activeTime", secondsAt("at"))} as seconds,
      ${seen("activeTime", sql`coalesce(${counterAt("at", "reported_seconds")}, 0)`)} as reported_seconds,
      ${counterAt("at", "progress")} as progress,
      ${seen("lastActivity", lastActivityAt("at"))} as last_activity_at`;

/** The score as a decimal. Most are whole, and PostgreSQL converts an integer ten times as fast as a float. */
const score = sql`case
        when abs(measured.score_percent) < 1000 and measured.score_percent = trunc(measured.score_percent)
        then measured.score_percent::int::numeric
        else measured.score_percent::numeric
      end`;

/**
 * The times for which the counters of an assignment are read: none, the time of the report, or also those of its
 * period. They cost more to read than the state.
 */
export type Counters = "none" | "day" | "period";

/** The counters of every state, to be computed once in `measured`. */
const counterColumns = (counters: Counters) => {
  if (counters === "none") return sql``;
  const periodTimes = sql`,
      ${activityAt("until", sql`span.until < span.at`)},
      ${activityAt("since")},
      ${activityAt("before")}`;
  return sql`,
      enrolments.last_activity_at,
      enrolments.active_seconds,
      enrolments.reported_seconds,
      enrolments.progress,
      ${activityAt("at")}${counters === "period" ? periodTimes : sql``}`;
};

/**
 * The CTEs of every report: `span` (its times) and `assignments`, one row for each assignment that counts, as it was at
 * `asOf`. The state of an enrolment is its last row that was recorded before (docs/decisions/0020-history.md);
 * withdrawn and deleted ones do not count. The time zone of a company, which decides when a due date is over, is its
 * zone at `asOf`. `until` is the end of the period, at most `asOf`.
 */
export function assignmentsAsOf(
  { user, filters: { from, to, zone, companyId, courseId, groupId }, asOf, personId, only, withHidden }: Counted,
  counters: Counters = "period",
) {
  const at = sql`${asOf}::timestamptz`;
  const seen: Seen = (kind, value) => (withHidden ? value : shown(user, kind, "measured.companyId", value));
  /** Applied to the history and to `enrolments`, so that no other rows are read from either. */
  const isOfSubject = (table: string) => {
    const isOfCompany = companyId ? sql`${sql.ref(`${table}.companyId`)} = ${companyId}` : sql`true`;
    const isOfCourse = courseId ? sql`${sql.ref(`${table}.courseId`)} = ${courseId}` : sql`true`;
    return sql`${isOfCompany} and ${isOfCourse}`;
  };
  const stateConditions = [
    inScope(user, { company: "history.companyId", person: "history.personId" }),
    isOfSubject("history"),
    ...(personId ? [sql`history.person_id = ${personId}`] : []),
    ...(only ? [isOneOf(`history.${only.column}`, only.ids)] : []),
    ...(groupId ? [wasMember(groupId, at)] : []),
  ];
  const hasZone = personId
    ? sql`company_id in (select states.company_id from states)`
    : inScope(user, { company: "company_history.companyId" });
  const enrolmentJoin =
    counters === "none"
      ? sql``
      : sql`left join enrolments
      on enrolments.id = states.enrolment_id
      and enrolments.user_id is not null
      and ${isOfSubject("enrolments")}`;
  // `states` is sorted like the index enrolment_history_states: an enrolment never changes its company or course.
  // `offset 0` keeps what `measured` computes from being computed for each of its uses.
  return sql`
  span as materialized (
    select
      ${at} as at,
      ${startOf(from, zone)} as since,
      least(${endOf(to, zone)}, ${at}) as until,
      ((${from}::date - (${to}::date - ${from}::date + 1))::timestamp at time zone ${zone}) as before,
      ${zone}::text as zone
  ),
  states as (
    select distinct on (history.course_id, history.company_id, history.enrolment_id)
      history.enrolment_id, history.person_id, history.company_id, history.course_id,
      history.change, history.status, history.success, history.score_percent,
      history.due_date, history.attempt_no,
      history.assigned_at, history.first_started_at, history.completed_at
    from enrolment_history history
    where history.recorded_at < ${at}
      and ${sql.join(stateConditions, sql` and `)}
    order by history.course_id, history.company_id, history.enrolment_id, history.id desc
  ),
  zones as materialized (
    select distinct on (company_id) company_id, timezone
    from company_history
    where recorded_at < ${at}
      and ${hasZone}
    order by company_id, id desc
  ),
  measured as (
    select
      states.*,
      zones.timezone,
      (states.due_date + 1)::timestamp at time zone zones.timezone as due_until,
      span.at, span.since, span.until, span.before${counterColumns(counters)}
    from states
    cross join span
    left join zones on zones.company_id = states.company_id
    ${enrolmentJoin}
    where states.change <> 'removed'
      and states.status <> 'withdrawn'
    offset 0
  ),
  assignments as (
    select
      measured.enrolment_id, measured.person_id, measured.company_id, measured.course_id,
      measured.status, measured.success, ${seen("scores", score)} as score,
      measured.due_date, measured.due_until, measured.timezone,
      coalesce(measured.attempt_no, 0) as attempt_no,
      measured.assigned_at,
      case when measured.status <> 'assigned' then measured.first_started_at end as first_started_at,
      case when measured.status = 'completed' then measured.completed_at end as completed_at,
      coalesce(measured.status <> 'completed' and measured.due_until <= measured.at, false) as overdue,
      coalesce(measured.status = 'completed' and measured.completed_at < measured.due_until, false)
        as on_time
        ${counters === "none" ? sql`` : dayCounters(seen)}
        ${counters === "period" ? periodCounters(seen) : sql``}
    from measured
  )`;
}

const isBetween = (column: string, from: string, until: string) =>
  sql`(assignments.${sql.raw(column)} >= span.${sql.raw(from)}
    and assignments.${sql.raw(column)} < span.${sql.raw(until)})`;

/** The conditions of the groups of a period, over `assignments` and `span`. */
const inPeriod = (from: "since" | "before", until: "until" | "since") => {
  const dueIn = sql`coalesce(${isBetween("due_until", from, until)}, false)`;
  return {
    assignedIn: isBetween("assigned_at", from, until),
    startedIn: isBetween("first_started_at", from, until),
    completedIn: isBetween("completed_at", from, until),
    dueIn,
    onTimeIn: sql`(${dueIn} and assignments.on_time)`,
    activeIn: sql`coalesce(assignments.last_${sql.raw(until)} >= span.${sql.raw(from)}, false)`,
  };
};
export const inPeriodBefore = inPeriod("before", "since");

/**
 * Which of the `assignments` a figure counts. The list behind a figure uses the same condition, so that both have the
 * same number.
 */
export const groupConditions: Record<FigureGroup, RawBuilder<unknown>> = {
  assigned: sql`true`,
  notStarted: sql`assignments.status = 'assigned'`,
  started: sql`assignments.status <> 'assigned'`,
  completed: sql`assignments.status = 'completed'`,
  overdue: sql`assignments.overdue`,
  scored: sql`assignments.score is not null`,
  passed: sql`assignments.success = 'passed'`,
  failed: sql`assignments.success = 'failed'`,
  ...inPeriod("since", "until"),
};

/**
 * The CTEs of the parts of a course, after those of `assignmentsAsOf`: `outcomes`, the state of every part of the
 * latest attempt, and `reach`, the furthest part that was opened in every assignment. `count` is the number of parts of
 * the version in use; a part of another version counts at its place, at most as the last one.
 */
export const partsAsOf = (asOf: string, count: RawBuilder<unknown>) => sql`
  outcomes as materialized (
    select
      assignments.enrolment_id,
      least(part.position, ${count}) as position,
      part.state
    from assignments
    cross join lateral (
      select distinct on (history.position) history.position, history.state
      from part_history history
      where history.enrolment_id = assignments.enrolment_id
        and history.attempt_no = assignments.attempt_no
        and history.recorded_at < ${asOf}::timestamptz
        and history.position is not null
      order by history.position, history.id desc
    ) part
    where assignments.attempt_no > 0
  ),
  reach as (
    select enrolment_id, max(position) as furthest
    from outcomes
    group by enrolment_id
  )`;

/** The number of parts of the version of a course that was in use, at least 1. */
export const partCountAsOf = (courseId: string, asOf: string) => sql`greatest(1, coalesce((
    select count(*)::int
    from parts_in_order((
      select live_version_id
      from course_history
      where course_id = ${courseId}
        and recorded_at < ${asOf}::timestamptz
      order by id desc
      limit 1
    ))
  ), 1))`;
