import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "#server/core/database/connection.ts";
import { LIVE_CHANNEL, type LiveChange } from "#server/core/live/announcements.ts";
import type { Log } from "#server/core/log.ts";

const RETRY_MS = 1000;
/** Announced changes are kept for this long, and at most this many. */
const MEMORY_MS = 60_000;
const MAX_REMEMBERED = 2000;
type Subscriber = (change: LiveChange | null) => void;
export type LiveChanges = ReturnType<typeof createLiveChanges>;

/**
 * Receives the changes that any node announces, on one connection that is opened for the first subscriber. Subscribers
 * get null when changes may have been missed, because the connection was lost or is new.
 */
export function createLiveChanges(connection: Connection, log: Log) {
  const subscribers = new Set<Subscriber>();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  /** Changes of the last minute, oldest first, in ms of `performance.now()`. Complete from `completeSince` on. */
  let recent: { at: number; change: LiveChange }[] = [];
  let completeSince = Infinity;

  const publish = (change: LiveChange | null) => {
    const now = performance.now();
    if (change && change.domain !== "storedValues") recent.push({ at: now, change });
    const isOld = (at: number, index: number) => now - at > MEMORY_MS || recent.length - index > MAX_REMEMBERED;
    const firstKept = recent.findIndex(({ at }, index) => !isOld(at, index));
    const forgotten = recent.splice(0, firstKept < 0 ? recent.length : firstKept).at(-1);
    if (forgotten) completeSince = forgotten.at;
    for (const subscriber of subscribers) subscriber(change);
  };

  async function listen() {
    const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 5000 });
    const lost = new AbortController();
    client.on("error", () => lost.abort());
    client.on("end", () => lost.abort());
    client.on("notification", ({ payload = "null" }) => publish(JSON.parse(payload) as LiveChange));
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    try {
      await client.connect();
      await client.query(`listen ${LIVE_CHANNEL}`);
      recent = [];
      completeSince = performance.now();
      publish(null);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    } finally {
      completeSince = Infinity;
      await client.end().catch(() => {});
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      await listen().catch((error: Error) => log.warn({ err: error.message }, "not listening to announced changes"));
      await sleep(RETRY_MS, null, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  return {
    /**
     * Calls `subscriber` for every announced change until the returned function is called; first for those of the last
     * `ageMs` milliseconds, or with null if they are no longer known.
     */
    subscribe(subscriber: Subscriber, ageMs = 0) {
      const since = performance.now() - ageMs;
      // While the connection is down nothing needs to be said: all subscribers get null when it is back.
      if (completeSince < Infinity && since < completeSince) subscriber(null);
      else for (const { at, change } of recent) if (at >= since) subscriber(change);
      subscribers.add(subscriber);
      running ??= run();
      return () => void subscribers.delete(subscriber);
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
