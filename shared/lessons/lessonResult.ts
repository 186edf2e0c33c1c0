import { roundPercent } from "#shared/core/percent.ts";
import type { AnswerFact, Facts } from "#shared/conditions/evaluate.ts";
import { chosenOf, isOver, resultOf } from "#shared/lessons/judge.ts";
import { isMet, isQuiz } from "#shared/lessons/lessonEvents.ts";
import { type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import { NO_ALLOWANCE, PASS_PERCENT, type QuizAllowance, sizeOfQuiz } from "#shared/lessons/quiz.ts";
import { countedAttempt, hasAttemptsLeft, isPassed, mayReview, newQuizState } from "#shared/lessons/quizState.ts";
import { scenarioFact } from "#shared/lessons/scenarioState.ts";
import { isShown, type ShownBlock, type ShownBlockOf, type ShownDocument } from "#shared/lessons/shownLesson.ts";

// What a lesson amounts to: whether it is done, and its score

export type LessonResult = {
  isDone: boolean;
  /** Points of the graded questions that the learner sees, and how many they have. */
  points: number;
  earned: number;
  /** Answered graded questions. */
  answered: number;
  success: "unknown" | "passed" | "failed";
  /** Share of the blocks that were seen, from 0 to 1. */
  progress: number;
};

const isGraded = (block: ShownBlock): block is ShownBlockOf<"question"> =>
  block.kind === "question" && block.question.graded;

/** `extra`: what the learner gets on top in a quiz. */
export function lessonResult(
  document: ShownDocument,
  state: LessonState | null,
  facts: Facts,
  extra: QuizAllowance = NO_ALLOWANCE,
): LessonResult {
  if (isQuiz(document)) return quizResult(document, state, extra);
  const { blocks } = document;
  const done = state ?? newLessonState();
  const shown = blocks.filter((block) => isShown(block, facts));
  const graded = shown.filter(isGraded);
  const points = graded.reduce((sum, { question }) => sum + question.points, 0);
  const earned = graded.reduce((sum, { id, question }) => sum + question.points * (done.answers[id]?.best ?? 0), 0);
  const answered = graded.filter(({ id }) => done.answers[id]).length;
  const isDone = done.ended && shown.every((block) => isMet(block, done));
  const isPassed = points > 0 && (earned / points) * 100 >= PASS_PERCENT;
  const noneLeft = graded.every(({ id, question }) => isOver(question, done.answers[id]));
  let success: LessonResult["success"] = points > 0 && noneLeft ? "failed" : "unknown";
  if (isPassed) success = "passed";
  const seen = new Set(done.seen);
  return {
    isDone,
    points,
    earned,
    answered,
    success,
    progress: shown.length === 0 ? 1 : shown.filter(({ id }) => seen.has(id)).length / shown.length,
  };
}

/** A quiz is done when it is passed, or when no attempt is left. Its score is that of the attempt that counts. */
function quizResult(
  { quiz: settings, blocks }: ShownDocument & { quiz: NonNullable<ShownDocument["quiz"]> },
  state: LessonState | null,
  extra: QuizAllowance,
): LessonResult {
  const quiz = state?.quiz ?? newQuizState();
  const counted = countedAttempt(quiz, settings);
  const questions = blocks.flatMap((block) =>
    block.kind === "question" ? [{ id: block.id, pool: block.pool, points: block.question.points }] : [],
  );
  const passed = isPassed(quiz.best, settings);
  const isOut = !quiz.open && quiz.closed.length > 0 && !hasAttemptsLeft(settings, quiz, extra);
  const isDone = passed || isOut;
  const notPassed = isOut ? "failed" : "unknown";
  const answered = quiz.drawn.filter((id) => state?.answers[id]).length;
  return {
    isDone,
    points: counted?.points ?? sizeOfQuiz(questions, settings).points,
    earned: counted?.earned ?? 0,
    answered: quiz.closed.length,
    success: passed ? "passed" : notPassed,
    progress: isDone ? 1 : Math.min(0.95, answered / Math.max(1, quiz.drawn.length)),
  };
}

/** The score of lessons together, by the points of their questions; null before the first graded answer. */
export function scoreOf(results: LessonResult[]): number | null {
  const sum = (field: "points" | "earned" | "answered") => results.reduce((total, one) => total + one[field], 0);
  const points = sum("points");
  return points === 0 || sum("answered") === 0 ? null : roundPercent((sum("earned") / points) * 100, 2);
}

type AnsweredLesson = { state: LessonState | null; document?: ShownDocument | undefined; extra?: QuizAllowance };

/** What conditions know of answers: those of a quiz from the moment at which the learner may know them too. */
export const answerFacts = (lessons: Iterable<AnsweredLesson>): Map<string, AnswerFact> => {
  const facts = new Map<string, AnswerFact>();
  for (const { state, document, extra = NO_ALLOWANCE } of lessons) {
    if (document?.quiz && !mayReview(document.quiz, state?.quiz, extra)) continue;
    for (const [block, { response, share }] of Object.entries(state?.answers ?? {}))
      facts.set(block, { result: resultOf(share), chosen: chosenOf(response) });
    for (const [block, scenario] of Object.entries(state?.scenarios ?? {})) {
      const fact = scenarioFact(scenario);
      if (fact) facts.set(block, fact);
    }
  }
  return facts;
};
