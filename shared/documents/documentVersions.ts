import { z } from "zod";

// One version of a document: its text, kind and progress in the pipeline

/** A range of the text of a version; `level` 1 to 6 for headings, 0 for others; `page` from 1, null without pages. */
export const textBlock = z.object({
  from: z.int().min(0),
  to: z.int().min(0),
  level: z.int().min(0).max(6),
  page: z.int().nullable(),
});
export type TextBlock = z.infer<typeof textBlock>;

export const documentKind = z.enum([
  "unknown",
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "odt",
  "html",
  "markdown",
  "text",
  "subtitles",
]);
export type DocumentKind = z.infer<typeof documentKind>;
/** Extensions of supported files. */
export const DOCUMENT_EXTENSIONS = [
  ".pdf",
  ".docx",
  ".pptx",
  ".xlsx",
  ".odt",
  ".html",
  ".htm",
  ".md",
  ".markdown",
  ".txt",
  ".csv",
  ".vtt",
  ".srt",
];
/** Largest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 200 * 1024 ** 2;

/** The stages of the pipeline, in order. */
export const stages = ["checking", "reading", "splitting", "indexing", "testing"] as const;
/**
 * `ready`: searchable while it is live. `held`: answers test questions worse than the live version, and awaits a
 * decision. `replaced`: was live before another version.
 */
export const versionState = z.enum(["waiting", ...stages, "ready", "held", "failed", "replaced"]);
export type VersionState = z.infer<typeof versionState>;

/** Why a version failed; texts are `documents.failures.{code}`. */
export const failureCode = z.enum([
  "empty",
  "unknownFormat",
  "oldFormat",
  "encrypted",
  "archiveBomb",
  "damaged",
  "noText",
  "tooLong",
  "parserTimeout",
  "parserMemory",
  "parserCrash",
  "unreachable",
  "refusedAddress",
  "fileMissing",
  "crashed",
]);
export type FailureCode = z.infer<typeof failureCode>;

export const documentVersion = z.object({
  id: z.uuid(),
  number: z.int(),
  name: z.string(),
  kind: documentKind,
  bytes: z.number(),
  state: versionState,
  code: failureCode.nullable(),
  /** Where reading failed, from 1. */
  page: z.int().nullable(),
  /** Progress within the stage; `total` is 0 if it is unknown. */
  done: z.int(),
  total: z.int(),
  /** ISO 639-1; empty if it was not recognised. */
  language: z.string(),
  pages: z.int(),
  passages: z.int(),
  createdAt: z.string(),
  readyAt: z.string().nullable(),
  isLive: z.boolean(),
  /** Path of the file in the file service; null for web pages and texts. */
  filePath: z.string().nullable(),
});
export type DocumentVersion = z.infer<typeof documentVersion>;
