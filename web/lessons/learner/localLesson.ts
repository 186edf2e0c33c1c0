import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { Reveal } from "#shared/lessons/judge.ts";
import { revealAnswer } from "#shared/lessons/judge.ts";
import { applyLessonEvent, isQuiz } from "#shared/lessons/lessonEvents.ts";
import { type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import { drawQuestions, NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { settleQuiz } from "#shared/lessons/quizEvents.ts";
import { showQuiz } from "#shared/lessons/showQuiz.ts";
import type { ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { Shuffle } from "#shared/lessons/shownQuestions.ts";

/** A small hash (FNV-1a): an order that looks shuffled, and stays for the same seed. */
export function hashText(text: string) {
  let sum = 0x811c9dc5;
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 0;
}
export const shuffledBy =
  (seed: string): Shuffle =>
  (list) =>
    list.toSorted((a, b) => hashText(seed + a.id) - hashText(seed + b.id));

type LocalEvent = { type: string; key?: string | undefined; value?: string | undefined };
export type LocalLesson = ReturnType<typeof createLocalLesson>;

/**
 * A lesson that is judged where it is shown, as the server would do it: its document has the keys of all questions. For
 * the preview of authors, and for courses that run in another platform.
 */
export function createLocalLesson(sco: string, document: ShownDocument, seed: string, stored = newLessonState()) {
  let state: LessonState = stored;
  const questions = document.blocks.flatMap((block) =>
    block.kind === "question" ? [{ id: block.id, pool: block.pool }] : [],
  );
  const draw = (no: number) =>
    document.quiz ? drawQuestions(questions, document.quiz, shuffledBy(`${seed} ${no}`)).map(({ id }) => id) : [];
  return {
    sco,
    document,
    state: () => state,
    show(): OpenLesson {
      if (!isQuiz(document))
        return { sco, document, state, revealed: revealAll(document, state), pending: {}, lost: {} };
      state = settleQuiz(document, state, { now: Date.now(), extra: NO_ALLOWANCE });
      const { quiz, ...shown } = showQuiz(document, state, { draw, withKeys: document });
      return { sco, ...shown, pending: {}, lost: {}, ...(quiz && { quiz: { view: quiz, readAt: performance.now() } }) };
    },
    apply(event: LocalEvent) {
      const context = { now: Date.now(), extra: NO_ALLOWANCE, draw, isStored: false, addOnly: false };
      state = applyLessonEvent(document, state, { ...event, at: new Date().toISOString() }, false, context).state;
    },
  };
}

const revealAll = ({ blocks }: ShownDocument, { answers }: LessonState): Record<string, Reveal> =>
  Object.fromEntries(
    blocks.flatMap((block) => {
      const answer = answers[block.id];
      if (block.kind !== "question" || !block.question.key || !answer) return [];
      return [[block.id, revealAnswer(block.question, block.question.key, answer)]];
    }),
  );
