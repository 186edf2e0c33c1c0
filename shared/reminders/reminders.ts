import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, KIB, listQuery, page, post, put } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Emails of a company about courses that its people have not completed, in steps

export const MAX_STEPS = 12;
export const MAX_STEP_DAYS = 365;
/** A step whose day was missed is still sent for so many days. */
export const CATCH_UP_DAYS = 6;
/** How far ahead a preview looks, in days. */
export const PREVIEW_DAYS = 60;
/** How long what was sent or dropped is kept, in days. */
export const REMINDER_DAYS = 730;

/**
 * `not_started`: so many days after the assignment, if the course was not opened; `due_soon`, `overdue`: so many days
 * before or after the due date, if it is not complete.
 */
export const reminderKind = z.enum(["not_started", "due_soon", "overdue"]);
export type ReminderKind = z.infer<typeof reminderKind>;

export const reminderStep = z.object({
  kind: reminderKind,
  days: z.int().min(1).max(MAX_STEP_DAYS),
  toLearner: z.boolean(),
  toManager: z.boolean(),
});
export type ReminderStep = z.infer<typeof reminderStep>;

export const reminderTerms = z
  .object({
    isOn: z.boolean(),
    hour: z.int().min(0).max(23),
    skipsWeekends: z.boolean(),
    steps: z.array(reminderStep).min(1, "reminders.noStep").max(MAX_STEPS, "reminders.tooManySteps"),
  })
  .superRefine(({ steps }, ctx) => {
    const add = (at: number, message: string) => ctx.addIssue({ code: "custom", path: ["steps", at], message });
    steps.forEach(({ kind, days, toLearner, toManager }, at) => {
      if (!toLearner && !toManager) add(at, "reminders.toNobody");
      if (steps.findIndex((step) => step.kind === kind && step.days === days) < at) add(at, "reminders.twice");
    });
  });
export type ReminderTerms = z.infer<typeof reminderTerms>;

/** What a company is offered before it has chosen. */
export const SUGGESTED: ReminderTerms = {
  isOn: false,
  hour: 8,
  skipsWeekends: true,
  steps: [
    { kind: "not_started", days: 7, toLearner: true, toManager: false },
    { kind: "due_soon", days: 7, toLearner: true, toManager: false },
    { kind: "due_soon", days: 1, toLearner: true, toManager: false },
    { kind: "overdue", days: 1, toLearner: true, toManager: false },
    { kind: "overdue", days: 7, toLearner: true, toManager: true },
  ],
};

export const reminderPlan = z.object({
  isOn: z.boolean(),
  hour: z.int(),
  skipsWeekends: z.boolean(),
  steps: z.array(reminderStep),
  /** 0: the company has chosen nothing yet. */
  version: z.int(),
  updatedAt: z.string().nullable(),
  updatedBy: z.string().nullable(),
  /** Steps from this day on are sent. */
  startsOn: z.string(),
  /** Today in the zone of the company, and the first day whose emails are not written yet. */
  today: z.string(),
  openDay: z.string(),
  zone: z.string(),
  /** Without one, emails are kept in the outbox. */
  hasMailServer: z.boolean(),
});
export type ReminderPlan = z.infer<typeof reminderPlan>;

/**
 * Why no email is sent. `merged`: another step of the course was sent that day; `changed`: its due date, or it was
 * started; `reminded`: by hand a day before.
 */
export const dropReason = z.enum([
  "suspended",
  "moved",
  "companyClosed",
  "courseClosed",
  "exempt",
  "unreachable",
  "noManager",
  "reminded",
  "merged",
  "completed",
  "withdrawn",
  "changed",
  "otherManager",
  "switchedOff",
]);
export type DropReason = z.infer<typeof dropReason>;

const audience = z.enum(["learner", "manager"]);
const step = {
  kind: reminderKind,
  days: z.int(),
  audience,
  userId: z.uuid(),
  name: z.string(),
  courseId: z.uuid(),
  course: z.string(),
  dueDate: z.string().nullable(),
  /** Who gets the email; null: nobody. */
  recipient: z.string().nullable(),
};

export const plannedReminder = z.object({ id: z.string(), ...step, dropped: dropReason.nullable() });
export type PlannedReminder = z.infer<typeof plannedReminder>;
export const reminderPreview = page(plannedReminder).extend({
  day: z.string(),
  /** Emails of that day, and the steps that they tell of. */
  emails: z.int(),
  sent: z.int(),
  dropped: z.int(),
  /** The sending days before and after, within what a preview shows. */
  previousDay: z.string().nullable(),
  nextDay: z.string().nullable(),
});
export type ReminderPreview = z.infer<typeof reminderPreview>;

/** `kept`, `failed`: the email was written, and is in the outbox. */
export const reminderStatus = z.enum(["planned", "sent", "dropped", "kept", "failed"]);
export type ReminderStatus = z.infer<typeof reminderStatus>;
export const pastReminder = z.object({
  id: z.string(),
  ...step,
  status: reminderStatus,
  dropped: dropReason.nullable(),
  at: z.string(),
});
export type PastReminder = z.infer<typeof pastReminder>;

export const canManageReminders = isAdmin;

export const reminders = defineContracts("reminders", {
  plan: get("/api/companies/:id/reminder-plan", {
    does: "Get the steps in which the people of a company are reminded",
    reply: reminderPlan,
  }),
  save: put("/api/companies/:id/reminder-plan", {
    maxBytes: 4 * KIB,
    does: "Set the steps in which the people of a company are reminded; 409 if they changed since `version`",
    body: z.object({ terms: reminderTerms, version: z.int() }),
    reply: reminderPlan,
  }),
  preview: post("/api/companies/:id/reminder-plan/preview", {
    priority: "heavy",
    maxBytes: 4 * KIB,
    does: "Preview which emails are sent on a day with these steps, and who is left out",
    body: z.object({
      terms: reminderTerms,
      day: day.nullable().default(null),
      page: listQuery.shape.page,
      size: listQuery.shape.size,
    }),
    reply: reminderPreview,
  }),
  list: get("/api/companies/:id/reminders", {
    does: "List the reminders of a company that were sent or dropped, the latest first",
    query: listQuery.extend({ status: reminderStatus.optional(), userId: z.uuid().optional() }),
    reply: page(pastReminder),
  }),
});
