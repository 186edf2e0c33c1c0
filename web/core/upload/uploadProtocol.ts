import { ApiError, networkError } from "#web/core/api/http.ts";
import { type Answer, type Outgoing, type Transport, signed } from "#web/core/upload/transport.ts";
import {
  type FilePurpose,
  type FileVisibility,
  objectAddress,
  OBJECTS_PATH,
  storedObject,
  type StoredObject,
  upload,
} from "#shared/files.ts";

/** Where a file goes and what it is for. */
export type Target = {
  path: string;
  contentType: string;
  metadata: { purpose: FilePurpose; companyId?: string; visibility?: FileVisibility };
};
type Watch = { signal: AbortSignal; onProgress?: (sentBytes: number) => void };
export type UploadProtocol = ReturnType<typeof createUploadProtocol>;

/** The object protocol (spec section 7), request by request. Every failure is an `ApiError`; an answer that is not the protocol's counts as none. */
export function createUploadProtocol(send: Transport) {
  const ask = signed(send);
  const command = (url: string, name: string, signal: AbortSignal, more: Partial<Outgoing> = {}) =>
    ask({
      method: "POST",
      address: onOurOrigin(url),
      signal,
      ...more,
      headers: { [upload.command]: name, ...more.headers },
    });
  return {
    /** A small file in one request. */
    async whole({ path, ...rest }: Target, file: Blob, { signal, onProgress }: Watch): Promise<StoredObject> {
      const boundary = `ly${crypto.getRandomValues(new Uint32Array(4)).join("")}`;
      const head = `--${boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${JSON.stringify({ name: path, ...rest })}\r\n--${boundary}\r\nContent-Type: ${rest.contentType}\r\n\r\n`;
      const front = new Blob([head]);
      const answer = await ask({
        method: "POST",
        address: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
        signal,
        headers: { [upload.protocol]: "multipart", "content-type": `multipart/related; boundary=${boundary}` },
        body: new Blob([front, file, `\r\n--${boundary}--`]),
        onProgress: (sent) => onProgress?.(Math.min(file.size, Math.max(0, sent - front.size))),
      });
      return objectOf(answer);
    },

    /** Opens a resumable upload; returns its address. */
    async start({ path, ...rest }: Target, size: number, signal: AbortSignal): Promise<string> {
      const answer = await ask({
        method: "POST",
        address: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
        signal,
        headers: {
          [upload.protocol]: "resumable",
          [upload.command]: "start",
          [upload.length]: String(size),
          [upload.type]: rest.contentType,
          "content-type": "application/json; charset=utf-8",
        },
        body: new Blob([JSON.stringify({ name: path, ...rest })]),
      });
      return answer.header(upload.url) ?? fail();
    },

    /** Sends bytes from `offset` on. Returns the stored object after the last ones, before that how many bytes the server has. */
    async chunk(
      url: string,
      bytes: Blob,
      { offset, last, ...watch }: Watch & { offset: number; last: boolean },
    ): Promise<{ object: StoredObject } | { object: null; received: number }> {
      const name = !last ? "upload" : bytes.size === 0 ? "finalize" : "upload, finalize";
      const answer = await command(url, name, watch.signal, {
        ...watch,
        headers: { [upload.offset]: String(offset) },
        ...(bytes.size > 0 && { body: bytes }),
      });
      if (answer.header(upload.status) === "final") return { object: objectOf(answer) };
      if (last || answer.header(upload.status) !== "active") fail();
      return { object: null, received: Number(answer.header(upload.received) ?? offset + bytes.size) };
    },

    /** What the server has. */
    async query(url: string, signal: AbortSignal) {
      const answer = await command(url, "query", signal);
      const status = answer.header(upload.status);
      const received = Number(answer.header(upload.received) ?? 0);
      return (status === "active" || status === "final" || status === "cancelled") && Number.isSafeInteger(received)
        ? { status, received }
        : fail();
    },

    /** Ends the upload on the server. An object that is already made stays. */
    cancel: (url: string, signal: AbortSignal) => command(url, "cancel", signal),
    read: async (path: string, signal: AbortSignal) =>
      objectOf(await ask({ method: "GET", address: objectAddress(path), signal })),
    remove: (path: string, signal: AbortSignal) => ask({ method: "DELETE", address: objectAddress(path), signal }),
  };
}

/** The session's address is made of the public URL of the server; only its path and query count here. */
function onOurOrigin(url: string) {
  const { pathname, search } = URL.parse(url, "http://localhost") ?? fail();
  if (!pathname.startsWith(OBJECTS_PATH))
    throw new ApiError(400, {
      code: "core.internal",
      error: "The server named an address for this upload that is not its own.",
    });
  return pathname + search;
}

function objectOf({ body }: Answer): StoredObject {
  const { data } = storedObject.safeParse(body);
  return data ?? fail();
}

/** A sign-in page of a hotel, a proxy's greeting: 200, but not from us. */
const fail = (): never => {
  throw networkError();
};
