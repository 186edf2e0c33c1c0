import type { ApiFetch } from "#shared/rendering.ts";
import type { Contract, ProblemBody, Reply, Sent } from "#shared/route.ts";

/** A call that failed. Status 0 and code `core.network` mean that no answer came. `message` is the English sentence. */
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

/** Address of a call: params filled in, empty query fields left out, lists repeated. */
export function addressOf(contract: Contract, sent: Parts = {}) {
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(sent.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") query.append(name, String(one));
    }
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** How calls travel: `fetch` in the browser; the server that draws a page puts its own way in. */
export const transport: { send: ApiFetch } = { send: (path, init) => fetch(path, init) };

/** One HTTP exchange, without retries or refreshed tokens (those are in `api.ts`). Throws only `ApiError` and aborts. */
export async function exchange<C extends Contract>(
  contract: C,
  sent: Sent<C>,
  { token, signal, headers }: { token?: string; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Reply<C>> {
  const { body } = sent as Parts;
  let response: Response;
  try {
    response = await transport.send(addressOf(contract, sent as Parts), {
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
    throw noAnswer();
  }
  throw await failureOf(response);
}

export const noAnswer = () =>
  new ApiError(0, {
    code: "core.network",
    error: "Network error. Please check your internet connection and try again.",
  });

/** The error of an answer that is not 2xx; a body that is not ours (a proxy's page) becomes `core.internal`. */
async function failureOf(response: Response) {
  const body = (await response.json().catch(() => null)) as ProblemBody | null;
  return new ApiError(response.status, readProblem(response.status, body));
}

export function readProblem(status: number, body: unknown): ProblemBody {
  const problem = body as ProblemBody | null;
  if (problem && typeof problem.error === "string") return { ...problem, code: problem.code ?? "core.internal" };
  const unavailable = status === 502 || status === 503 || status === 504;
  return {
    code: unavailable ? "core.unavailable" : "core.internal",
    error: `The server answered with status ${status}.`,
  };
}
