import { i18n } from "#web/core/i18n.ts";

const knownReasons = [
  "learners.invitation",
  "courses.assigned",
  "courses.reminded",
  "requirements.open",
  "auth.activated",
  "auth.reset",
  "auth.passwordChanged",
  "auth.factorReset",
  "events.confirm",
  "events.already",
  "events.link",
  "events.pending",
  "events.confirmed",
  "events.waitlisted",
  "events.offered",
  "events.offerExpired",
  "events.changed",
  "events.cancelled",
  "events.eventCancelled",
  "events.republished",
  "events.rejected",
  "events.reminder",
  "events.thanks",
  "events.message",
] as const;

/** The text for the reason of an email; unknown reasons are returned unchanged. */
export function mailReasonText(reason: string) {
  const knownReason = knownReasons.find((name) => name === reason);
  return knownReason ? i18n.t(`mails.reasons.${knownReason}`) : reason;
}
