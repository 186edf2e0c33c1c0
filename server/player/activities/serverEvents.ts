import { CompiledQuery, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { applyEvents } from "#server/player/applyEvents.ts";
import { COMMIT_SQL, isCompletion, statementParameters } from "#server/player/commitWriter.ts";
import type { CompletionReactions } from "#server/player/completionReactions.ts";
import { withCaptured } from "#server/player/ruleValues.ts";
import { readSessionState, type SessionState } from "#server/player/sessionState.ts";
import { createCapture } from "#server/variables/content/capture.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import { SERVER_SEQ } from "#shared/player/playerTiming.ts";

// Events of a session that the server numbers itself, because they reach it by another way than the browser's commits

export type ServerEvent = Omit<SessionEvent, "seq" | "t">;
type Tools = { secret: string } & Pick<CompletionReactions, "runWithin">;
/** The session before and after; `completes`: the attempt is complete now, and was not before. */
export type ServerCommit = { before: SessionState; after: SessionState; completes: boolean; hasValues: boolean };

/**
 * Locks the attempt of a session until the transaction ends: a commit of the browser waits, and then reads the state
 * again. Null if the session is unknown.
 */
export async function lockSession(tx: Tx, sessionId: string): Promise<SessionState | null> {
  await tx
    .selectFrom("attempts")
    .innerJoin("sessions", "sessions.attemptId", "attempts.id")
    .where("sessions.id", "=", sessionId)
    .select("attempts.id")
    .forNoKeyUpdate("attempts")
    .execute();
  return readSessionState(tx, sessionId);
}

/**
 * Stores events and their effects by the statement of every other commit, in the transaction that stores what they come
 * from: both are there, or neither. `session` was read by `lockSession`. Throws 403 if access was revoked.
 */
export async function storeServerEvents(
  tx: Tx,
  session: SessionState,
  input: ServerEvent[],
  { secret, runWithin }: Tools,
): Promise<ServerCommit> {
  if (!session.hasAccess) throw new Problem(403, "core.forbidden");
  const receivedAt = Date.now();
  const last = await readLastSeq(tx, session.sessionId);
  const t = Math.max(0, receivedAt - Date.parse(session.startedAt));
  const events = input.map((event, n) => ({ ...event, seq: last + 1 + n, t }));
  const { activeMs, failedCommits, lastSeq } = session;
  const apply = (before: SessionState) =>
    applyEvents(before, events, { activeMs, failedCommits, lastSeq }, { secret, receivedAt, discardEffects: false });
  const values = await createCapture(tx).read(session, events);
  const applied = apply(
    session.ruleValues.size > 0 && values.length > 0
      ? { ...session, ruleValues: withCaptured(session.ruleValues, values, session.startedAt) }
      : session,
  );
  const statement = CompiledQuery.raw(COMMIT_SQL, statementParameters([{ session, applied: { ...applied, values } }]));
  const { rows } = await tx.executeQuery<{ id: string }>(statement);
  if (rows.length === 0) throw new Problem(403, "core.forbidden");
  const completes = isCompletion(session, applied);
  if (completes && runWithin) await runWithin(tx, [session.attemptId]);
  return { before: session, after: applied.session, completes, hasValues: values.length > 0 };
}

/** The highest number that the server has given to an event of a session. */
async function readLastSeq(tx: Tx, sessionId: string) {
  const { rows } = await sql<{ last: number }>`
    select last_seq as last
    from session_events
    where session_id = ${sessionId}
      and first_seq > ${SERVER_SEQ}
    order by first_seq desc
    limit 1`.execute(tx);
  return rows[0]?.last ?? SERVER_SEQ;
}
