import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { networkOf } from "#server/core/limits/network.ts";
import { Problem } from "#server/core/http/problem.ts";

/**
 * Requests with a small body that guests of one network may send to one route of this process in a minute: enough for
 * an office that registers at once.
 */
const REQUESTS_PER_MINUTE = 600;
/** A larger body counts as one request for each of these many bytes; a body of unknown length as the largest known. */
const BYTES_PER_REQUEST = 8192;
const UNKNOWN_LENGTH = 256 * 1024;
const WINDOW_MS = 60_000;
const MAX_WINDOWS = 50_000;

/**
 * A refusal waits this long: whoever repeats a refused request at once would otherwise keep the server busy with
 * refusals.
 */
const REFUSAL_DELAY_MS = 1000;

/** Requests without effects from one network to one route: `atOnce` at once, and in the long run `perSecond`. */
type Pace = { atOnce: number; perSecond: number };
const paces = {
  /** Pages and queries: each takes some milliseconds. */
  page: { atOnce: 120, perSecond: 10 },
  /** Files that are sent as they are: an office of 300 people opens a page with 30 of them. */
  file: { atOnce: 6000, perSecond: 400 },
  /** Files of one course for one attempt: a package may have thousands. */
  course: { atOnce: 5000, perSecond: 200 },
  /** Refusals of all routes together: people whose sessions end at the same time are not an attack. */
  refusal: { atOnce: 3000, perSecond: 100 },
} satisfies Record<string, Pace>;
export type PaceName = keyof typeof paces;

/**
 * Requests beyond these limits wait for at most this long. When twice `atOnce` are waiting, further ones are refused.
 */
const MAX_READ_DELAY_MS = 2000;

/** Requests of all networks that wait at the same time. Beyond this they are refused at once. */
const MAX_WAITING = 5000;

type Window = { startedAt: number; requests: number };
/** `reads` that are left at `at`; negative if there were more. */
type Allowance = { at: number; reads: number };
type ReadOptions = { pace?: PaceName; cost?: number; device?: string };
/** A request counts once: later calls for it do nothing. */
export type GuestLimit = {
  /**
   * Counts a request with effects, and throws 429 beyond the limit. A known `device` has a count of its own instead of
   * that of its network. Called before the body is read.
   */
  countWrite: (request: FastifyRequest, device?: string | null) => Promise<void>;
  /**
   * Counts a request without effects, as `cost` requests, and delays it beyond the limit. Throws 429 if too many are
   * delayed. A known `device` has a count of its own, else requests from this machine are not counted.
   */
  slowRead: (request: FastifyRequest, options?: ReadOptions) => Promise<void>;
  /** The request has a valid token: it does not count against the limits of guests. */
  admit: (request: FastifyRequest) => void;
  isCounted: (request: FastifyRequest) => boolean;
  /** Counts a request that was refused before it was counted, and delays the answer beyond the limit. */
  slowRefusal: (request: FastifyRequest) => Promise<void>;
};

/**
 * Bounds the work that strangers can cause, counted in the memory of this process. The exact limits of single actions,
 * such as sign-in, are in the database (throttle.ts).
 */
export function createGuestLimit(): GuestLimit {
  const windows = new Map<string, Window>();
  const allowances = new Map<string, Allowance>();
  const counted = new WeakSet<FastifyRequest>();
  let waiting = 0;
  const tooMany = (ms: number) =>
    new Problem(429, "core.tooMany", { values: { seconds: Math.max(1, Math.ceil(ms / 1000)) } });
  const wait = async (ms: number) => {
    if (waiting >= MAX_WAITING) throw tooMany(1000);
    waiting++;
    await sleep(ms).finally(() => waiting--);
  };
  /** Takes `cost` reads of an allowance. Returns how long to wait, in ms; null if there are too many. */
  const take = (key: string, { atOnce, perSecond }: Pace, cost: number) => {
    const now = performance.now();
    const last = allowances.get(key) ?? { at: now, reads: atOnce };
    const regained = ((now - last.at) / 1000) * perSecond;
    const reads = Math.min(atOnce, last.reads + regained) - cost;
    if (reads < -2 * atOnce) return null;
    setNewest(allowances, key, { at: now, reads });
    return reads < 0 ? Math.min(MAX_READ_DELAY_MS, (-reads / perSecond) * 1000) : 0;
  };
  return {
    async countWrite(request, device) {
      if (counted.has(request)) return;
      counted.add(request);
      const { ip, headers, routeOptions } = request;
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
      throw tooMany(WINDOW_MS - (performance.now() - current.startedAt));
    },
    async slowRead(request, { pace = "page", cost = 1, device } = {}) {
      if (counted.has(request)) return;
      counted.add(request);
      const { ip, routeOptions } = request;
      if (!device && isLoopback(ip)) return;
      const delay = take(`${routeOptions.url} ${device ?? networkOf(ip)}`, paces[pace], cost);
      if (delay) return wait(delay);
      if (delay !== null) return;
      await wait(REFUSAL_DELAY_MS);
      throw tooMany(MAX_READ_DELAY_MS);
    },
    admit: (request) => void counted.add(request),
    isCounted: (request) => counted.has(request),
    async slowRefusal(request) {
      counted.add(request);
      if (isLoopback(request.ip)) return;
      const delay = take(`refused ${networkOf(request.ip)}`, paces.refusal, 1) ?? MAX_READ_DELAY_MS;
      if (delay > 0 && waiting < MAX_WAITING) await wait(delay);
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
