import { ApiError } from "#web/core/http/http.ts";
import { isRetryableStatus, uploadTimes } from "#shared/files/files.ts";

/**
 * Why a retry is delayed, and until when (ms since the epoch). `offline`: this device has no network; `noAnswer`: the
 * server does not respond; `busy`: it asked to retry later.
 */
export type Waiting = { reason: "offline" | "noAnswer" | "busy"; until: number };

/**
 * Delay in ms before the next attempt, after this many failures in a row (from 0): 1, 2, 4 … 64 s, plus up to 1 s of
 * jitter.
 */
export const backoff = (failures: number, random = Math.random(), longestMs = uploadTimes.parse({}).longestBackoffMs) =>
  Math.min(longestMs, 1000 * 2 ** failures) + random * 1000;

/** Attempts in a row while online; about ten minutes in total. */
const MAX_ATTEMPTS = 15;
/** The window; in tests outside a browser, these properties are missing. */
const browser = globalThis as {
  navigator?: { onLine?: boolean };
  addEventListener?: Listen;
  removeEventListener?: Listen;
};
type Listen = (name: "online" | "offline", listener: () => void) => void;
const isOffline = () => browser.navigator?.onLine === false;
const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || isRetryableStatus(error.status));

type Options = {
  onWaiting: (waiting: Waiting | null) => void;
  /** Replaces `backoff` in tests. */
  pauseMs?: (failures: number) => number;
};
export type RetryBackoff = ReturnType<typeof createRetryBackoff>;

export function createRetryBackoff({ onWaiting, pauseMs = backoff }: Options) {
  let failures = 0;
  let attempts = 0;
  let skipDelay: (() => void) | null = null;

  /** Waits after a failure. Throws the error if retrying is pointless, and the reason of the signal if that aborts. */
  const waitAfter = async (error: unknown, signal: AbortSignal) => {
    if (!isTransient(error)) throw error;
    const offline = isOffline();
    if (!offline && ++attempts > MAX_ATTEMPTS) throw error;
    const requestedMs = Number(error.details.retryAfter ?? 0) * 1000;
    const until = Date.now() + Math.max(pauseMs(failures++), requestedMs);
    const silentOrBusy = error.status === 0 ? "noAnswer" : "busy";
    const reason = offline ? "offline" : silentOrBusy;
    onWaiting({ reason, until });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => end(resolve), until - Date.now());
      const online = () => {
        if (requestedMs > 0) return onWaiting({ reason: "busy", until });
        failures = 0;
        end(resolve);
      };
      const goneOffline = () => onWaiting({ reason: "offline", until });
      const abort = () => end(() => reject(signal.reason as Error));
      const end = (settle: () => void) => {
        clearTimeout(timer);
        skipDelay = null;
        browser.removeEventListener?.("online", online);
        browser.removeEventListener?.("offline", goneOffline);
        signal.removeEventListener("abort", abort);
        onWaiting(null);
        settle();
      };
      skipDelay = () => end(resolve);
      browser.addEventListener?.("online", online);
      browser.addEventListener?.("offline", goneOffline);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
    });
  };
  return {
    waitAfter,
    /** Call it after a success: the next failure starts with the shortest delay again. */
    reset: () => {
      failures = 0;
      attempts = 0;
    },
    /** Skips the current delay. */
    retryNow: () => skipDelay?.(),
  };
}
