import { ArchiveFailure, isCompoundFile, isEncryptedOffice, listEntries } from "#server/core/archives.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import type { DocumentKind } from "#shared/documents/documentVersions.ts";

const limits = { entries: 10_000, bytes: 400 * 1024 ** 2, ratio: 100, smallBytes: 10 * 1024 ** 2 };

const byExtension: Record<string, DocumentKind> = {
  md: "markdown",
  markdown: "markdown",
  html: "html",
  htm: "html",
  vtt: "subtitles",
  srt: "subtitles",
  txt: "text",
  text: "text",
  csv: "text",
};

/**
 * The kind of a document, detected by its content; only kinds of plain text are distinguished by name. Checks the list
 * of an archive before anything is decompressed. Throws a `ParserFailure`.
 */
export function detectKind(bytes: Uint8Array, name: string): DocumentKind {
  if (bytes.length === 0) throw new ParserFailure("empty");
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (start.includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04")) return kindOfArchive(bytes);
  if (isCompoundFile(bytes)) throw new ParserFailure(isEncryptedOffice(bytes) ? "encrypted" : "oldFormat");
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const text = decodeText(bytes.subarray(0, 8192));
  // eslint-disable-next-line no-control-regex -- a file with more than a few control characters is not text
  if ((text.match(/[\u0000-\u0008\u000e-\u001a\ufffd]/g) ?? []).length > text.length / 100)
    throw new ParserFailure("unknownFormat");
  if (/^\s*WEBVTT/.test(text)) return "subtitles";
  if (/^\s*(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)\b/i.test(text)) return "html";
  return byExtension[extension] ?? "text";
}

function kindOfArchive(bytes: Uint8Array): DocumentKind {
  const names = entriesOf(bytes);
  if (names.has("word/document.xml")) return "docx";
  if (names.has("ppt/presentation.xml")) return "pptx";
  if (names.has("xl/workbook.xml")) return "xlsx";
  if (names.has("content.xml") && names.has("mimetype")) return "odt";
  if (names.has("EncryptedPackage")) throw new ParserFailure("encrypted");
  throw new ParserFailure("unknownFormat");
}

function entriesOf(bytes: Uint8Array) {
  try {
    return listEntries(bytes, limits);
  } catch (error) {
    throw error instanceof ArchiveFailure ? new ParserFailure(error.code) : error;
  }
}

/** Text in UTF-8 or, with a byte order mark, UTF-16; other bytes are read as Windows-1252. */
export function decodeText(bytes: Uint8Array) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const text = new TextDecoder("utf-8").decode(bytes);
  // A sample may end within a character.
  return text.slice(0, -3).includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text;
}
