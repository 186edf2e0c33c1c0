/** Where pages that work without network keep what they need; the worker that serves them (`public/door.js`) knows the same name. */
export const OFFLINE_CACHE = 'lyceum-door'
export const OFFLINE_WORKER = '/door.js'

// What a page is made of is read off the list of loaded files, which browsers cut off at 250.
globalThis.performance?.setResourceTimingBufferSize?.(2000)

let forgetting: Promise<unknown> = Promise.resolve()

/** Takes everything that was kept for times without network off this device, and the worker with it: the person has changed. */
export function forgetOffline() {
  forgetting = Promise.all([
    globalThis.caches?.delete(OFFLINE_CACHE),
    globalThis.navigator?.serviceWorker?.getRegistrations().then((all) => Promise.all(all.filter(isOurs).map((one) => one.unregister()))),
  ]).catch(() => {})
}
const isOurs = ({ active, waiting, installing }: ServiceWorkerRegistration) => (active ?? waiting ?? installing)?.scriptURL === location.origin + OFFLINE_WORKER

/** The cache, once nothing of the last person is in it any more; null where the browser has none (no secure context, storage forbidden). */
export async function openOffline(): Promise<Cache | null> {
  await forgetting
  return (await globalThis.caches?.open(OFFLINE_CACHE).catch(() => null)) ?? null
}
