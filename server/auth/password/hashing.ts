import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { Problem } from "#server/core/http/problem.ts";

/** Algorithm 2 is argon2id (the library exports it only as a const enum). */
const argonOptions = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The most passwords that are hashed at the same time. Hashing shares the four threads of libuv with files, DNS and
 * compression, and the cores with everything else.
 */
const MAX_RUNNING = availableParallelism() > 4 ? 3 : 2;
/** The most work that may wait: in total, and of one client, so that one client cannot fill the queue. */
const MAX_WAITING = 40;
const MAX_WAITING_PER_CLIENT = 20;
const RETRY_SECONDS = 2;

type Waiting = { client: string; isPriority: boolean; start: () => void };
type QueueOptions = {
  /** Network or known device. */
  client?: string;
  /** Goes before work without priority, even if the queue is full. */
  isPriority?: boolean;
};

let running = 0;
let waiting: Waiting[] = [];

/**
 * Runs work that includes hashing a password, when its turn comes. Throws 429 `auth.busy` if too much is waiting. Must
 * not be called within a transaction, which would hold a database connection while it waits.
 */
export async function runInPasswordQueue<T>(work: () => Promise<T>, options: QueueOptions = {}): Promise<T> {
  if (running >= MAX_RUNNING) await waitForTurn(options);
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next.start();
    else running--;
  }
}

function waitForTurn({ client = "", isPriority = false }: QueueOptions) {
  const isFull = waiting.length >= MAX_WAITING && !isPriority;
  const hasShare = client === "" || waiting.filter((other) => other.client === client).length < MAX_WAITING_PER_CLIENT;
  if (isFull || !hasShare) throw new Problem(429, "auth.busy", { values: { seconds: RETRY_SECONDS } });
  return new Promise<void>((resolve) => {
    const entry = { client, isPriority, start: resolve };
    // Before those without priority, after those with it.
    const place = waiting.findIndex((other) => !other.isPriority);
    if (isPriority && place >= 0) waiting.splice(place, 0, entry);
    else waiting.push(entry);
  });
}

/** argon2id, 19 MiB, two passes (OWASP Password Storage Cheat Sheet, first choice). */
export const hashPassword = (password: string) => runInPasswordQueue(() => hash(password, argonOptions));

/**
 * True if the password matches the stored hash. Without a hash the same work is done, so that timing does not reveal
 * whether an account exists. Must be called within `runInPasswordQueue`.
 */
export const verifyPassword = async (stored: string | null | undefined, password: string) =>
  (await verify(stored ?? (await dummyHash), password).catch(() => false)) && Boolean(stored);
const dummyHash = hash(randomUUID(), argonOptions);
