import { createHmac } from "node:crypto";
import { drawQuestions } from "#shared/lessons/quiz.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import type { ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { Shuffle } from "#shared/lessons/shownQuestions.ts";

/**
 * An order that a reload does not change. Nobody can compute it without the secret, or the right order would follow
 * from the shown one.
 */
export const shuffleBy =
  (secret: string): Shuffle =>
  (list) => {
    const rank = (id: string) => createHmac("sha256", secret).update(id).digest("hex");
    const ranked = list.map((one) => ({ one, by: rank(one.id) }));
    return ranked.toSorted((a, b) => (a.by < b.by ? -1 : 1)).map(({ one }) => one);
  };

type Asking = Pick<LessonDocument | ShownDocument, "quiz" | "blocks">;

/** The ids of the questions of an attempt at a quiz, in their order. */
export function drawQuiz(secret: string, attemptId: string, document: Asking | undefined, no: number): string[] {
  if (!document?.quiz) return [];
  const questions = document.blocks.flatMap((block) =>
    block.kind === "question" ? [{ id: block.id, pool: block.pool }] : [],
  );
  const rank = shuffleBy(`${secret} ${attemptId} quiz ${no}`);
  return drawQuestions(questions, document.quiz, rank).map(({ id }) => id);
}

/** The key by which the choices of a question are shuffled: in a quiz anew for every attempt. */
export const shuffleKey = (secret: string, attemptId: string, block: string, no: number | null) =>
  no === null ? `${secret} ${attemptId} ${block}` : `${secret} ${attemptId} ${block} ${no}`;
