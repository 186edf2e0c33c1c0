import type { LessonBlock } from "#shared/lessons/blocks.ts";
import {
  type Lesson,
  type LessonCourse,
  MAX_DOCUMENT_BYTES,
  type PackagedLesson,
} from "#shared/lessons/lessonDocument.ts";
import type { Question } from "#shared/lessons/questions.ts";
import { checkQuiz } from "#shared/lessons/quizChecks.ts";
import { hasReachableEnding } from "#shared/lessons/scenarios.ts";
import { walkObjects } from "#shared/lessons/walk.ts";
import { listTests } from "#shared/conditions/conditions.ts";

// What stops a course of lessons from being published

export type LessonProblem = {
  code:
    | "noLessons"
    | "quiz"
    | "repeatedId"
    | "noRightAnswer"
    | "severalRightAnswers"
    | "noGap"
    | "noEnding"
    | "circularCondition"
    | "tooLarge";
  lessonId: string | null;
  blockId: string | null;
};

const listEntries = ({ modules }: LessonCourse) => modules.flatMap(({ lessons }) => lessons);
export const listLessons = (course: LessonCourse): Lesson[] =>
  listEntries(course).filter((entry): entry is Lesson => "document" in entry);
export const listPackages = (course: LessonCourse): PackagedLesson[] =>
  listEntries(course).filter((entry): entry is PackagedLesson => "packageId" in entry);

export function findProblems(course: LessonCourse): LessonProblem[] {
  const lessons = listLessons(course);
  const packages = listPackages(course);
  if (lessons.length + packages.length === 0) return [{ code: "noLessons", lessonId: null, blockId: null }];
  const problems: LessonProblem[] = [];
  const add = (code: LessonProblem["code"], lessonId: string | null, blockId: string | null = null) =>
    void problems.push({ code, lessonId, blockId });
  const ids = new Set<string>();
  for (const { id } of course.modules) if (ids.size === ids.add(id).size) add("repeatedId", null, id);
  for (const { id } of packages) if (ids.size === ids.add(id).size) add("repeatedId", id);
  for (const lesson of lessons) {
    if (ids.size === ids.add(lesson.id).size) add("repeatedId", lesson.id);
    if (sizeOf(lesson.document) > MAX_DOCUMENT_BYTES) add("tooLarge", lesson.id);
    const { quiz, blocks } = lesson.document;
    if (quiz && checkQuiz(blocks, quiz).some((problem) => problem.blocks)) add("quiz", lesson.id);
    for (const block of blocks) {
      walkObjects(block, ({ id }) => {
        if (typeof id === "string" && ids.size === ids.add(id).size) add("repeatedId", lesson.id, block.id);
      });
      if (block.kind === "question" && !hasRightAnswer(block.question)) add("noRightAnswer", lesson.id, block.id);
      if (block.kind === "question" && hasSeveral(block.question)) add("severalRightAnswers", lesson.id, block.id);
      if (block.kind === "scenario" && block.required && !hasReachableEnding(block))
        add("noEnding", lesson.id, block.id);
      if (block.kind === "question" && !hasGap(block.question)) add("noGap", lesson.id, block.id);
    }
  }
  for (const [lessonId, blockId] of findCircles(lessons)) add("circularCondition", lessonId, blockId);
  return problems;
}

const sizeOf = (document: unknown) => new TextEncoder().encode(JSON.stringify(document)).length;

/** The other kinds of questions cannot be written without one. */
const hasRightAnswer = (question: Question) =>
  (question.kind !== "single" && question.kind !== "multiple") || question.choices.some(({ isRight }) => isRight);
/** Two authors may have marked one each. */
const hasSeveral = (question: Question) =>
  question.kind === "single" && question.choices.filter(({ isRight }) => isRight).length > 1;
const hasGap = (question: Question) => question.kind !== "fill" || question.pieces.some(({ kind }) => kind === "gap");

const answersNeeded = ({ showWhen }: LessonBlock) =>
  showWhen ? listTests(showWhen).flatMap((test) => (test.kind === "answer" ? [test.block] : [])) : [];

/** Blocks that are shown only after an answer to themselves: directly, or through the condition of another block. */
function findCircles(lessons: Lesson[]) {
  const blocks = lessons.flatMap(({ id, document }) => document.blocks.map((block) => ({ lessonId: id, block })));
  const needed = new Map(blocks.map(({ block }) => [block.id, answersNeeded(block)]));
  return blocks
    .filter(({ block }) => {
      const reached = new Set<string>();
      const open = [...(needed.get(block.id) ?? [])];
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        if (id === block.id) return true;
        if (reached.size < reached.add(id).size) open.push(...(needed.get(id) ?? []));
      }
      return false;
    })
    .map(({ lessonId, block }) => [lessonId, block.id] as const);
}
