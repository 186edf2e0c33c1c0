import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { isExemptOn, isHere, todayIn } from "#server/requirements/requirementRows.ts";

// When a completed course opens again, its enrolment starts the next cycle, and its results are kept as a closed one.
// Attempts, answers and sessions are not changed. Attempts from `first_attempt` on belong to the new cycle. Every
// change locks the enrolment before its requirement, as commits do.

/** SQL condition: the course can be taken by the person of the requirement. */
export const canBeTaken = sql<boolean>`(
  ${isHere}
  and courses.status = 'published'
  and courses.live_version_id is not null
  and companies.status = 'active'
)`;

/** SQL condition: the day has come on which the course opens again; after an exemption, if that ends later. */
export const isDueToOpen = sql<boolean>`(
  requirements.opened_on is null
  and requirements.opens_on <= ${todayIn(sql`companies.timezone`)}
  and not ${isExemptOn(todayIn(sql`companies.timezone`))}
)`;

/** SQL: the day on which a completed course opens again, today at the earliest, and after an exemption. */
export const opensOn = (today: string) => sql<string>`greatest(
  requirements.opens_on,
  ${today}::date,
  case
    when requirements.exempt_from <= greatest(requirements.opens_on, ${today}::date)
      then requirements.exempt_until + 1
  end
)`;

/** SQL: the due date of a course that opens again: the end of the validity, unless an exemption lasts longer. */
export const dueAfterOpening = sql<string>`greatest(
  requirements.valid_until,
  case when requirements.exempt_until >= requirements.valid_until then requirements.exempt_due end
)`;

/** An attempt without activity for this number of days counts as given up, and belongs to the closed cycle. */
const GIVEN_UP_DAYS = 30;

/**
 * Opens at most `limit` completed courses again. An attempt that was started after the last complete one, and not given
 * up, belongs to the new cycle. `openedBy`: the admin who opens them early. Returns the ids of the enrolments.
 */
export async function openCycles(tx: Tx, condition: RawBuilder<unknown>, limit: number, openedBy: string | null) {
  const { rows: locked } = await sql<{ id: string }>`
    select enrolments.id
    from requirements
    join enrolments on enrolments.id = requirements.enrolment_id
    join companies on companies.id = requirements.company_id
    join courses on courses.id = requirements.course_id
    join users on users.id = requirements.user_id
    where ${condition}
      and requirements.opened_on is null
      and enrolments.status = 'completed'
      and enrolments.completed_at is not null
      and ${canBeTaken}
    order by requirements.opens_on, enrolments.id
    limit ${limit}
    for update of enrolments`.execute(tx);
  // A statement of its own sees what others have stored until the locks were granted.
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select
        enrolments.*,
        requirements.valid_until,
        ${dueAfterOpening} as next_due_date,
        ${todayIn(sql`companies.timezone`)} as today
      from requirements
      join enrolments on enrolments.id = requirements.enrolment_id
      join companies on companies.id = requirements.company_id
      where ${isOneOf("enrolments.id", ids)}
        and ${condition}
        and requirements.opened_on is null
        and enrolments.status = 'completed'
    ),
    last as (
      select due.id, coalesce(max(attempts.no) filter (where attempts.completed_at is not null), 0) as complete
      from due
      left join attempts on attempts.enrolment_id = due.id and not attempts.preview
      group by due.id
    ),
    next as (
      select
        due.id,
        coalesce(
          min(attempts.no) filter (
            where attempts.no > last.complete
              and coalesce(attempts.last_activity_at, attempts.started_at)
                > now() - make_interval(days => ${GIVEN_UP_DAYS})
          ),
          coalesce(max(attempts.no), 0) + 1
        ) as first_attempt,
        (
          select max(cycle) + 1
          from enrolments of_course
          where of_course.user_id = due.user_id
            and of_course.course_id = due.course_id
        ) as cycle
      from due
      join last on last.id = due.id
      left join attempts on attempts.enrolment_id = due.id and not attempts.preview
      group by due.id, due.user_id, due.course_id
    ),
    closed as (
      insert into enrolment_cycles (
        enrolment_id, cycle, first_attempt, assigned_at, first_started_at, completed_at, due_date,
        success, score_percent, progress, parts_done, current_part
      )
      select
        id, cycle, first_attempt, assigned_at, first_started_at, completed_at, due_date,
        success, score_percent, progress, parts_done, current_part
      from due
    ),
    marked as (
      update requirements
      set opened_on = due.today,
        opened_by = ${openedBy}
      from due
      where requirements.enrolment_id = due.id
    )
    update enrolments
    set status = case when carried.id is null then 'assigned' else 'in_progress' end,
      cycle = next.cycle,
      first_attempt = next.first_attempt,
      assigned_at = now(),
      first_started_at = carried.started_at,
      completed_at = null,
      due_date = due.next_due_date,
      success = 'unknown',
      score_percent = null,
      progress = carried.progress,
      parts_done = 0,
      current_part = carried.current_part,
      reminded_at = null
    from due
    join next on next.id = due.id
    left join lateral (
      select attempts.id, attempts.started_at, attempts.progress, attempts.current_part
      from attempts
      where attempts.enrolment_id = due.id
        and attempts.no >= next.first_attempt
        and not attempts.preview
      order by attempts.no desc
      limit 1
    ) carried on true
    where enrolments.id = due.id
    returning enrolments.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** SQL condition: the course is open again, and the person has done nothing in it since. */
export const isUnstarted = sql<boolean>`(
  requirements.opened_on is not null
  and enrolments.status in ('assigned', 'in_progress', 'failed')
  and not exists (
    select from attempts
    where attempts.enrolment_id = enrolments.id
      and attempts.no >= enrolments.first_attempt
      and not attempts.preview
      and coalesce(attempts.last_activity_at, attempts.started_at) >= enrolments.assigned_at
  )
)`;

/**
 * Takes the opening of courses back that nobody has started: their enrolments show the last closed cycle again. Returns
 * the ids of the enrolments.
 */
export async function closeCycles(tx: Tx, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: string }>`
    with unstarted as materialized (
      select enrolments.id
      from requirements
      join enrolments on enrolments.id = requirements.enrolment_id
      join companies on companies.id = requirements.company_id
      where ${condition}
        and ${isUnstarted}
      order by enrolments.id
      for update of enrolments
    ),
    last as (
      select distinct on (enrolment_cycles.enrolment_id) enrolment_cycles.*
      from enrolment_cycles
      join unstarted on unstarted.id = enrolment_cycles.enrolment_id
      order by enrolment_cycles.enrolment_id, enrolment_cycles.cycle desc
    ),
    forgotten as (
      delete from enrolment_cycles
      using last
      where enrolment_cycles.enrolment_id = last.enrolment_id
        and enrolment_cycles.cycle = last.cycle
    ),
    marked as (
      update requirements
      set opened_on = null,
        opened_by = null,
        notified_at = null
      from last
      where requirements.enrolment_id = last.enrolment_id
    )
    update enrolments
    set status = 'completed',
      cycle = last.cycle,
      first_attempt = last.first_attempt,
      assigned_at = last.assigned_at,
      first_started_at = last.first_started_at,
      completed_at = last.completed_at,
      due_date = last.due_date,
      success = last.success,
      score_percent = last.score_percent,
      progress = last.progress,
      parts_done = last.parts_done,
      current_part = last.current_part
    from last
    where enrolments.id = last.enrolment_id
    returning enrolments.id`.execute(tx);
  return rows.map(({ id }) => id);
}
