// Serves the check-in page of one event offline (docs/decisions/0013-check-in-offline.md). Registered for the path of
// that page only; the page itself fills the cache (web/events/checkin/prepareOffline.ts). Handles two kinds of
// requests: the page, if the server does not answer, and the built files of the page. API calls always go to the
// network.
const CACHE = "lyceum-check-in";
const PAGE = "/check-in/page";
const TIMEOUT_MS = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  if (mode === "navigate") {
    if (pathname === new URL(self.registration.scope).pathname) event.respondWith(respondWithPage(event.request));
  } else if (pathname.startsWith("/assets/") || pathname === "/start.js")
    event.respondWith(cached(pathname).then((file) => file ?? fetch(event.request)));
});

const cached = (path) => caches.match(path, { cacheName: CACHE, ignoreVary: true });

async function respondWithPage(request) {
  const copy = await cached(PAGE);
  if (!copy) return fetch(request);
  try {
    const reply = await Promise.race([fetch(request), new Promise((_, reject) => setTimeout(reject, TIMEOUT_MS))]);
    return reply.status < 500 ? reply : copy;
  } catch {
    return copy;
  }
}
