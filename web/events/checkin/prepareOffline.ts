import { OFFLINE_WORKER, openOffline } from "#web/core/offline.ts";
import { createReader } from "#web/events/checkin/readQr.ts";

const PAGE = "/door/page";
const isBuilt = (path: string) => path.startsWith("/assets/") || path === "/start.js";

/**
 * Keeps this page and the files that it is made of on the device, and registers the worker that brings them when there is no
 * network: for the address of this page, and no other. Throws when something does not load; then the next visit tries again.
 */
export async function prepareOffline(address = location.pathname) {
  const cache = await openOffline();
  if (!cache || !("serviceWorker" in navigator)) return;
  // The camera's reader is fetched when it is needed first, which would be too late.
  await createReader();
  const page = await fetch(address);
  if (!page.ok) return;
  const files = new Set(
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && isBuilt(pathname))
      .map(({ pathname }) => pathname),
  );
  const named = [...(await page.clone().text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)]
    .map(([, path]) => path as string)
    .filter(isBuilt);
  // The server has a newer build than this tab: its files are not known here. A reload knows them.
  if (named.some((path) => !files.has(path))) return;
  await Promise.all(
    [...files].map(
      async (path) =>
        (path.startsWith("/assets/") && (await cache.match(path, { ignoreVary: true }))) || cache.add(path),
    ),
  );
  await cache.put(PAGE, page);
  for (const { url } of await cache.keys())
    if (isBuilt(new URL(url).pathname) && !files.has(new URL(url).pathname))
      await cache.delete(url, { ignoreVary: true });
  await navigator.serviceWorker.register(OFFLINE_WORKER, { scope: address });
}
