import { z } from "zod";
import { reveal } from "#shared/lessons/judge.ts";
import { refusal } from "#shared/lessons/lessonEvents.ts";
import { lessonState } from "#shared/lessons/lessonState.ts";
import { quizView } from "#shared/lessons/quizView.ts";
import { blockId } from "#shared/lessons/richText.ts";
import { shownDocument } from "#shared/lessons/shownLesson.ts";

// What the player gets of a lesson

/** A lesson as the learner of a session sees it. Graded questions have no key; `revealed` is said of their answers. */
export const sessionLesson = z.object({
  document: shownDocument,
  state: lessonState,
  revealed: z.record(blockId, reveal),
  /** Only of a quiz. */
  quiz: quizView.optional(),
});
export type SessionLesson = z.infer<typeof sessionLesson>;

/** What was answered in the lessons of a course, by block, for conditions. */
export const lessonAnswers = z.record(
  blockId,
  z.object({ result: z.enum(["right", "wrong", "partly"]), chosen: z.array(z.string()) }),
);

/** What became of the graded answers and other events of lessons in a commit. */
export const lessonReceipt = z.object({
  /** The state of every graded question that the commit answers, also of one that was stored before. */
  judged: z.array(
    z.object({
      sco: z.string(),
      block: blockId,
      tries: z.int(),
      /** Null: the answer counts, but nothing is said of it before the end of the quiz. */
      reveal: reveal.nullable(),
    }),
  ),
  /** Events that were stored, but change nothing. */
  refused: z.array(z.object({ seq: z.int(), reason: refusal })),
  /** Quizzes of which an attempt has begun or ended, or an event was refused: their browser reads them again. */
  quizzes: z.array(z.string()),
});
export type LessonReceipt = z.infer<typeof lessonReceipt>;
