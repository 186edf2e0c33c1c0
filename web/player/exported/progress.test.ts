import { expect, test } from "vitest";
import { createProgress, type Progress } from "#web/player/exported/progress.ts";
import type { ExportedCourse } from "#shared/lessons/transfer/exported.ts";
import { type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import { choiceQuestion, courseOf, newId, paragraph } from "#test/lessons.ts";

/** A course of `count` lessons, each with ten paragraphs and ten questions that were answered. */
function longCourse(count: number) {
  const lessons = Array.from({ length: count }, (_, n) => {
    const questions = Array.from({ length: 10 }, (_one, at) => choiceQuestion(`Question ${at}`));
    const texts = Array.from({ length: 10 }, (_one, at) => paragraph(`Text ${at}`));
    const blocks = [...texts, ...questions.map(({ block }) => block)];
    const state: LessonState = {
      ...newLessonState(),
      seen: blocks.map(({ id }) => id),
      last: blocks.at(-1)!.id,
      ended: true,
      answers: Object.fromEntries(
        questions.map(({ id, right, wrong }, at) => {
          const share = (at * 7 + n) % 3 === 0 ? 0 : 1;
          const chosen = [share === 1 ? right : wrong];
          return [id, { response: { kind: "choices" as const, chosen }, share, best: share, tries: 1 + (at % 2) }];
        }),
      ),
    };
    return { id: newId("lesson"), title: `Lesson ${n}`, blocks, state };
  });
  const made = courseOf(...lessons);
  const course: ExportedCourse = {
    title: "Long",
    language: "en",
    standard: "scorm12",
    modules: made.modules.map((module) => ({ ...module, lessons: module.lessons as Lesson[] })),
  };
  const progress: Progress = {
    seed: "k3j9x2",
    isDone: false,
    isPassed: false,
    best: 66.67,
    current: lessons[0]!.id,
    values: { plan: "Check the rope before each use. ~ really", rating: 4 },
    lessons: Object.fromEntries(lessons.map(({ id, state }) => [id, state])),
  };
  return { course, progress };
}
const scores = ({ lessons }: Progress) =>
  Object.values(lessons).map(({ answers }) => Object.values(answers).map(({ best, tries }) => [best, tries]));

test("progress of a common course comes back whole from 4,096 characters", () => {
  const { course, progress } = longCourse(10);
  const { text, loss } = createProgress(course).write(progress, 4096);
  expect(loss).toBe("nothing");
  expect(text).toMatch(/^[A-Za-z0-9+/=]{1,4096}$/);
  expect(createProgress(course).read(text!)).toEqual(progress);
});

test("what does not fit is given up in order, and results last", () => {
  const { course, progress } = longCourse(30);
  const store = createProgress(course);
  const whole = store.write(progress, 64_000);
  expect(whole.loss).toBe("nothing");
  const less = store.write(progress, whole.text!.length - 1);
  expect(less.loss).toBe("answers");
  const read = store.read(less.text!)!;
  expect(scores(read)).toEqual(scores(progress));
  expect(read.lessons[progress.current]).toEqual(progress.lessons[progress.current]);
  expect(read.values).toEqual(progress.values);
  const least = store.write(progress, less.text!.length - 1);
  expect(least.loss).toBe("texts");
  expect(store.read(least.text!)?.values).toEqual({ rating: 4 });
  expect(store.write(progress, 100)).toEqual({ text: null, loss: "all" });
});

test("damaged texts and those of another version start afresh", () => {
  const { course, progress } = longCourse(2);
  const { text } = createProgress(course).write(progress, 4096);
  expect(createProgress(longCourse(2).course).read(text!)).toBeNull();
  for (const bad of ["", "x", text!.slice(0, 40), "null", btoa("{}")])
    expect([bad, createProgress(course).read(bad)]).toEqual([bad, null]);
});
