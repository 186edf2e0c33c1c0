import { z } from "zod";
import { purposes } from "#shared/files/files.ts";
import { exportFormat, leftOut } from "#shared/lessons/transfer/exported.ts";
import { defineContracts, get, post } from "#shared/core/route.ts";

// Lessons in and out: courses as packages and as Markdown

/** Bytes of the files of an export: what our own importer takes. */
export const MAX_EXPORT_BYTES = purposes.course.maxBytes;

const source = z.object({
  /** The draft as it is, or the version that learners get. */
  from: z.enum(["draft", "live"]).default("draft"),
  /** With the questions of pools. */
  pools: z.enum(["yes", "no"]).default("yes"),
});

export const exportPlan = z.object({
  lessons: z.int(),
  /** Questions whose solutions are part of the export. */
  questions: z.int(),
  /** Questions that are drawn from pools. */
  pooled: z.int(),
  files: z.int(),
  bytes: z.int(),
  leftOut: z.array(leftOut),
  /** Variables that have no value outside of the academy. */
  emptyVariables: z.array(z.string()),
});
export type ExportPlan = z.infer<typeof exportPlan>;

/** What of an imported document lessons do not have, or not so large. */
export const leftBehind = z.object({ kind: z.enum(["picture", "embedded", "cells"]), count: z.int() });
export type LeftBehind = z.infer<typeof leftBehind>;
/** Why a document is not imported. */
export type ImportFailure = "empty" | "damaged" | "oldFormat" | "unknownFormat" | "tooMuchWork";

/** An uploaded file of purpose `import`. `level`: the headings that begin lessons; those above them begin modules. */
const importBody = z.object({
  path: z.string().min(1).max(1024),
  name: z.string().trim().min(1).max(255),
  level: z.enum(["1", "2"]),
});
export const importPlan = z.object({
  modules: z.array(z.object({ title: z.string(), lessons: z.array(z.object({ title: z.string(), blocks: z.int() })) })),
  lessons: z.int(),
  blocks: z.int(),
  pictures: z.int(),
  leftBehind: z.array(leftBehind),
});
export type ImportPlan = z.infer<typeof importPlan>;

export const transfer = defineContracts("lessonDrafts", {
  exportPlan: get("/api/course-drafts/:id/export-plan", {
    does: "Get what an export of a course would contain, and what it would leave out",
    query: source,
    reply: exportPlan,
    priority: "page",
  }),
  export: get("/api/course-drafts/:id/export", {
    does: "Export a course as a SCORM package that runs elsewhere, with its solutions, or as Markdown with its files",
    query: source.extend({ format: exportFormat.default("scorm2004") }),
  }),
  importPlan: post("/api/course-drafts/:id/import-plan", {
    does: "Get what an uploaded Word, Markdown or HTML document would add to a course draft",
    body: importBody,
    reply: importPlan,
    priority: "heavy",
  }),
  import: post("/api/course-drafts/:id/import", {
    does: "Add the lessons of an uploaded document to the end of a course draft; the document is used up",
    body: importBody,
    reply: z.object({ lessons: z.array(z.uuid()) }),
    priority: "heavy",
  }),
});
