import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { networkOf } from "#server/core/limits/network.ts";
import { Problem } from "#server/core/http/problem.ts";

/**
 * Requests with a small body that guests of one network may send to one route of this process in a minute: enough for
 * an office that registers at once.
 */
const REQUESTS_PER_MINUTE = 600;
/** A larger body counts as one request more for each of these. */
const BYTES_PER_REQUEST = 8192;
/** Bytes that a body of unknown length counts as; no body counts as more. */
const UNKNOWN_LENGTH = 256 * 1024;
const WINDOW_MS = 60_000;
/** Networks and devices that are counted at the same time; beyond this, the least recently active are forgotten. */
const MAX_COUNTED = 50_000;

/** Refusals are delayed by this, so that a client that retries at once does not keep the server busy with them. */
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

/** The longest delay of a request beyond these limits. When twice `atOnce` are delayed, further ones are refused. */
const MAX_READ_DELAY_MS = 2000;

/** Requests of all networks that wait at the same time. Beyond this they are refused at once. */
const MAX_WAITING = 5000;

type Window = { startedAt: number; requests: number };
/** `reads`: requests that were still allowed at the time `at`; negative if some are delayed. */
type Allowance = { at: number; reads: number };
type ReadOptions = { pace?: PaceName; cost?: number; device?: string };
export type Caller = "learner" | "other";
/** Each request is counted once: further calls for it do nothing. */
export type GuestLimit = {
  /**
   * Counts a request with effects, and throws 429 beyond the limit. With `device` it is counted for that device instead
   * of its network. Called before the body is read.
   */
  countWrite: (request: FastifyRequest, device?: string | null) => Promise<void>;
  /**
   * Counts a request without effects, as `cost` requests, and delays it beyond the limit. Throws 429 if too many are
   * delayed. With `device` it is counted for that device; without, requests from this machine are not counted.
   */
  slowRead: (request: FastifyRequest, options?: ReadOptions) => Promise<void>;
  /** The request has a valid token: it does not count against the limits of guests. */
  admit: (request: FastifyRequest, caller?: Caller) => void;
  /** The request has a valid token, but is counted. */
  identify: (request: FastifyRequest, caller: Caller) => void;
  /** Whose valid token a request has; null for guests. */
  callerOf: (request: FastifyRequest) => Caller | null;
  isCounted: (request: FastifyRequest) => boolean;
  /** Counts a request that was refused before it was counted, and delays the answer beyond the limit. */
  slowRefusal: (request: FastifyRequest) => Promise<void>;
};

/**
 * Bounds the work that strangers can cause, counted in the memory of this process. The exact limits of single actions,
 * such as sign-in, are in the database (throttle.ts).
 */
export function createGuestLimit(): GuestLimit {
  const windows = new LRUCache<string, Window>({ max: MAX_COUNTED });
  const allowances = new LRUCache<string, Allowance>({ max: MAX_COUNTED });
  const counted = new WeakSet<FastifyRequest>();
  const callers = new WeakMap<FastifyRequest, Caller>();
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
    allowances.set(key, { at: now, reads });
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
        return void windows.set(key, { startedAt: now, requests: cost });
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
    admit: (request, caller = "other") => {
      counted.add(request);
      callers.set(request, caller);
    },
    identify: (request, caller) => void callers.set(request, caller),
    callerOf: (request) => callers.get(request) ?? null,
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
