import { kindOf } from "#web/core/upload/uploadHandlers.ts";
import { ApiError, networkError } from "#web/core/http/http.ts";
import { createRetryBackoff, type RetryBackoff } from "#web/core/upload/retryBackoff.ts";
import { randomToken } from "#web/core/random.ts";
import { createXhrTransport } from "#web/core/upload/transportXhr.ts";
import { createSpeed } from "#web/core/upload/speed.ts";
import { acquireTabLock } from "#web/core/storage/tabLock.ts";
import { deleteUpload, storeFile, readFile, storeUpload, type StoredUpload } from "#web/core/upload/uploadStore.ts";
import { uploadPathFor } from "#web/core/upload/uploadSource.ts";
import {
  changeUpload,
  findUpload,
  hideUpload,
  isRetryable,
  isWatched,
  needsFile,
  type Phase,
  type UploadDestination,
  showUpload,
  uploadList,
} from "#web/core/upload/uploads.ts";
import { createTask, type Task, type TaskSnapshot } from "#web/core/upload/uploadTask.ts";
import { createUploadProtocol } from "#web/core/upload/uploadProtocol.ts";

// Runs uploads: one task per upload, with a limit on parallel uploads of a kind

export type Run = {
  record: StoredUpload;
  file: File | null;
  /** Whether the bytes are stored and survive a reload. */
  isFileStored: boolean;
  task: Task | null;
  /** While the handler of the domain runs. */
  finish: { control: AbortController; retry: RetryBackoff } | null;
  control: AbortController;
  /** Releases the tab lock. */
  release: () => void;
};

export const protocol = createUploadProtocol(createXhrTransport());
export const runs = new Map<string, Run>();
let userId: string | null = null;
/** The user whose uploads run here. */
export const currentUserId = () => userId;
export const setCurrentUserId = (id: string | null) => {
  userId = id;
};

export const lockOf = (id: string) => `lyceum-upload-${id}`;
/** Changes the stored record of an upload. */
export const updateRecord = (run: Run, changes: Partial<StoredUpload>) => {
  Object.assign(run.record, changes);
  if (run.record.userId && runs.has(run.record.id)) void storeUpload({ ...run.record });
};
const showQueued = ({ id, kind, slot, about, name, size, lastModified, sent }: StoredUpload, phase: Phase) =>
  showUpload({
    id,
    kind,
    slot,
    about,
    name,
    size,
    lastModified,
    sent,
    phase,
    speed: null,
    secondsLeft: null,
    waiting: null,
    error: null,
    reply: null,
  });

export function createRun(record: StoredUpload, phase: Phase, file: File | null = null, release = () => {}): Run {
  const run: Run = {
    record,
    file,
    isFileStored: false,
    task: null,
    finish: null,
    control: new AbortController(),
    release,
  };
  runs.set(record.id, run);
  showQueued(record, phase);
  return run;
}

/** Adds uploads. They continue when the component that added them unmounts. */
export function addUploads(
  { kind, slot, about, purpose, companyId, visibility }: UploadDestination,
  files: readonly File[],
) {
  for (const file of files) {
    const id = randomToken();
    const { name, size, lastModified } = file;
    const target = {
      fullPath: uploadPathFor(purpose, name, id),
      contentType: file.type || "application/octet-stream",
      customMetadata: { purpose, ...(companyId && { companyId }), ...(visibility && { visibility }) },
    };
    const run = createRun(
      {
        id,
        userId: currentUserId() ?? "",
        kind,
        slot,
        about,
        target,
        name,
        size,
        lastModified,
        url: null,
        sent: 0,
        paused: false,
        stage: "upload",
        at: Date.now(),
      },
      "queued",
      file,
    );
    void acquireTabLock(lockOf(id)).then((release) => {
      if (!runs.has(id)) return release?.();
      if (release) run.release = release;
      storeRun(run, file);
    });
  }
  startQueued();
}

/** Stores an upload, with its bytes if there is space. */
export function storeRun(run: Run, file: File) {
  updateRecord(run, {});
  void storeFile(run.record.id, file).then((isStored) => {
    run.isFileStored = isStored;
  });
}

/** Whether the limit of parallel uploads of the kind is reached by others. */
export const isLimitReached = ({ id, kind }: { id: string; kind: string }) =>
  uploadList().filter(
    (upload) => upload.id !== id && upload.kind === kind && ["running", "pausing", "canceling"].includes(upload.phase),
  ).length >= kindOf(kind).atOnce;

/** Starts queued uploads, oldest first, within the limits. */
export function startQueued() {
  for (const run of [...runs.values()].toSorted((a, b) => a.record.at - b.record.at)) {
    if (findUpload(run.record.id)?.phase === "queued" && !isLimitReached(run.record)) start(run);
  }
}

export function start(run: Run) {
  const { record, file } = run;
  if (!file) return changeUpload(record.id, { phase: "missing" });
  const speed = createSpeed();
  const onChange = (snapshot: TaskSnapshot) => {
    if (snapshot.state === "success") return void finish(run);
    if (snapshot.state === "canceled") return dropRun(run, snapshot.isServerInformed);
    if (snapshot.state === "error") return failed(run, snapshot.error);
    const isMoving = snapshot.state === "running" && !snapshot.waiting;
    if (!isMoving) speed.reset();
    const rate = isMoving ? speed.add(snapshot.sent, performance.now() / 1000) : null;
    changeUpload(record.id, {
      phase: snapshot.state,
      sent: snapshot.sent,
      waiting: snapshot.waiting,
      speed: rate,
      secondsLeft: rate ? (record.size - snapshot.sent) / rate : null,
    });
  };
  run.task = createTask({
    file,
    target: record.target,
    protocol,
    paused: record.paused,
    session: record.url ? { url: record.url, sent: record.sent } : null,
    onChange,
    onSession: (session) => updateRecord(run, { url: session?.url ?? null, sent: session?.sent ?? 0 }),
  });
  changeUpload(record.id, { phase: record.paused ? "paused" : "running", error: null, waiting: null });
}

/** All bytes are stored: runs the handler of the domain, with retries. */
export async function finish(run: Run) {
  const { record } = run;
  const control = new AbortController();
  const retry = createRetryBackoff({ onWaiting: (waiting) => changeUpload(record.id, { waiting }) });
  run.task = null;
  run.finish = { control, retry };
  updateRecord(run, { stage: "finish", sent: record.size });
  changeUpload(record.id, {
    phase: "finishing",
    sent: record.size,
    speed: null,
    secondsLeft: null,
    waiting: null,
    error: null,
  });
  startQueued();
  for (;;) {
    try {
      const reply = await runHandler(record, control.signal);
      if (!control.signal.aborted) end(run, "done", { reply: reply ?? null });
      return;
    } catch (error) {
      try {
        await retry.waitAfter(error, control.signal);
      } catch (final) {
        if (control.signal.aborted) return;
        return isRefusal(final) ? end(run, "refused", { error: final }) : failed(run, final);
      }
    }
  }
}

async function runHandler({ kind, target, name, about }: StoredUpload, signal: AbortSignal) {
  const { load } = kindOf(kind);
  if (!load) return null;
  // The code of the handler is fetched over the same network, so a failure counts as "no answer".
  const { uploadHandler } = await load().catch(() => {
    throw networkError();
  });
  return uploadHandler.finish({ fullPath: target.fullPath, name, about }, signal);
}

const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);

/** Ends an upload. Its result stays in the list until it is dismissed. */
function end(run: Run, phase: "done" | "refused" | "failed", result: { reply?: unknown; error?: unknown }) {
  const { id } = run.record;
  runs.delete(id);
  run.release();
  void deleteUpload(id);
  showResult(id, phase, result);
}

function failed(run: Run, error: unknown) {
  run.task = null;
  run.finish = null;
  if (needsFile(error)) return void findFileAgain(run);
  if (!isRetryable(error)) return end(run, "failed", { error });
  showResult(run.record.id, "failed", { error });
}

/** The file can no longer be read from disk: continues with its stored copy, or asks the user to choose it again. */
async function findFileAgain(run: Run) {
  const { id } = run.record;
  changeUpload(id, { phase: "missing", speed: null, secondsLeft: null, waiting: null });
  run.file = (run.isFileStored && (await readFile(id))) || null;
  run.isFileStored = false;
  if (run.file && runs.get(id) === run) changeUpload(id, { phase: "queued" });
  startQueued();
}

function showResult(id: string, phase: Phase, result: { reply?: unknown; error?: unknown }) {
  changeUpload(id, { ...result, phase, speed: null, secondsLeft: null, waiting: null });
  startQueued();
  const upload = findUpload(id);
  if (upload && !isWatched(upload.slot))
    void kindOf(upload.kind)
      .load?.()
      .then(
        ({ uploadHandler }) => uploadHandler.announce(upload),
        () => {},
      );
}

/** Removes a cancelled upload. If the server could not be reached, it is cancelled there after the next reload. */
export function dropRun(run: Run, isServerInformed: boolean) {
  const { id } = run.record;
  hideUpload(id);
  if (isServerInformed) void deleteUpload(id);
  else void deleteUpload(id).then(() => run.record.userId && storeUpload({ ...run.record, stage: "dropped" }));
  runs.delete(id);
  run.release();
  startQueued();
}
