import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { type QuizSettings, sizeOfQuiz } from "#shared/lessons/quiz.ts";

// What is wrong with a quiz before it is published

export type QuizProblem = {
  code: "quizNoQuestions" | "poolTooSmall" | "passMark" | "timeShort";
  /** Nothing is published before it is solved. */
  blocks: boolean;
  about: string;
};

/** Below this many seconds a question, few people finish. */
const SECONDS_A_QUESTION = 10;

export function checkQuiz(blocks: LessonBlock[], settings: QuizSettings): QuizProblem[] {
  const questions = blocks.flatMap((block) =>
    block.kind === "question" ? [{ id: block.id, pool: block.pool, points: block.question.points }] : [],
  );
  const { questions: asked, points } = sizeOfQuiz(questions, settings);
  if (asked === 0) return [{ code: "quizNoQuestions", blocks: true, about: "" }];
  const problems: QuizProblem[] = [];
  for (const { key, title, draw } of settings.pools) {
    const has = questions.filter(({ pool }) => pool === key).length;
    if (has < draw) problems.push({ code: "poolTooSmall", blocks: true, about: `${title || "–"}: ${has} < ${draw}` });
  }
  // Every combination can reach its points, unless one may consist of questions without any.
  if (settings.passPercent > 0 && (points === 0 || isWorthless(questions, settings)))
    problems.push({ code: "passMark", blocks: true, about: "" });
  const seconds = settings.minutes === null ? Infinity : settings.minutes * 60;
  if (seconds < asked * SECONDS_A_QUESTION)
    problems.push({ code: "timeShort", blocks: false, about: String(Math.floor(seconds / asked)) });
  return problems;
}

type Asked = { id: string; pool: string | undefined; points: number };

/** A draw may have no points at all. */
function isWorthless(questions: Asked[], { pools }: QuizSettings) {
  const known = new Set(pools.map(({ key }) => key));
  const always = questions.filter(({ pool }) => pool === undefined || !known.has(pool));
  if (always.some(({ points }) => points > 0)) return false;
  return pools.every(({ key, draw }) => {
    const list = questions.filter(({ pool }) => pool === key);
    return list.filter(({ points }) => points === 0).length >= Math.min(draw, list.length);
  });
}
