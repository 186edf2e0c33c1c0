import { z } from "zod";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { Lesson, LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { writtenBy } from "#shared/lessons/variablesOf.ts";
import { walkObjects } from "#shared/lessons/walk.ts";

// A course as it leaves: what runs without us, and what is left out

export const packageStandard = z.enum(["scorm12", "scorm2004"]);
export type PackageStandard = z.infer<typeof packageStandard>;
export const exportFormat = z.enum([...packageStandard.options, "markdown"]);
export type ExportFormat = z.infer<typeof exportFormat>;

/** What the page of an exported package reads. Ids of files are names in its folder of media. */
export type ExportedCourse = {
  title: string;
  language: string;
  standard: PackageStandard;
  modules: ExportedModule[];
};
export type ExportedModule = { id: string; title: string; lessons: Lesson[] };

/**
 * Not in an export: `chatbot` and `prompt` need this server, `package` is a file of its own, `pool` questions were left
 * out on request, and `quiz` is a lesson of which no question is left.
 */
export const leftOutKind = z.enum(["chatbot", "prompt", "package", "pool", "quiz"]);
export const leftOut = z.object({ kind: leftOutKind, lesson: z.string(), count: z.int() });
export type LeftOut = z.infer<typeof leftOut>;

type Options = { withPools: boolean };

/** What of a course can run elsewhere. */
export function toExported(course: LessonCourse, { withPools }: Options) {
  const missing: LeftOut[] = [];
  const modules = course.modules.map(({ id, title, lessons }): ExportedModule => ({
    id,
    title,
    lessons: lessons.flatMap((one) => {
      if ("packageId" in one) {
        missing.push({ kind: "package", lesson: one.title, count: 1 });
        return [];
      }
      return keepWhatRuns(one, withPools, missing);
    }),
  }));
  return { modules: modules.filter(({ lessons }) => lessons.length > 0), leftOut: missing };
}

function keepWhatRuns(one: Lesson, withPools: boolean, missing: LeftOut[]): Lesson[] {
  const { document } = one;
  const isDrawn = (block: LessonBlock) =>
    block.kind === "question" && document.quiz?.pools.some(({ key }) => key === block.pool) === true;
  const kindOf = (block: LessonBlock) => {
    if (block.kind === "chatbot" || block.kind === "prompt") return block.kind;
    return !withPools && isDrawn(block) ? ("pool" as const) : null;
  };
  for (const kind of ["chatbot", "prompt", "pool"] as const) {
    const count = document.blocks.filter((block) => kindOf(block) === kind).length;
    if (count > 0) missing.push({ kind, lesson: one.title, count });
  }
  const blocks = document.blocks.filter((block) => kindOf(block) === null);
  if (document.quiz && !blocks.some(({ kind }) => kind === "question")) {
    missing.push({ kind: "quiz", lesson: one.title, count: 1 });
    return [];
  }
  const quiz = document.quiz && (withPools ? document.quiz : { ...document.quiz, pools: [] });
  return [{ ...one, document: { ...document, blocks, ...(quiz && { quiz }) } }];
}

/** Variables that are shown or asked for, and that no block of the course writes: they have no value elsewhere. */
export function listEmptyVariables(modules: ExportedModule[]): string[] {
  const blocks = modules.flatMap(({ lessons }) => lessons.flatMap(({ document }) => document.blocks));
  const written = new Set(blocks.flatMap(writtenBy));
  const read = new Set<string>();
  // Runs of text and tests of conditions have the same form.
  walkObjects(blocks, ({ kind, key }) => {
    if (kind === "variable" && typeof key === "string") read.add(key);
  });
  return [...read].filter((key) => !written.has(key)).toSorted();
}
