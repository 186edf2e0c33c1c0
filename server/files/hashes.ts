import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import type { Digests, HashAnswer, HashTask } from "#server/files/hashThread.ts";

/**
 * Running MD5 (required by the protocol) and SHA-256 of the bytes of an upload. Each call must wait until the previous
 * one has resolved.
 */
export type Sums = {
  /** Adds bytes, which must not change until it has resolved. */
  update(parts: readonly Buffer[]): Promise<void>;
  /** Independent sums that start with the same bytes. */
  copy(): Sums;
  /** The digests of the bytes so far. Does not finish the sums. */
  digests(): Promise<Digests>;
  /** True if they can no longer be used, because their thread has ended. */
  isLost(): boolean;
};

/** Up to this size, uploads are hashed in the main thread, because another one costs more than it saves. */
const SMALL_BYTES = 4 * 1024 ** 2;

/** Sums of no bytes yet, for an upload of `size` bytes. Those of large uploads are computed in a thread. */
export const newSums = (size: number): Sums => (size <= SMALL_BYTES ? sumsHere() : findThread().newSums());

function sumsHere(md5 = createHash("md5"), sha256 = createHash("sha256")): Sums {
  return {
    update: async (parts) => {
      for (const bytes of parts) {
        md5.update(bytes);
        sha256.update(bytes);
      }
    },
    copy: () => sumsHere(md5.copy(), sha256.copy()),
    digests: async () => ({ md5Hash: md5.copy().digest("base64"), sha256: sha256.copy().digest("hex") }),
    isLost: () => false,
  };
}

/** Bytes reach the thread through slots of shared memory. */
const SLOT_BYTES = 1024 ** 2;
const SLOTS = 4;

type Thread = { newSums: () => Sums; isEnded: () => boolean };
let thread: Thread | null = null;
function findThread() {
  if (!thread || thread.isEnded()) thread = startThread();
  return thread;
}

function startThread(): Thread {
  const memory = Array.from({ length: SLOTS }, () => new SharedArrayBuffer(SLOT_BYTES));
  const worker = new Worker(new URL("hashThread.ts", import.meta.url), { workerData: { memory } });
  worker.unref();
  const free = memory.map((_, slot) => slot);
  const waiting: ((slot: number) => void)[] = [];
  const calls = new Map<number, { resolve: (digests: Digests | null) => void; reject: (error: Error) => void }>();
  let lastNumber = 0;
  let failure: Error | null = null;

  const post = (task: HashTask) => worker.postMessage(task);
  const call = (create: (call: number) => HashTask) =>
    new Promise<Digests | null>((resolve, reject) => {
      if (failure) return reject(failure);
      const number = ++lastNumber;
      calls.set(number, { resolve, reject });
      post(create(number));
    });
  const end = (error: Error) => {
    failure ??= error;
    for (const { reject } of calls.values()) reject(failure);
    calls.clear();
    // Whatever waits for a slot then throws the failure.
    for (const go of waiting.splice(0)) go(0);
  };
  worker.on("message", ({ call: number, digests }: HashAnswer) => {
    calls.get(number)?.resolve(digests);
    calls.delete(number);
  });
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the thread that hashes uploads has ended")));

  const takeSlot = () => {
    const slot = free.pop();
    return slot === undefined ? new Promise<number>((resolve) => waiting.push(resolve)) : slot;
  };
  const giveBack = (slot: number) => {
    const next = waiting.shift();
    if (next) next(slot);
    else free.push(slot);
  };
  /** Resolves when the bytes are in shared memory; they are hashed later, in order. */
  const update = async (sums: number, parts: readonly Buffer[]) => {
    let slot: number | null = null;
    let filled = 0;
    const send = () => {
      if (slot === null) return;
      const [used, bytes] = [slot, filled];
      call((number) => ({ task: "update", sums, slot: used, bytes, call: number })).then(
        () => giveBack(used),
        () => giveBack(used),
      );
      slot = null;
      filled = 0;
    };
    for (const part of parts) {
      for (let at = 0; at < part.length;) {
        slot ??= await takeSlot();
        if (failure) throw failure;
        const bytes = part.subarray(at, at + SLOT_BYTES - filled);
        new Uint8Array(memory[slot]!).set(bytes, filled);
        filled += bytes.length;
        at += bytes.length;
        if (filled === SLOT_BYTES) send();
      }
    }
    send();
  };
  const dropped = new FinalizationRegistry<number>((sums) => post({ task: "drop", sums }));
  const sumsThere = (sums: number): Sums => {
    const made: Sums = {
      update: (parts) => update(sums, parts),
      copy: () => {
        const to = ++lastNumber;
        post({ task: "copy", sums, to });
        return sumsThere(to);
      },
      digests: async () => (await call((number) => ({ task: "digest", sums, call: number }))) as Digests,
      isLost: () => failure !== null,
    };
    dropped.register(made, sums);
    return made;
  };
  return {
    newSums: () => {
      const sums = ++lastNumber;
      post({ task: "create", sums });
      return sumsThere(sums);
    },
    isEnded: () => failure !== null,
  };
}

/** True if both have read the same bytes. */
export const isSameSum = async (a: Sums, b: Sums) => (await a.digests()).sha256 === (await b.digests()).sha256;

type UploadSums = {
  /** Number of bytes that `sums` covers. */
  received: number;
  sums: Sums;
  chunkStart: number;
  /** Sums of the bytes before the last chunk. */
  sumsBeforeChunk: Sums;
};
/** Uploads whose sums are cached. Sums that were dropped are computed again from the stored bytes. */
const CACHED_UPLOADS = 2000;
const sumsOfUploads = new LRUCache<string, UploadSums>({ max: CACHED_UPLOADS });

export const storeSums = (id: string, sums: UploadSums) => void sumsOfUploads.set(id, sums);

/** The cached sums of an upload with `received` bytes; null if this process has not read all of them. */
export function sumsAt(id: string, received: number) {
  const cached = sumsOfUploads.get(id);
  return cached?.received === received && !cached.sums.isLost() ? cached : null;
}
export const forgetSums = (id: string) => sumsOfUploads.delete(id);
