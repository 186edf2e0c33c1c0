import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { momentOf, nextSendingDay } from "#server/reminders/plans.ts";
import { selectDueSteps, useCustomPlans } from "#server/reminders/steps.ts";
import type { DropReason, ReminderKind, ReminderPlan } from "#shared/reminders/reminders.ts";

export type PlannedStep = {
  day: string;
  kind: ReminderKind;
  days: number;
  audience: "learner" | "manager";
  courseId: string;
  course: string;
  dueDate: string | null;
  recipientId: string | null;
  recipient: string | null;
  dropped: DropReason | null;
};

/** A completed course that opens again on a day, and is due on another one. */
export type Opening = { enrolmentId: string; day: string; dueDate: string };

/** SQL: the enrolments of a person, those that open again as they will be then. */
const enrolmentsAhead = (userId: string, openings: Opening[], zone: string) => sql`
  select ahead.*
  from enrolments stored
  left join jsonb_to_recordset(${JSON.stringify(openings)}::jsonb)
    as opening ("enrolmentId" uuid, day date, "dueDate" date) on opening."enrolmentId" = stored.id
  cross join lateral jsonb_populate_record(
    stored,
    case
      when opening.day is null then '{}'
      else jsonb_build_object(
        'status', 'assigned',
        'assigned_at', opening.day::timestamp at time zone ${zone},
        'due_date', opening."dueDate",
        'reminded_at', null
      )
    end
  ) ahead
  where stored.user_id = ${userId}`;

type Ahead = { person: { id: string; companyId: string }; plan: ReminderPlan; openings: Opening[]; until: string };

/**
 * The steps about one person on each day until `until`, as things are now. To be called last in a transaction, whose
 * settings it changes.
 */
export async function listStepsAhead(tx: Tx, { person, plan, openings, until }: Ahead): Promise<PlannedStep[]> {
  const first = nextSendingDay(plan.openDay, plan.skipsWeekends);
  const steps = selectDueSteps({
    company: { id: person.companyId, zone: plan.zone },
    plan,
    day: first,
    lastDay: until,
    nextDay: first,
    at: momentOf(sql`due.sent_on`, plan),
  });
  await useCustomPlans(tx);
  // Statements of reminders read this list instead of the table.
  const { rows } = await sql<PlannedStep>`
    with enrolments as materialized (${enrolmentsAhead(person.id, openings, plan.zone)})
    select
      steps.sent_on as day, steps.kind, steps.days, steps.audience, steps.course_id, courses.title as course,
      enrolments.due_date, steps.recipient_id, nullif(${nameOf("recipient")}, '') as recipient, steps.dropped
    from (${steps}) steps
    join courses on courses.id = steps.course_id
    join enrolments on enrolments.id = steps.enrolment_id
    left join users recipient on recipient.id = steps.recipient_id
    order by steps.sent_on, steps.audience, lower(courses.title), steps.course_id`.execute(tx);
  return rows;
}
