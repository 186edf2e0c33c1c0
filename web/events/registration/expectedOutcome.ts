import type { EventPhase } from "#shared/eventStates.ts";
import type { PublicEvent } from "#shared/eventViews.ts";

/** What a registration comes to once the mailbox is confirmed: a place, a request to the organiser, or a place on the waiting list. */
export type ExpectedOutcome = "Place" | "Request" | "List";

export const expectedOutcomeOf = ({
  phase,
  registrationMode,
}: {
  phase: EventPhase;
  registrationMode: PublicEvent["registrationMode"];
}): ExpectedOutcome => (registrationMode === "approval" ? "Request" : phase === "waitlist_open" ? "List" : "Place");
