import type { Readable } from "node:stream";

/** What a store has to remember of a blob that is not finished; kept in the row of its upload. */
export type PartState = Record<string, unknown>;

/** Writes one blob from front to back. */
export type BlobWriter = {
  write(bytes: Buffer): Promise<void>;
  /** Everything written so far is durable when this resolves; the state belongs into the row of the upload. */
  save(): Promise<PartState>;
  /** Gives back what the writer holds; what was not saved is lost. */
  close(): Promise<void>;
};

/** Where blobs live. Keys are random and say nothing; a blob is never changed after `finish`. Missing blobs reject with `BlobMissing`. */
export type Storage = {
  /** Goes on with the blob behind its first `at` bytes, which were saved with `state`. */
  write(key: string, at: number, state: PartState): Promise<BlobWriter>;
  /** Makes a blob of `size` saved bytes complete. Doing it twice is doing it once. */
  finish(key: string, size: number, state: PartState): Promise<void>;
  /** Forgets an unfinished blob. */
  discard(key: string, state: PartState): Promise<void>;
  /** Bytes `start` to `end`, both included, of a finished blob; all of them without a range. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
  /** A plain file with the bytes of a blob, for readers that jump about; `done` gives it back. */
  local(key: string): Promise<{ path: string; done: () => Promise<void> }>;
  /** Rejects when nothing can be stored. */
  check(): Promise<void>;
  /** Removes the remains of uploads that `isKnown` does not know, older than a day. Returns how many. */
  sweep(isKnown: (keys: string[]) => Promise<Set<string>>): Promise<number>;
};

export class BlobMissing extends Error {}
