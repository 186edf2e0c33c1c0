import type { Readable } from "node:stream";

/** State of an unfinished blob, private to the storage; stored in the row of its upload. */
export type PartState = Record<string, unknown>;

/** Appends to one unfinished blob. */
export type BlobWriter = {
  /** Must not be called again before it has resolved. */
  write(parts: readonly Buffer[]): Promise<void>;
  /** Resolves when everything written so far is durable, with the state to store in the row of the upload. */
  save(): Promise<PartState>;
  /** Releases resources. Bytes that were not saved are lost. */
  close(): Promise<void>;
};

/**
 * Stores blobs under random keys. A blob never changes after `finish`. Calls for a missing blob reject with
 * `BlobMissing`.
 */
export type Storage = {
  /** Continues a blob after its first `at` bytes, which were saved with `state`. */
  write(key: string, at: number, state: PartState): Promise<BlobWriter>;
  /** Completes a blob of `size` saved bytes. Idempotent. */
  finish(key: string, size: number, state: PartState): Promise<void>;
  /** Deletes an unfinished blob. */
  discard(key: string, state: PartState): Promise<void>;
  /** Reads a finished blob; with `range` the bytes from `start` to `end`, both inclusive. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
  /** A local file with the bytes of a blob, for random access. Call `done` when it is no longer needed. */
  local(key: string): Promise<{ path: string; done: () => Promise<void> }>;
  /** Rejects if nothing can be stored. */
  check(): Promise<void>;
  /** Deletes data of uploads that are older than a day and whose keys `findKnown` does not return. Returns how many. */
  sweep(findKnown: (keys: string[]) => Promise<Set<string>>): Promise<number>;
};

/** There is no complete blob with this key (and size). */
export class BlobMissing extends Error {}

/**
 * Why nothing can be stored or read: the storage refuses our credentials, does not answer, or is full. The message
 * contains no text of the storage, which may repeat credentials.
 */
export class StorageDown extends Error {
  reason: "refused" | "unreachable" | "full";
  constructor(reason: StorageDown["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
