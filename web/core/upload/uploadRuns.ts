import { kindOf } from "#web/core/upload/uploadHandlers.ts";
import { ApiError, networkError } from "#web/core/api/http.ts";
import { createRetryBackoff, type RetryBackoff } from "#web/core/upload/retryBackoff.ts";
import { randomToken } from "#web/core/random.ts";
import { sendXhr } from "#web/core/upload/transportXhr.ts";
import { onUserChange } from "#web/core/session/session.tsx";
import { createSpeed } from "#web/core/upload/speed.ts";
import { acquireTabLock } from "#web/core/session/tabLock.ts";
import {
  forgetPerson,
  forgetUpload,
  keepFile,
  readFile,
  readRemembered,
  readUploads,
  remember,
  type Remembered,
} from "#web/core/upload/uploadStore.ts";
import { pathFor } from "#web/core/upload/uploadSource.ts";
import {
  changeUpload,
  findUpload,
  hideUpload,
  hideUploads,
  isRetryable,
  isWatched,
  needsFile,
  type Phase,
  type Place,
  showUpload,
  uploadList,
} from "#web/core/upload/uploads.ts";
import { createTask, endUpload, type Task, type TaskFacts } from "#web/core/upload/uploadTask.ts";
import { createUploadProtocol } from "#web/core/upload/uploadProtocol.ts";

// Runs uploads: one task each, in turn where a kind wants that, and on after a reload

export type Run = {
  held: Remembered;
  file: File | null;
  /** Whether the bytes outlive a reload. */
  kept: boolean;
  task: Task | null;
  /** Of the domain's last step. */
  finish: { control: AbortController; patience: RetryBackoff } | null;
  control: AbortController;
  release: () => void;
};

export const wire = createUploadProtocol(sendXhr);
export const runs = new Map<string, Run>();
let person: string | null = null;

const lockOf = (id: string) => `lyceum-upload-${id}`;
/** Changes what is remembered of an upload. */
export const note = (run: Run, news: Partial<Remembered>) => {
  Object.assign(run.held, news);
  if (run.held.userId && runs.has(run.held.id)) void remember({ ...run.held });
};
const shown = ({ id, kind, slot, about, name, size, lastModified, sent }: Remembered, phase: Phase) =>
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

function create(held: Remembered, phase: Phase, file: File | null = null, release = () => {}): Run {
  const run: Run = { held, file, kept: false, task: null, finish: null, control: new AbortController(), release };
  runs.set(held.id, run);
  shown(held, phase);
  return run;
}

/** Takes files in. They go in turn where the kind wants that, and outlive the component that shows them. */
export function addUploads({ kind, slot, about, purpose, companyId, visibility }: Place, files: readonly File[]) {
  for (const file of files) {
    const id = randomToken();
    const { name, size, lastModified } = file;
    const metadata = { purpose, ...(companyId && { companyId }), ...(visibility && { visibility }) };
    const target = { path: pathFor(purpose, name, id), contentType: file.type || "application/octet-stream", metadata };
    const run = create(
      {
        id,
        userId: person ?? "",
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
      keep(run, file);
    });
  }
  pump();
}

/** Writes an upload down, bytes included if there is room. */
export function keep(run: Run, file: File) {
  note(run, {});
  void keepFile(run.held.id, file).then((kept) => {
    run.kept = kept;
  });
}

/** Others of its kind take all the places. */
export const isFull = ({ id, kind }: { id: string; kind: string }) =>
  uploadList().filter(
    (one) => one.id !== id && one.kind === kind && ["running", "pausing", "canceling"].includes(one.phase),
  ).length >= kindOf(kind).atOnce;

/** Starts what waits for its turn, oldest first. */
export function pump() {
  for (const run of [...runs.values()].toSorted((a, b) => a.held.at - b.held.at)) {
    if (findUpload(run.held.id)?.phase === "queued" && !isFull(run.held)) start(run);
  }
}

function start(run: Run) {
  const { held, file } = run;
  if (!file) return changeUpload(held.id, { phase: "missing" });
  const speed = createSpeed();
  const onChange = (facts: TaskFacts) => {
    if (facts.state === "success") return void finish(run);
    if (facts.state === "canceled") return canceled(run, facts.ended);
    if (facts.state === "error") return failed(run, facts.error);
    const moving = facts.state === "running" && !facts.waiting;
    if (!moving) speed.reset();
    const rate = moving ? speed.note(facts.sent, performance.now() / 1000) : null;
    changeUpload(held.id, {
      phase: facts.state,
      sent: facts.sent,
      waiting: facts.waiting,
      speed: rate,
      secondsLeft: rate ? (held.size - facts.sent) / rate : null,
    });
  };
  run.task = createTask({
    file,
    target: held.target,
    wire,
    paused: held.paused,
    session: held.url ? { url: held.url, sent: held.sent } : null,
    onChange,
    onSession: (session) => note(run, { url: session?.url ?? null, sent: session?.sent ?? 0 }),
  });
  changeUpload(held.id, { phase: held.paused ? "paused" : "running", error: null, waiting: null });
}

/** All bytes are stored: the domain goes on, and is asked again while no answer comes. */
export async function finish(run: Run) {
  const { held } = run;
  const control = new AbortController();
  const patience = createRetryBackoff({ onWaiting: (waiting) => changeUpload(held.id, { waiting }) });
  run.task = null;
  run.finish = { control, patience };
  note(run, { stage: "finish", sent: held.size });
  changeUpload(held.id, {
    phase: "finishing",
    sent: held.size,
    speed: null,
    secondsLeft: null,
    waiting: null,
    error: null,
  });
  pump();
  const { load } = kindOf(held.kind);
  for (;;) {
    try {
      const finisher =
        load &&
        (
          await load().catch(() => {
            throw networkError();
          })
        ).finisher;
      const reply = await finisher?.finish(
        { path: held.target.path, name: held.name, about: held.about },
        control.signal,
      );
      if (!control.signal.aborted) end(run, "done", { reply: reply ?? null });
      return;
    } catch (error) {
      try {
        await patience.after(error, control.signal);
      } catch (final) {
        if (control.signal.aborted) return;
        const refused =
          final instanceof ApiError &&
          final.status >= 400 &&
          final.status < 500 &&
          ![401, 408, 429].includes(final.status);
        return refused ? end(run, "refused", { error: final }) : failed(run, final);
      }
    }
  }
}

/** It needs nothing any more; what came of it is shown until somebody has seen it. */
function end(run: Run, phase: "done" | "refused" | "failed", news: { reply?: unknown; error?: unknown }) {
  const { id } = run.held;
  runs.delete(id);
  run.release();
  void forgetUpload(id);
  tell(id, phase, news);
}

function failed(run: Run, error: unknown) {
  run.task = null;
  run.finish = null;
  if (needsFile(error)) return void seekFile(run);
  if (!isRetryable(error)) return end(run, "failed", { error });
  tell(run.held.id, "failed", { error });
}

/** The file on the disk cannot be read any more: its copy goes on, or the person has to choose it again. */
async function seekFile(run: Run) {
  const { id } = run.held;
  changeUpload(id, { phase: "missing", speed: null, secondsLeft: null, waiting: null });
  run.file = (run.kept && (await readFile(id))) || null;
  run.kept = false;
  if (run.file && runs.get(id) === run) changeUpload(id, { phase: "queued" });
  pump();
}

function tell(id: string, phase: Phase, news: { reply?: unknown; error?: unknown }) {
  changeUpload(id, { ...news, phase, speed: null, secondsLeft: null, waiting: null });
  pump();
  const upload = findUpload(id);
  if (upload && !isWatched(upload.slot))
    void kindOf(upload.kind)
      .load?.()
      .then(
        ({ finisher }) => finisher.announce(upload),
        () => {},
      );
}

/** It is gone here; a server that could not be told is told after the next reload. */
export function canceled(run: Run, ended: boolean) {
  const { id } = run.held;
  hideUpload(id);
  if (ended) void forgetUpload(id);
  else void forgetUpload(id).then(() => run.held.userId && remember({ ...run.held, stage: "dropped" }));
  runs.delete(id);
  run.release();
  pump();
}

// Reload, sign-in, sign-out

/** Goes on with the uploads that this person began here before. */
export async function wakeUploads(userId: string) {
  if (person === userId) return;
  person = userId;
  for (const held of await readUploads(userId)) {
    if (person !== userId) return;
    if (runs.has(held.id)) continue;
    if (held.stage === "dropped") void tellDropped(held);
    else void adopt(held);
  }
}

async function adopt(held: Remembered) {
  const run = create(held, "elsewhere");
  const { id } = held;
  const release =
    (await acquireTabLock(lockOf(id))) ?? (await acquireTabLock(lockOf(id), { wait: run.control.signal }));
  if (!release) return;
  // Another tab may have gone on with it, or brought it to its end.
  const now = await readRemembered(id);
  if (runs.get(id) !== run || !now) {
    release();
    if (runs.get(id) === run) {
      runs.delete(id);
      hideUpload(id);
    }
    return;
  }
  Object.assign(run, { release, held: now });
  if (now.stage === "finish") return finish(run);
  const file = await readFile(id);
  if (runs.get(id) !== run) return;
  Object.assign(run, { file: file ?? null, kept: file !== undefined });
  changeUpload(id, { phase: file ? "queued" : "missing", sent: now.sent });
  if (file && now.paused) start(run);
  pump();
}

async function tellDropped({ id, target, url }: Remembered) {
  if (await endUpload(wire, target.path, url, true)) await forgetUpload(id);
}

/** The person has changed. Uploads stop; after a sign-out nothing of them stays in this browser. */
function forgetUploads(left: boolean) {
  for (const run of runs.values()) {
    run.task?.stop();
    run.finish?.control.abort();
    run.control.abort();
    run.release();
  }
  runs.clear();
  hideUploads();
  if (left && person) void forgetPerson(person);
  person = null;
}
onUserChange(forgetUploads);

// A reload that would lose bytes is asked about; one that would not goes through.
globalThis.addEventListener?.("beforeunload", (event) => {
  const losing = [...runs.values()].some(
    ({ kept, task }) => !kept && task && ["running", "pausing"].includes(task.facts().state),
  );
  if (losing) event.preventDefault();
});
