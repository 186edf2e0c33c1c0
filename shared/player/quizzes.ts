import { z } from "zod";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { MAX_LESSONS } from "#shared/lessons/lessonDocument.ts";
import { quizAllowance } from "#shared/lessons/quiz.ts";
import { blockId } from "#shared/lessons/richText.ts";

// The quizzes of a learner in a course, as admins see them

export const canManageQuizzes = isAdmin;

export const learnerQuiz = z.object({
  sco: blockId,
  title: z.string(),
  /** Attempts that were begun, and how many there may be without what is given on top; null: any number. */
  started: z.int(),
  attempts: z.int().nullable(),
  /** Without what is given on top; null: no limit. */
  minutes: z.int().nullable(),
  extra: quizAllowance,
  /** Score of the attempt that counts, in percent. */
  scorePercent: z.number().nullable(),
  isPassed: z.boolean(),
  isOpen: z.boolean(),
});
export type LearnerQuiz = z.infer<typeof learnerQuiz>;
const learnerQuizzes = z.object({ items: z.array(learnerQuiz).max(MAX_LESSONS) });

export const quizzes = defineContracts("quizzes", {
  list: get("/api/enrolments/:id/quizzes", {
    does: "List the quizzes of an enrolment with the attempts of the learner",
    reply: learnerQuizzes,
  }),
  allow: post("/api/enrolments/:id/quizzes", {
    does: "Give a learner more attempts or minutes at a quiz; replaces what was given before",
    body: quizAllowance.extend({ sco: blockId }),
    reply: learnerQuizzes,
  }),
});
