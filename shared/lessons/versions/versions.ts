import { z } from "zod";
import { condition } from "#shared/conditions/conditions.ts";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { blockId, languageTag } from "#shared/lessons/richText.ts";

// Versions of a course of lessons: what changed from one to another or to the draft, who wrote it, and what is
// restored into the draft

/** `draft`: the lessons as they would be published now. */
export const side = z.union([z.literal("draft"), z.coerce.number().int().min(1).max(100_000)]);
export type Side = z.infer<typeof side>;
const sides = { from: side.default(1), to: side.default("draft") };

export const changeState = z.enum(["same", "added", "removed", "changed"]);

/** A name that is null is that of an author who was erased. */
export const writer = z.object({ name: z.string().nullable(), firstAt: z.string(), lastAt: z.string() });
export type Writer = z.infer<typeof writer>;

export const lessonChange = z.object({
  id: z.string(),
  /** Null where the lesson is not in that version. */
  titles: z.object({ from: z.string().nullable(), to: z.string().nullable() }),
  state: changeState,
  isMoved: z.boolean(),
  isPackage: z.boolean(),
  /** The versions in which the lesson cannot be read. */
  unreadable: z.array(z.enum(["from", "to"])),
  /** Blocks. */
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  moved: z.int(),
  /** Questions with another right answer. */
  answers: z.int(),
  /** The number of the last update of the draft; null where neither side is the draft. */
  updates: z.int().nullable(),
});
export type LessonChange = z.infer<typeof lessonChange>;

export const comparison = z.object({
  language: languageTag,
  /** Version of the contents of the draft. */
  outlineVersion: z.int(),
  lessons: z.array(lessonChange),
  modules: z.array(
    z.object({ title: z.string(), before: z.string().nullable(), state: changeState, isMoved: z.boolean() }),
  ),
});
export type Comparison = z.infer<typeof comparison>;

export const word = z.object({ text: z.string(), is: z.enum(["same", "added", "removed"]) });
export type Word = z.infer<typeof word>;
const value = z.union([z.string(), z.number(), z.boolean(), condition]).nullable();
export type ChangedValue = z.infer<typeof value>;

/** One text or setting of a block, lesson or quiz: `words` of a text, otherwise the values on both sides. */
export const fieldChange = z.object({
  field: z.string(),
  words: z.array(word).nullable(),
  /** The words are the same; their bold type, links or the like are not. */
  isFormat: z.boolean(),
  from: value,
  to: value,
});
export type FieldChange = z.infer<typeof fieldChange>;

export const blockChange = z.object({
  id: z.string(),
  /** Of the block, or of its question. */
  kind: z.string(),
  /** `unfinished`: it is in the draft, but would not be published yet. */
  state: z.enum([...changeState.options, "unfinished"]),
  isMoved: z.boolean(),
  /** The beginning of the block. */
  summary: z.string(),
  isAnswerChanged: z.boolean(),
  changes: z.array(fieldChange),
  /** Who wrote in it last, where the later side is what that person has left; only the day where it is not known. */
  writtenBy: z.object({ name: z.string().nullable(), isKnown: z.boolean(), at: z.string() }).nullable(),
});
export type BlockChange = z.infer<typeof blockChange>;

export const lessonComparison = z.object({
  titles: lessonChange.shape.titles,
  updates: lessonChange.shape.updates,
  unreadable: lessonChange.shape.unreadable,
  isPackage: z.boolean(),
  /** Title, minutes and what a quiz asks. */
  settings: z.array(fieldChange),
  blocks: z.array(blockChange),
  /** Texts of questions and choices that conditions name, by id. */
  names: z.record(z.string(), z.string()),
});
export type LessonComparison = z.infer<typeof lessonComparison>;

export const restoreInput = z.object({
  number: z.int().min(1).max(100_000),
  /** What is restored; without a lesson, the whole version. */
  lessonId: z.uuid().optional(),
  blockId: blockId.optional(),
  /** The contents that the author has seen: lessons that others add meanwhile are not removed. */
  outlineVersion: z.int().optional(),
  /** The last update of each lesson that the author has seen: what others wrote since stays. */
  seen: z.record(z.uuid(), z.int()).optional(),
});
export type RestoreInput = z.infer<typeof restoreInput>;

export const restore = z.object({
  id: z.uuid(),
  number: z.int(),
  scope: z.enum(["block", "lesson", "version"]),
  /** Of the lesson; empty for a version. */
  title: z.string(),
  by: z.string().nullable(),
  at: z.string(),
  isUndone: z.boolean(),
});
export type Restore = z.infer<typeof restore>;

export const courseHistory = z.object({
  title: z.string(),
  versions: z.array(
    z.object({
      number: z.int(),
      isLive: z.boolean(),
      at: z.string(),
      /** Null if that person was erased. */
      by: z.string().nullable(),
      writers: z.array(writer),
    }),
  ),
  /** Who has written since the last version. */
  writers: z.array(writer),
  /** Who wrote earlier is not known. */
  writersSince: z.string(),
  restores: z.array(restore),
});
export type CourseHistory = z.infer<typeof courseHistory>;

export const lessonVersions = defineContracts("lessonVersions", {
  history: get("/api/course-drafts/:id/history", {
    does: "List the versions of a course of lessons, who wrote and published them, and what was restored",
    reply: courseHistory,
  }),
  compare: get("/api/course-drafts/:id/comparison", {
    priority: "heavy",
    does: "List which lessons differ between two versions, or a version and the draft",
    query: z.object(sides),
    reply: comparison,
  }),
  compareLesson: get("/api/course-drafts/:id/comparison/lesson", {
    priority: "heavy",
    does: "Compare a lesson block by block between two versions, or a version and the draft",
    query: z.object({ ...sides, lesson: blockId.optional() }),
    reply: lessonComparison,
  }),
  restore: post("/api/course-drafts/:id/restores", {
    priority: "heavy",
    does: "Restore a block, a lesson or a whole version into the draft",
    body: restoreInput,
    reply: restore,
  }),
  undo: post("/api/lesson-restores/:id/undo", {
    priority: "heavy",
    does: "Undo a restore; blocks that were changed since stay, and are counted",
    reply: z.object({ kept: z.int(), isOutlineKept: z.boolean() }),
  }),
});
