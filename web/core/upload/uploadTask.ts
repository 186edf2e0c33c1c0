import { ApiError, isCode, isStatus } from "#web/core/http/http.ts";
import { cancelUploadOnServer } from "#web/core/upload/cancelUpload.ts";
import { backoff, createRetryBackoff, type Waiting } from "#web/core/upload/retryBackoff.ts";
import type { Target, UploadProtocol } from "#web/core/upload/uploadProtocol.ts";
import { type Source, toFile } from "#web/core/upload/uploadSource.ts";
import {
  type FileMetadata,
  fileNameOf,
  FIRST_CHUNK,
  LARGEST_CHUNK,
  RESUMABLE_ABOVE,
  type TaskState,
  type UploadTimes,
  uploadTimes,
} from "#shared/files/files.ts";

export type TaskSnapshot = {
  state: TaskState;
  /** Bytes sent, including those of the running request. */
  sent: number;
  waiting: Waiting | null;
  /** Of state `error`; an argument for `messageOf`. */
  error: unknown;
  /** Of state `success`. */
  stored: FileMetadata | null;
  /** Of state `canceled`: whether the upload was cancelled on the server, too. */
  isServerInformed: boolean;
};
type Options = {
  /** Bytes, or text in a format of `shared/core/encoding.ts`. */
  file: Source;
  target: Target;
  protocol: UploadProtocol;
  /** Continues an earlier upload: its URL, and the bytes that the server had received. */
  session?: { url: string; sent: number } | null;
  /** Starts paused, until `resume`. */
  paused?: boolean;
  onChange?: (snapshot: TaskSnapshot) => void;
  /** Called with the URL of the upload and the bytes stored on the server; null if the upload has to start again. */
  onSession?: (session: { url: string; sent: number } | null) => void;
  /** Time settings; negative ones are refused. */
  times?: Partial<UploadTimes>;
  pauseMs?: (failures: number) => number;
};
export type Task = ReturnType<typeof createTask>;

/** The allowed transitions between states. */
export const transitions: Record<TaskState, readonly TaskState[]> = {
  running: ["pausing", "canceling", "success", "error"],
  pausing: ["paused", "running", "canceling", "success"],
  paused: ["running"],
  canceling: ["canceled"],
  canceled: [],
  success: [],
  error: [],
};
/** Chunks double up to 32 MiB, or up to the body size that a proxy accepts. */
export const nextChunk = (size: number, limit = LARGEST_CHUNK) => Math.min(size * 2, limit);
/**
 * Uploads a file: in one request up to 256 KiB, resumable above. Transient failures are retried; after each, the server
 * is asked how many bytes it has received. Starts immediately unless `paused`. Throws `EncodingError` for a text that
 * is not valid in its format, and `ZodError` for a negative time setting.
 */
export function createTask({
  file: source,
  target,
  protocol,
  session = null,
  paused = false,
  onChange,
  onSession,
  times = {},
  pauseMs,
}: Options) {
  const { longestBackoffMs, cancelTimeoutMs } = uploadTimes.parse(times);
  const file = source instanceof Blob ? source : toFile(source, fileNameOf(target.fullPath));
  const total = file.size;
  let snapshot: TaskSnapshot = {
    state: paused ? "paused" : "running",
    sent: session?.sent ?? 0,
    waiting: null,
    error: null,
    stored: null,
    isServerInformed: true,
  };
  let url = session?.url ?? null;
  let offset = session?.sent ?? 0;
  let highestOffset = offset;
  /** Whether the server has confirmed `offset`. */
  let isOffsetConfirmed = false;
  let chunkSize = FIRST_CHUNK;
  let chunkLimit = LARGEST_CHUNK;
  /** Size of the chunk that failed last. */
  let failedChunkSize = 0;
  let hasRestarted = false;
  let offsetConflicts = 0;
  let isStopped = false;
  let control = new AbortController();

  const update = (changes: Partial<TaskSnapshot>) => {
    snapshot = { ...snapshot, ...changes };
    if (!isStopped) onChange?.(snapshot);
  };
  const moveTo = (state: TaskState, changes: Partial<TaskSnapshot> = {}) => {
    if (!transitions[snapshot.state].includes(state)) return false;
    update({ waiting: null, ...changes, state });
    return true;
  };
  const isIn = (...states: TaskState[]) => states.includes(snapshot.state);
  const retry = createRetryBackoff({
    onWaiting: (waiting) => update({ waiting }),
    pauseMs: pauseMs ?? ((failures) => backoff(failures, Math.random(), longestBackoffMs)),
  });
  const onProgress = (bytes: number) => update({ sent: Math.min(total, offset + bytes) });
  const confirmReceived = (bytes: number) => {
    offset = Math.min(total, bytes);
    isOffsetConfirmed = true;
    if (offset > highestOffset) {
      retry.reset();
      offsetConflicts = 0;
    }
    highestOffset = Math.max(highestOffset, offset);
    update({ sent: offset });
    if (url) onSession?.({ url, sent: offset });
  };

  /** Sends the next request. Returns the stored file after the last one. */
  const sendNext = async (signal: AbortSignal): Promise<FileMetadata | null> => {
    if (total <= RESUMABLE_ABOVE) return protocol.uploadWhole(target, file, { signal, onProgress });
    if (!url) {
      url = await protocol.start(target, file, signal);
      confirmReceived(0);
      return null;
    }
    if (!isOffsetConfirmed) {
      const { status, received } = await protocol.query(url, signal);
      if (status === "final") return protocol.read(target.fullPath, signal);
      if (status === "cancelled") throw uploadGone();
      confirmReceived(received);
      return null;
    }
    const end = Math.min(total, offset + chunkSize);
    const reply = await protocol.uploadChunk(url, file.slice(offset, end), {
      offset,
      isLast: end === total,
      signal,
      onProgress,
    });
    if (reply.stored) return reply.stored;
    confirmReceived(reply.received);
    if (chunkSize >= failedChunkSize) failedChunkSize = 0;
    chunkSize = nextChunk(chunkSize, chunkLimit);
    return null;
  };

  const handleFailure = async (error: unknown, signal: AbortSignal) => {
    if (isGone(error) && !hasRestarted) {
      hasRestarted = true;
      url = null;
      offset = highestOffset = 0;
      onSession?.(null);
      return;
    }
    // Bytes of an interrupted request arrived after the server had been queried: query it again.
    if (isCode(error, "files.wrongOffset") && offsetConflicts++ < 3) return;
    if (isStatus(error, 0))
      await file
        .slice(offset, offset + 1)
        .arrayBuffer()
        .catch(() => {
          throw unreadable();
        });
    await retry.waitAfter(error, signal);
  };

  /** After a pause: bytes that arrived before it count as sent, here and after a reload. */
  const refreshReceived = async () => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (!url || !isIn("paused")) return;
    const current = await protocol.query(url, AbortSignal.timeout(cancelTimeoutMs)).catch(() => null);
    if (current?.status === "active" && isIn("paused") && !isStopped) confirmReceived(current.received);
  };

  const isSending = () => isIn("running") && !isStopped;
  const run = async () => {
    await Promise.resolve();
    while (isSending()) {
      control = new AbortController();
      const { signal } = control;
      const attemptedSize = chunkSize;
      try {
        const stored = await sendNext(signal);
        if (stored && moveTo("success", { stored, sent: total })) return;
      } catch (error) {
        const wasChunk = isOffsetConfirmed;
        isOffsetConfirmed = false;
        chunkSize = FIRST_CHUNK;
        if (signal.aborted || isStopped) continue;
        // A proxy that accepts only small bodies replies 413, or repeatedly closes the connection at the same size.
        const isTooLarge =
          wasChunk &&
          attemptedSize > FIRST_CHUNK &&
          ((isStatus(error, 413) && isCode(error, "core.internal")) ||
            (isStatus(error, 0) && failedChunkSize === attemptedSize));
        if (isTooLarge) chunkLimit = Math.max(FIRST_CHUNK, attemptedSize / 2);
        if (wasChunk) failedChunkSize = attemptedSize;
        if (isTooLarge && isStatus(error, 413)) continue;
        await handleFailure(error, signal).catch((final: unknown) => {
          if (!signal.aborted) moveTo("error", { error: final });
        });
      }
    }
    if (isStopped) return;
    if (moveTo("paused")) return void refreshReceived();
    if (isIn("canceling"))
      moveTo("canceled", {
        isServerInformed: await cancelUploadOnServer(
          protocol,
          target.fullPath,
          url,
          snapshot.sent >= total,
          cancelTimeoutMs,
        ),
      });
  };

  const cancel = () => {
    const isAllowed = moveTo("canceling");
    if (isAllowed) control.abort();
    return isAllowed;
  };
  const resume = () => {
    const wasPaused = isIn("paused");
    const isAllowed = (wasPaused || isIn("pausing")) && moveTo("running");
    if (isAllowed) chunkSize = FIRST_CHUNK;
    if (isAllowed && wasPaused) void run();
    return isAllowed;
  };
  if (!paused) void run();
  return {
    snapshot: () => snapshot,
    /** Only from running. This and the next methods return false if the state does not allow it. */
    pause() {
      const isAllowed = moveTo("pausing");
      if (isAllowed) control.abort();
      return isAllowed;
    },
    /** Only from paused or pausing. */
    resume,
    /** Only from running or pausing. Also cancels the upload on the server. */
    cancel,
    /** Cancels from paused, too. */
    discard() {
      resume();
      return cancel();
    },
    /** Skips the current retry delay. */
    retryNow: () => retry.retryNow(),
    /** Stops without cancelling, as if the page were closed: the upload stays on the server. */
    stop() {
      isStopped = true;
      control.abort();
    },
  };
}

const isGone = (error: unknown) => isCode(error, "files.uploadGone") || isCode(error, "files.uploadEnded");
const uploadGone = () =>
  new ApiError(404, { code: "files.uploadGone", error: "The server no longer knows this upload." });
/** The file was moved, changed or deleted while it was read. */
const unreadable = () => new ApiError(400, { code: "files.unreadable", error: "The file can no longer be read." });
