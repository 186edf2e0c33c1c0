import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { networkOf } from "#server/core/limits/network.ts";
import { Problem } from "#server/core/http/problem.ts";

/** Requests with a small body that guests of one network may send to one route of this process in a minute: enough for an office that registers at once. */
const REQUESTS_PER_MINUTE = 600;
/** A larger body counts as one request for each of these many bytes; a body of unknown length as the largest known. */
const BYTES_PER_REQUEST = 8192;
const UNKNOWN_LENGTH = 256 * 1024;
const WINDOW_MS = 60_000;
const MAX_WINDOWS = 50_000;

/** A refusal waits this long: whoever repeats a refused request at once would otherwise keep the server busy with refusals. */
const REFUSAL_DELAY_MS = 1000;

/** Requests without effects that guests of one network may send to one route at once, and in the long run per second. */
const READS_AT_ONCE = 120;
const READS_PER_SECOND = 10;
/** Requests beyond these wait for their turn, at most this long. With so many waiting, further ones are refused. */
const MAX_READ_DELAY_MS = 2000;
const MAX_EXCESS_READS = 240;

/** Requests of all networks that wait at the same time. Beyond this they are refused at once. */
const MAX_WAITING = 5000;

type Window = { startedAt: number; requests: number };
/** `reads` that are left at `at`; negative if there were more. */
type Allowance = { at: number; reads: number };
export type GuestLimit = {
  /**
   * Counts a request with effects, and throws 429 beyond the limit. A known `device` has a count of its own instead of that of its
   * network. Called before the body is read.
   */
  countWrite: (request: FastifyRequest, device?: string | null) => Promise<void>;
  /**
   * Counts a request without effects, as `cost` requests, and delays it beyond the limit. Throws 429 if too many are delayed. Requests
   * from this machine are not counted.
   */
  slowRead: (request: FastifyRequest, cost?: number) => Promise<void>;
};

/**
 * Bounds the work that strangers can cause, counted in the memory of this process. The exact limits of single actions, such as
 * sign-in, are in the database (throttle.ts).
 */
export function createGuestLimit(): GuestLimit {
  const windows = new Map<string, Window>();
  const allowances = new Map<string, Allowance>();
  let waiting = 0;
  const wait = async (ms: number) => {
    if (waiting >= MAX_WAITING) throw new Problem(429, "core.tooMany", { values: { seconds: 1 } });
    waiting++;
    await sleep(ms).finally(() => waiting--);
  };
  return {
    async countWrite({ ip, headers, routeOptions }, device) {
      const key = `${routeOptions.url} ${device ?? networkOf(ip)}`;
      const now = performance.now();
      const length = headers["transfer-encoding"] ? UNKNOWN_LENGTH : Number(headers["content-length"] ?? 0);
      const bytes = Math.min(length, UNKNOWN_LENGTH);
      const cost = 1 + Math.floor(bytes / BYTES_PER_REQUEST);
      const current = windows.get(key);
      if (!current || now - current.startedAt >= WINDOW_MS)
        return setNewest(windows, key, { startedAt: now, requests: cost });
      current.requests += cost;
      if (current.requests <= REQUESTS_PER_MINUTE) return;
      await wait(REFUSAL_DELAY_MS);
      const seconds = Math.max(1, Math.ceil((WINDOW_MS - (performance.now() - current.startedAt)) / 1000));
      throw new Problem(429, "core.tooMany", { values: { seconds } });
    },
    async slowRead({ ip, routeOptions }, cost = 1) {
      if (isLoopback(ip)) return;
      const key = `${routeOptions.url} ${networkOf(ip)}`;
      const now = performance.now();
      const last = allowances.get(key) ?? { at: now, reads: READS_AT_ONCE };
      const regained = ((now - last.at) / 1000) * READS_PER_SECOND;
      const reads = Math.min(READS_AT_ONCE, last.reads + regained) - cost;
      if (reads < -MAX_EXCESS_READS) {
        await wait(REFUSAL_DELAY_MS);
        throw new Problem(429, "core.tooMany", { values: { seconds: MAX_READ_DELAY_MS / 1000 } });
      }
      setNewest(allowances, key, { at: now, reads });
      if (reads < 0) await wait(Math.min(MAX_READ_DELAY_MS, (-reads / READS_PER_SECOND) * 1000));
    },
  };
}

const isLoopback = (ip: string) => /^(::ffff:)?127\.|^::1$/.test(ip);

/** Sets an entry, and deletes the one that was set longest ago if there are too many: insertion order is age. */
function setNewest<T>(entries: Map<string, T>, key: string, value: T) {
  entries.delete(key);
  if (entries.size >= MAX_WINDOWS) entries.delete(entries.keys().next().value as string);
  entries.set(key, value);
}
