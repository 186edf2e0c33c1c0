import { ApiError, networkError } from "#web/core/http/http.ts";
import {
  type Transport,
  type TransportRequest,
  type TransportResponse,
  withToken,
} from "#web/core/upload/transport.ts";
import {
  type FilePurpose,
  type FileVisibility,
  objectAddress,
  OBJECTS_PATH,
  storedObject,
  toFileMetadata,
  type FileMetadata,
  upload,
} from "#shared/files/files.ts";

/** Path, type and purpose of a new file. Without `contentType`, the type of the source counts. */
export type Target = {
  fullPath: string;
  contentType?: string;
  customMetadata: { purpose: FilePurpose; companyId?: string; visibility?: FileVisibility };
};
type TransferOptions = { signal: AbortSignal; onProgress?: (sentBytes: number) => void };
export type UploadProtocol = ReturnType<typeof createUploadProtocol>;

/**
 * The requests of the object protocol. Every failure is an `ApiError`; a response that does not follow the protocol
 * counts as none.
 */
export function createUploadProtocol(send: Transport) {
  const request = withToken(send);
  const command = (url: string, name: string, signal: AbortSignal, extra: Partial<TransportRequest> = {}) =>
    request({
      method: "POST",
      address: pathOnThisOrigin(url),
      signal,
      ...extra,
      headers: { [upload.command]: name, ...extra.headers },
    });
  return {
    /** Uploads a small file in one request. */
    async uploadWhole(target: Target, file: Blob, { signal, onProgress }: TransferOptions): Promise<FileMetadata> {
      const description = describe(target, file);
      const boundary = `ly${crypto.getRandomValues(new Uint32Array(4)).join("")}`;
      const head = [
        `--${boundary}`,
        "Content-Type: application/json; charset=utf-8",
        "",
        JSON.stringify(description),
        `--${boundary}`,
        `Content-Type: ${description.contentType}`,
        "\r\n",
      ].join("\r\n");
      const front = new Blob([head]);
      const response = await request({
        method: "POST",
        address: `${OBJECTS_PATH}?name=${encodeURIComponent(target.fullPath)}`,
        signal,
        headers: { [upload.protocol]: "multipart", "content-type": `multipart/related; boundary=${boundary}` },
        body: new Blob([front, file, `\r\n--${boundary}--`]),
        onProgress: (sent) => onProgress?.(Math.min(file.size, Math.max(0, sent - front.size))),
      });
      return metadataOf(response);
    },

    /** Starts a resumable upload and returns its URL. */
    async start(target: Target, file: Blob, signal: AbortSignal): Promise<string> {
      const description = describe(target, file);
      const response = await request({
        method: "POST",
        address: `${OBJECTS_PATH}?name=${encodeURIComponent(target.fullPath)}`,
        signal,
        headers: {
          [upload.protocol]: "resumable",
          [upload.command]: "start",
          [upload.length]: String(file.size),
          [upload.type]: description.contentType,
          "content-type": "application/json; charset=utf-8",
        },
        body: new Blob([JSON.stringify(description)]),
      });
      return response.header(upload.url) ?? fail();
    },

    /**
     * Sends bytes from `offset` on. Returns the stored object after the last chunk, otherwise the number of bytes
     * received.
     */
    async uploadChunk(
      url: string,
      bytes: Blob,
      { offset, isLast, ...options }: TransferOptions & { offset: number; isLast: boolean },
    ): Promise<{ stored: FileMetadata } | { stored: null; received: number }> {
      const name = chunkCommand(bytes, isLast);
      const response = await command(url, name, options.signal, {
        ...options,
        headers: { [upload.offset]: String(offset) },
        ...(bytes.size > 0 && { body: bytes }),
      });
      if (response.header(upload.status) === "final") return { stored: metadataOf(response) };
      if (isLast || response.header(upload.status) !== "active") fail();
      return { stored: null, received: Number(response.header(upload.received) ?? offset + bytes.size) };
    },

    /** Status of an upload and the number of bytes received. */
    async query(url: string, signal: AbortSignal) {
      const response = await command(url, "query", signal);
      const status = response.header(upload.status);
      const received = Number(response.header(upload.received) ?? 0);
      return (status === "active" || status === "final" || status === "cancelled") && Number.isSafeInteger(received)
        ? { status, received }
        : fail();
    },

    /** Cancels the upload on the server. An object that is already stored stays. */
    cancel: (url: string, signal: AbortSignal) => command(url, "cancel", signal),
    read: async (fullPath: string, signal: AbortSignal) =>
      metadataOf(await request({ method: "GET", address: objectAddress(fullPath), signal })),
    remove: (fullPath: string, signal: AbortSignal) =>
      request({ method: "DELETE", address: objectAddress(fullPath), signal }),
  };
}

function chunkCommand(bytes: Blob, isLast: boolean) {
  if (!isLast) return "upload";
  return bytes.size === 0 ? "finalize" : "upload, finalize";
}

/**
 * Path and query of an upload URL. Its origin is the public URL of the server, which may differ from that of the page.
 */
function pathOnThisOrigin(url: string) {
  const { pathname, search } = URL.parse(url, "http://localhost") ?? fail();
  if (!pathname.startsWith(OBJECTS_PATH))
    throw new ApiError(400, {
      code: "core.internal",
      error: "The server returned an invalid upload URL.",
    });
  return pathname + search;
}

/** The description of a new file in the names of the protocol. */
const describe = ({ fullPath, contentType, customMetadata }: Target, file: Blob) => ({
  name: fullPath,
  contentType: contentType ?? (file.type || "application/octet-stream"),
  metadata: customMetadata,
});

function metadataOf({ body }: TransportResponse): FileMetadata {
  const { data } = storedObject.safeParse(body);
  return data ? toFileMetadata(data) : fail();
}

/** Throws "no answer": the response is not from this server, but for example from a captive portal. */
const fail = (): never => {
  throw networkError();
};
