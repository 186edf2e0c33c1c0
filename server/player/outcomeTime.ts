import { fold } from "#server/player/fold.ts";
import type { SessionState } from "#server/player/sessionState.ts";
import type { AttemptFacts } from "#server/player/trackingState.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/**
 * When the learner caused the outcome of the attempt, on the clock of the server, because a browser that was offline
 * sends events long after they happened: the time of the first event after which the outcome is `outcome`, or of the
 * first event if the outcome has not changed. Null without events.
 */
export function findOutcomeTime(session: SessionState, events: SessionEvent[], outcome: AttemptFacts) {
  const event = isSameOutcome(session.attempt, outcome) ? events[0] : findOutcomeEvent(session, events, outcome);
  return event ? new Date(Date.parse(session.startedAt) + event.t).toISOString() : null;
}

/** Applies the events one by one. Done only for the few commits that change the outcome. */
function findOutcomeEvent(session: SessionState, events: SessionEvent[], outcome: AttemptFacts) {
  let { attempt, reported } = session;
  const parts = new Map(session.parts);
  for (const event of events) {
    const result = fold(session.course, { attempt, parts, reported }, [event], session.newerSessionHasWritten);
    if (isSameOutcome(result.attempt, outcome)) return event;
    ({ attempt, reported } = result);
    for (const [sco, part] of result.changed) parts.set(sco, part);
  }
  return events.at(-1);
}

const isSameOutcome = (a: AttemptFacts, b: AttemptFacts) =>
  a.completion === b.completion && a.success === b.success && a.scorePercent === b.scorePercent;
