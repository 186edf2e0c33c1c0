import { type AnswerState, type Reveal, resultOf, revealAnswer } from "#shared/lessons/judge.ts";
import { type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import { NO_ALLOWANCE, type QuizAllowance, sizeOfQuiz } from "#shared/lessons/quiz.ts";
import { settleQuiz } from "#shared/lessons/quizEvents.ts";
import { allowedAttempts, deadlineOf, mayReview, newQuizState } from "#shared/lessons/quizState.ts";
import type { QuizView } from "#shared/lessons/quizView.ts";
import type { ShownBlockOf, ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { SessionLesson } from "#shared/player/lessons.ts";

// A quiz as the learner may see it, for the server, and for the preview of authors

type QuizDocument = ShownDocument & { quiz: NonNullable<ShownDocument["quiz"]> };
type Source = {
  /** The questions of an attempt by its number. */
  draw: (no: number) => string[];
  /** With the keys of all questions. */
  withKeys: ShownDocument;
  extra?: QuizAllowance | undefined;
  now?: number;
};

/** The quiz as the learner may see it now: only drawn questions, without their keys. */
export function showQuiz(
  document: QuizDocument,
  stored: LessonState,
  { draw, withKeys, extra = NO_ALLOWANCE, now = Date.now() }: Source,
): SessionLesson {
  const settings = document.quiz;
  const state = settleQuiz(withKeys, stored, { now, extra });
  const quiz = state.quiz ?? newQuizState();
  const canReview = mayReview(settings, quiz, extra);
  const isFirst = quiz.started === 0;
  // The first attempt of an untimed quiz can begin without the network.
  const isPrepared = isFirst && settings.minutes === null;
  const next = draw(quiz.started + 1);
  const prepared = isPrepared ? next : [];
  const asked = quiz.open || canReview ? quiz.drawn : prepared;
  const questions = withKeys.blocks.flatMap((block) => (block.kind === "question" ? [block] : []));
  const size = sizeOfQuiz(
    questions.map(({ id, pool, question }) => ({ id, pool, points: question.points })),
    settings,
  );
  const isSaid = canReview || settings.feedback === "each";
  const answers = quiz.open || canReview ? state.answers : {};
  const view: QuizView = {
    now: new Date(now).toISOString(),
    attempts: allowedAttempts(settings, extra),
    minutes: settings.minutes === null ? null : settings.minutes + extra.minutes,
    endsAt: toIso(quiz.open && deadlineOf(quiz.open, extra)),
    ...size,
    canReview,
    fresh: next.filter((id) => !quiz.drawn.includes(id)).length,
    isPrepared,
  };
  return {
    document: {
      ...document,
      quiz: { ...settings, pools: [] },
      blocks: orderBlocks(document, asked),
    },
    state: { ...newLessonState(), ...state, quiz, answers: isSaid ? answers : withoutShares(answers) },
    revealed: Object.fromEntries(
      questions
        .filter(({ id }) => isSaid && asked.includes(id) && (canReview || answers[id]))
        .flatMap((block) => {
          const said = revealInQuiz(block, answers[block.id], settings, canReview);
          return said ? [[block.id, said] as const] : [];
        }),
    ),
    quiz: view,
  };
}

const toIso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const withoutShares = (answers: Record<string, AnswerState>) =>
  Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, { ...answer, share: 0, best: 0 }]));

/** The asked questions in their order, without keys. Blocks before a question stay with it. */
function orderBlocks({ blocks }: QuizDocument, asked: string[]) {
  const companions = new Map<string, typeof blocks>();
  let waiting: typeof blocks = [];
  let isIntroduction = true;
  const around: typeof blocks = [];
  for (const block of blocks) {
    if (block.kind === "question") {
      companions.set(block.id, waiting);
      waiting = [];
      isIntroduction = false;
    } else if (isIntroduction && !hasDividerBefore(blocks, block)) around.push(block);
    else waiting.push(block);
  }
  const shown = asked.flatMap((id) => {
    const block = blocks.find((one) => one.id === id);
    if (block?.kind !== "question") return [];
    const { pool: _, ...rest } = block;
    return [...(companions.get(id) ?? []), { ...rest, question: { ...rest.question, key: null } }];
  });
  return [...around, ...shown];
}

/** The introduction is what stands before the first question, or before a divider there. */
const hasDividerBefore = (blocks: ShownDocument["blocks"], block: ShownDocument["blocks"][number]) =>
  blocks.slice(0, blocks.indexOf(block) + 1).some(({ kind }) => kind === "divider");

/** What is said of an answer in a quiz; null before its end. */
export function revealInQuiz(
  { question }: ShownBlockOf<"question">,
  answer: AnswerState | undefined,
  { review, feedback }: QuizDocument["quiz"],
  canReview: boolean,
): Reveal | null {
  const { key } = question;
  if (!key || (!canReview && feedback === "end")) return null;
  const isKnown = canReview || review === "always";
  if (!answer)
    return { result: resultOf(0), share: 0, triesLeft: 0, feedback: key.wrong, choices: {}, solution: key.solution };
  const said = revealAnswer(question, key, answer);
  if (isKnown) return said;
  const chosen = answer.response.kind === "choices" ? answer.response.chosen : [];
  return {
    ...said,
    choices: Object.fromEntries(Object.entries(said.choices).filter(([id]) => chosen.includes(id))),
    solution: null,
  };
}
