import { networkError, toApiError, urlOf } from "#web/core/http/http.ts";
import { sendPatiently } from "#web/core/http/patience.ts";
import { usableToken } from "#web/core/session/token.ts";
import type { Contract, Sent } from "#shared/core/route.ts";

/**
 * Calls an endpoint that answers with one JSON value per line, and gives each as soon as it has arrived. Throws
 * `ApiError`, also if the connection breaks; an abort of `signal` is thrown as it is.
 */
export async function* streamLines<Line, C extends Contract>(
  contract: C,
  sent: Sent<C>,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const token = await usableToken();
  try {
    const send = () =>
      fetch(urlOf(contract, sent as object), {
        method: contract.method,
        credentials: "same-origin",
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify((sent as { body?: unknown }).body),
        signal,
      });
    const response = await sendPatiently(send, signal);
    if (!response.ok || !response.body) throw toApiError(response.status, await response.json().catch(() => null));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line) as Line;
    }
  } catch (error) {
    if (signal.aborted || (error instanceof Error && error.name === "ApiError")) throw error;
    throw networkError();
  }
}
