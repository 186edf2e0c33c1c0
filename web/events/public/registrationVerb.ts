import type { PublicEventRow } from "#shared/eventViews.ts";

/** What the button of an open event says. Where the organiser decides one applies, also when all seats are taken: the waiting list comes after that. */
export const registrationVerb = ({ phase, registrationMode }: Pick<PublicEventRow, "phase" | "registrationMode">) =>
  registrationMode === "approval" ? "apply" : phase === "waitlist_open" ? "joinWaitlist" : "register";
