import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { personalData } from "#server/reminders/personalData.ts";
import { reminderRoutes } from "#server/reminders/routes.ts";
import { deleteOldReminders, sendReminders } from "#server/reminders/sending.ts";
import { REMINDER_DAYS } from "#shared/reminders/reminders.ts";

export const reminders = defineDomain({
  name: "reminders",
  uses: ["courses", "requirements"],
  routes: [reminderRoutes],
  jobs: [sendReminders, deleteOldReminders],
  personalData,
  tables: {
    reminder_plans: {
      growth: rows(1, "company"),
      kept: untilRemoved,
      authors: { updated_by: "Plans of reminders you last changed" },
      notPersonal: { "steps and their days": "steps" },
    },
    reminders: {
      growth: rows(10, "learner"),
      kept: `${REMINDER_DAYS} days`,
    },
  },
});
