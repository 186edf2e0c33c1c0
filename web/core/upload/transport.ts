import { toApiError } from "#web/core/http/http.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";

export type TransportRequest = {
  method: "GET" | "POST" | "DELETE";
  /** Path and query on this origin. */
  address: string;
  headers?: Record<string, string>;
  body?: Blob;
  onProgress?: (sentBytes: number) => void;
  signal: AbortSignal;
};
export type TransportResponse = {
  status: number;
  header: (name: string) => string | null;
  /** Parsed JSON; null if the response is not JSON. */
  body: unknown;
};
/**
 * Sends one HTTP request. Resolves with any response; rejects with `core.network` without one, and with the reason of
 * the signal if that aborts.
 */
export type Transport = (request: TransportRequest, token: string | null) => Promise<TransportResponse>;

/**
 * A transport that sends the bearer token, and retries once with a renewed token after a 401. Any status but 2xx throws
 * an `ApiError`; its `details.retryAfter` is the delay requested by the server, in seconds.
 */
export const withToken =
  (send: Transport) =>
  async (request: TransportRequest): Promise<TransportResponse> => {
    const token = await usableToken();
    let response = await send(request, token);
    if (response.status === 401 && token) {
      const renewed = await tokenAfterRejection(token);
      if (renewed) response = await send(request, renewed);
    }
    if (response.status >= 200 && response.status < 300) return response;
    const error = toApiError(response.status, response.body);
    const seconds = retryAfterSeconds(response.header("retry-after"));
    if (seconds !== null) error.details.retryAfter = seconds;
    throw error;
  };

/** `Retry-After` in seconds; the header is a number of seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: string | null, now = Date.now()) {
  if (!header) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
