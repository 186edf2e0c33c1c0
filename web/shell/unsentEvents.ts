import { writeEntry } from "#web/shell/unsentEntries.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import type { ShellSession, UnsentBatch, UnsentEvents } from "#shared/player/shell.ts";

/** Storage keys of unsent events: prefix, attempt, session, `seq`. The previous version stored one batch per session. */
const PREFIX = "lyceum-tail ";
const ATTEMPT_KEY = "lyceum-attempt";
const lockName = (sessionId: string) => PREFIX + sessionId;
const isUnsentKey = (key: string) => key.startsWith(PREFIX);

/**
 * Stores every event in localStorage until the application page has it in its journal: the message to that page is lost if
 * the tab ends first. Without storage (another site, storage blocked) only the journal and the closing tab remain.
 */
export function createUnsentStore({ attemptId, sessionId, token }: ShellSession) {
  const keyOf = (seq: number) => `${PREFIX}${attemptId} ${sessionId} ${seq}`;
  let stored: number[] = [];
  // Held until the tab ends: shells of other attempts leave the events of this one alone.
  void navigator.locks?.request(lockName(sessionId), () => new Promise<void>(() => {})).catch(() => {});
  return {
    add(event: SessionEvent) {
      try {
        localStorage.setItem(keyOf(event.seq), writeEntry(token, sessionId, event));
        stored.push(event.seq);
      } catch {
        // Storage is full or not available.
      }
    },
    remove(upTo: number) {
      for (const seq of stored) if (seq <= upTo) localStorage.removeItem(keyOf(seq));
      stored = stored.filter((seq) => seq > upTo);
    },
  };
}

export type FoundEvents = { batches: UnsentBatch[]; unsent: UnsentEvents[]; keys: string[] };

/**
 * The events that earlier sessions in this browser have left, except those of other attempts that are open in another tab.
 * The caller removes `keys` once the application page has the events, and before it opens a package.
 */
export async function findUnsentEvents(attemptId: string): Promise<FoundEvents> {
  const found: FoundEvents = { batches: [], unsent: [], keys: [] };
  try {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    const open = new Set(held.map(({ name }) => name));
    const bySession = new Map<string, { seq: number; entry: string }[]>();
    for (const key of Object.keys(localStorage).filter(isUnsentKey)) {
      const [first = "", sessionId, seq] = key.slice(PREFIX.length).split(" ");
      const value = localStorage.getItem(key) ?? "";
      if (sessionId === undefined) {
        const batch = parseBatch(value);
        if (batch) found.batches.push(batch);
      } else if (first !== attemptId && open.has(lockName(sessionId))) continue;
      else bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), { seq: Number(seq), entry: value }]);
      found.keys.push(key);
    }
    for (const [sessionId, entries] of bySession) {
      const inOrder = entries.toSorted((a, b) => a.seq - b.seq).map(({ entry }) => entry);
      found.unsent.push({ sessionId, entries: inOrder });
    }
  } catch {
    // No storage, nothing to find.
  }
  return found;
}

/** A batch of a previous version; null if a package has written something else under such a key. */
function parseBatch(value: string) {
  try {
    const batch = JSON.parse(value) as UnsentBatch | null;
    return batch && Array.isArray(batch.events) ? batch : null;
  } catch {
    return null;
  }
}

export function removeUnsentEvents({ keys }: FoundEvents) {
  for (const key of keys) localStorage.removeItem(key);
}

/**
 * Clears the origin for a package: removes data stored by another attempt (another course, another learner on this
 * computer), and unregisters service workers. Unsent events stay.
 */
export async function clearForeignData(attemptId: string) {
  try {
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(workers.map((worker) => worker.unregister()));
    if (localStorage.getItem(ATTEMPT_KEY) === attemptId) return;
    for (const key of Object.keys(localStorage)) if (!isUnsentKey(key)) localStorage.removeItem(key);
    sessionStorage.clear();
    const databases = (await indexedDB.databases?.()) ?? [];
    for (const { name } of databases) if (name) indexedDB.deleteDatabase(name);
    for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name);
    localStorage.setItem(ATTEMPT_KEY, attemptId);
  } catch {
    // No storage, nothing to clear.
  }
}
