import type { PublicEventRow } from "#shared/events/eventViews.ts";

/**
 * Translation key, below `events.verbs`, of the button of an open event. With approval, visitors always apply, even if
 * all seats are taken.
 */
export function registrationVerb({ phase, registrationMode }: Pick<PublicEventRow, "phase" | "registrationMode">) {
  if (registrationMode === "approval") return "apply";
  return phase === "waitlist_open" ? "joinWaitlist" : "register";
}
