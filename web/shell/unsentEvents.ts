import { UNSENT_DATABASE } from "#shared/consent/consent.ts";
import type { UnsentDatabase, UnsentRow } from "#web/shell/unsentDatabase.ts";
import { writeEntry } from "#web/shell/unsentEntries.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import type { ShellSession, UnsentBatch, UnsentEvents } from "#shared/player/shell.ts";

/**
 * Storage keys of unsent events: prefix, attempt, session, `seq`. The previous version stored one batch per session.
 */
const PREFIX = "lyceum-tail ";
const ATTEMPT_KEY = "lyceum-attempt";
const lockName = (sessionId: string) => PREFIX + sessionId;
const isUnsentKey = (key: string) => key.startsWith(PREFIX);

/** Maximum wait for the page of the previous session to end, in ms: a page that hangs may never end. */
const PREVIOUS_PAGE_TIMEOUT_MS = 3000;

/**
 * Waits until the shell of a session in this browser is gone: while it closes, its package may still send events. A
 * page can close in a separate process while its successor loads.
 */
export async function waitForEnd(sessionId: string) {
  const signal = AbortSignal.timeout(PREVIOUS_PAGE_TIMEOUT_MS);
  await navigator.locks?.request(lockName(sessionId), { signal }, () => {}).catch(() => {});
}

/**
 * Stores every event until the application page has it in its journal: the message to that page is lost if the tab ends
 * first. localStorage has it at once and survives the end of the tab; the database also survives the end of the
 * browser. Without storage (another site, storage blocked) only the journal and the closing tab remain.
 */
export function createUnsentStore({ attemptId, sessionId, token }: ShellSession, database: UnsentDatabase | null) {
  const keyOf = (seq: number) => `${PREFIX}${attemptId} ${sessionId} ${seq}`;
  let stored: number[] = [];
  // Held until the tab ends, so that shells of other attempts do not touch the events of this one.
  void navigator.locks?.request(lockName(sessionId), () => new Promise<void>(() => {})).catch(() => {});
  return {
    add(event: SessionEvent) {
      const entry = writeEntry(token, sessionId, event);
      database?.add({ attemptId, sessionId, seq: event.seq, entry });
      try {
        localStorage.setItem(keyOf(event.seq), entry);
        stored.push(event.seq);
      } catch {
        // Storage is full or not available.
      }
    },
    remove(upTo: number) {
      for (const seq of stored) if (seq <= upTo) localStorage.removeItem(keyOf(seq));
      stored = stored.filter((seq) => seq > upTo);
      database?.removeSoon(sessionId, upTo);
    },
  };
}

/** The unsent events, and where they were found: `keys` of localStorage, `rows` of the database. */
export type FoundEvents = { batches: UnsentBatch[]; unsent: UnsentEvents[]; keys: string[]; rows: UnsentRow[] };

/**
 * The unsent events of earlier sessions in this browser, except those of other attempts that are open in another tab.
 * The caller removes them (removeUnsentEvents) once the application page has them, and before it opens a package.
 */
export async function findUnsentEvents(attemptId: string, database: UnsentDatabase | null): Promise<FoundEvents> {
  const collected: FoundEvents = { batches: [], unsent: [], keys: [], rows: [] };
  const bySession = new Map<string, Map<number, string>>();
  const add = (sessionId: string, seq: number, entry: string) =>
    bySession.set(sessionId, (bySession.get(sessionId) ?? new Map<number, string>()).set(seq, entry));
  try {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    const open = new Set(held.map(({ name }) => name));
    const isOpenElsewhere = (attempt: string, sessionId: string) =>
      attempt !== attemptId && open.has(lockName(sessionId));
    for (const row of (await database?.list()) ?? []) {
      if (isOpenElsewhere(row.attemptId, row.sessionId)) continue;
      add(row.sessionId, row.seq, row.entry);
      collected.rows.push(row);
    }
    for (const key of Object.keys(localStorage).filter(isUnsentKey)) {
      const [first = "", sessionId, seq] = key.slice(PREFIX.length).split(" ");
      const value = localStorage.getItem(key) ?? "";
      if (sessionId === undefined) {
        const batch = parseBatch(value);
        if (batch) collected.batches.push(batch);
      } else if (isOpenElsewhere(first, sessionId)) continue;
      else add(sessionId, Number(seq), value);
      collected.keys.push(key);
    }
  } catch {
    // No storage, nothing to find.
  }
  for (const [sessionId, entries] of bySession) {
    const inOrder = [...entries].toSorted(([a], [b]) => a - b).map(([, entry]) => entry);
    collected.unsent.push({ sessionId, entries: inOrder });
  }
  return collected;
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

export function removeUnsentEvents({ keys, rows }: FoundEvents, database: UnsentDatabase | null) {
  for (const key of keys) localStorage.removeItem(key);
  database?.remove(rows.map(({ sessionId, seq }) => [sessionId, seq]));
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
    for (const { name } of databases) if (name && name !== UNSENT_DATABASE) indexedDB.deleteDatabase(name);
    for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name);
    localStorage.setItem(ATTEMPT_KEY, attemptId);
  } catch {
    // No storage, nothing to clear.
  }
}
