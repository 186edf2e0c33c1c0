import { createHash } from "node:crypto";
import { Problem } from "#server/core/http/problem.ts";
import { badRequest } from "#server/statements/refusals.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import type { Statement } from "#shared/statements/xapi.ts";

type Part = { headers: Map<string, string>; bytes: Buffer };
/** Attachments by SHA-2 hash. */
export type Files = ReadonlyMap<string, Buffer>;

const CRLF = Buffer.from("\r\n");
const BLANK = Buffer.from("\r\n\r\n");
const MAX_HEADER_BYTES = 8192;
const HASHES: Record<number, string> = { 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512" };

export const isMultipart = (contentType: string) => /^multipart\/mixed\s*(;|$)/i.test(contentType);

/** Reads a multipart/mixed body (RFC 2046): the statements as JSON, then the attachments. */
export function readMultipart(contentType: string, body: Buffer): { json: string; files: Files } {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^";,\s]{1,70}))/i.exec(contentType);
  if (!boundary) throw badRequest("the Content-Type has no boundary");
  const [first, ...attached] = split(body, (boundary[1] ?? boundary[2]) as string);
  if (!first) throw badRequest("the body has no parts");
  if (!/^application\/json\s*(;|$)/i.test(first.headers.get("content-type") ?? ""))
    throw badRequest("the first part is not application/json");
  if (first.bytes.length > storeLimits.body) throw new Problem(413, "core.tooLarge");
  const files = new Map<string, Buffer>();
  for (const { headers, bytes } of attached) {
    if (headers.get("content-transfer-encoding")?.toLowerCase() !== "binary")
      throw badRequest("an attachment lacks Content-Transfer-Encoding: binary");
    const hash = headers.get("x-experience-api-hash")?.toLowerCase();
    if (!hash) throw badRequest("an attachment lacks X-Experience-API-Hash");
    files.set(hash, bytes);
  }
  return { json: first.bytes.toString("utf8"), files };
}

function split(body: Buffer, boundary: string): Part[] {
  // The first delimiter may lack its line break.
  const text = Buffer.concat([CRLF, body]);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  let start = text.indexOf(delimiter);
  while (start >= 0) {
    const from = start + delimiter.length;
    if (text.toString("latin1", from, from + 2) === "--") return parts;
    const end = text.indexOf(delimiter, from);
    if (end < 0) break;
    if (parts.length > storeLimits.attachments) throw badRequest("there are too many attachments");
    const lineEnd = text.indexOf(CRLF, from);
    // A part without headers starts with the blank line.
    const blank = text.indexOf(BLANK, lineEnd);
    if (blank < 0 || blank > end || blank - from > MAX_HEADER_BYTES) throw badRequest("a part has no headers");
    parts.push({
      headers: readHeaders(text.toString("latin1", lineEnd, blank)),
      bytes: text.subarray(blank + BLANK.length, end),
    });
    start = end;
  }
  throw badRequest("the body ends before its last delimiter");
}

function readHeaders(text: string) {
  const lines = text.split("\r\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
}

/** Requires bytes or a URL for every attachment, and an attachment with the right hash for all bytes. */
export function checkFiles(statements: Statement[], files: Files) {
  const attachments = statements.flatMap((statement) => [
    ...(statement.attachments ?? []),
    ...("attachments" in statement.object ? (statement.object.attachments ?? []) : []),
  ]);
  const named = new Set<string>();
  for (const attachment of attachments) {
    const hash = attachment.sha2.toLowerCase();
    named.add(hash);
    if (!files.has(hash) && attachment.fileUrl === undefined)
      throw badRequest("an attachment has neither its bytes in the request nor a fileUrl");
  }
  for (const [hash, bytes] of files) {
    if (!named.has(hash)) throw badRequest("a part of the request is the attachment of no statement");
    const algorithm = HASHES[hash.length];
    if (!algorithm || createHash(algorithm).update(bytes).digest("hex") !== hash)
      throw badRequest("the bytes of an attachment do not have its SHA-2 sum");
  }
}

type StoredFile = { hash: string; contentType: string; bytes: Buffer };
const BOUNDARY = "lyceum-5f2d1c0a7b9e4e6f";

/** The body of an answer with statements and attachments, and its media type. */
export function writeMultipart(json: string, files: StoredFile[]) {
  // The boundary contains a hash of the content, so no part can contain the boundary.
  const content = createHash("sha256").update(json);
  for (const { bytes } of files) content.update(bytes);
  const boundary = `${BOUNDARY}-${content.digest("hex").slice(0, 32)}`;
  const parts = [
    `--${boundary}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n`,
    json,
    ...files.flatMap(({ hash, contentType, bytes }) => [
      `\r\n--${boundary}\r\ncontent-type: ${contentType}\r\ncontent-transfer-encoding: binary\r\n` +
        `x-experience-api-hash: ${hash}\r\n\r\n`,
      bytes,
    ]),
    `\r\n--${boundary}--\r\n`,
  ];
  return {
    contentType: `multipart/mixed; boundary="${boundary}"`,
    body: Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part))),
  };
}
