import { exchangeCommit } from "#web/player/exchange.ts";
import { forgetEvents, forgetSession, holdEvents, holdSession, isHeld, readHeld } from "#web/player/journal.ts";
import { firstBatch } from "#shared/playerTiming.ts";
import type { UnsentBatch } from "#shared/shell.ts";

/** A running session of this page: its own sender looks after it. */
const running = new Set<string>();
const lockOf = (sessionId: string) => `lyceum-session ${sessionId}`;

/** Marks a session as running, for this page and (with a lock that ends with the tab) for the other tabs of this browser. */
export function claimSession(sessionId: string) {
  running.add(sessionId);
  let release = () => {};
  void navigator.locks
    ?.request(
      lockOf(sessionId),
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    )
    .catch(() => {});
  return () => {
    running.delete(sessionId);
    release();
  };
}

/** True when a session began in this browser and its tab is gone: crashed or closed without a word. Nobody needs to be asked then. */
export async function isOrphan(userId: string, sessionId: string) {
  if (!(await isHeld(userId, sessionId)) || !navigator.locks) return false;
  const { held = [] } = await navigator.locks.query();
  return !held.some(({ name }) => name === lockOf(sessionId));
}

/**
 * Sends what earlier sessions of this person left in the journal of this browser. The server knows each number once, so
 * sending again is harmless. Returns how many events arrived. Never throws: what cannot be sent stays for the next time.
 */
export async function replayJournal(userId: string): Promise<number> {
  let arrived = 0;
  for (const held of await readHeld(userId).catch(() => [])) {
    if (
      running.has(held.sessionId) ||
      (held.events.length > 0 && !(await isOrphan(userId, held.sessionId)) && navigator.locks)
    )
      continue;
    for (let at = 0; at < held.events.length;) {
      const events = firstBatch(held.events.slice(at));
      at += events.length;
      const answer = await exchangeCommit(held, { events, activeMs: 0, failed: 0 });
      if (answer.is === "gone") await forgetSession(held.sessionId);
      if (answer.is !== "stored" || answer.receipt.session === "ended") break;
      arrived += events.length;
      await forgetEvents(held.sessionId, answer.receipt.ackSeq);
    }
  }
  return arrived;
}

/** Takes over what a closing tab left on the content origin, then sends it with the rest. */
export async function keepTails(userId: string, tails: UnsentBatch[]) {
  for (const { sessionId, token, events } of tails) {
    await holdSession({ sessionId, userId, token, at: Date.now() });
    await holdEvents(sessionId, events);
  }
  return replayJournal(userId);
}
