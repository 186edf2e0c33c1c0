import { z } from "zod";
import { blockId } from "#shared/lessons/richText.ts";

// A lesson may be a quiz: all of its questions are graded, drawn for each attempt, and count only in an attempt

/** Percent of the points from which a lesson is passed, and a quiz unless its author says otherwise. */
export const PASS_PERCENT = 80;
export const MAX_ATTEMPTS = 10;
export const MAX_POOLS = 20;
export const MAX_DRAW = 200;
/** Minutes. */
export const MAX_QUIZ_MINUTES = 600;
/** An answer that reaches the server this long after the end still counts: it was on its way. */
export const GRACE_MS = 10_000;

/** `draw` questions of the pool are asked. Questions name their pool by its key; those without one are always asked. */
export const quizPool = z.object({
  key: blockId,
  title: z.string().trim().max(100),
  draw: z.int().min(1).max(MAX_DRAW),
});
export type QuizPool = z.infer<typeof quizPool>;

export const quizSettings = z.object({
  /** With 0, every attempt passes. */
  passPercent: z.int().min(0).max(100),
  /** Null: as many as they like. */
  attempts: z.int().min(1).max(MAX_ATTEMPTS).nullable(),
  /** Time limit of an attempt by the clock of the server; null: none. */
  minutes: z.int().min(1).max(MAX_QUIZ_MINUTES).nullable(),
  /** Learners may stop the clock. Leaving never does. */
  mayPause: z.boolean(),
  layout: z.enum(["one", "all"]),
  shuffleQuestions: z.boolean(),
  /** The choices of all questions, also where the question itself does not ask for it. */
  shuffleChoices: z.boolean(),
  /** `each`: an answer is judged at once and final. `end`: it can be changed until the attempt is handed in. */
  feedback: z.enum(["each", "end"]),
  /** When learners see what was right. */
  review: z.enum(["never", "lastAttempt", "passed", "always"]),
  /** The attempt whose score counts. */
  counts: z.enum(["best", "last"]),
  pools: z.array(quizPool).max(MAX_POOLS),
});
export type QuizSettings = z.infer<typeof quizSettings>;

export const newQuizSettings = (): QuizSettings => ({
  passPercent: PASS_PERCENT,
  attempts: 3,
  minutes: null,
  mayPause: false,
  layout: "one",
  shuffleQuestions: true,
  shuffleChoices: true,
  feedback: "end",
  review: "always",
  counts: "best",
  pools: [],
});

/** What one person gets on top. */
export const quizAllowance = z.object({
  attempts: z.int().min(0).max(MAX_ATTEMPTS),
  minutes: z.int().min(0).max(MAX_QUIZ_MINUTES),
});
export type QuizAllowance = z.infer<typeof quizAllowance>;
export const NO_ALLOWANCE: QuizAllowance = { attempts: 0, minutes: 0 };

type Asked = { id: string; pool?: string | undefined };

/**
 * The questions of an attempt. `rank` puts ids into an order that is always the same for the same attempt; `settings`
 * say how many of each pool are drawn, and whether the order is that of the author.
 */
export function drawQuestions<T extends Asked>(
  questions: T[],
  { pools, shuffleQuestions }: Pick<QuizSettings, "pools" | "shuffleQuestions">,
  rank: (list: T[]) => T[],
): T[] {
  const known = new Set(pools.map(({ key }) => key));
  const chosen = new Set(questions.filter(({ pool }) => pool === undefined || !known.has(pool)));
  for (const { key, draw } of pools)
    for (const one of rank(questions.filter(({ pool }) => pool === key)).slice(0, draw)) chosen.add(one);
  const drawn = questions.filter((one) => chosen.has(one));
  return shuffleQuestions ? rank(drawn) : drawn;
}

/** Questions of one attempt, and their points: of a pool, the mean. */
export function sizeOfQuiz(questions: (Asked & { points: number })[], { pools }: Pick<QuizSettings, "pools">) {
  const known = new Set(pools.map(({ key }) => key));
  const always = questions.filter(({ pool }) => pool === undefined || !known.has(pool));
  const sumOf = (list: { points: number }[]) => list.reduce((sum, { points }) => sum + points, 0);
  const drawn = pools.map(({ key, draw }) => {
    const list = questions.filter(({ pool }) => pool === key);
    const count = Math.min(draw, list.length);
    return { count, points: list.length === 0 ? 0 : (sumOf(list) / list.length) * count };
  });
  return {
    questions: drawn.reduce((sum, { count }) => sum + count, always.length),
    points: sumOf(always) + sumOf(drawn),
  };
}
