import {
  deleteEvents,
  deleteSession,
  getSession,
  listUnsentSessions,
  saveEvents,
  saveSession,
} from "#web/player/session/journal.ts";
import { sendCommit } from "#web/player/session/sendCommit.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { firstBatch } from "#shared/player/playerTiming.ts";
import type { FromShell } from "#shared/player/shell.ts";
import { readEntry } from "#web/shell/unsentEntries.ts";

/** Sessions running on this page; their own sender sends their events. */
const running = new Set<string>();
const lockName = (sessionId: string) => `lyceum-session ${sessionId}`;

/**
 * Marks a session as running, for this page and, by a lock that ends with the tab, for the other tabs of this browser.
 */
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

/**
 * True if a session was started in this browser and its tab is gone (crashed or closed) or goes within `waitMs`: it can
 * be taken over without asking.
 */
export async function isOrphan(userId: string, sessionId: string, waitMs = 0) {
  if ((await getSession(sessionId))?.userId !== userId || !navigator.locks) return false;
  if (waitMs > 0) await waitForTab(sessionId, waitMs);
  const { held = [] } = await navigator.locks.query();
  return !held.some(({ name }) => name === lockName(sessionId));
}

/** Waits until no tab of this browser runs the session, at most `ms`. */
const waitForTab = (sessionId: string, ms: number) =>
  navigator.locks?.request(lockName(sessionId), { signal: AbortSignal.timeout(ms) }, () => {}).catch(() => {});

/** True if another tab of this browser may still send the events of this session. */
const isRunningElsewhere = async (userId: string, sessionId: string) =>
  Boolean(navigator.locks) && !(await isOrphan(userId, sessionId));

/**
 * Sends the events that earlier sessions of this user left in the journal of this browser. The server accepts each
 * number once, so sending twice is harmless. The tabs of the sessions in `closed` are known to be gone. Returns the
 * number of events stored. Never throws: unsent events stay in the journal.
 */
export async function replayJournal(userId: string, closed: string[] = []): Promise<number> {
  let stored = 0;
  for (const session of await listUnsentSessions(userId).catch(() => [])) {
    const { sessionId } = session;
    if (running.has(sessionId)) continue;
    if (!closed.includes(sessionId) && (await isRunningElsewhere(userId, sessionId))) continue;
    for (let sent = 0; sent < session.events.length;) {
      const events = firstBatch(session.events.slice(sent));
      sent += events.length;
      const outcome = await sendCommit(session, { events, activeMs: 0, failed: 0 });
      if (outcome.status === "unknownSession") await deleteSession(sessionId);
      if (outcome.status !== "stored") break;
      const { ackSeq } = outcome.receipt;
      await deleteEvents(sessionId, ackSeq);
      // Without access nothing is stored; the events stay in the journal.
      if (ackSeq < (events.at(-1)?.seq ?? 0)) break;
      stored += events.length;
    }
  }
  return stored;
}

/** How long the page of the previous session may take to close, in ms. */
const CLOSING_PAGE_MS = 1000;
/**
 * Sessions whose events were sent after a launch: sent once only, because a server that rejects them would otherwise
 * get them forever.
 */
const sentAfterLaunch = new Set<string>();

/**
 * The events of the previous session that the journal still has, if its page was in this window: at the launch it may
 * have been closing, and so was left out. Null if `launch` includes them.
 */
export async function findClosedSession({ previous }: Launch, userId: string) {
  if (!previous?.isSameWindow || sentAfterLaunch.has(previous.sessionId)) return null;
  await waitForTab(previous.sessionId, CLOSING_PAGE_MS);
  const unsent = await listUnsentSessions(userId);
  const left = unsent.find(({ sessionId }) => sessionId === previous.sessionId);
  if (!left || (left.events.at(-1)?.seq ?? 0) <= previous.lastSeq) return null;
  sentAfterLaunch.add(previous.sessionId);
  return previous.sessionId;
}

/**
 * Moves the events that closed tabs left on the content origin into the journal, except those that `launch` already
 * includes. Returns the ids of this user's sessions that the journal then has to send.
 */
export async function journalUnsentEvents(
  launch: Launch,
  userId: string,
  { batches, unsent }: Extract<FromShell, { type: "unsent" }>,
): Promise<string[]> {
  const { previous } = launch;
  const isIncluded = (sessionId: string, events: SessionEvent[]) =>
    sessionId === previous?.sessionId && (events.at(-1)?.seq ?? 0) <= previous.lastSeq;
  const sessionIds: string[] = [];
  for (const { sessionId, token, events } of batches) {
    if (isIncluded(sessionId, events)) continue;
    await saveSession({ sessionId, userId, token, at: Date.now() });
    await saveEvents(sessionId, events);
    sessionIds.push(sessionId);
  }
  for (const { sessionId, entries } of unsent) {
    const session = await getSession(sessionId);
    if (!session) continue;
    const events = entries.flatMap((entry) => readEntry(session.token, sessionId, entry) ?? []);
    if (events.length === 0 || isIncluded(sessionId, events)) continue;
    await saveEvents(sessionId, events);
    if (session.userId === userId) sessionIds.push(sessionId);
  }
  const closed = await findClosedSession(launch, userId);
  if (closed && !sessionIds.includes(closed)) sessionIds.push(closed);
  return sessionIds;
}
