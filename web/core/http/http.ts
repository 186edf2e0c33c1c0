import { i18n } from "#web/core/i18n.ts";
import { sendPatiently } from "#web/core/http/patience.ts";
import type { ApiFetch } from "#shared/core/rendering.ts";
import type { Contract, ProblemBody, Reply, Sent } from "#shared/core/route.ts";

/** A failed call. Status 0 and code `core.network`: no response. `message` is the sentence for people. */
export class ApiError extends Error {
  status: number;
  code: string;
  issues: NonNullable<ProblemBody["issues"]>;
  details: Record<string, unknown>;
  /**
   * True if the answer was not from this application, for example from a proxy; `message` then only depends on the
   * status.
   */
  isForeign = false;

  constructor(status: number, body: ProblemBody) {
    super(body.error);
    this.name = "ApiError";
    this.status = status;
    this.code = body.code;
    this.issues = body.issues ?? [];
    this.details = body.details ?? {};
  }
}

export const isCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;
export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** The URL of a call: params filled in, empty query fields omitted, lists repeated. */
export function urlOf(contract: Contract, sent: Parts = {}) {
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(sent.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== "") query.append(name, String(item));
    }
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Answers by path to calls that `start.js` has sent while the application was loading. */
declare global {
  var earlyAnswers: Record<string, Promise<Response>> | undefined;
}
function takeEarlyAnswer(path: string) {
  const answer = globalThis.earlyAnswers?.[path];
  delete globalThis.earlyAnswers?.[path];
  return answer;
}

/** The transport of calls: `fetch` in the browser, replaced in server-side rendering. */
export const transport: { send: ApiFetch } = {
  send: (path, init) => sendPatiently(() => takeEarlyAnswer(path) ?? fetch(path, init), init.signal),
};

/** Sends one request, without retries or token refresh (see `api.ts`). Throws only `ApiError` and abort errors. */
export async function sendRequest<C extends Contract>(
  contract: C,
  sent: Sent<C>,
  { token, signal, headers }: { token?: string; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Reply<C>> {
  const { body } = sent as Parts;
  let response: Response;
  try {
    response = await transport.send(urlOf(contract, sent as Parts), {
      method: contract.method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.status === 204) return undefined as Reply<C>;
    if (response.ok) return (await response.json()) as Reply<C>;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw networkError();
  }
  throw toApiError(response.status, await response.json().catch(() => null));
}

export const networkError = () =>
  new ApiError(0, {
    code: "core.network",
    error: "Network error. Please check your internet connection and try again.",
  });

/** The error of a response that is not 2xx, from its parsed JSON; null if it is not JSON. */
export function toApiError(status: number, body: unknown): ApiError {
  const problem = body as ProblemBody | null;
  if (problem && typeof problem.error === "string")
    return new ApiError(status, { ...problem, code: problem.code ?? "core.internal" });
  const error = new ApiError(status, {
    code: isUnavailable(status) ? "core.unavailable" : "core.internal",
    error: sentenceOf(status),
  });
  error.isForeign = true;
  return error;
}

const isUnavailable = (status: number) => status === 502 || status === 503 || status === 504;
const withSentence = [401, 402, 403, 404, 413, 429] as const;
function sentenceOf(status: number) {
  const known = withSentence.find((one) => one === status);
  if (known) return i18n.t(`core.error.status.${known}`);
  return isUnavailable(status)
    ? i18n.t("core.error.status.unavailable")
    : i18n.t("core.error.status.other", { status });
}

/** The same error with another sentence if the answer was not from this application. */
export function withForeignSentence(error: unknown, sentence: string) {
  if (error instanceof ApiError && error.isForeign) error.message = sentence;
  return error;
}
