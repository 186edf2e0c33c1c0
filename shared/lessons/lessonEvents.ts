import { z } from "zod";
import { type AnswerState, isOver, judge } from "#shared/lessons/judge.ts";
import type { LessonState, Watched } from "#shared/lessons/lessonState.ts";
import { response } from "#shared/lessons/questions.ts";
import { blockId } from "#shared/lessons/richText.ts";
import { backIn, chooseIn, newScenarioState, type ScenarioState } from "#shared/lessons/scenarioState.ts";
import { writtenBy } from "#shared/lessons/variablesOf.ts";
import {
  applyQuizAnswer,
  applyQuizEvent,
  isQuizEvent,
  type QuizContext,
  quizValues,
} from "#shared/lessons/quizEvents.ts";
import type { ShownBlock, ShownBlockOf, ShownDocument } from "#shared/lessons/shownLesson.ts";
import { markUnclear, mayBeUnclear, unclearValue } from "#shared/lessons/unclear/unclear.ts";

// How an event changes the state of a lesson: a pure function for the server, and for what the browser shows at once

/** The largest value of an event of a lesson, in characters of JSON. */
export const MAX_LESSON_VALUE = 20_000;
const MAX_RANGES = 200;
/** A day in seconds: no video is longer. */
const MAX_DURATION = 86_400;
const ms = z
  .int()
  .min(0)
  .max(MAX_DURATION * 1000);
const second = z.number().min(0).max(MAX_DURATION);

/** The values of the events by their type; those that are not listed have none. */
export const lessonValues = {
  /** `ms`: from the moment the question was seen or last answered. `attempt`: the one at the quiz. */
  "block.answer": z.object({ response, attempt: z.int().min(1).optional(), ms }),
  "block.check": z.array(z.string().max(64)).max(100),
  "block.watched": z.object({ duration: second, ranges: z.array(z.tuple([second, second])).max(50) }),
  "block.confirm": z.object({ zone: z.string().min(1).max(64) }),
  /** `ms`: since the step was shown. */
  "block.choose": z.object({ step: blockId, choice: blockId, ms }),
  "block.unclear": unclearValue,
  ...quizValues,
};

/** `at`: when it happened, by the clock of the server. */
export type LessonEvent = { type: string; key?: string | undefined; value?: string | undefined; at: string };
export const refusal = z.enum([
  "unknownBlock",
  "invalid",
  "noTriesLeft",
  "notOpen",
  "otherAttempt",
  "noAttemptsLeft",
  "timeUp",
  "paused",
]);
export type LessonRefusal = z.infer<typeof refusal>;
/** `stamp`: what the server decided about the event, to be stored with it. */
type Outcome = { state: LessonState; refusal: LessonRefusal | null; stamp?: Record<string, unknown> };

const parse = <S extends z.ZodType>(schema: S, text: string | undefined): z.infer<S> | null => {
  if (text === undefined || text.length > MAX_LESSON_VALUE) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/**
 * Applies one event. Anything can arrive here: what the lesson does not offer is refused and changes nothing.
 * `addOnly`: another window has taken over, whose place in the lesson stays. Without `quiz`, nothing of a quiz counts.
 */
export function applyLessonEvent(
  document: ShownDocument,
  state: LessonState,
  { type, key, value, at }: LessonEvent,
  addOnly = false,
  quiz?: QuizContext,
): Outcome {
  const { blocks } = document;
  const refuse = (why: LessonRefusal): Outcome => ({ state, refusal: why });
  const change = (changes: Partial<LessonState>): Outcome => ({ state: { ...state, ...changes }, refusal: null });
  if (type === "lesson.end") return change({ ended: true });
  if (type === "variable.set") {
    const isOfLesson = key !== undefined && blocks.some((block) => writtenBy(block).includes(key));
    if (!isOfLesson || state.written.includes(key)) return change({});
    return change({ written: [...state.written, key] });
  }
  if (isQuizEvent(type)) {
    if (!quiz || !isQuiz(document)) return refuse("invalid");
    return applyQuizEvent(document, state, { type, value: parse(z.unknown(), value) }, quiz);
  }
  const block = blocks.find(({ id }) => id === key);
  if (!block) return refuse("unknownBlock");
  const { id } = block;
  switch (type) {
    case "block.seen":
      return change({
        seen: state.seen.includes(id) ? state.seen : [...state.seen, id],
        last: addOnly ? state.last : id,
      });
    case "block.answer": {
      if (!isQuiz(document)) return answer(block, state, value, refuse, change);
      const given = parse(lessonValues["block.answer"], value);
      return given && quiz ? applyQuizAnswer(document, state, id, given, quiz) : refuse("invalid");
    }
    case "block.check": {
      const ids = parse(lessonValues["block.check"], value);
      if (!ids || block.kind !== "checklist") return refuse("invalid");
      const known = block.items.map((item) => item.id).filter((item) => ids.includes(item));
      return change({ checked: { ...state.checked, [id]: known } });
    }
    case "block.watched": {
      const seen = parse(lessonValues["block.watched"], value);
      if (!seen || (block.kind !== "video" && block.kind !== "audio")) return refuse("invalid");
      return change({ watched: { ...state.watched, [id]: addWatched(state.watched[id], seen) } });
    }
    case "block.confirm": {
      const signed = parse(lessonValues["block.confirm"], value);
      if (!signed || block.kind !== "confirmation") return refuse("invalid");
      if (state.confirmed[id]) return change({});
      return change({ confirmed: { ...state.confirmed, [id]: { at, zone: signed.zone } } });
    }
    case "block.unclear": {
      const given = parse(lessonValues["block.unclear"], value);
      if (!given || !mayBeUnclear(block)) return refuse("invalid");
      return change({ unclear: markUnclear(state.unclear, id, given, at) });
    }
    case "block.choose":
    case "block.back":
    case "block.restart": {
      if (block.kind !== "scenario" || isQuiz(document)) return refuse("invalid");
      const before = state.scenarios?.[id] ?? newScenarioState();
      const after = walkOn(block, before, type, value);
      return after ? change({ scenarios: { ...state.scenarios, [id]: after } }) : refuse("invalid");
    }
    default:
      return refuse("invalid");
  }
}

type Walk = "block.choose" | "block.back" | "block.restart";
function walkOn(block: ShownBlockOf<"scenario">, before: ScenarioState, type: Walk, value: string | undefined) {
  if (type === "block.restart") return { ...before, path: [] };
  if (type === "block.back") return backIn(block, before);
  const chosen = parse(lessonValues["block.choose"], value);
  return chosen && chooseIn(block, before, chosen);
}

type QuizDocument = ShownDocument & { quiz: NonNullable<ShownDocument["quiz"]> };
export const isQuiz = (document: ShownDocument): document is QuizDocument => document.quiz !== undefined;

function answer(
  block: ShownBlock,
  state: LessonState,
  value: string | undefined,
  refuse: (why: LessonRefusal) => Outcome,
  change: (changes: Partial<LessonState>) => Outcome,
): Outcome {
  const given = parse(lessonValues["block.answer"], value);
  if (!given || block.kind !== "question" || !block.question.key) return refuse("invalid");
  const before = state.answers[block.id];
  if (isOver(block.question, before)) return refuse("noTriesLeft");
  const share = judge(block.question, block.question.key, given.response);
  if (share === null) return refuse("invalid");
  const after = {
    response: given.response,
    share,
    best: Math.max(before?.best ?? 0, share),
    tries: Math.min((before?.tries ?? 0) + 1, 1000),
  };
  return change({ answers: { ...state.answers, [block.id]: after } });
}

/** Joins ranges that overlap or touch; the smallest gaps are closed if there are too many. */
export function addWatched(before: Watched | undefined, { duration, ranges }: Watched): Watched {
  const longest = Math.max(before?.duration ?? 0, duration);
  const sorted = [...(before?.ranges ?? []), ...ranges]
    .map(([from, to]): [number, number] => [Math.min(from, longest), Math.min(to, longest)])
    .filter(([from, to]) => to > from)
    .toSorted((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 0.5) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  // Hostile or very restless: further ranges are lost.
  return { duration: longest, ranges: joined.slice(0, MAX_RANGES) };
}

/** The last seconds of many videos are black. */
const WATCHED_SHARE = 0.95;
export const watchedShare = (state: Watched | undefined) =>
  state && state.duration > 0
    ? Math.min(1, state.ranges.reduce((sum, [from, to]) => sum + to - from, 0) / state.duration)
    : 0;
export const isWatched = (state: Watched | undefined) => watchedShare(state) >= WATCHED_SHARE;

type InputBlock = ShownBlockOf<"reflection" | "rating" | "slider">;
export const isInput = (block: ShownBlock): block is InputBlock =>
  block.kind === "reflection" || block.kind === "rating" || block.kind === "slider";

/** Practice has to be answered; what is graded has to be right, unless no try is left. */
function isQuestionMet(question: ShownBlockOf<"question">["question"], given: AnswerState | undefined) {
  if (!question.required) return true;
  return given !== undefined && (!question.graded || given.best >= 1 || isOver(question, given));
}

/** True if nothing of the block is missing: it is not required, or the learner has done it. */
export function isMet(block: ShownBlock, state: LessonState): boolean {
  if (block.kind === "question") return isQuestionMet(block.question, state.answers[block.id]);
  if (block.kind === "confirmation") return state.confirmed[block.id] !== undefined;
  if (block.kind === "checklist") return !block.required || state.checked[block.id]?.length === block.items.length;
  if (block.kind === "video" || block.kind === "audio") return !block.required || isWatched(state.watched[block.id]);
  if (block.kind === "scenario") return !block.required || (state.scenarios?.[block.id]?.endings.length ?? 0) > 0;
  if (isInput(block)) return !block.required || state.written.includes(block.variable);
  return true;
}
