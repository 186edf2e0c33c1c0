import { z } from "zod";
import { lessonBlock } from "#shared/lessons/blocks.ts";
import { quizSettings } from "#shared/lessons/quiz.ts";
import { blockId, languageTag } from "#shared/lessons/richText.ts";

// A lesson is a document of blocks. A course that is written here is a sequence of lessons, grouped by modules.

/** Documents with a lower number are migrated when they are read. */
export const SCHEMA_VERSION = 1;
export const MAX_BLOCKS = 500;
export const MAX_LESSONS = 200;
/** Maximum size of a document as JSON, in bytes. */
export const MAX_DOCUMENT_BYTES = 2_000_000;

export const lessonDocument = z.object({
  schema: z.literal(SCHEMA_VERSION),
  language: languageTag,
  blocks: z.array(lessonBlock).max(MAX_BLOCKS),
  /** The lesson is a quiz. */
  quiz: quizSettings.optional(),
});
export type LessonDocument = z.infer<typeof lessonDocument>;

/** `id` stays through all versions, and is the `sco` of its part. */
export const lesson = z.object({
  id: blockId,
  title: z.string().trim().min(1).max(200),
  minutes: z.int().min(1).max(600).nullable(),
  document: lessonDocument,
});
export type Lesson = z.infer<typeof lesson>;

/** A package in the place of a lesson. `id` stays when the package is replaced. */
export const packagedLesson = z.object({
  id: blockId,
  title: z.string().trim().min(1).max(200),
  minutes: z.int().min(1).max(600).nullable(),
  packageId: z.uuid(),
});
export type PackagedLesson = z.infer<typeof packagedLesson>;

/** A module is a heading in the table of contents; one without a title adds none. */
export const lessonModule = z.object({
  id: blockId,
  title: z.string().trim().max(200),
  lessons: z.array(z.union([lesson, packagedLesson])).max(MAX_LESSONS),
});
export const lessonCourse = z.object({ modules: z.array(lessonModule).min(1).max(50) });
export type LessonCourse = z.infer<typeof lessonCourse>;
