import { i18n } from "#web/core/i18n.ts";
import type { PlannedReminder, ReminderStep } from "#shared/reminders/reminders.ts";

/** “7 days before”. */
export const stepText = ({ kind, days }: Pick<ReminderStep, "kind" | "days">) =>
  i18n.t(`reminders.step.${kind}`, { count: days });

/** Who gets the email about a person, by name. */
export function recipientText({ audience, name, recipient }: Pick<PlannedReminder, "audience" | "name" | "recipient">) {
  if (recipient === null) return i18n.t("reminders.nobody");
  return audience === "manager" || recipient !== name ? i18n.t("reminders.asManager", { name: recipient }) : recipient;
}
