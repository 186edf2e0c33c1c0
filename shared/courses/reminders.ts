import { z } from "zod";

// Email reminders of overdue courses

/** Nobody is reminded of the same course twice within this time. */
export const REMINDER_PAUSE_HOURS = 20;
/** Maximum number of learners that a call names by id, and of rows that a preview lists. */
export const MAX_REMINDED = 500;
export const MAX_PREVIEWED = 200;

/** Overdue enrolments in a course, of a company or of these learners; if several are given, those that match all. */
export const reminderLimits = z.object({ courseId: z.uuid().optional(), companyId: z.uuid().optional() });
export const reminderTarget = reminderLimits
  .extend({ userIds: z.array(z.uuid()).min(1).max(MAX_REMINDED).optional() })
  .refine(({ courseId, companyId, userIds }) => courseId ?? companyId ?? userIds, {
    error: "courses.noReminderTarget",
    path: ["courseId"],
  });
export type ReminderTarget = { courseId?: string | undefined; companyId?: string | undefined; userIds?: string[] };

/**
 * Why someone who is overdue gets no email: the account is suspended, the learner moved to another company, the company
 * is not active, the course is not published, neither they nor a manager has an email address, or a reminder was sent
 * in the last 20 hours.
 */
export const leftOutReason = z.enum(["suspended", "moved", "companyClosed", "courseClosed", "unreachable", "reminded"]);
export type LeftOutReason = z.infer<typeof leftOutReason>;

const overdueRow = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  course: z.string(),
  dueDate: z.string(),
  remindedAt: z.string().nullable(),
});
export type OverdueRow = z.infer<typeof overdueRow>;
const listed = <S extends z.ZodType>(row: S) => z.object({ total: z.int(), items: z.array(row).max(MAX_PREVIEWED) });
const leftOutRow = overdueRow.extend({ reason: leftOutReason });

/** One email per overdue course: `total` is exact, the rows are the first 200 of them. */
export const reminderPreview = listed(overdueRow).extend({
  leftOut: listed(leftOutRow),
  hasMailServer: z.boolean(),
});
export type ReminderPreview = z.infer<typeof reminderPreview>;
/** The number of emails that were queued. */
export const reminderResult = z.object({ changed: z.int() });
