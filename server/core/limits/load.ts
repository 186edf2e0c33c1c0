import { monitorEventLoopDelay } from "node:perf_hooks";

/** Interval of the timer that measures the event loop, in ms. */
const RESOLUTION_MS = 10;
/** Beyond one of these the server is overloaded, in ms. A browser commits every 1.5 s, so nobody notices 100 ms. */
const BOUNDS_MS = { loop: 40, learning: 100 };

export type Load = ReturnType<typeof createLoad>;

/**
 * How loaded this process is, measured where people feel it: how long everything waits for the event loop, and how long
 * launches and commits take, with their waits for connections, locks and the processors of the database.
 */
export function createLoad() {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const running = new Set<{ since: number }>();
  let finished = 0;
  let finishedMs = 0;

  /** How long something that arrives at any moment waits for its turn, on average: long turns are met more often. */
  const readLoop = () => {
    const { mean, stddev, count } = loop;
    loop.reset();
    if (count === 0) return 0;
    return Math.max(0, (mean + stddev ** 2 / mean) / 2e6 - RESOLUTION_MS / 2);
  };
  /** The mean time of those that have finished, or the longest time so far of one that has not. */
  const readLearning = () => {
    const meanMs = finished > 0 ? finishedMs / finished : 0;
    finished = 0;
    finishedMs = 0;
    const [oldest] = running;
    return Math.max(meanMs, oldest ? performance.now() - oldest.since : 0);
  };
  return {
    /** Measures a launch or commit. */
    async measure<T>(work: () => T | Promise<T>): Promise<T> {
      const one = { since: performance.now() };
      running.add(one);
      try {
        return await work();
      } finally {
        running.delete(one);
        finished++;
        finishedMs += performance.now() - one.since;
      }
    },
    /** The load since the last call, as a share of what is bearable: above 1 the server is overloaded. */
    read: () => {
      const [loopMs, learningMs] = [readLoop(), readLearning()];
      return { pressure: Math.max(loopMs / BOUNDS_MS.loop, learningMs / BOUNDS_MS.learning), loopMs, learningMs };
    },
    stop: () => loop.disable(),
  };
}
