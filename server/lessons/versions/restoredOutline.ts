import { randomUUID } from "node:crypto";
import { type DraftLesson, lessonsOf, type Outline } from "#shared/lessons/outline.ts";
import type { QuizSettings } from "#shared/lessons/quiz.ts";

// The contents of a draft after something of a version was restored into it

export type Quizzes = ReadonlyMap<string, QuizSettings | undefined>;

/** A lesson has the title and the quiz of the version; one that was removed comes back to its place. */
export function withLesson(draft: Outline, version: Outline, id: string, quizzes: Quizzes): Outline {
  const wanted = lessonsOf(version).find((one) => one.id === id);
  if (!wanted) return draft;
  const found = lessonsOf(draft).find((one) => one.id === id);
  const restored = lessonFrom(wanted, found, quizzes);
  if (found)
    return {
      modules: draft.modules.map((module) => ({
        ...module,
        lessons: module.lessons.map((one) => (one.id === id ? restored : one)),
      })),
    };
  const order = lessonsOf(version).map((one) => one.id);
  const earlier = order.slice(0, order.indexOf(id)).toReversed();
  const home = version.modules.find(({ lessons }) => lessons.some((one) => one.id === id));
  const own = draft.modules.find((module) => home?.id !== "" && module.id === home?.id);
  const isIn = (module: Outline["modules"][number]) => module.lessons.some((one) => earlier.includes(one.id));
  const target = own ?? draft.modules.findLast(isIn) ?? draft.modules.at(-1);
  return {
    modules: draft.modules.map((module) => {
      if (module !== target) return module;
      const before = earlier.find((one) => module.lessons.some((lesson) => lesson.id === one));
      const at = before === undefined ? 0 : module.lessons.findIndex((lesson) => lesson.id === before) + 1;
      return { ...module, lessons: module.lessons.toSpliced(at, 0, restored) };
    }),
  };
}

/** The contents of the version. Minutes are not in it: lessons keep those of the draft. */
export function withVersion(draft: Outline, version: Outline, quizzes: Quizzes): Outline {
  const known = new Map(lessonsOf(draft).map((lesson) => [lesson.id, lesson]));
  const used = new Set<string>();
  return {
    modules: version.modules.map(({ id, title, lessons }) => {
      const isSame = (module: Outline["modules"][number]) =>
        module.title === "" && !used.has(module.id) && module.lessons.some((one) => one.id === lessons[0]?.id);
      const own = id === "" ? (draft.modules.find(isSame)?.id ?? randomUUID()) : id;
      used.add(own);
      return { id: own, title, lessons: lessons.map((one) => lessonFrom(one, known.get(one.id), quizzes)) };
    }),
  };
}

function lessonFrom(
  { id, title, packageId }: DraftLesson,
  found: DraftLesson | undefined,
  quizzes: Quizzes,
): DraftLesson {
  const quiz = quizzes.get(id);
  return { id, title, minutes: found?.minutes ?? null, ...(packageId && { packageId }), ...(quiz && { quiz }) };
}
