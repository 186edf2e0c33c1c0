import type { EventPhase } from "#shared/events/eventPhases.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

/**
 * What a registration becomes once the email is confirmed: a seat, a request to the organiser, or a waiting list entry.
 */
export type ExpectedOutcome = "Place" | "Request" | "List";

type Input = { phase: EventPhase; registrationMode: PublicEvent["registrationMode"] };
export function expectedOutcomeOf({ phase, registrationMode }: Input): ExpectedOutcome {
  if (registrationMode === "approval") return "Request";
  return phase === "waitlist_open" ? "List" : "Place";
}
