import { choiceQuestion, choose, lessonEvents, newId } from "#test/lessons.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { LessonCourse, LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { newQuizSettings, type QuizSettings } from "#shared/lessons/quiz.ts";

// Courses with a quiz for tests

/** A quiz of `always` questions that are always asked, and a pool of `pooled`. Its part is `lesson-quiz`. */
export function quizCourse(settings: Partial<QuizSettings> = {}, { always = 1, pooled = 0, draw = 1 } = {}) {
  const pool = newId("pool");
  const ask = (n: number, key?: string) => {
    const made = choiceQuestion(`Where do you hook on, number ${n}?`, { tries: null });
    return { ...made, block: { ...made.block, ...(key && { pool: key }) } as LessonBlock };
  };
  const fixed = Array.from({ length: always }, (_, n) => ask(n + 1));
  const drawn = Array.from({ length: pooled }, (_, n) => ask(always + n + 1, pool));
  const questions = [...fixed, ...drawn];
  const pools = pooled > 0 ? [{ key: pool, title: "Hooking on", draw }] : [];
  const document: LessonDocument = {
    schema: 1,
    language: "en",
    blocks: questions.map(({ block }) => block),
    quiz: { ...newQuizSettings(), ...settings, pools },
  };
  const lesson = { id: "lesson-quiz", title: "Final check", minutes: 5, document };
  const course: LessonCourse = { modules: [{ id: newId("module"), title: "", lessons: [lesson] }] };
  const rightOf = (id: string) => choose(questions.find((one) => one.id === id)!.right);
  const wrongOf = (id: string) => choose(questions.find((one) => one.id === id)!.wrong);
  return { course, document, questions, rightOf, wrongOf };
}

export const quizEvent = (type: "quiz.start" | "quiz.end" | "quiz.pause" | "quiz.resume", attempt: number) => ({
  type,
  value: { attempt },
});
export const quizAnswer = (key: string, response: ReturnType<typeof choose>, attempt = 1) => ({
  type: "block.answer" as const,
  key,
  value: { response, ms: 3000, attempt },
});

/** Numbers the events of a quiz one after the other. */
export function quizEvents() {
  let next = 1;
  return (...list: Parameters<typeof lessonEvents>[1]) => {
    const events = lessonEvents("lesson-quiz", list, next);
    next += list.length;
    return events;
  };
}
