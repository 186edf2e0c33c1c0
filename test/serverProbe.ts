import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import pg from "pg";

// Loaded into a server by `--import`: at SIGUSR2 it writes to PROBE_FILE how late the event loop was and how long
// requests waited for a connection to the database since the last time, and starts again

const RESOLUTION_MS = 10;
const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
loop.enable();
let longestWait = 0;
const waiting = new Set<number>();

type Connect = (this: pg.Pool, callback?: (...args: unknown[]) => void) => Promise<pg.PoolClient> | undefined;
const prototype = pg.Pool.prototype as unknown as { connect: Connect };
const { connect } = prototype;
prototype.connect = function (callback) {
  const since = performance.now();
  waiting.add(since);
  const isThere = () => {
    waiting.delete(since);
    longestWait = Math.max(longestWait, performance.now() - since);
  };
  if (!callback) return connect.call(this)?.finally(isThere);
  return connect.call(this, (...args) => {
    isThere();
    callback(...args);
  });
};

process.on("SIGUSR2", () => {
  const now = performance.now();
  const waits = [longestWait, ...[...waiting].map((since) => now - since)];
  const loopDelayMs = Math.max(0, loop.max / 1e6 - RESOLUTION_MS);
  writeFileSync(
    process.env.PROBE_FILE as string,
    JSON.stringify({ loopDelayMs, connectionWaitMs: Math.max(...waits) }),
  );
  loop.reset();
  longestWait = 0;
});
