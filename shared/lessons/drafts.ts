import { z } from "zod";
import { defineContracts, get, KIB, MIB, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { lessonCourse } from "#shared/lessons/lessonDocument.ts";
import { draftLesson, outline, outlineChange } from "#shared/lessons/outline.ts";
import { finding } from "#shared/packages/packages.ts";
import { packageKind } from "#shared/courses/completionRules.ts";
import { languageTag } from "#shared/lessons/richText.ts";

// Drafts of courses that are written here. Each lesson is a Yjs document: browsers send updates, which are stored in
// order and merged now and then; an update that arrives twice changes nothing.

/** Maximum size of one update, and of all updates of a lesson, in bytes. */
export const MAX_UPDATE_BYTES = 2 * MIB;
export const MAX_LESSON_BYTES = 8 * MIB;
/** Updates of a lesson beyond this number are merged by their next reader. */
export const MAX_UPDATES = 100;
/** Seconds after which somebody who said nothing is no longer shown as present. */
export const PRESENCE_SECONDS = 45;
/** Depth, and nodes of the document, that are read. */
export const MAX_DEPTH = 12;
export const MAX_NODES = 50_000;

export const canWriteCourses = isAdmin;

const update = z.base64();

export const present = z.object({ id: z.uuid(), name: z.string(), lessonId: z.uuid() });
export type Present = z.infer<typeof present>;

/** `parts`: how many parts can be opened. */
export const draftPackage = z.object({
  id: z.uuid(),
  kind: packageKind,
  title: z.string(),
  fileName: z.string(),
  bytes: z.int(),
  parts: z.int(),
  warnings: z.array(finding),
});
export type DraftPackage = z.infer<typeof draftPackage>;

export const courseDraft = z.object({
  id: z.uuid(),
  title: z.string(),
  language: languageTag,
  modules: outline.shape.modules,
  /** The number of the last update of each lesson. */
  updates: z.record(z.uuid(), z.int()),
  /** Version of the outline. */
  version: z.int(),
  /** The number of the version that learners get; null before the first one. */
  liveNumber: z.int().nullable(),
  nextNumber: z.int(),
  /** Learners who are in the course and have not completed it. */
  inProgress: z.int(),
  /** The packages of the course, also those that are not in its contents any more. */
  packages: z.array(draftPackage),
  /** Others who have the course open, by lesson. */
  present: z.array(present),
});
export type CourseDraft = z.infer<typeof courseDraft>;

/** A problem in the draft. `blocks`: nothing is published before it is solved. */
export const draftProblem = z.object({
  lessonId: z.uuid(),
  blockId: z.string().nullable(),
  code: z.enum([
    "noRightAnswer",
    "severalRightAnswers",
    "unfinished",
    "headingOrder",
    "alternativeText",
    "captions",
    "tableHead",
    "linkText",
    "empty",
    "unknownVariable",
    "noBlocks",
    "circular",
    "broken",
    "quizNoQuestions",
    "poolTooSmall",
    "passMark",
    "timeShort",
    "noEnding",
    "looseChoice",
    "unreachedStep",
  ]),
  blocks: z.boolean(),
  /** The text, link or variable concerned, or the fields that are missing. */
  about: z.string(),
  /** The kind of block. */
  node: z.string(),
});
export type DraftProblem = z.infer<typeof draftProblem>;

const lessonName = draftLesson.pick({ id: true, title: true });
export const draftReview = z.object({
  problems: z.array(draftProblem),
  added: z.array(lessonName),
  removed: z.array(lessonName),
  changed: z.array(lessonName),
  unchanged: z.int(),
});
export type DraftReview = z.infer<typeof draftReview>;

export const lessonFile = z.object({
  fileId: z.uuid(),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  /** Opens the file in this session. */
  url: z.string(),
});
export type LessonFile = z.infer<typeof lessonFile>;

export const drafts = defineContracts("lessonDrafts", {
  create: post("/api/course-drafts", {
    does: "Create a course that is written here, with one empty lesson",
    body: z.object({ title: z.string().trim().min(1).max(200), language: languageTag }),
    reply: courseDraft,
  }),
  copy: post("/api/course-drafts/:id/copies", {
    priority: "heavy",
    does: "Copy a course draft as a new course, without learners and versions; `packages` are left out",
    body: z.object({ title: z.string().trim().min(1).max(200) }),
    reply: z.object({ id: z.uuid(), packages: z.int() }),
  }),
  get: get("/api/course-drafts/:id", {
    does: "Get the contents of a course draft, the last update of each lesson, and who is there",
    reply: courseDraft,
  }),
  change: post("/api/course-drafts/:id/changes", {
    does: "Change the contents of a course draft",
    body: outlineChange,
    reply: courseDraft,
  }),
  review: get("/api/course-drafts/:id/review", {
    does: "Get what is wrong with a course draft, and what changed since the live version",
    reply: draftReview,
  }),
  publish: post("/api/course-drafts/:id/publish", {
    does: "Publish a course draft as a new version; 409 if a question has no right answer",
    reply: z.object({ number: z.int() }),
  }),
  preview: get("/api/course-drafts/:id/preview", {
    does: "Get the lessons of a course draft as they would be published",
    reply: lessonCourse,
  }),
  updates: get("/api/lesson-drafts/:id/updates", {
    does: "Get the updates of a lesson after a number, in base64; `until` is the last of them",
    query: z.object({ since: z.coerce.number().int().min(0).max(2_147_483_647).default(0) }),
    reply: z.object({ updates: z.array(z.base64()), until: z.int() }),
  }),
  write: post("/api/lesson-drafts/:id/updates", {
    maxBytes: 3 * MIB,
    does: "Store an update of a lesson; the same key is stored once",
    body: z.object({ key: z.uuid(), update }),
    reply: z.object({ number: z.int() }),
  }),
  importPackage: post("/api/course-drafts/:id/packages", {
    does: "Import an uploaded package for a course draft, which a change then puts into its contents; idempotent",
    body: z.object({ path: z.string().min(1).max(1024), name: z.string().trim().min(1).max(255) }),
    reply: draftPackage,
  }),
  enter: post("/api/lesson-drafts/:id/presence", {
    does: "Say that one is in a lesson",
    body: z.object({ isLeaving: z.boolean().default(false) }),
  }),
  addFile: post("/api/lesson-drafts/:id/files", {
    does: "Use an uploaded file of purpose `lesson` in a lesson",
    body: z.object({ path: z.string().min(1).max(1024), name: z.string().trim().min(1).max(255) }),
    reply: lessonFile,
  }),
  files: post("/api/course-drafts/:id/files", {
    maxBytes: 256 * KIB,
    does: "Get addresses of files that lessons of the draft use",
    body: z.object({ fileIds: z.array(z.uuid()).max(1000) }),
    reply: z.object({ files: z.array(lessonFile) }),
  }),
});
