import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { addDays, momentOf, nextSendingDay } from "#server/reminders/plans.ts";
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

/** The steps about one person on each day until `until`, as things are now. Changes the settings of the transaction. */
export async function listStepsAhead(
  tx: Tx,
  { id, companyId }: { id: string; companyId: string },
  plan: ReminderPlan,
  until: string,
): Promise<PlannedStep[]> {
  const first = nextSendingDay(plan.openDay, plan.skipsWeekends);
  const days: string[] = [];
  for (let day = first; day <= until; day = nextSendingDay(addDays(day, 1), plan.skipsWeekends)) days.push(day);
  const day = sql<string>`sending.day`;
  const steps = selectDueSteps({
    company: { id: companyId, zone: plan.zone },
    plan,
    day,
    nextDay: first,
    at: momentOf(day, plan),
    of: sql`enrolments.user_id = ${id}`,
  });
  await useCustomPlans(tx);
  const { rows } = await sql<PlannedStep>`
    select
      sending.day, steps.kind, steps.days, steps.audience, steps.course_id, courses.title as course,
      enrolments.due_date, steps.recipient_id, nullif(${nameOf("recipient")}, '') as recipient, steps.dropped
    from unnest(${days}::date[]) sending (day)
    cross join lateral (${steps}) steps
    join courses on courses.id = steps.course_id
    join enrolments on enrolments.id = steps.enrolment_id
    left join users recipient on recipient.id = steps.recipient_id
    order by sending.day, steps.audience, lower(courses.title), steps.course_id`.execute(tx);
  return rows;
}
