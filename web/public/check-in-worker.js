// The check-in page of one event without network (docs/decisions/0013-check-in-offline.md). Registered for the address of that page alone; the
// page itself fills the cache (web/events/checkin/prepareOffline.ts). Only two things are answered here: the page, when the server does not
// answer, and the built files that it is made of. Calls to the API always go to the network.
const CACHE = "lyceum-door";
const PAGE = "/door/page";
const PATIENCE_MS = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  if (mode === "navigate") {
    if (pathname === new URL(self.registration.scope).pathname) event.respondWith(page(event.request));
  } else if (pathname.startsWith("/assets/") || pathname === "/start.js")
    event.respondWith(kept(pathname).then((file) => file ?? fetch(event.request)));
});

const kept = (path) => caches.match(path, { cacheName: CACHE, ignoreVary: true });

async function page(request) {
  const copy = await kept(PAGE);
  if (!copy) return fetch(request);
  try {
    const answer = await Promise.race([fetch(request), new Promise((_, reject) => setTimeout(reject, PATIENCE_MS))]);
    return answer.status < 500 ? answer : copy;
  } catch {
    return copy;
  }
}
