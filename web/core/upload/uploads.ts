import { useEffect } from "react";
import { createStore } from "#web/core/store.ts";
import { ApiError, isCode } from "#web/core/http/http.ts";
import type { Waiting } from "#web/core/upload/retryBackoff.ts";
import type { FilePurpose, FileVisibility } from "#shared/files/files.ts";

/** Where uploads belong: each drop area or dialog is a slot and shows its uploads. */
export type UploadDestination = {
  /** Selects the handler of stored files and the number of parallel uploads (`uploadHandlers.ts`). */
  kind: string;
  slot: string;
  purpose: FilePurpose;
  companyId?: string;
  visibility?: FileVisibility;
  /** Data for the handler of the domain; must be structured-cloneable, because it is stored in IndexedDB. */
  about?: unknown;
};

/**
 * Before the upload task: `queued`, `missing` (the file has to be chosen again), `elsewhere` (another tab runs it).
 * `running` to `canceling` are states of the task. After it: `finishing` (the handler runs), `done`, `refused` and
 * `failed`.
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

/** An upload as displayed. Immutable: every change creates a new object. */
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
  /** Of `done`: the result of the handler. */
  reply: unknown;
};

// The list of uploads lives outside React, so that closing a dialog or changing the page does not end an upload.

const list = createStore<readonly Upload[]>([]);
const watched = createStore<readonly string[]>([]);

export const uploadList = list.get;
export const findUpload = (id: string) => list.get().find((upload) => upload.id === id);
export const showUpload = (upload: Upload) => list.set([...list.get().filter(({ id }) => id !== upload.id), upload]);
export const changeUpload = (id: string, changes: Partial<Upload>) =>
  list.set(list.get().map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
export const hideUpload = (id: string) => list.set(list.get().filter((upload) => upload.id !== id));
export const hideUploads = () => list.set([]);
export const isWatched = (slot: string) => watched.get().includes(slot);

/** Uploads of a slot, or all of a kind. */
export const useUploads = (by: { slot: string } | { kind: string }) =>
  list.use().filter((upload) => ("slot" in by ? upload.slot === by.slot : upload.kind === by.kind));
/** Slots whose drop area is visible. */
export const useWatched = () => watched.use();

/** Marks a slot as visible while the component is mounted; its uploads are then not announced elsewhere. */
export function useWatching(slot: string) {
  useEffect(() => {
    watched.set([...watched.get(), slot]);
    return () => {
      const at = watched.get().indexOf(slot);
      watched.set(watched.get().filter((_, n) => n !== at));
    };
  }, [slot]);
}

/** Whether retrying with the same file can succeed. */
export const isRetryable = (error: unknown) => !(error instanceof ApiError) || ![400, 413, 415].includes(error.status);
/** Whether the file itself has to be chosen again. */
export const needsFile = (error: unknown) => isCode(error, "files.unreadable");
