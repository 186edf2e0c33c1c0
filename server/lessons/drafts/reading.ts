import { Worker } from "node:worker_threads";
import { Problem } from "#server/core/http/problem.ts";
import type { ReadOrder, ReadReply } from "#server/lessons/drafts/readThread.ts";
import { MAX_DEPTH, MAX_NODES } from "#shared/lessons/drafts.ts";

/** The longest time for all lessons of an order, in ms; the rest counts as broken. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 512;
/** Threads at a time on this node. */
const MAX_THREADS = 2;

/** Orders that wait for a thread; more are refused with 503. */
const MAX_WAITING = 20;
const RETRY_SECONDS = 5;

let running = 0;
const waiting: (() => void)[] = [];

/** Reads lessons in a thread; a lesson that it cannot read, or not in time, is missing in the reply. */
export async function readLessons(
  lessons: ReadOrder["lessons"],
  { isMerging = false, isTracing = false }: Partial<Omit<ReadOrder, "lessons" | "bounds">> = {},
) {
  await takeThread();
  try {
    return await readInThread({ lessons, isMerging, isTracing, bounds: { depth: MAX_DEPTH, nodes: MAX_NODES } });
  } finally {
    giveThread();
  }
}

async function takeThread() {
  if (running < MAX_THREADS) return void (running += 1);
  if (waiting.length >= MAX_WAITING) throw new Problem(503, "core.overloaded", { values: { seconds: RETRY_SECONDS } });
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Hands the thread to the next order that waits, if there is one. */
function giveThread() {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}

function readInThread(order: ReadOrder) {
  const replies = new Map<string, ReadReply>();
  const worker = new Worker(new URL("readThread.ts", import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  const timeout = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  worker.on("message", (reply: ReadReply) => replies.set(reply.id, reply));
  return new Promise<Map<string, ReadReply>>((resolve) => {
    // Out of memory is an error, after which the thread exits.
    worker.on("error", () => {});
    worker.on("exit", () => {
      clearTimeout(timeout);
      resolve(replies);
    });
  });
}
