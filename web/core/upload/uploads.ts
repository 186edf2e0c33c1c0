import { useEffect } from "react";
import { createStore } from "#web/core/store.ts";
import { ApiError, isCode } from "#web/core/api/http.ts";
import type { Waiting } from "#web/core/upload/retryBackoff.ts";
import type { FilePurpose, FileVisibility } from "#shared/files.ts";

/** Where files are dropped: one drop area or dialog is one slot; its uploads are shown there. */
export type Place = {
  /** Says what becomes of the file (`finishers.ts`) and how many go at once. */
  kind: string;
  slot: string;
  purpose: FilePurpose;
  companyId?: string;
  visibility?: FileVisibility;
  /** What the domain needs to know at the end; must survive a reload, so plain data. */
  about?: unknown;
};

/**
 * `running` to `canceling` are states of the task (spec section 4); before it stand `queued`, `missing` (the bytes have to
 * be chosen again) and `elsewhere` (another tab runs it), after it `finishing`, `done`, `refused` and `failed`.
 */
export type Phase =
  | "queued"
  | "missing"
  | "elsewhere"
  | "running"
  | "pausing"
  | "paused"
  | "canceling"
  | "finishing"
  | "done"
  | "refused"
  | "failed";

/** An upload as it is shown. Every change is a new object. */
export type Upload = {
  id: string;
  kind: string;
  slot: string;
  about: unknown;
  name: string;
  size: number;
  lastModified: number;
  phase: Phase;
  sent: number;
  /** Bytes per second, and seconds; null while unknown. */
  speed: number | null;
  secondsLeft: number | null;
  waiting: Waiting | null;
  /** Of `failed` and `refused`. */
  error: unknown;
  /** Of `done`: what the domain's last step returned. */
  reply: unknown;
};

// Uploads live here, outside React: neither a closed dialog nor another page ends one

const list = createStore<readonly Upload[]>([]);
const watched = createStore<readonly string[]>([]);

export const uploadList = list.get;
export const findUpload = (id: string) => list.get().find((one) => one.id === id);
export const showUpload = (upload: Upload) => list.set([...list.get().filter(({ id }) => id !== upload.id), upload]);
export const changeUpload = (id: string, news: Partial<Upload>) =>
  list.set(list.get().map((one) => (one.id === id ? { ...one, ...news } : one)));
export const hideUpload = (id: string) => list.set(list.get().filter((one) => one.id !== id));
export const hideUploads = () => list.set([]);
export const isWatched = (slot: string) => watched.get().includes(slot);

/** Uploads of a slot, or all of a kind. */
export const useUploads = (of: { slot: string } | { kind: string }) =>
  list.use().filter((one) => ("slot" in of ? one.slot === of.slot : one.kind === of.kind));
/** Slots whose drop area is open. */
export const useWatched = () => watched.use();

/** Says that somebody looks at a slot: its ends need no notice elsewhere. */
export function useWatching(slot: string) {
  useEffect(() => {
    watched.set([...watched.get(), slot]);
    return () => {
      const at = watched.get().indexOf(slot);
      watched.set(watched.get().filter((_, n) => n !== at));
    };
  }, [slot]);
}

/** Trying again with the same file can help. */
export const isRetryable = (error: unknown) => !(error instanceof ApiError) || ![400, 413, 415].includes(error.status);
/** A failure that asks for the file itself. */
export const needsFile = (error: unknown) => isCode(error, "files.unreadable");
