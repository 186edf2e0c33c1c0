import { ApiError, toProblem } from "#web/core/api/http.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";

export type Outgoing = {
  method: "GET" | "POST" | "DELETE";
  /** Path and query on our own origin. */
  address: string;
  headers?: Record<string, string>;
  body?: Blob;
  onProgress?: (sentBytes: number) => void;
  signal: AbortSignal;
};
export type Answer = {
  status: number;
  header: (name: string) => string | null;
  /** The JSON of the answer, null when it is none. */ body: unknown;
};
/** One HTTP exchange. Resolves with any answer; rejects with `core.network` when there is none and with the signal's reason when that aborts. */
export type Transport = (request: Outgoing, token: string | null) => Promise<Answer>;

/**
 * A `Send` with the bearer token, and one more try with a fresh token after a 401. Any answer but 2xx becomes an
 * `ApiError`, whose `details.retryAfter` holds the seconds that the server asked to wait.
 */
export const signed =
  (send: Transport) =>
  async (request: Outgoing): Promise<Answer> => {
    const token = await usableToken();
    let answer = await send(request, token);
    if (answer.status === 401 && token) {
      const fresh = await tokenAfterRejection(token);
      if (fresh) answer = await send(request, fresh);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    const error = new ApiError(answer.status, toProblem(answer.status, answer.body));
    const seconds = secondsOf(answer.header("retry-after"));
    if (seconds !== null) error.details.retryAfter = seconds;
    throw error;
  };

/** `Retry-After` is a number of seconds or a date. */
export function secondsOf(header: string | null, now = Date.now()) {
  if (!header) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
