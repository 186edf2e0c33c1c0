import type { FastifyReply } from "fastify";
import { LRUCache } from "lru-cache";
import { Problem } from "#server/core/http/problem.ts";

const WINDOW_MS = 60_000;
const KEPT_WINDOWS = 10_000;

/**
 * Counts the requests of a key on this node, sets the RateLimit headers (draft-ietf-httpapi-ratelimit-headers-07), and
 * throws 429 beyond the limit.
 */
export function createKeyRate(perMinute: number) {
  const windows = new LRUCache<string, { startedAt: number; requests: number }>({ max: KEPT_WINDOWS });
  return (id: string, reply: FastifyReply) => {
    const now = performance.now();
    const last = windows.get(id);
    const current = last && now - last.startedAt < WINDOW_MS ? last : { startedAt: now, requests: 0 };
    current.requests++;
    windows.set(id, current);
    const seconds = Math.ceil((WINDOW_MS - (now - current.startedAt)) / 1000);
    reply
      .header("ratelimit-limit", perMinute)
      .header("ratelimit-remaining", Math.max(0, perMinute - current.requests))
      .header("ratelimit-reset", seconds);
    if (current.requests <= perMinute) return;
    reply.header("retry-after", seconds);
    throw new Problem(429, "core.tooMany", { values: { seconds } });
  };
}
