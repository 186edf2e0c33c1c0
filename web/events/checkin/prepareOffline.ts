import { OFFLINE_WORKER, openOfflineCache } from "#web/core/offline.ts";
import { createReader } from "#web/events/checkin/readQr.ts";

const PAGE = "/check-in/page";
const isBuilt = (path: string) => path.startsWith("/assets/") || path === "/start.js";

/**
 * Caches this page and its files, and registers the worker that serves them offline, for the path of this page only.
 * Throws if something cannot be loaded; the next visit then tries again.
 */
export async function prepareOffline(path = location.pathname) {
  const cache = await openOfflineCache();
  if (!cache || !("serviceWorker" in navigator)) return;
  // Load the QR reader now, because offline it could not be loaded.
  await createReader();
  const page = await fetch(path);
  if (!page.ok) return;
  const files = new Set(
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && isBuilt(pathname))
      .map(({ pathname }) => pathname),
  );
  const referenced = [...(await page.clone().text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)]
    .map(([, file]) => file as string)
    .filter(isBuilt);
  // The server has a newer build than this tab; after a reload, its files are known.
  if (referenced.some((file) => !files.has(file))) return;
  await Promise.all(
    [...files].map(
      async (file) =>
        (file.startsWith("/assets/") && (await cache.match(file, { ignoreVary: true }))) || cache.add(file),
    ),
  );
  await cache.put(PAGE, page);
  for (const { url } of await cache.keys())
    if (isBuilt(new URL(url).pathname) && !files.has(new URL(url).pathname))
      await cache.delete(url, { ignoreVary: true });
  await navigator.serviceWorker.register(OFFLINE_WORKER, { scope: path });
}
