import { basename } from "node:path";
import { Readable } from "node:stream";
import { create, parse } from "content-disposition";
import parseRange from "range-parser";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { BlobMissing } from "#server/core/storage/storage.ts";
import { etagOf, type StoredFile } from "#server/files/service.ts";
import { IMAGE_TYPES } from "#shared/files/files.ts";

/** Types that browsers display without running code. Shown inline only if the content matches the declared type. */
const INLINE_TYPES = new Set([
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
/** Types that can run code on this origin, or be mistaken for one that can; never sent as declared. */
const ACTIVE = /html|xml|svg|script|wasm|css|flash|multipart|^text\/(?!plain)/i;

type DeliveryOptions = {
  /** Headers only. */
  head?: boolean;
  range?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifRange?: string | undefined;
};
export type Delivery = { status: 200 | 206 | 304; headers: Record<string, string>; body: Readable | null };

/**
 * The bytes of a file, with headers that prevent uploaded code from running. Supports one range (RFC 9110, section 14).
 */
export async function deliver(
  { storage }: Pick<Services, "storage">,
  file: StoredFile,
  options: DeliveryOptions,
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
    "content-security-policy": policyOf(type),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  };
  if (options.ifNoneMatch?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*"))
    return { status: 304, headers, body: null };
  const range =
    options.range && (!options.ifRange || options.ifRange === etag) ? rangeOf(options.range, file.size) : null;
  headers["content-length"] = String(range ? range.end - range.start + 1 : file.size);
  if (range) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
  if (options.head) return { status: range ? 206 : 200, headers, body: Readable.from([]) };
  const body = await storage.read(file.storageKey, range ?? undefined).catch((error: unknown) => {
    throw error instanceof BlobMissing ? notFound() : error;
  });
  return { status: range ? 206 : 200, headers, body };
}

/** The sandbox would prevent browsers from showing PDF files. */
const policyOf = (type: string) =>
  ["default-src 'none'", "frame-ancestors 'self'", ...(type === "application/pdf" ? [] : ["sandbox"])].join("; ");

function rangeOf(header: string, size: number) {
  const ranges = parseRange(size, header, { combine: true });
  if (ranges === -1 && size > 0) throw new Problem(416, "files.range");
  // Several or malformed ranges are answered with the whole file.
  return Array.isArray(ranges) && ranges.type === "bytes" && ranges.length === 1
    ? (ranges[0] as { start: number; end: number })
    : null;
}

/** The type that a file is sent as, and whether it is shown inline: only if its content matches the declared type. */
export function servedAs({
  contentType,
  detectedType,
  contentDisposition,
}: Pick<StoredFile, "contentType" | "detectedType" | "contentDisposition">) {
  const declared = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const wantsDownload = /^\s*attachment/i.test(contentDisposition ?? "");
  if (declared === "text/plain" && detectedType === "")
    return { type: "text/plain; charset=utf-8", inline: !wantsDownload };
  if (INLINE_TYPES.has(declared) && declared === detectedType) return { type: declared, inline: !wantsDownload };
  const harmless = /^[\w.+-]+\/[\w.+-]+$/.test(declared) && !ACTIVE.test(declared) && !INLINE_TYPES.has(declared);
  return { type: harmless ? declared : "application/octet-stream", inline: false };
}

/** The file name for downloads: from Content-Disposition, otherwise the last part of the path. */
function nameOf({ contentDisposition, fullPath }: StoredFile) {
  try {
    const { filename } = parse(contentDisposition ?? "").parameters;
    if (filename) return basename(filename);
  } catch {
    // Malformed: fall back to the path.
  }
  return basename(fullPath);
}

/** Only public files may be stored in shared caches. */
function cacheOf({ visibility, cacheControl }: StoredFile) {
  if (visibility === "public") return cacheControl ?? "public, max-age=3600";
  return cacheControl && /\b(private|no-store)\b/.test(cacheControl) && !/\bpublic\b/.test(cacheControl)
    ? cacheControl
    : "private, no-cache";
}
