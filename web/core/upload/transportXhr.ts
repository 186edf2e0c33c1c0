import { networkError } from "#web/core/api/http.ts";
import type { Transport } from "#web/core/upload/transport.ts";

/** A connection on which nothing moves for this long is given up, in ms; after the last byte the server may think longer. */
const STALLED_MS = 60_000;
const THINKING_MS = 300_000;

/** `Send` by XHR, because fetch does not tell how much has left. */
export const sendXhr: Transport = ({ method, address, headers = {}, body, onProgress, signal }, token) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    const patience = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), ms);
    };
    const abort = () => request.abort();
    signal.addEventListener("abort", abort);
    request.open(method, address);
    if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
    for (const [name, value] of Object.entries({ accept: "application/json", ...headers }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      patience(STALLED_MS);
      onProgress?.(loaded);
    };
    request.upload.onload = () => patience(THINKING_MS);
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        body: parse(request.responseText),
      });
    request.onerror = () => reject(networkError());
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : networkError());
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    patience(STALLED_MS);
    request.send(body ?? null);
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
