import type { ApiFetch } from "#shared/rendering.ts";
import type { Contract, ProblemBody, Reply, Sent } from "#shared/route.ts";

/** A failed call. Status 0 and code `core.network`: no response. `message` is the English sentence. */
export class ApiError extends Error {
  status: number;
  code: string;
  issues: NonNullable<ProblemBody["issues"]>;
  details: Record<string, unknown>;

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

/** The transport of calls: `fetch` in the browser, replaced in server-side rendering. */
export const transport: { send: ApiFetch } = { send: (path, init) => fetch(path, init) };

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
  throw await toApiError(response);
}

export const networkError = () =>
  new ApiError(0, {
    code: "core.network",
    error: "Network error. Please check your internet connection and try again.",
  });

/** The error of a response that is not 2xx. A body in another format (such as a proxy's page) becomes `core.internal`. */
async function toApiError(response: Response) {
  const body = (await response.json().catch(() => null)) as ProblemBody | null;
  return new ApiError(response.status, toProblem(response.status, body));
}

export function toProblem(status: number, body: unknown): ProblemBody {
  const problem = body as ProblemBody | null;
  if (problem && typeof problem.error === "string") return { ...problem, code: problem.code ?? "core.internal" };
  const unavailable = status === 502 || status === 503 || status === 504;
  return {
    code: unavailable ? "core.unavailable" : "core.internal",
    error: `The server answered with status ${status}.`,
  };
}
