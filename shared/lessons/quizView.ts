import { z } from "zod";

/** What a learner is told of a quiz besides its settings and attempts. */
export const quizView = z.object({
  /** By the clock of the server. */
  now: z.string(),
  /** Attempts and minutes with what this person gets on top; null: no limit. */
  attempts: z.int().nullable(),
  minutes: z.int().nullable(),
  /** When the open attempt ends; null without a limit, and while the clock is stopped. */
  endsAt: z.string().nullable(),
  /** Of one attempt. */
  questions: z.int(),
  points: z.number(),
  /** What was right may be seen. */
  canReview: z.boolean(),
  /** Questions of the next attempt that the last one did not have. */
  fresh: z.int(),
  /** The questions are here, before the first attempt has begun: it can begin offline. */
  isPrepared: z.boolean(),
});
export type QuizView = z.infer<typeof quizView>;
