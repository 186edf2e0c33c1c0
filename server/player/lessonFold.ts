import { answerFields, choiceFields } from "#server/player/lessonAnswers.ts";
import {
  type Answer,
  type Course,
  type PartState,
  type RefusedEvent,
  TRIES_PER_QUESTION,
} from "#server/player/trackingState.ts";
import { conditionKeysOf } from "#server/lessons/contents.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import { applyLessonEvent } from "#shared/lessons/lessonEvents.ts";
import { MAX_BLOCKS } from "#shared/lessons/lessonDocument.ts";
import { MAX_STEPS } from "#shared/lessons/scenarios.ts";
import { answerFacts, lessonResult, scoreOf } from "#shared/lessons/lessonResult.ts";
import { NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { settleQuiz } from "#shared/lessons/quizEvents.ts";
import { newLessonState } from "#shared/lessons/lessonState.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** The events that change the state of a lesson. */
export const isLessonEvent = ({ type }: SessionEvent) =>
  type.startsWith("block.") || type.startsWith("quiz.") || type === "lesson.end" || type === "variable.set";

type Context = {
  course: Course;
  startedAt: string;
  addOnly: boolean;
  answers: Map<string, Answer>;
  refused: RefusedEvent[];
  /** What the server decided about an event, by its number: for answers, how much of them is right. */
  judged: Map<number, Stamp>;
  quizzes: QuizClock;
};
export type Stamp = Record<string, unknown>;
/**
 * `now`: when the events reached the server, in ms since the epoch. Of stored events (in a recount) the server has
 * decided before, and the decisions are in the events.
 */
export type QuizClock = { now: number; isStored: boolean; draw: (sco: string, no: number) => string[] };
/** Without a draw, no attempt at a quiz can begin. */
export const quizClock = (): QuizClock => ({ now: Date.now(), isStored: false, draw: () => [] });

/** Applies an event to the part of a lesson; an answer also becomes one of `answers`. */
export function foldLessonEvent(
  part: PartState,
  event: SessionEvent,
  { course, startedAt, addOnly, answers, refused, judged, quizzes }: Context,
) {
  const document = course.lessons?.get(part.sco);
  if (!document) return;
  const at = new Date(Date.parse(startedAt) + event.t).toISOString();
  const { type, key, value } = event;
  const before = part.lesson ?? newLessonState();
  const { draw, isStored } = quizzes;
  const stored = isStored ? storedTime(value) : null;
  const start = Date.parse(startedAt);
  const isRefusedBefore = isStored && stored === null && document.quiz !== undefined && isOfQuiz(type);
  // Without a time limit the browser says when something happened, perhaps offline, as for all other events.
  const received = document.quiz?.minutes === null ? Math.min(quizzes.now, start + event.t) : quizzes.now;
  const now = stored === null ? received : start + stored;
  const { state, refusal, stamp } = isRefusedBefore
    ? { state: before, refusal: "invalid" as const }
    : applyLessonEvent(document, before, { type, key, value, at }, addOnly, {
        now,
        isStored,
        addOnly,
        extra: course.extra?.get(part.sco) ?? NO_ALLOWANCE,
        draw: (no) => draw(part.sco, no),
      });
  part.lesson = state;
  if (refusal) {
    refused.push({ seq: event.seq, reason: refusal });
    return;
  }
  if (stamp) judged.set(event.seq, { at: Math.round(now - start), ...stamp });
  const block = document.blocks.find(({ id }) => id === key);
  if (type === "block.choose" && block?.kind === "scenario") {
    const chosen = choiceFields(block, value ?? "");
    const run = Math.min((state.scenarios?.[block.id]?.runs ?? 0) + 1, TRIES_PER_QUESTION);
    const n = (MAX_BLOCKS + document.blocks.indexOf(block) * MAX_STEPS + chosen.index) * TRIES_PER_QUESTION + run - 1;
    answers.set(`${part.sco}\n${n}`, { sco: part.sco, n, t: event.t, fields: chosen.fields });
    return;
  }
  if (type !== "block.answer" || key === undefined) return;
  const answer = state.answers[key];
  if (block?.kind !== "question" || !answer) return;
  judged.set(event.seq, { ...judged.get(event.seq), share: answer.share });
  const index = document.blocks.indexOf(block);
  const quizAttempt = document.quiz ? (state.quiz?.open?.no ?? 1) : null;
  const n = index * TRIES_PER_QUESTION + Math.min(quizAttempt ?? answer.tries, TRIES_PER_QUESTION) - 1;
  answers.set(`${part.sco}\n${n}`, {
    sco: part.sco,
    n,
    t: event.t,
    fields: { ...answerFields(block, answer, value ?? ""), ...(quizAttempt && { quiz_attempt: String(quizAttempt) }) },
  });
}

const isOfQuiz = (type: string) => type === "block.answer" || type.startsWith("quiz.");

/** When a stored event reached the server, in ms since the start of its session; null if it was refused. */
function storedTime(value: string | undefined): number | null {
  try {
    const { at } = JSON.parse(value ?? "null") as { at?: unknown };
    return typeof at === "number" ? at : null;
  } catch {
    return null;
  }
}

/** Ends attempts at quizzes whose time is over; returns the changed parts. */
export function settleQuizzes(course: Course, states: Iterable<PartState>, now: number): PartState[] {
  return [...states].flatMap((part) => {
    const document = course.lessons?.get(part.sco);
    if (!document?.quiz || !part.lesson?.quiz?.open) return [];
    const lesson = settleQuiz(document, part.lesson, { now, extra: course.extra?.get(part.sco) ?? NO_ALLOWANCE });
    return lesson === part.lesson ? [] : [{ ...part, lesson }];
  });
}

/** What conditions know of the learner. */
export function factsOf(course: Course, states: Iterable<PartState>, valueOf: Facts["value"]): Facts {
  const answers = answersIn(course, states);
  return { value: valueOf, answer: (block) => answers.get(block) };
}

/** What was answered in the lessons of a course. */
export const answersIn = ({ lessons, extra }: Course, states: Iterable<PartState>) =>
  answerFacts(
    [...states].map(({ sco, lesson }) => ({
      state: lesson,
      document: lessons?.get(sco),
      extra: extra?.get(sco) ?? NO_ALLOWANCE,
    })),
  );

/** Sets what the part of a lesson amounts to. Completion and a pass are never taken back. */
export function rateLesson(course: Course, part: PartState, facts: Facts) {
  const document = course.lessons?.get(part.sco);
  if (!document || !part.lesson) return;
  const values = conditionKeysOf(document).map((key) => [key, facts.value(key)]);
  part.lesson = { ...part.lesson, values: Object.fromEntries(values) };
  const result = lessonResult(document, part.lesson, facts, course.extra?.get(part.sco));
  if (result.isDone) part.completion = "completed";
  else if (part.completion === "unknown") part.completion = "incomplete";
  if (part.success !== "passed" && result.success !== "unknown") part.success = result.success;
  const score = scoreOf([result]);
  const keepsBest = part.success === "passed" && document.quiz?.counts !== "last";
  if (score !== null) part.scorePercent = keepsBest ? Math.max(part.scorePercent ?? 0, score) : score;
  part.progress = Math.max(part.progress ?? 0, result.isDone ? 1 : result.progress);
}
