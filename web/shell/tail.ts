import { gzipSync, strToU8 } from "fflate";
import { MAX_BATCH_EVENTS } from "#shared/playerTiming.ts";
import type { Commit, SessionEvent } from "#shared/player.ts";
import type { ShellSession, UnsentBatch } from "#shared/shell.ts";

const PREFIX = "lyceum-tail ";
/** What a closing page may have in flight (fetch standard: 65,536 bytes for all keepalive requests), with room to spare. */
const KEEPALIVE_BYTES = 60_000;

/**
 * The last words of a closing tab. Sent with keepalive, gzipped when long, cut to what may be in flight; and put into
 * localStorage in full, since nobody can tell here whether they arrived. The server knows each number once.
 */
export function sendTail(session: ShellSession, events: SessionEvent[], activeMs: number) {
  if (events.length > 0) keep({ sessionId: session.sessionId, token: session.token, events });
  const address = `/commit/${session.sessionId}?token=${encodeURIComponent(session.token)}`;
  let sendable = events.slice(0, MAX_BATCH_EVENTS);
  let body = packed({
    events: sendable,
    activeMs,
    failed: 0,
    ...(sendable.length === events.length && { end: "tab_closed" as const }),
  });
  while (body.length > KEEPALIVE_BYTES && sendable.length > 0) {
    sendable = sendable.slice(0, Math.floor(sendable.length / 2));
    body = packed({ events: sendable, activeMs, failed: 0 });
  }
  fetch(address, {
    method: "POST",
    body: body as BlobPart,
    keepalive: true,
    headers: { "content-type": "text/plain" },
  }).catch(() => {});
}

function packed(commit: Commit) {
  const json = strToU8(JSON.stringify(commit));
  return json.length > 8000 ? gzipSync(json, { level: 6 }) : json;
}

function keep(tail: UnsentBatch) {
  try {
    localStorage.setItem(PREFIX + tail.sessionId, JSON.stringify(tail));
  } catch {
    // Storage is full or forbidden; the keepalive request and the journal remain.
  }
}

/** Takes all tails out of storage. Runs before any package does, so none of them ever sees another session's words. */
export function takeTails(): UnsentBatch[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const tails = keys.map((key) => JSON.parse(localStorage.getItem(key) ?? "null") as UnsentBatch | null);
    for (const key of keys) localStorage.removeItem(key);
    return tails.filter((tail): tail is UnsentBatch => tail !== null && Array.isArray(tail.events));
  } catch {
    return [];
  }
}

/**
 * Leaves a clean origin to a package: what another attempt stored (another course, another learner on this computer) is
 * removed, and a service worker that slipped in is unregistered.
 */
export async function clearForeign(attemptId: string) {
  try {
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(workers.map((worker) => worker.unregister()));
    if (localStorage.getItem("lyceum-attempt") === attemptId) return;
    localStorage.clear();
    sessionStorage.clear();
    const bases = (await indexedDB.databases?.()) ?? [];
    for (const { name } of bases) if (name) indexedDB.deleteDatabase(name);
    for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name);
    localStorage.setItem("lyceum-attempt", attemptId);
  } catch {
    // No storage, nothing to clear.
  }
}
