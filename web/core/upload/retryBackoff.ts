import { ApiError } from "#web/core/api/http.ts";
import { isRetryableStatus, LONGEST_BACKOFF_MS } from "#shared/files.ts";

/** Why something waits, and until when (ms since 1970). `offline`: this device has no network; `noAnswer`: the server is silent; `busy`: it said later. */
export type Waiting = { why: "offline" | "noAnswer" | "busy"; until: number };

/** Pause in ms before the next try, after so many failures in a row (from 0): 1, 2, 4 … 64 s, and up to one second of jitter. */
export const backoff = (failures: number, random = Math.random()) =>
  Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** failures) + random * 1000;

/** Tries in a row while the network is there: about ten minutes of waiting. */
const TRIES = 15;
/** The window; outside of a browser (tests) there are no such events. */
const world = globalThis as {
  navigator?: { onLine?: boolean };
  addEventListener?: Listen;
  removeEventListener?: Listen;
};
type Listen = (name: "online" | "offline", listener: () => void) => void;
const isOffline = () => world.navigator?.onLine === false;
const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || isRetryableStatus(error.status));

type How = {
  onWaiting: (waiting: Waiting | null) => void;
  /** Another rhythm, for tests. */ pauseMs?: (failures: number) => number;
};
export type RetryBackoff = ReturnType<typeof createRetryBackoff>;

/**
 * Waiting between tries. Without a network it goes on forever and tries at once when the network is back; a server that
 * is silent or busy is asked for about ten minutes.
 */
export function createRetryBackoff({ onWaiting, pauseMs = backoff }: How) {
  let failures = 0;
  let tries = 0;
  let goOn: (() => void) | null = null;

  /** Waits after a failure. Throws it when trying again is no use; throws the signal's reason when that aborts. */
  const after = async (error: unknown, signal: AbortSignal) => {
    if (!isTransient(error)) throw error;
    const offline = isOffline();
    if (!offline && ++tries > TRIES) throw error;
    const asked = Number(error.details.retryAfter ?? 0) * 1000;
    const until = Date.now() + Math.max(pauseMs(failures++), asked);
    const why = offline ? "offline" : error.status === 0 ? "noAnswer" : "busy";
    onWaiting({ why, until });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => end(resolve), until - Date.now());
      const online = () => {
        if (asked > 0) return onWaiting({ why: "busy", until });
        failures = 0;
        end(resolve);
      };
      const lost = () => onWaiting({ why: "offline", until });
      const abort = () => end(() => reject(signal.reason as Error));
      const end = (settle: () => void) => {
        clearTimeout(timer);
        goOn = null;
        world.removeEventListener?.("online", online);
        world.removeEventListener?.("offline", lost);
        signal.removeEventListener("abort", abort);
        onWaiting(null);
        settle();
      };
      goOn = () => end(resolve);
      world.addEventListener?.("online", online);
      world.addEventListener?.("offline", lost);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
    });
  };
  return {
    after,
    /** Something got through: the next failure begins with the short pause again. */
    calm: () => {
      failures = 0;
      tries = 0;
    },
    /** Somebody does not want to wait. */
    wake: () => goOn?.(),
  };
}
