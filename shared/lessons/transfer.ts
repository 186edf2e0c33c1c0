import { z } from "zod";
import { purposes } from "#shared/files/files.ts";
import { exportFormat, leftOut } from "#shared/lessons/exported.ts";
import { defineContracts, get } from "#shared/core/route.ts";

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

export const transfer = defineContracts("lessonDrafts", {
  exportPlan: get("/api/course-drafts/:id/export-plan", {
    does: "Get what an export of a course would contain, and what it would leave out",
    query: source,
    reply: exportPlan,
    priority: "page",
  }),
  export: get("/api/course-drafts/:id/export", {
    does: "Export a course as a SCORM package that runs elsewhere, with its solutions, or as Markdown with its files",
    query: source.extend({ format: exportFormat }),
  }),
});
