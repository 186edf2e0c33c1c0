import { z } from "zod";
import { GRACE_MS, type QuizAllowance, type QuizSettings } from "#shared/lessons/quiz.ts";
import { blockId } from "#shared/lessons/richText.ts";

// The attempts of a learner at a quiz. The answers of the latest attempt are those of the lesson.

/** Attempts that are listed; of earlier ones, the best stays. */
export const MAX_LISTED_ATTEMPTS = 20;

export const openQuiz = z.object({
  no: z.int(),
  startedAt: z.string(),
  /** Null without a time limit. */
  endsAt: z.string().nullable(),
  /** Minutes on top that are part of `endsAt`. */
  extraMinutes: z.int(),
  pausedAt: z.string().nullable(),
});
export type OpenQuiz = z.infer<typeof openQuiz>;

export const closedQuiz = z.object({
  no: z.int(),
  startedAt: z.string(),
  closedAt: z.string(),
  earned: z.number(),
  points: z.number(),
  /** It was not handed in. */
  isTimeUp: z.boolean(),
});
export type ClosedQuiz = z.infer<typeof closedQuiz>;

export const quizState = z.object({
  started: z.int(),
  open: openQuiz.nullable(),
  closed: z.array(closedQuiz),
  best: closedQuiz.nullable(),
  /** The questions of the latest attempt, in their order. */
  drawn: z.array(blockId),
});
export type QuizState = z.infer<typeof quizState>;

export const newQuizState = (): QuizState => ({ started: 0, open: null, closed: [], best: null, drawn: [] });

export const percentOf = ({ earned, points }: Pick<ClosedQuiz, "earned" | "points">) =>
  points > 0 ? (earned / points) * 100 : 0;
/** Sums of shares such as 1/3 are a little off. */
const isEnough = (percent: number, passPercent: number) => percent + 1e-9 >= passPercent;
export const isPassed = (attempt: ClosedQuiz | null | undefined, { passPercent }: Pick<QuizSettings, "passPercent">) =>
  Boolean(attempt) && isEnough(percentOf(attempt as ClosedQuiz), passPercent);

/** The attempt whose score counts. */
export const countedAttempt = ({ closed, best }: QuizState, { counts }: Pick<QuizSettings, "counts">) =>
  counts === "best" ? best : (closed.at(-1) ?? null);

export const allowedAttempts = ({ attempts }: Pick<QuizSettings, "attempts">, extra: QuizAllowance) =>
  attempts === null ? null : attempts + extra.attempts;

export function hasAttemptsLeft(settings: QuizSettings, { started }: QuizState, extra: QuizAllowance) {
  const allowed = allowedAttempts(settings, extra);
  return allowed === null || started < allowed;
}

/** When the open attempt ends, in ms since the epoch; null without a limit, and while the clock is stopped. */
export function deadlineOf({ endsAt, pausedAt, extraMinutes }: OpenQuiz, extra: QuizAllowance) {
  if (endsAt === null || pausedAt !== null) return null;
  return Date.parse(endsAt) + (extra.minutes - extraMinutes) * 60_000;
}

/** Nothing counts any more. */
export function isTimeOver(open: OpenQuiz, extra: QuizAllowance, now: number) {
  const deadline = deadlineOf(open, extra);
  return deadline !== null && now > deadline + GRACE_MS;
}

/** Whether learners may see what was right. */
export function mayReview(settings: QuizSettings, quiz: QuizState | undefined, extra: QuizAllowance): boolean {
  if (!quiz || quiz.open || quiz.closed.length === 0) return false;
  if (settings.review === "passed") return isPassed(quiz.best, settings);
  if (settings.review === "lastAttempt") return !hasAttemptsLeft(settings, quiz, extra);
  return settings.review === "always";
}
