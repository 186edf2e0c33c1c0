import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isExemptOn } from "#server/requirements/requirementRows.ts";
import { REMINDER_PAUSE_HOURS } from "#shared/courses/reminders.ts";
import { CATCH_UP_DAYS, type DropReason, type ReminderKind, type ReminderStep } from "#shared/reminders/reminders.ts";

// Which steps are due on which day, for planning and for previews

export type Steps = { startsOn: string; skipsWeekends: boolean; steps: ReminderStep[] };
export type DueStep = {
  enrolmentId: string;
  userId: string;
  courseId: string;
  kind: ReminderKind;
  days: number;
  audience: "learner" | "manager";
  countedFrom: string;
  sentOn: string;
  recipientId: string | null;
  /** Why no email is sent; null: one is. */
  dropped: DropReason | null;
};

/** A step of a Saturday or Sunday is sent at most so many days earlier or later. */
const WEEKEND = 2;

type Span = {
  company: { id: string; zone: string };
  plan: Steps;
  /** The day of the emails, or the first and the last one. */
  day: string;
  lastDay?: string;
  /** The next day on which any are sent: steps of days before that were missed. */
  nextDay: string;
  /** SQL: when the emails of `due.sent_on` are sent. */
  at: RawBuilder<string>;
  /** SQL condition: the people whom it concerns. */
  of?: RawBuilder<unknown>;
};

/** SQL: the day is one on which emails are sent. */
export const isSendingDay = (day: RawBuilder<unknown>, skipsWeekends: RawBuilder<unknown>) =>
  sql<boolean>`(not ${skipsWeekends} or extract(isodow from ${day}) < 6)`;

/** SQL: why the person cannot be reminded of the course; of joined users, companies and courses. */
const personDropped = sql<DropReason | null>`case
  when users.status = 'suspended' then 'suspended'
  when users.company_id is distinct from enrolments.company_id then 'moved'
  when companies.status <> 'active' then 'companyClosed'
  when courses.status <> 'published' then 'courseClosed'
end`;

/** SQL: the person is exempt from the course at this moment. */
const isExempt = (at: RawBuilder<string>) => sql<boolean>`exists (
  select from requirements
  where requirements.enrolment_id = enrolments.id
    and ${isExemptOn(sql`(${at} at time zone companies.timezone)::date`)}
)`;

/** SQL: the last reminder was sent by hand, and not long before this moment. */
const wasRemindedByHand = (at: RawBuilder<string>) => sql<boolean>`(
  enrolments.reminded_at > ${at} - make_interval(hours => ${REMINDER_PAUSE_HOURS})
  and not exists (
    select from reminders own
    where own.enrolment_id = enrolments.id
      and own.done_at = enrolments.reminded_at
  )
)`;

/** SQL: the same, with exemptions, whom it is for, their recipient and reminders by hand before this moment. */
export const droppedFor = (audience: RawBuilder<unknown>, recipientId: RawBuilder<unknown>, at: RawBuilder<string>) =>
  sql<DropReason | null>`coalesce(
    ${personDropped},
    case
      when ${isExempt(at)} then 'exempt'
      when ${recipientId} is null and ${audience} = 'manager' then 'noManager'
      when ${recipientId} is null then 'unreachable'
      when ${audience} = 'learner' and ${wasRemindedByHand(at)} then 'reminded'
    end
  )`;

/** SQL condition: a course that is not complete. */
export const isOpen = sql<boolean>`enrolments.status in ('assigned', 'in_progress', 'failed')`;

/** Has PostgreSQL plan each statement for its values: days differ too much in their steps for one plan. */
export const useCustomPlans = (tx: Tx) => sql`set local plan_cache_mode = force_custom_plan`.execute(tx);

/**
 * SQL: the steps of a plan that are due on a day, or on several days, and were neither sent nor dropped. Steps count
 * from the day after the assignment, about which people have had an email. Of the steps of a course to the same person
 * on one day, the one with the latest day is sent.
 */
export const selectDueSteps = ({
  company,
  plan,
  day,
  lastDay = day,
  nextDay,
  at,
  of = sql`true`,
}: Span) => sql<DueStep>`
  with steps as materialized (
    select
      kind, days, audience, is_before,
      first_step + case when is_before then days else -days end as earliest,
      last_step + case when is_before then days else -days end as latest
    from jsonb_to_recordset(${JSON.stringify(plan.steps)}::jsonb)
      as step (kind text, days integer, "toLearner" boolean, "toManager" boolean)
    cross join lateral (values ('learner', "toLearner"), ('manager', "toManager")) as told (audience, is_told)
    cross join lateral (select kind = 'due_soon' as is_before) direction
    -- Steps of a weekend are sent before or after it; the first day also has those that were missed.
    cross join (
      select
        ${day}::date - ${day === nextDay ? CATCH_UP_DAYS : WEEKEND}::integer as first_step,
        ${lastDay}::date + ${WEEKEND}::integer as last_step
    ) span
    where is_told
  ),
  open as (
    select enrolments.*, steps.*, enrolments.due_date as counted_from
    from steps
    join enrolments on enrolments.due_date between steps.earliest and steps.latest
    where steps.kind <> 'not_started'
      and enrolments.company_id = ${company.id}
      and enrolments.due_date is not null
      and ${isOpen}
      and ${of}
    union all
    select enrolments.*, steps.*, (enrolments.assigned_at at time zone ${company.zone})::date
    from steps
    join enrolments
      on enrolments.assigned_at >= steps.earliest::timestamp at time zone ${company.zone}
      and enrolments.assigned_at < (steps.latest + 1)::timestamp at time zone ${company.zone}
    where steps.kind = 'not_started'
      and enrolments.company_id = ${company.id}
      and enrolments.status = 'assigned'
      and ${of}
  ),
  counted as (
    select
      id as enrolment_id, user_id, course_id, due_date, kind, days, audience, is_before, counted_from,
      (assigned_at at time zone ${company.zone})::date as assigned_on,
      counted_from + case when is_before then -days else days end as step_day
    from open
    where user_id is not null
  ),
  dated as (
    select *, greatest(reminder_day(step_day, is_before, ${plan.skipsWeekends}), ${nextDay}::date) as sent_on
    from counted
    where step_day > assigned_on
      and step_day >= ${plan.startsOn}::date
      and step_day >= ${nextDay}::date - ${CATCH_UP_DAYS}::integer
  ),
  due as (
    select *,
      row_number() over (
        partition by enrolment_id, audience, sent_on
        order by step_day desc, kind = 'not_started'
      ) as place
    from dated
    where sent_on between ${day}::date and ${lastDay}::date
      and case kind
        when 'due_soon' then due_date >= sent_on
        when 'not_started' then coalesce(due_date >= sent_on, true)
        else true
      end
      and not exists (
        select from reminders
        where reminders.enrolment_id = dated.enrolment_id
          and reminders.kind = dated.kind
          and reminders.days = dated.days
          and reminders.counted_from = dated.counted_from
          and reminders.audience = dated.audience
      )
  ),
  -- As mail_manager_of says, once for each manager instead of for each person.
  contacts as materialized (
    select
      direct.id as leader_id,
      case
        when users.email is not null and exists (select from managers_in_place_of(direct.id)) then direct.id
        else mail_manager_of(direct.id)
      end as manager_id
    from (
      select distinct manager_id as id
      from managers
      where user_id in (select user_id from due)
    ) direct
    join users on users.id = direct.id
  )
  select
    due.enrolment_id, due.user_id, due.course_id, due.kind, due.days, due.audience, due.counted_from, due.sent_on,
    recipient.id as recipient_id,
    case when due.place > 1 then 'merged' else ${droppedFor(sql`due.audience`, sql`recipient.id`, at)} end as dropped
  from due
  join enrolments on enrolments.id = due.enrolment_id
  join users on users.id = due.user_id and users.company_id = enrolments.company_id
  join companies on companies.id = enrolments.company_id
  join courses on courses.id = due.course_id
  left join managers on managers.user_id = due.user_id
  left join contacts on contacts.leader_id = managers.manager_id
  cross join lateral (
    select
      case when due.audience = 'learner' and users.email is not null then users.id else contacts.manager_id end as id
  ) recipient`;
