import type { FastifyRequest } from "fastify";
import { networkOf } from "#server/core/network.ts";
import { Problem } from "#server/core/problem.ts";

/** Requests with a small body that guests of one network may send to one route of this process in a minute: enough for an office that registers at once. */
const REQUESTS_PER_MINUTE = 600;
/** A larger body counts as one request for each of these many bytes; a body of unknown length as the largest known. */
const BYTES_PER_REQUEST = 8192;
const UNKNOWN_LENGTH = 256 * 1024;
const WINDOW_MS = 60_000;
const MAX_WINDOWS = 50_000;

type Window = { startedAt: number; requests: number };
export type GuestLimit = (request: FastifyRequest, device?: string | null) => void;

/**
 * Returns a function that counts a request of a guest and throws 429 beyond the limit. A known `device` has a count of its own
 * instead of that of its network. Counted in memory, before the body is read: it bounds the work that strangers can cause.
 * The exact limits of single actions, such as sign-in, are in the database (throttle.ts).
 */
export function createGuestLimit(): GuestLimit {
  const windows = new Map<string, Window>();
  return ({ ip, headers, routeOptions }, device) => {
    const key = `${routeOptions.url} ${device ?? networkOf(ip)}`;
    const now = performance.now();
    const length = headers["transfer-encoding"] ? UNKNOWN_LENGTH : Number(headers["content-length"] ?? 0);
    const bytes = Math.min(length, UNKNOWN_LENGTH);
    const cost = 1 + Math.floor(bytes / BYTES_PER_REQUEST);
    const current = windows.get(key);
    if (current && now - current.startedAt < WINDOW_MS) {
      current.requests += cost;
      if (current.requests > REQUESTS_PER_MINUTE) {
        const seconds = Math.ceil((WINDOW_MS - (now - current.startedAt)) / 1000);
        throw new Problem(429, "core.tooMany", { values: { seconds } });
      }
      return;
    }
    // Insertion order is age: the oldest windows go first.
    windows.delete(key);
    if (windows.size >= MAX_WINDOWS) windows.delete(windows.keys().next().value as string);
    windows.set(key, { startedAt: now, requests: cost });
  };
}
