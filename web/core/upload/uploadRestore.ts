import { acquireTabLock } from "#web/core/storage/tabLock.ts";
import { onUserChange } from "#web/core/session/session.tsx";
import { cancelUploadOnServer } from "#web/core/upload/cancelUpload.ts";
import {
  createRun,
  currentUserId,
  finish,
  lockOf,
  protocol,
  runs,
  setCurrentUserId,
  start,
  startQueued,
} from "#web/core/upload/uploadRuns.ts";
import {
  deleteUpload,
  deleteUploadsOf,
  readFile,
  readUpload,
  readUploads,
  type StoredUpload,
} from "#web/core/upload/uploadStore.ts";
import { changeUpload, hideUpload, hideUploads } from "#web/core/upload/uploads.ts";

// Uploads across reloads, sign-in and sign-out

/** Continues the uploads that this user started in this browser. */
export async function restoreUploads(userId: string) {
  if (currentUserId() === userId) return;
  setCurrentUserId(userId);
  for (const record of await readUploads(userId)) {
    if (currentUserId() !== userId) return;
    if (runs.has(record.id)) continue;
    if (record.stage === "dropped") void cancelOnServer(record);
    else void restoreUpload(record);
  }
}

async function restoreUpload(record: StoredUpload) {
  const run = createRun(record, "elsewhere");
  const { id } = record;
  const release =
    (await acquireTabLock(lockOf(id))) ?? (await acquireTabLock(lockOf(id), { wait: run.control.signal }));
  if (!release) return;
  // Another tab may have continued or finished it.
  const current = await readUpload(id);
  if (runs.get(id) !== run || !current) {
    release();
    if (runs.get(id) === run) {
      runs.delete(id);
      hideUpload(id);
    }
    return;
  }
  Object.assign(run, { release, record: current });
  if (current.stage === "finish") return finish(run);
  const file = await readFile(id);
  if (runs.get(id) !== run) return;
  Object.assign(run, { file: file ?? null, isFileStored: file !== undefined });
  changeUpload(id, { phase: file ? "queued" : "missing", sent: current.sent });
  if (file && current.paused) start(run);
  startQueued();
}

async function cancelOnServer({ id, target, url }: StoredUpload) {
  if (await cancelUploadOnServer(protocol, target.fullPath, url, true)) await deleteUpload(id);
}

/** Stops all uploads when the user changes. After a sign-out, nothing of them stays in this browser. */
function stopUploads(hasSignedOut: boolean) {
  for (const run of runs.values()) {
    run.task?.stop();
    run.finish?.control.abort();
    run.control.abort();
    run.release();
  }
  runs.clear();
  hideUploads();
  const userId = currentUserId();
  if (hasSignedOut && userId) void deleteUploadsOf(userId);
  setCurrentUserId(null);
}
onUserChange(stopUploads);

// Warns before a reload that would lose bytes.
globalThis.addEventListener?.("beforeunload", (event) => {
  const wouldLoseBytes = [...runs.values()].some(
    ({ isFileStored, task }) => !isFileStored && task && ["running", "pausing"].includes(task.snapshot().state),
  );
  if (wouldLoseBytes) event.preventDefault();
});
