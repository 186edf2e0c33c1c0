import { Worker } from "node:worker_threads";
import { Problem } from "#server/core/http/problem.ts";
import type { Package, ReadOrder } from "#server/packages/doctor/reading.ts";
import type { PackageReading } from "#shared/packages/packageCheck.ts";

/**
 * The longest time for a package, in ms. A reading stops before (`limits.time`), unless a single file takes this long.
 */
const TIMEOUT_MS = 15_000;
const HEAP_MEGABYTES = 512;
/** Packages that are read or wait; more are refused with 503. */
const MAX_WAITING = 20;
const RETRY_SECONDS = 10;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Reads an unpacked package in a thread, one at a time; null if it cannot be read in time or at all. */
export async function readInThread(folder: string, of: Package): Promise<PackageReading | null> {
  if (waiting >= MAX_WAITING) throw new Problem(503, "core.overloaded", { values: { seconds: RETRY_SECONDS } });
  waiting += 1;
  const turn = last.then(() => startThread({ folder, of }));
  last = turn.catch(() => {});
  return turn.finally(() => (waiting -= 1));
}

function startThread(order: ReadOrder) {
  const worker = new Worker(new URL("readThread.ts", import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  const timeout = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  let reading: PackageReading | null = null;
  worker.on("message", (read: PackageReading) => (reading = read));
  return new Promise<PackageReading | null>((resolve) => {
    // Such as out of memory; the thread then exits.
    worker.on("error", () => {});
    worker.on("exit", () => {
      clearTimeout(timeout);
      resolve(reading);
    });
  });
}
