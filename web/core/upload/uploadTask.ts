import { ApiError, isCode, isStatus } from "#web/core/api/http.ts";
import { createRetryBackoff, type Waiting } from "#web/core/upload/retryBackoff.ts";
import type { Target, UploadProtocol } from "#web/core/upload/uploadProtocol.ts";
import { FIRST_CHUNK, LARGEST_CHUNK, RESUMABLE_ABOVE, type StoredObject, type TaskState } from "#shared/files.ts";

export type TaskFacts = {
  state: TaskState;
  /** Bytes that have left; those of a running request included. */
  sent: number;
  waiting: Waiting | null;
  /** Of state `error`; what `messageOf` takes. */
  error: unknown;
  /** Of state `success`. */
  object: StoredObject | null;
  /** Of state `canceled`: whether the server has forgotten the upload too. */
  ended: boolean;
};
type Options = {
  file: Blob;
  target: Target;
  wire: UploadProtocol;
  /** Go on with an upload that was begun before: its address, and how much the server had. */
  session?: { url: string; sent: number } | null;
  /** Wait for `resume`. */
  paused?: boolean;
  onChange?: (facts: TaskFacts) => void;
  /** The address of the upload and the bytes that are safe on the server; null when a new one has to be opened. */
  onSession?: (session: { url: string; sent: number } | null) => void;
  pauseMs?: (failures: number) => number;
};
export type Task = ReturnType<typeof createTask>;

/** Where each state may go (spec section 4). */
export const moves: Record<TaskState, readonly TaskState[]> = {
  running: ["pausing", "canceling", "success", "error"],
  pausing: ["paused", "running", "canceling", "success"],
  paused: ["running"],
  canceling: ["canceled"],
  canceled: [],
  success: [],
  error: [],
};
/** Chunks double up to 32 MiB, or to what a proxy on the way lets through. */
export const nextChunk = (size: number, limit = LARGEST_CHUNK) => Math.min(size * 2, limit);
/** A server that does not answer a cancel is not waited for, in ms. */
const CANCEL_MS = 10_000;

/**
 * Brings one file to the server: in one request up to 256 KiB, resumable above. Every failure that may pass is tried again;
 * after each the server is asked what it has. Starts by itself.
 */
export function createTask({
  file,
  target,
  wire,
  session = null,
  paused = false,
  onChange,
  onSession,
  pauseMs,
}: Options) {
  const total = file.size;
  let facts: TaskFacts = {
    state: paused ? "paused" : "running",
    sent: session?.sent ?? 0,
    waiting: null,
    error: null,
    object: null,
    ended: true,
  };
  let url = session?.url ?? null;
  let offset = session?.sent ?? 0;
  let best = offset;
  /** Whether `offset` is what the server has. */
  let sure = false;
  let size = FIRST_CHUNK;
  let limit = LARGEST_CHUNK;
  let fell = 0;
  let restarted = false;
  let misplaced = 0;
  let stopped = false;
  let control = new AbortController();

  const tell = (news: Partial<TaskFacts>) => {
    facts = { ...facts, ...news };
    if (!stopped) onChange?.(facts);
  };
  const move = (state: TaskState, news: Partial<TaskFacts> = {}) => {
    if (!moves[facts.state].includes(state)) return false;
    tell({ waiting: null, ...news, state });
    return true;
  };
  const is = (...states: TaskState[]) => states.includes(facts.state);
  const patience = createRetryBackoff({ onWaiting: (waiting) => tell({ waiting }), ...(pauseMs && { pauseMs }) });
  const onProgress = (bytes: number) => tell({ sent: Math.min(total, offset + bytes) });
  const arrived = (bytes: number) => {
    offset = Math.min(total, bytes);
    sure = true;
    if (offset > best) {
      patience.calm();
      misplaced = 0;
    }
    best = Math.max(best, offset);
    tell({ sent: offset });
    if (url) onSession?.({ url, sent: offset });
  };

  /** One request. Returns the object when that was the last one. */
  const step = async (signal: AbortSignal): Promise<StoredObject | null> => {
    if (total <= RESUMABLE_ABOVE) return wire.whole(target, file, { signal, onProgress });
    if (!url) {
      url = await wire.start(target, total, signal);
      arrived(0);
      return null;
    }
    if (!sure) {
      const { status, received } = await wire.query(url, signal);
      if (status === "final") return wire.read(target.path, signal);
      if (status === "cancelled") throw gone();
      arrived(received);
      return null;
    }
    const end = Math.min(total, offset + size);
    const answer = await wire.chunk(url, file.slice(offset, end), { offset, last: end === total, signal, onProgress });
    if (answer.object) return answer.object;
    arrived(answer.received);
    if (size >= fell) fell = 0;
    size = nextChunk(size, limit);
    return null;
  };

  const handle = async (error: unknown, signal: AbortSignal) => {
    if (isGone(error) && !restarted) {
      restarted = true;
      url = null;
      offset = best = 0;
      onSession?.(null);
      return;
    }
    // Bytes of a request that was cut were still on their way when the server was asked what it has: ask again.
    if (isCode(error, "files.wrongOffset") && misplaced++ < 3) return;
    if (isStatus(error, 0))
      await file
        .slice(offset, offset + 1)
        .arrayBuffer()
        .catch(() => {
          throw unreadable();
        });
    await patience.after(error, signal);
  };

  /** What came in before a pause is on the server: it counts, here and after a reload. */
  const learn = async () => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (!url || !is("paused")) return;
    const known = await wire.query(url, AbortSignal.timeout(CANCEL_MS)).catch(() => null);
    if (known?.status === "active" && is("paused") && !stopped) arrived(known.received);
  };

  const run = async () => {
    await Promise.resolve();
    while (is("running") && !stopped) {
      control = new AbortController();
      const { signal } = control;
      const tried = size;
      try {
        const object = await step(signal);
        if (object && move("success", { object, sent: total })) return;
      } catch (error) {
        const chunked = sure;
        sure = false;
        size = FIRST_CHUNK;
        if (signal.aborted || stopped) continue;
        // A proxy that takes only small bodies says so, or hangs up on the same size again and again.
        const tooMuch =
          chunked &&
          tried > FIRST_CHUNK &&
          ((isStatus(error, 413) && isCode(error, "core.internal")) || (isStatus(error, 0) && fell === tried));
        if (tooMuch) limit = Math.max(FIRST_CHUNK, tried / 2);
        if (chunked) fell = tried;
        if (tooMuch && isStatus(error, 413)) continue;
        await handle(error, signal).catch((final: unknown) => {
          if (!signal.aborted) move("error", { error: final });
        });
      }
    }
    if (stopped) return;
    if (move("paused")) return void learn();
    if (is("canceling")) move("canceled", { ended: await endUpload(wire, target.path, url, facts.sent >= total) });
  };

  const cancel = () => {
    const may = move("canceling");
    if (may) control.abort();
    return may;
  };
  const resume = () => {
    const fresh = is("paused");
    const may = (fresh || is("pausing")) && move("running");
    if (may) size = FIRST_CHUNK;
    if (may && fresh) void run();
    return may;
  };
  if (!paused) void run();
  return {
    facts: () => facts,
    /** From running. False when that is not possible now; the same below. */
    pause() {
      const may = move("pausing");
      if (may) control.abort();
      return may;
    },
    /** From paused or pausing. */
    resume,
    /** From running or pausing. Ends the upload on the server too. */
    cancel,
    /** Cancel that also works when it is paused. */
    discard() {
      resume();
      return cancel();
    },
    /** Try now instead of waiting. */
    wake: () => patience.wake(),
    /** Falls silent, as if the page were closed: what the server has stays there. */
    stop() {
      stopped = true;
      control.abort();
    },
  };
}

/** Ends an upload on the server, and takes away what came in too late to be stopped. False when the server could not be told. */
export async function endUpload(
  wire: UploadProtocol,
  path: string,
  url: string | null,
  mayBeThere: boolean,
): Promise<boolean> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  try {
    if (url) await wire.cancel(url, signal);
    if (mayBeThere) await wire.remove(path, signal);
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401;
  }
}

const isGone = (error: unknown) => isCode(error, "files.uploadGone") || isCode(error, "files.uploadEnded");
const gone = () => new ApiError(404, { code: "files.uploadGone", error: "The server has forgotten this upload." });
/** The file was moved, changed or deleted while its bytes were read. */
const unreadable = () => new ApiError(400, { code: "files.unreadable", error: "The file cannot be read any more." });
