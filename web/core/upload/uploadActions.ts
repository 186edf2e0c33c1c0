import { canceled, finish, isFull, keep, note, pump, runs, wire } from "#web/core/upload/uploadRuns.ts";
import { changeUpload, hideUpload } from "#web/core/upload/uploads.ts";
import { endUpload } from "#web/core/upload/uploadTask.ts";

// What people do with an upload, wherever it is shown

export const pauseUpload = (id: string) => {
  const run = runs.get(id);
  if (run?.task?.pause()) note(run, { paused: true });
};

export const resumeUpload = (id: string) => {
  const run = runs.get(id);
  if (!run?.task) return;
  if (isFull(run.held)) {
    // It takes its place in the line again; what the server has is asked for when it is its turn.
    run.task.stop();
    run.task = null;
    changeUpload(id, { phase: "queued" });
  } else if (!run.task.resume()) return;
  note(run, { paused: false });
};

/** Try now instead of waiting. */
export const hurryUpload = (id: string) => {
  const run = runs.get(id);
  run?.task?.wake();
  run?.finish?.patience.wake();
};

/** Another try after a failure. */
export function retryUpload(id: string) {
  const run = runs.get(id);
  if (!run) return;
  if (run.held.stage === "finish") return void finish(run);
  changeUpload(id, { phase: "queued", error: null });
  pump();
}

/** Gives up an upload in whatever state it is, here and on the server. */
export function cancelUpload(id: string) {
  const run = runs.get(id);
  if (!run) return hideUpload(id);
  if (run.task) return void run.task.discard();
  run.finish?.control.abort();
  changeUpload(id, { phase: "canceling", waiting: null });
  const { target, url, stage } = run.held;
  if (!url && stage === "upload") return canceled(run, true);
  void endUpload(wire, target.path, url, stage === "finish").then((ended) => canceled(run, ended));
}

/** The file of an upload that lost its bytes. False when it is another one. */
export function giveFile(id: string, file: File) {
  const run = runs.get(id);
  if (!run || !isSameFile(run.held, file)) return false;
  run.file = file;
  keep(run, file);
  changeUpload(id, { phase: "queued" });
  pump();
  return true;
}
export const isSameFile = (one: { name: string; size: number; lastModified: number }, file: File) =>
  one.name === file.name && one.size === file.size && one.lastModified === file.lastModified;

/** Takes what came of an upload off the list. */
export const dismissUpload = (id: string) => {
  if (!runs.has(id)) hideUpload(id);
};
