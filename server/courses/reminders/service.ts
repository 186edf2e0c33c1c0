import { sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { mailReminders } from "#server/courses/reminders/reminderMails.ts";
import {
  isDueForReminder,
  leftOutReason,
  type ScopedTarget,
  selectOverdue,
} from "#server/courses/reminders/reminderRows.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { MAX_PREVIEWED, type ReminderPreview } from "#shared/courses/reminders.ts";
import type { User } from "#shared/core/users.ts";

/** Who would get an email now, and who is left out and why. */
export async function previewReminders(ctx: Ctx<User>, target: ScopedTarget): Promise<ReminderPreview> {
  const isDue = isDueForReminder(sql`now()`);
  const overdue = selectOverdue(ctx, target);
  const rows = overdue
    .select(["enrolments.id", "users.id as userId", "users.name", "users.email", "courses.title as course"])
    .select(personnelNumber.as("personnelNumber"))
    .select([sql<string>`enrolments.due_date`.as("dueDate"), "enrolments.remindedAt"])
    .orderBy("enrolments.dueDate")
    .orderBy("enrolments.id")
    .limit(MAX_PREVIEWED);
  const counted = await overdue
    .select(sql<number>`(count(*) filter (where ${isDue}))::int`.as("due"))
    .select(sql<number>`(count(*) filter (where not ${isDue}))::int`.as("notDue"))
    .executeTakeFirstOrThrow();
  return {
    total: counted.due,
    items: await rows.where(isDue).execute(),
    leftOut: {
      total: counted.notDue,
      items: await rows
        .where(sql<boolean>`not ${isDue}`)
        .select(leftOutReason.as("reason"))
        .execute(),
    },
    hasMailServer: await hasMailServer(ctx),
  };
}

/**
 * Reminds learners of their overdue courses by email, and returns the number of emails. The enrolments are locked and
 * marked before the emails are written, so that two admins at the same time remind nobody twice.
 */
export async function remindOverdue(ctx: Ctx<User>, target: ScopedTarget) {
  if (!(await hasMailServer(ctx))) throw conflict("courses.noMailServer");
  const at = new Date().toISOString();
  const remind = () =>
    inTransaction(ctx.db, async (tx) => {
      const due = await selectOverdue({ ...ctx, db: tx }, target)
        .where(isDueForReminder(sql`${at}::timestamptz`))
        .orderBy("enrolments.id")
        .forUpdate(["enrolments"])
        .select(["enrolments.id", "users.id as userId", "enrolments.courseId", "enrolments.companyId"])
        .execute();
      await tx
        .updateTable("enrolments")
        .set({ remindedAt: at })
        .where(
          isOneOf(
            "enrolments.id",
            due.map(({ id }) => id),
          ),
        )
        .execute();
      const groups = Map.groupBy(due, ({ courseId, companyId }) => `${courseId} ${companyId}`);
      for (const group of groups.values()) {
        const { courseId, companyId } = group[0] as (typeof due)[number];
        const people = group.map(({ userId }) => userId);
        await mailReminders.enqueue(tx, { courseId, companyId, at, actorId: ctx.user.id });
        await record(tx, ctx, { action: "courses.remind", people, companyId, courseId });
      }
      return { changed: due.length };
    });
  return repeatOnDeadlock(remind);
}
