import { gzipSync, strToU8 } from "fflate";
import { MAX_BATCH_EVENTS } from "#shared/playerTiming.ts";
import type { Commit, SessionEvent } from "#shared/player.ts";
import type { ShellSession, UnsentBatch } from "#shared/shell.ts";

const PREFIX = "lyceum-tail ";
/** Maximum size of a request of a closing page: 65,536 bytes for all keepalive requests (Fetch standard), less a margin. */
const MAX_KEEPALIVE_BYTES = 60_000;

/**
 * Sends the unconfirmed events of a closing tab with keepalive, gzipped if they are long and cut to the maximum size. They
 * are also stored in localStorage in full, because the result cannot be checked; the server accepts each number once.
 */
export function sendUnsentEvents(session: ShellSession, events: SessionEvent[], activeMs: number) {
  if (events.length > 0) storeBatch({ sessionId: session.sessionId, token: session.token, events });
  const url = `/commit/${session.sessionId}?token=${encodeURIComponent(session.token)}`;
  let sendable = events.slice(0, MAX_BATCH_EVENTS);
  let body = encode({
    events: sendable,
    activeMs,
    failed: 0,
    ...(sendable.length === events.length && { end: "tab_closed" as const }),
  });
  while (body.length > MAX_KEEPALIVE_BYTES && sendable.length > 0) {
    sendable = sendable.slice(0, Math.floor(sendable.length / 2));
    body = encode({ events: sendable, activeMs, failed: 0 });
  }
  fetch(url, {
    method: "POST",
    body: body as BlobPart,
    keepalive: true,
    headers: { "content-type": "text/plain" },
  }).catch(() => {});
}

function encode(commit: Commit) {
  const json = strToU8(JSON.stringify(commit));
  return json.length > 8000 ? gzipSync(json, { level: 6 }) : json;
}

function storeBatch(batch: UnsentBatch) {
  try {
    localStorage.setItem(PREFIX + batch.sessionId, JSON.stringify(batch));
  } catch {
    // Storage is full or not available; the keepalive request and the journal remain.
  }
}

/** Removes all batches from storage and returns them. Runs before any package, so that none can read the data of other sessions. */
export function takeUnsentBatches(): UnsentBatch[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const batches = keys.map((key) => JSON.parse(localStorage.getItem(key) ?? "null") as UnsentBatch | null);
    for (const key of keys) localStorage.removeItem(key);
    return batches.filter((batch): batch is UnsentBatch => batch !== null && Array.isArray(batch.events));
  } catch {
    return [];
  }
}

/**
 * Clears the origin for a package: removes data stored by another attempt (another course, another learner on this
 * computer), and unregisters service workers.
 */
export async function clearForeignData(attemptId: string) {
  try {
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(workers.map((worker) => worker.unregister()));
    if (localStorage.getItem("lyceum-attempt") === attemptId) return;
    localStorage.clear();
    sessionStorage.clear();
    const databases = (await indexedDB.databases?.()) ?? [];
    for (const { name } of databases) if (name) indexedDB.deleteDatabase(name);
    for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name);
    localStorage.setItem("lyceum-attempt", attemptId);
  } catch {
    // No storage, nothing to clear.
  }
}
