/** Cache for pages that work offline; `public/check-in-worker.js` uses the same name. */
export const OFFLINE_CACHE = "lyceum-check-in";
export const OFFLINE_WORKER = "/check-in-worker.js";
/** Names used by earlier versions; deleted when found. */
const FORMER_CACHE = "lyceum-door";
const FORMER_WORKER = "/door.js";

// The check-in page reads its files from this buffer, which holds only 250 entries by default.
globalThis.performance?.setResourceTimingBufferSize?.(2000);

/** Response header: ISO time until which an entry may be kept. */
const UNTIL = "x-until";
let pendingDeletion: Promise<unknown> = deleteOutdated().catch(() => {});

/** Deletes expired entries and, while online, what earlier versions left. Runs whenever the application starts. */
async function deleteOutdated() {
  if (globalThis.navigator?.onLine) {
    await globalThis.caches?.delete(FORMER_CACHE);
    await unregisterWorkers([FORMER_WORKER]);
  }
  if (!(await globalThis.caches?.has(OFFLINE_CACHE))) return;
  const cache = await caches.open(OFFLINE_CACHE);
  for (const key of await cache.keys()) {
    const until = (await cache.match(key))?.headers.get(UNTIL);
    if (until && Date.parse(until) < Date.now()) await cache.delete(key);
  }
}

/** Deletes the offline cache and unregisters its worker when the user changes. */
export function deleteOfflineData() {
  pendingDeletion = Promise.all([
    globalThis.caches?.delete(OFFLINE_CACHE),
    globalThis.caches?.delete(FORMER_CACHE),
    unregisterWorkers([OFFLINE_WORKER, FORMER_WORKER]),
  ]).catch(() => {});
}

async function unregisterWorkers(scripts: string[]) {
  const registrations = (await globalThis.navigator?.serviceWorker?.getRegistrations()) ?? [];
  if (registrations.length === 0) return;
  const urls = scripts.map((script) => location.origin + script);
  const outdated = registrations.filter(({ active, waiting, installing }) =>
    urls.includes((active ?? waiting ?? installing)?.scriptURL ?? ""),
  );
  await Promise.all(outdated.map((registration) => registration.unregister()));
}

/**
 * The offline cache, without data of a former user. Null if the browser has none (no secure context, or storage
 * blocked).
 */
export async function openOfflineCache(): Promise<Cache | null> {
  await pendingDeletion;
  return (await globalThis.caches?.open(OFFLINE_CACHE).catch(() => null)) ?? null;
}

/** Stores a JSON value under a path of this origin, at most until the given time. */
export const storeOffline = async (path: string, value: unknown, until: Date) =>
  (await openOfflineCache())?.put(path, Response.json(value, { headers: { [UNTIL]: until.toISOString() } }));
