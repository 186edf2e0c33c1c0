import { basename } from "node:path";
import { Readable } from "node:stream";
import { create, parse } from "content-disposition";
import parseRange from "range-parser";
import { notFound, Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { BlobMissing } from "#server/core/storage.ts";
import { etagOf, type StoredFile } from "#server/files/service.ts";
import { IMAGE_TYPES } from "#shared/files.ts";

/** Kinds that browsers show without running anything; what claims to be one and is not is handed out as a download. */
const SHOWN = new Set([
  ...IMAGE_TYPES,
  "application/pdf",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/mp4",
  "video/mp4",
  "video/webm",
  "video/ogg",
]);
/** Kinds that could run on our origin, or be read as something that does: their name is never sent. */
const ACTIVE = /html|xml|svg|script|wasm|css|flash|multipart|^text\/(?!plain)/i;

type Wanted = {
  /** Only the headers. */ head?: boolean;
  range?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifRange?: string | undefined;
};
export type Delivery = { status: 200 | 206 | 304; headers: Record<string, string>; body: Readable | null };

/** The bytes of a file with headers under which nothing runs, whatever was uploaded. One range is honoured (RFC 9110, 14). */
export async function deliver(
  { storage }: Pick<Services, "storage">,
  file: StoredFile,
  wanted: Wanted,
): Promise<Delivery> {
  const etag = `"${etagOf(file)}"`;
  const { type, inline } = servedAs(file);
  const headers: Record<string, string> = {
    "content-type": type,
    etag,
    "accept-ranges": "bytes",
    "last-modified": new Date(file.updatedAt).toUTCString(),
    "cache-control": cacheOf(file),
    vary: "Authorization",
    "content-disposition": create(nameOf(file), { type: inline ? "inline" : "attachment" }),
    "content-security-policy": `default-src 'none'; frame-ancestors 'self'${type === "application/pdf" ? "" : "; sandbox"}`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  };
  if (wanted.ifNoneMatch?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag || one.trim() === "*"))
    return { status: 304, headers, body: null };
  const range = wanted.range && (!wanted.ifRange || wanted.ifRange === etag) ? rangeOf(wanted.range, file.size) : null;
  headers["content-length"] = String(range ? range.end - range.start + 1 : file.size);
  if (range) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
  if (wanted.head) return { status: range ? 206 : 200, headers, body: Readable.from([]) };
  const body = await storage.read(file.storageKey, range ?? undefined).catch((error: unknown) => {
    throw error instanceof BlobMissing ? notFound() : error;
  });
  return { status: range ? 206 : 200, headers, body };
}

function rangeOf(header: string, size: number) {
  const found = parseRange(size, header, { combine: true });
  if (found === -1 && size > 0) throw new Problem(416, "files.range");
  // Several ranges, and what cannot be read, are answered with the whole.
  return Array.isArray(found) && found.type === "bytes" && found.length === 1
    ? (found[0] as { start: number; end: number })
    : null;
}

/** The kind a file is sent as, and whether a browser may show it: only when its bytes are what its name says. */
export function servedAs({
  contentType,
  detectedType,
  contentDisposition,
}: Pick<StoredFile, "contentType" | "detectedType" | "contentDisposition">) {
  const declared = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const wantsDownload = /^\s*attachment/i.test(contentDisposition ?? "");
  if (declared === "text/plain" && detectedType === "")
    return { type: "text/plain; charset=utf-8", inline: !wantsDownload };
  if (SHOWN.has(declared) && declared === detectedType) return { type: declared, inline: !wantsDownload };
  const harmless = /^[\w.+-]+\/[\w.+-]+$/.test(declared) && !ACTIVE.test(declared) && !SHOWN.has(declared);
  return { type: harmless ? declared : "application/octet-stream", inline: false };
}

/** The name for "Save as": of the disposition when it gives one, else the last part of the path. */
function nameOf({ contentDisposition, fullPath }: StoredFile) {
  try {
    const { filename } = parse(contentDisposition ?? "").parameters;
    if (filename) return basename(filename);
  } catch {
    // Not a disposition: the path names the file.
  }
  return basename(fullPath);
}

/** Only public files may lie in caches that several people share. */
function cacheOf({ visibility, cacheControl }: StoredFile) {
  if (visibility === "public") return cacheControl ?? "public, max-age=3600";
  return cacheControl && /\b(private|no-store)\b/.test(cacheControl) && !/\bpublic\b/.test(cacheControl)
    ? cacheControl
    : "private, no-cache";
}
