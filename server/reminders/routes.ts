import type { Mount } from "#server/core/http/http.ts";
import { listReminders, previewSteps } from "#server/reminders/listing.ts";
import { getPlan, savePlan } from "#server/reminders/plans.ts";
import { canManageReminders, reminders } from "#shared/reminders/reminders.ts";

export function reminderRoutes(on: Mount) {
  on(reminders.plan, canManageReminders, (call) => getPlan(call, call.params.id));
  on(reminders.save, canManageReminders, (call) => savePlan(call, call.params.id, call.body));
  on(reminders.preview, canManageReminders, (call) => previewSteps(call, call.params.id, call.body));
  on(reminders.list, canManageReminders, (call) => listReminders(call, call.params.id, call.query));
}
