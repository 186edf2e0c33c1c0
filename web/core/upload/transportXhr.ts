import { networkError } from "#web/core/http/http.ts";
import type { Transport } from "#web/core/upload/transport.ts";
import { requestTimes } from "#shared/files/files.ts";
import type { z } from "zod";

/** A transport by XHR, because `fetch` does not report upload progress. */
export function createXhrTransport(times: z.input<typeof requestTimes> = {}): Transport {
  const { stalledMs, processingMs } = requestTimes.parse(times);
  return ({ method, address, headers = {}, body, onProgress, signal }, token) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const request = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout>;
      const setDeadline = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => request.abort(), ms);
      };
      const abort = () => request.abort();
      signal.addEventListener("abort", abort);
      request.open(method, address);
      if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
      for (const [name, value] of Object.entries({ accept: "application/json", ...headers }))
        request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", ({ loaded }) => {
        setDeadline(stalledMs);
        onProgress?.(loaded);
      });
      request.upload.addEventListener("load", () => setDeadline(processingMs));
      request.addEventListener("load", () =>
        resolve({
          status: request.status,
          header: (name) => request.getResponseHeader(name),
          body: parse(request.responseText),
        }),
      );
      request.addEventListener("error", () => reject(networkError()));
      request.addEventListener("abort", () => reject(signal.aborted ? (signal.reason as Error) : networkError()));
      request.addEventListener("loadend", () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      });
      setDeadline(stalledMs);
      request.send(body ?? null);
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
