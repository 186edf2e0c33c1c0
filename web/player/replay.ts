import {
  deleteEvents,
  deleteSession,
  hasSession,
  listUnsentSessions,
  saveEvents,
  saveSession,
} from "#web/player/journal.ts";
import { sendCommit } from "#web/player/sendCommit.ts";
import { firstBatch } from "#shared/playerTiming.ts";
import type { UnsentBatch } from "#shared/shell.ts";

/** Sessions running on this page; their own sender sends their events. */
const running = new Set<string>();
const lockName = (sessionId: string) => `lyceum-session ${sessionId}`;

/** Marks a session as running, for this page and, by a lock that ends with the tab, for the other tabs of this browser. */
export function claimSession(sessionId: string) {
  running.add(sessionId);
  let release = () => {};
  const untilReleased = () =>
    new Promise<void>((resolve) => {
      release = resolve;
    });
  void navigator.locks?.request(lockName(sessionId), untilReleased).catch(() => {});
  return () => {
    running.delete(sessionId);
    release();
  };
}

/** True if a session was started in this browser and its tab is gone (crashed or closed): it can be taken over without asking. */
export async function isOrphan(userId: string, sessionId: string) {
  if (!(await hasSession(userId, sessionId)) || !navigator.locks) return false;
  const { held = [] } = await navigator.locks.query();
  return !held.some(({ name }) => name === lockName(sessionId));
}

/** True if another tab of this browser may still send the events of this session. */
const isRunningElsewhere = async (userId: string, sessionId: string) =>
  Boolean(navigator.locks) && !(await isOrphan(userId, sessionId));

/**
 * Sends the events that earlier sessions of this user left in the journal of this browser. The server accepts each number
 * once, so sending twice is harmless. Returns the number of events stored. Never throws: unsent events stay in the journal.
 */
export async function replayJournal(userId: string): Promise<number> {
  let stored = 0;
  for (const session of await listUnsentSessions(userId).catch(() => [])) {
    const { sessionId } = session;
    if (running.has(sessionId) || (await isRunningElsewhere(userId, sessionId))) continue;
    for (let sent = 0; sent < session.events.length;) {
      const events = firstBatch(session.events.slice(sent));
      sent += events.length;
      const outcome = await sendCommit(session, { events, activeMs: 0, failed: 0 });
      if (outcome.status === "unknownSession") await deleteSession(sessionId);
      if (outcome.status !== "stored" || outcome.receipt.session === "ended") break;
      stored += events.length;
      await deleteEvents(sessionId, outcome.receipt.ackSeq);
    }
  }
  return stored;
}

/** Moves the events that a closing tab left on the content origin into the journal, then sends the journal. */
export async function replayUnsentBatches(userId: string, batches: UnsentBatch[]) {
  for (const { sessionId, token, events } of batches) {
    await saveSession({ sessionId, userId, token, at: Date.now() });
    await saveEvents(sessionId, events);
  }
  return replayJournal(userId);
}
