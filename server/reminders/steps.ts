import { type RawBuilder, sql } from "kysely";
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
  recipientId: string | null;
  /** Why no email is sent; null: one is. */
  dropped: DropReason | null;
};

type Span = {
  company: { id: string; zone: string };
  plan: Steps;
  /** The day of the emails, and the next day on which any are sent: steps of days before that were missed. */
  day: string;
  nextDay: string;
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

/** SQL: the same, with whom it is for, their recipient and reminders by hand. */
export const droppedFor = (audience: RawBuilder<unknown>, recipientId: RawBuilder<unknown>) =>
  sql<DropReason | null>`coalesce(
    ${personDropped},
    case
      when ${recipientId} is null and ${audience} = 'manager' then 'noManager'
      when ${recipientId} is null then 'unreachable'
      when ${audience} = 'learner' and enrolments.reminded_at > now() - make_interval(hours => ${REMINDER_PAUSE_HOURS})
        then 'reminded'
    end
  )`;

/** SQL condition: a course that is not complete. */
export const isOpen = sql<boolean>`enrolments.status in ('assigned', 'in_progress', 'failed')`;

/**
 * SQL: the steps of a plan that are due on a day and were neither sent nor dropped. Steps count from the day after the
 * assignment, about which people have had an email. Of the steps of a course to the same person on one day, the one
 * with the latest day is sent.
 */
export const selectDueSteps = ({ company, plan, day, nextDay, of = sql`true` }: Span) => sql<DueStep>`
  with steps as materialized (
    select kind, days, audience, kind = 'due_soon' as is_before
    from jsonb_to_recordset(${JSON.stringify(plan.steps)}::jsonb)
      as step (kind text, days integer, "toLearner" boolean, "toManager" boolean)
    cross join lateral (values ('learner', "toLearner"), ('manager', "toManager")) as told (audience, is_told)
    where is_told
  ),
  counted as (
    select
      enrolments.id as enrolment_id, enrolments.user_id, enrolments.course_id, enrolments.due_date,
      steps.kind, steps.days, steps.audience, steps.is_before,
      counted.counted_from,
      counted.assigned_on,
      counted.counted_from + case when steps.is_before then -steps.days else steps.days end as step_day
    from enrolments
    cross join steps
    cross join lateral (
      select
        case
          when steps.kind = 'not_started' then (enrolments.assigned_at at time zone ${company.zone})::date
          else enrolments.due_date
        end as counted_from,
        (enrolments.assigned_at at time zone ${company.zone})::date as assigned_on
    ) counted
    where enrolments.company_id = ${company.id}
      and enrolments.user_id is not null
      and ${isOpen}
      and (steps.kind = 'not_started' or ${isNear(plan, day)})
      and (steps.kind <> 'not_started' or enrolments.status = 'assigned')
      and ${of}
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
      row_number() over (partition by enrolment_id, audience order by step_day desc, kind = 'not_started') as place
    from dated
    where sent_on = ${day}::date
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
  contacts as materialized (
    select id, mail_manager_of(id) as manager_id
    from (select distinct user_id as id from due) people
  )
  select
    due.enrolment_id, due.user_id, due.course_id, due.kind, due.days, due.audience, due.counted_from,
    recipient.id as recipient_id,
    case when due.place > 1 then 'merged' else ${droppedFor(sql`due.audience`, sql`recipient.id`)} end as dropped
  from due
  join enrolments on enrolments.id = due.enrolment_id
  join users on users.id = due.user_id and users.company_id = enrolments.company_id
  join companies on companies.id = enrolments.company_id
  join courses on courses.id = due.course_id
  join contacts on contacts.id = due.user_id
  cross join lateral (
    select
      case when due.audience = 'learner' and users.email is not null then users.id else contacts.manager_id end as id
  ) recipient`;

/** SQL condition: a due date from which a step can count on this day; it makes use of the index of due dates. */
function isNear({ steps }: Steps, day: string) {
  const most = (kind: ReminderKind) => Math.max(0, ...steps.map((step) => (step.kind === kind ? step.days : 0)));
  // Two days of a weekend, and the days of catching up.
  const slack = CATCH_UP_DAYS + 2;
  return sql`enrolments.due_date between
    ${day}::date - ${most("overdue") + slack}::integer and ${day}::date + ${most("due_soon") + slack}::integer`;
}
