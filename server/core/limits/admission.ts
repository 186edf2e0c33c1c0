import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "#server/core/http/problem.ts";
import { createLoad, type Load } from "#server/core/limits/load.ts";

/** Requests that are worked on at once, besides launches and commits: at most, and under the worst overload. */
const MAX_SLOTS = 16;
const MIN_SLOTS = 4;
/** Below this the server counts as busy. */
const BUSY_SLOTS = MAX_SLOTS / 2;
/** How often the load is judged, and what it changes: slots are taken away quickly and come back one by one. */
const JUDGED_MS = 250;
const DECREASE = 0.7;

type Rank = {
  /** The part of all slots that it may use; one always. */
  share: number;
  /** The longest wait for a slot, and when a refused browser may come back, in ms. */
  waitMs: number;
  retryMs: number;
};
/** Who waits for a slot, in the order in which free ones are given away. */
const ranks = {
  /** Pages of learners, and what guests send: they log in or register. */
  learner: { share: 1, waitMs: 30_000, retryMs: 2000 },
  /** Pages of admins. */
  page: { share: 1, waitMs: 30_000, retryMs: 3000 },
  /** Exports, reports, analyses. */
  heavy: { share: 1 / 4, waitMs: 30_000, retryMs: 10_000 },
  /** Pages of guests, and what the server reads to render them. */
  guest: { share: 1 / 3, waitMs: 5000, retryMs: 5000 },
} satisfies Record<string, Rank>;
export type RankName = keyof typeof ranks;
const order = Object.keys(ranks) as RankName[];

/** Requests of one rank that wait; waiting costs next to nothing. */
const MAX_WAITING = 1000;
/** The longest pause of background work, in ms: during a long overload it runs one step after each pause. */
const MAX_PAUSE_MS = 10_000;

type Waiter = { since: number; start: () => void; isGone: () => boolean };
export type Admission = ReturnType<typeof createAdmission>;

/**
 * Decides who waits when the process has more to do than it can. Launches and commits never wait. Everything else takes
 * a slot; the number of slots follows the load (additive increase, multiplicative decrease), and free slots go to the
 * highest rank. Who waits for too long, or finds too many waiting, is refused with 503 before anything has happened.
 */
export function createAdmission(load: Load = createLoad()) {
  const waiting = Object.fromEntries(order.map((name) => [name, [] as Waiter[]])) as Record<RankName, Waiter[]>;
  const used = Object.fromEntries(order.map((name) => [name, 0])) as Record<RankName, number>;
  let slots = MAX_SLOTS;
  let isClosed = false;
  let judgedAt = performance.now();
  let timer: ReturnType<typeof setInterval> | undefined;

  const judge = () => {
    const elapsed = performance.now() - judgedAt;
    if (elapsed < JUDGED_MS) return;
    judgedAt += elapsed;
    // After a pause without requests, what was measured before it says nothing any more.
    slots = Math.min(MAX_SLOTS, slots + Math.floor(elapsed / JUDGED_MS) - 1);
    const { pressure } = load.read();
    slots = pressure > 1 ? Math.max(MIN_SLOTS, Math.floor(slots * DECREASE)) : Math.min(MAX_SLOTS, slots + 1);
  };
  const hasSlot = (name: RankName) => {
    // Learners wait for each other only.
    const total = name === "learner" ? used.learner : order.reduce((sum, one) => sum + used[one], 0);
    return total < slots && used[name] < Math.max(1, Math.floor(slots * ranks[name].share));
  };
  const startNext = (name: RankName) => {
    const next = waiting[name].shift() as Waiter;
    if (!next.isGone()) next.start();
  };
  /** No rank stands still, even if higher ones always want more: who has waited for half of the time is next. */
  const isPassedOver = (name: RankName) => {
    const [first] = waiting[name];
    return first && used[name] === 0 && performance.now() - first.since > ranks[name].waitMs / 2;
  };
  const dispatch = () => {
    judge();
    for (const name of order) if (isPassedOver(name) && hasSlot(name)) startNext(name);
    for (const name of order) while (waiting[name].length > 0 && hasSlot(name)) startNext(name);
    const isAnyoneWaiting = order.some((name) => waiting[name].length > 0);
    if (isAnyoneWaiting) timer ??= setInterval(dispatch, JUDGED_MS);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const refused = (name: RankName) =>
    new Problem(503, "core.overloaded", { values: { seconds: ranks[name].retryMs / 1000 } });

  /** Waits for a slot. Returns how to give it back. */
  const enter = async (name: RankName, isGone: () => boolean = () => false): Promise<() => void> => {
    const { waitMs } = ranks[name];
    const take = () => {
      used[name]++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        used[name]--;
        dispatch();
      };
    };
    judge();
    if (waiting[name].length === 0 && hasSlot(name)) return take();
    if (waiting[name].length >= MAX_WAITING) throw refused(name);
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting[name] = waiting[name].filter((other) => other !== waiter);
        reject(refused(name));
      }, waitMs);
      const waiter: Waiter = {
        since: performance.now(),
        isGone: () => {
          if (!isGone()) return false;
          clearTimeout(giveUp);
          reject(refused(name));
          return true;
        },
        start: () => {
          clearTimeout(giveUp);
          resolve(take());
        },
      };
      waiting[name].push(waiter);
      dispatch();
    });
  };
  const isBusy = () => {
    judge();
    return !isClosed && slots < BUSY_SLOTS;
  };
  return {
    enter,
    measure: load.measure,
    /** Whether work that can be left out should be. */
    isBusy,
    /** For background work, between two steps and outside of transactions: waits while the server is busy. */
    async pause() {
      const until = performance.now() + MAX_PAUSE_MS;
      while (isBusy() && performance.now() < until) await sleep(JUDGED_MS);
    },
    close() {
      isClosed = true;
      load.stop();
      clearInterval(timer);
    },
  };
}
