import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import { applyLessonEvent, isQuiz } from "#shared/lessons/lessonEvents.ts";
import { type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import { drawQuestions, NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { settleQuiz } from "#shared/lessons/quizEvents.ts";
import { showQuiz } from "#shared/lessons/showQuiz.ts";
import type { ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { Shuffle } from "#shared/lessons/shownQuestions.ts";

/** A small hash (FNV-1a): an order that looks shuffled, and stays while the preview is open. */
function hash(text: string) {
  let sum = 0x811c9dc5;
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 0;
}
export const shuffledBy =
  (seed: string): Shuffle =>
  (list) =>
    list.toSorted((a, b) => hash(seed + a.id) - hash(seed + b.id));

/** A quiz that is judged here, as the server would do it. Nothing is stored. */
export function previewQuiz(sco: string, document: ShownDocument, seed: string) {
  let state: LessonState = newLessonState();
  const questions = document.blocks.flatMap((block) =>
    block.kind === "question" ? [{ id: block.id, pool: block.pool }] : [],
  );
  const draw = (no: number) =>
    document.quiz ? drawQuestions(questions, document.quiz, shuffledBy(`${seed} ${no}`)).map(({ id }) => id) : [];
  const show = (): OpenLesson | null => {
    if (!isQuiz(document)) return null;
    state = settleQuiz(document, state, { now: Date.now(), extra: NO_ALLOWANCE });
    const { quiz, ...shown } = showQuiz(document, state, { draw, withKeys: document });
    return { sco, ...shown, pending: {}, lost: {}, ...(quiz && { quiz: { view: quiz, readAt: performance.now() } }) };
  };
  return {
    show,
    apply(event: { type: string; key?: string | undefined; value?: string | undefined }) {
      const context = { now: Date.now(), extra: NO_ALLOWANCE, draw, isStored: false, addOnly: false };
      state = applyLessonEvent(document, state, { ...event, at: new Date().toISOString() }, false, context).state;
      return show();
    },
  };
}
