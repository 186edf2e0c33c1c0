import { i18n } from "#web/core/i18n.ts";

const known = [
  "learners.invitation",
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

/** Why a mail was written, in words; a reason this version does not know yet stays as it is. */
export function mailReasonText(reason: string) {
  const found = known.find((one) => one === reason);
  return found ? i18n.t(`mails.reasons.${found}`) : reason;
}
