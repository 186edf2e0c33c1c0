import { networkError, toApiError } from "#web/core/http/http.ts";
import { sendPatiently } from "#web/core/http/patience.ts";
import { withReauthentication } from "#web/core/session/reauth.ts";
import { usableToken } from "#web/core/session/token.ts";

/**
 * Downloads a file with the bearer token and saves it under the name from the response. If the server requires
 * re-authentication, the user is prompted. `onProgress` is called for an export of rows as lines of text (`x-rows`).
 * Resolves to the number of rows that the server states, 0 for other files. Throws `ApiError`.
 */
export const download = (url: string, fallbackName: string, onProgress?: (percent: number) => void) =>
  withReauthentication(() => downloadWithToken(url, fallbackName, onProgress));

async function downloadWithToken(
  url: string,
  fallbackName: string,
  onProgress: ((percent: number) => void) | undefined,
) {
  const token = await usableToken();
  const response = await sendPatiently(() =>
    fetch(url, {
      credentials: "same-origin",
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    }),
  ).catch(() => {
    throw networkError();
  });
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null));
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? fallbackName;
  const rows = Number(response.headers.get("x-rows"));
  const watched = onProgress && rows > 0 ? new Response(watch(response, rows, onProgress), response) : response;
  const blob = await watched.blob().catch(() => {
    throw networkError();
  });
  saveBlob(blob, name);
  return rows;
}

/** The body of a response, with the percentage of its `rows` lines that have arrived. */
function watch({ body }: Response, rows: number, onProgress: (percent: number) => void) {
  const LINE_FEED = 10;
  let lines = 0;
  return (body as ReadableStream<Uint8Array>).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const byte of chunk) if (byte === LINE_FEED) lines++;
        onProgress(Math.min(100, Math.floor((lines / rows) * 100)));
        controller.enqueue(chunk);
      },
    }),
  );
}

/** Saves a file created in the browser. */
export function saveBlob(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
