/** Where pages that work without network keep what they need; the worker that serves them (`public/check-in-worker.js`) knows the same name. */
export const OFFLINE_CACHE = "lyceum-door";
export const OFFLINE_WORKER = "/check-in-worker.js";

// What a page is made of is read off the list of loaded files, which browsers cut off at 250.
globalThis.performance?.setResourceTimingBufferSize?.(2000);

/** Header of what may stay for a time only: an ISO time. */
const UNTIL = "x-until";
let forgetting: Promise<unknown> = sweep().catch(() => {});

/** Whenever the application starts: what has had its time leaves the device, whether somebody signs out or not. */
async function sweep() {
  if (!(await globalThis.caches?.has(OFFLINE_CACHE))) return;
  const cache = await caches.open(OFFLINE_CACHE);
  for (const key of await cache.keys()) {
    const until = (await cache.match(key))?.headers.get(UNTIL);
    if (until && Date.parse(until) < Date.now()) await cache.delete(key);
  }
}

/** Takes everything that was kept for times without network off this device, and the worker with it: the person has changed. */
export function forgetOffline() {
  forgetting = Promise.all([
    globalThis.caches?.delete(OFFLINE_CACHE),
    globalThis.navigator?.serviceWorker
      ?.getRegistrations()
      .then((all) => Promise.all(all.filter(isOurs).map((one) => one.unregister()))),
  ]).catch(() => {});
}
const isOurs = ({ active, waiting, installing }: ServiceWorkerRegistration) =>
  (active ?? waiting ?? installing)?.scriptURL === location.origin + OFFLINE_WORKER;

/** The cache, once nothing of the last person is in it any more; null where the browser has none (no secure context, storage forbidden). */
export async function openOffline(): Promise<Cache | null> {
  await forgetting;
  return (await globalThis.caches?.open(OFFLINE_CACHE).catch(() => null)) ?? null;
}

/** Keeps a value under an address of ours, until then at the latest. */
export const keepOffline = async (path: string, value: unknown, until: Date) =>
  (await openOffline())?.put(path, Response.json(value, { headers: { [UNTIL]: until.toISOString() } }));
