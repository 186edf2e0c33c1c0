import { Problem } from "#server/core/problem.ts";

/** Requests with a body that guests of one network may send to one route of this process in a minute: enough for an office that registers at once. */
const REQUESTS_PER_MINUTE = 600;
const WINDOW_MS = 60_000;
const MAX_WINDOWS = 50_000;

type Window = { startedAt: number; requests: number };

/**
 * Returns a function that counts a request of a guest and throws 429 beyond the limit. `key`: route, and network or device.
 * Counted in memory, before the body is
 * read: it bounds the work that strangers can cause. The exact limits of single actions, such as sign-in, are in the database
 * (throttle.ts).
 */
export function createGuestLimit() {
  const windows = new Map<string, Window>();
  return (key: string) => {
    const now = performance.now();
    const current = windows.get(key);
    if (current && now - current.startedAt < WINDOW_MS) {
      current.requests++;
      if (current.requests > REQUESTS_PER_MINUTE) {
        const seconds = Math.ceil((WINDOW_MS - (now - current.startedAt)) / 1000);
        throw new Problem(429, "core.tooMany", { values: { seconds } });
      }
      return;
    }
    // Insertion order is age: the oldest windows go first.
    windows.delete(key);
    if (windows.size >= MAX_WINDOWS) windows.delete(windows.keys().next().value as string);
    windows.set(key, { startedAt: now, requests: 1 });
  };
}
