import { cancelUploadOnServer } from "#web/core/upload/cancelUpload.ts";
import {
  dropRun,
  finish,
  isLimitReached,
  protocol,
  runs,
  startQueued,
  storeRun,
  updateRecord,
} from "#web/core/upload/uploadRuns.ts";
import { changeUpload, hideUpload } from "#web/core/upload/uploads.ts";

// What users do with an upload, wherever it is displayed

export const pauseUpload = (id: string) => {
  const run = runs.get(id);
  if (run?.task?.pause()) updateRecord(run, { paused: true });
};

export const resumeUpload = (id: string) => {
  const run = runs.get(id);
  if (!run?.task) return;
  if (isLimitReached(run.record)) {
    // Queues it again; a new task then asks the server for the received bytes.
    run.task.stop();
    run.task = null;
    changeUpload(id, { phase: "queued" });
  } else if (!run.task.resume()) return;
  updateRecord(run, { paused: false });
};

/** Skips the current retry delay. */
export const retryUploadNow = (id: string) => {
  const run = runs.get(id);
  run?.task?.retryNow();
  run?.finish?.retry.retryNow();
};

/** Retries after a failure. */
export function retryUpload(id: string) {
  const run = runs.get(id);
  if (!run) return;
  if (run.record.stage === "finish") return void finish(run);
  changeUpload(id, { phase: "queued", error: null });
  startQueued();
}

/** Cancels an upload in any state, here and on the server. */
export function cancelUpload(id: string) {
  const run = runs.get(id);
  if (!run) return hideUpload(id);
  if (run.task) return void run.task.discard();
  run.finish?.control.abort();
  changeUpload(id, { phase: "canceling", waiting: null });
  const { target, url, stage } = run.record;
  if (!url && stage === "upload") return dropRun(run, true);
  void cancelUploadOnServer(protocol, target.fullPath, url, stage === "finish").then((isServerInformed) =>
    dropRun(run, isServerInformed),
  );
}

/** Continues an upload whose file had to be chosen again. False if it is a different file. */
export function resumeWithFile(id: string, file: File) {
  const run = runs.get(id);
  if (!run || !isSameFile(run.record, file)) return false;
  run.file = file;
  storeRun(run, file);
  changeUpload(id, { phase: "queued" });
  startQueued();
  return true;
}
export const isSameFile = (upload: { name: string; size: number; lastModified: number }, file: File) =>
  upload.name === file.name && upload.size === file.size && upload.lastModified === file.lastModified;

/** Removes a finished upload from the list. */
export const dismissUpload = (id: string) => {
  if (!runs.has(id)) hideUpload(id);
};
