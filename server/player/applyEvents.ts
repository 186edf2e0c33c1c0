import { fold } from "#server/player/fold.ts";
import { drawFor, withJudgements } from "#server/player/lesson.ts";
import { findOutcomeTime } from "#server/player/outcomeTime.ts";
import type { SessionState } from "#server/player/sessionState.ts";
import type { AppliedCommit } from "#server/player/commitWriter.ts";
import type { SessionEvent } from "#shared/player/player.ts";

type SessionChanges = Pick<SessionState, "activeMs" | "failedCommits" | "lastSeq"> &
  Partial<Pick<SessionState, "endedAt" | "endReason">>;
/** `receivedAt`: in ms since 1970; with `discardEffects` the events are stored, but not applied to the state. */
type Applied = { secret: string; receivedAt: number; discardEffects: boolean };

/** Computes a session after new events, without I/O. `changes` are those of the session itself. */
export function applyEvents(
  session: SessionState,
  events: SessionEvent[],
  changes: SessionChanges,
  { secret, receivedAt, discardEffects }: Applied,
): Omit<AppliedCommit, "values"> {
  const quizzes = { now: receivedAt, isStored: false, draw: drawFor(secret, session) };
  const effective = discardEffects ? [] : events;
  const activeDelta = Math.floor(changes.activeMs / 1000) - Math.floor(session.activeMs / 1000);
  const activeSeconds = session.activeSeconds + activeDelta;
  const before = { ...session, activeSeconds, quizzes };
  const result = fold(session.course, before, effective, session.newerSessionHasWritten);
  const suspendDataChanged = new Set(
    [...result.changed.values()]
      .filter((part) => part.suspendData !== (session.parts.get(part.sco)?.suspendData ?? null))
      .map((part) => part.sco),
  );
  return {
    session: {
      ...session,
      ...changes,
      reported: result.reported,
      variables: result.variables,
      rev: session.rev + 1,
      attempt: result.attempt,
      activeSeconds,
      parts: new Map([...session.parts, ...result.changed]),
    },
    events: withJudgements(events, result.judged),
    changed: result.changed,
    refused: result.refused,
    suspendDataChanged,
    answers: [...result.answers.values()],
    activeDelta,
    isPresent: true,
    happenedAt: findOutcomeTime({ ...session, activeSeconds }, effective, result.attempt, quizzes),
    reportedDelta: Math.round(result.attempt.reportedSeconds) - Math.round(session.attempt.reportedSeconds),
  };
}
