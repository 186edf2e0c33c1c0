import { fold } from "#server/player/fold.ts";
import type { QuizClock } from "#server/player/lessonFold.ts";
import type { SessionState } from "#server/player/sessionState.ts";
import type { AttemptFacts } from "#server/player/trackingState.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/**
 * When the learner caused the outcome of the attempt, on the clock of the server, because a browser that was offline
 * sends events long after they happened: the time of the first event after which the outcome is `outcome`, or of the
 * first event if the outcome has not changed. Null without events.
 */
export function findOutcomeTime(
  session: SessionState,
  events: SessionEvent[],
  outcome: AttemptFacts,
  quizzes: QuizClock,
) {
  const event = isSameOutcome(session.attempt, outcome)
    ? events[0]
    : findOutcomeEvent(session, events, outcome, quizzes);
  return event ? new Date(Date.parse(session.startedAt) + event.t).toISOString() : null;
}

/** Applies the events one by one. Done only for the few commits that change the outcome. */
function findOutcomeEvent(session: SessionState, events: SessionEvent[], outcome: AttemptFacts, quizzes: QuizClock) {
  let { attempt, reported, variables } = session;
  const { startedAt, activeSeconds, ruleValues } = session;
  const parts = new Map(session.parts);
  for (const event of events) {
    const before = { attempt, parts, reported, variables, startedAt, activeSeconds, ruleValues, quizzes };
    const result = fold(session.course, before, [event], session.newerSessionHasWritten);
    if (isSameOutcome(result.attempt, outcome)) return event;
    ({ attempt, reported, variables } = result);
    for (const [sco, part] of result.changed) parts.set(sco, part);
  }
  return events.at(-1);
}

const isSameOutcome = (a: AttemptFacts, b: AttemptFacts) =>
  a.completion === b.completion && a.success === b.success && a.scorePercent === b.scorePercent;
