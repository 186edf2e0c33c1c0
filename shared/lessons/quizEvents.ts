import { z } from "zod";
import { judge } from "#shared/lessons/judge.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { QuizAllowance } from "#shared/lessons/quiz.ts";
import type { QuestionResponse } from "#shared/lessons/questions.ts";
import {
  type ClosedQuiz,
  deadlineOf,
  hasAttemptsLeft,
  isTimeOver,
  MAX_LISTED_ATTEMPTS,
  newQuizState,
  percentOf,
  type QuizState,
} from "#shared/lessons/quizState.ts";
import { blockId } from "#shared/lessons/richText.ts";
import type { ShownDocument } from "#shared/lessons/shownLesson.ts";

// How an event changes the attempts at a quiz. The server decides when it happened and which questions are asked, and
// stores both with the event, so that a recount needs neither its clock nor its secret.

const attempt = z.int().min(1).max(100_000);
/** ms since the start of the session by the clock of the server, as stored. */
const at = z.int().optional();
const ofAttempt = z.object({ attempt, at });
export const quizValues = {
  /** `minutes`: the time limit with what the person gets on top (`extra`). */
  "quiz.start": ofAttempt.extend({
    drawn: z.array(blockId).max(500).optional(),
    minutes: z.int().nullable().optional(),
    extra: z.int().optional(),
  }),
  "quiz.end": ofAttempt,
  "quiz.pause": ofAttempt,
  "quiz.resume": ofAttempt,
};
export type QuizEventType = keyof typeof quizValues;
export const isQuizEvent = (type: string): type is QuizEventType => Object.hasOwn(quizValues, type);

export type QuizRefusal =
  "invalid" | "unknownBlock" | "noTriesLeft" | "notOpen" | "otherAttempt" | "noAttemptsLeft" | "timeUp" | "paused";

export type QuizContext = {
  /** When the event reached the server, in ms since the epoch. */
  now: number;
  extra: QuizAllowance;
  draw: (no: number) => string[];
  /** The event was stored before, with what the server had decided. */
  isStored: boolean;
  /** Of another window that was taken over. */
  addOnly: boolean;
};
type Outcome = { state: LessonState; refusal: QuizRefusal | null; stamp?: Record<string, unknown> };
type Quiz = NonNullable<ShownDocument["quiz"]>;
const iso = (ms: number) => new Date(ms).toISOString();

const questionsOf = ({ blocks }: ShownDocument) =>
  blocks.flatMap((block) => (block.kind === "question" ? [block] : []));

/** Ends the open attempt, and counts its points. */
function close(document: ShownDocument, state: LessonState, closedAt: number, isTimeUp: boolean): LessonState {
  const quiz = state.quiz as QuizState;
  const { no, startedAt } = quiz.open as NonNullable<QuizState["open"]>;
  const asked = questionsOf(document).filter(({ id }) => quiz.drawn.includes(id));
  const sum = (of: (one: (typeof asked)[number]) => number) =>
    Math.round(asked.reduce((total, one) => total + of(one), 0) * 10_000) / 10_000;
  const closed: ClosedQuiz = {
    no,
    startedAt,
    closedAt: iso(closedAt),
    earned: sum(({ id, question }) => question.points * (state.answers[id]?.share ?? 0)),
    points: sum(({ question }) => question.points),
    isTimeUp,
  };
  const isBest = !quiz.best || percentOf(closed) > percentOf(quiz.best);
  return {
    ...state,
    quiz: {
      ...quiz,
      open: null,
      closed: [...quiz.closed, closed].slice(-MAX_LISTED_ATTEMPTS),
      best: isBest ? closed : quiz.best,
    },
  };
}

/** Ends an attempt whose time is over. */
export function settleQuiz(
  document: ShownDocument,
  state: LessonState,
  { now, extra }: Pick<QuizContext, "now" | "extra">,
): LessonState {
  const open = state.quiz?.open;
  if (!open || !isTimeOver(open, extra, now)) return state;
  return close(document, state, deadlineOf(open, extra) ?? now, true);
}

export function applyQuizEvent(
  document: ShownDocument & { quiz: Quiz },
  before: LessonState,
  { type, value }: { type: QuizEventType; value: unknown },
  context: QuizContext,
): Outcome {
  const state = context.isStored ? before : settleQuiz(document, before, context);
  const refuse = (refusal: QuizRefusal): Outcome => ({ state, refusal });
  const parsed = quizValues[type].safeParse(value).data;
  if (!parsed) return refuse("invalid");
  if (type === "quiz.start") return start(document, state, parsed, context);
  const quiz = state.quiz ?? newQuizState();
  const { open } = quiz;
  if (!open) return refuse("notOpen");
  if (open.no !== parsed.attempt || context.addOnly) return refuse("otherAttempt");
  const { now } = context;
  const change = (changes: Partial<typeof open>): Outcome => ({
    state: { ...state, quiz: { ...quiz, open: { ...open, ...changes } } },
    refusal: null,
    stamp: {},
  });
  if (type === "quiz.end") {
    const deadline = deadlineOf(open, context.extra);
    const isTimeUp = deadline !== null && now >= deadline;
    return { state: close(document, state, isTimeUp ? deadline : now, isTimeUp), refusal: null, stamp: {} };
  }
  if (type === "quiz.pause") {
    if (!document.quiz.mayPause || open.endsAt === null) return refuse("invalid");
    return change({ pausedAt: open.pausedAt ?? iso(now) });
  }
  if (open.pausedAt === null || open.endsAt === null) return refuse("invalid");
  const stopped = Math.max(0, now - Date.parse(open.pausedAt));
  return change({ pausedAt: null, endsAt: iso(Date.parse(open.endsAt) + stopped) });
}

function start(
  document: ShownDocument & { quiz: Quiz },
  before: LessonState,
  { attempt: no, drawn, minutes, extra }: z.infer<(typeof quizValues)["quiz.start"]>,
  context: QuizContext,
): Outcome {
  const { quiz: settings } = document;
  const open = before.quiz?.open;
  // In a recount, the time of an earlier attempt was over when this one began.
  const state =
    open && context.isStored ? close(document, before, deadlineOf(open, context.extra) ?? context.now, true) : before;
  const quiz = state.quiz ?? newQuizState();
  const refuse = (refusal: QuizRefusal): Outcome => ({ state: before, refusal });
  if (quiz.open || no !== quiz.started + 1) return refuse("otherAttempt");
  if (!context.isStored && !hasAttemptsLeft(settings, quiz, context.extra)) return refuse("noAttemptsLeft");
  const questions = context.isStored ? (drawn ?? []) : context.draw(no);
  const given = settings.minutes === null ? null : settings.minutes + context.extra.minutes;
  const limit = context.isStored ? (minutes ?? null) : given;
  const extraMinutes = context.isStored ? (extra ?? 0) : context.extra.minutes;
  if (questions.length === 0) return refuse("invalid");
  const opened = {
    no,
    startedAt: iso(context.now),
    endsAt: limit === null ? null : iso(context.now + limit * 60_000),
    extraMinutes,
    pausedAt: null,
  };
  return {
    state: { ...state, answers: {}, quiz: { ...quiz, started: no, open: opened, drawn: questions } },
    refusal: null,
    stamp: { drawn: questions, minutes: limit, extra: extraMinutes },
  };
}

/** An answer counts if it belongs to the open attempt and reaches the server in time. */
export function applyQuizAnswer(
  document: ShownDocument & { quiz: Quiz },
  before: LessonState,
  id: string,
  { response, attempt: no }: { response: QuestionResponse; attempt?: number | undefined },
  context: QuizContext,
): Outcome {
  const state = context.isStored ? before : settleQuiz(document, before, context);
  const refuse = (refusal: QuizRefusal): Outcome => ({ state, refusal });
  const open = state.quiz?.open;
  if (!open) return refuse(state.quiz?.closed.at(-1)?.isTimeUp ? "timeUp" : "notOpen");
  if (open.no !== no) return refuse("otherAttempt");
  if (open.pausedAt !== null) return refuse("paused");
  const block = questionsOf(document).find((one) => one.id === id);
  if (!block?.question.key || !state.quiz?.drawn.includes(id)) return refuse("unknownBlock");
  const given = state.answers[id];
  if (given && (document.quiz.feedback === "each" || context.addOnly)) return refuse("noTriesLeft");
  const share = judge(block.question, block.question.key, response);
  if (share === null) return refuse("invalid");
  const tries = Math.min((given?.tries ?? 0) + 1, 1000);
  return {
    state: { ...state, answers: { ...state.answers, [id]: { response, share, best: share, tries } } },
    refusal: null,
    stamp: {},
  };
}
