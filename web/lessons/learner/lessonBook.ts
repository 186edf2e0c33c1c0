import type { AnswerFact, Facts } from "#shared/conditions/evaluate.ts";
import { isOver, type Reveal, resultOf, chosenOf, revealAnswer } from "#shared/lessons/judge.ts";
import { applyLessonEvent, lessonValues } from "#shared/lessons/lessonEvents.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { QuestionResponse } from "#shared/lessons/questions.ts";
import { NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { isQuizEvent, type QuizEventType } from "#shared/lessons/quizEvents.ts";
import type { QuizView } from "#shared/lessons/quizView.ts";
import { scenarioFact } from "#shared/lessons/scenarioState.ts";
import type { ShownBlockOf, ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { LessonReceipt, SessionLesson } from "#shared/player/lessons.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** A lesson with what the learner has done in it; changed copies replace it. */
export type OpenLesson = {
  sco: string;
  document: ShownDocument;
  state: LessonState;
  /** What is said of answers, by block. */
  revealed: Record<string, Reveal>;
  /** Graded answers that the server has not judged yet. */
  pending: Record<string, { seq: number; response: QuestionResponse }>;
  /** Graded answers that did not count, and have to be given again. */
  lost: Record<string, true>;
  /** Of a quiz: what the server says of it, and when it arrived by the steady clock of the page. */
  quiz?: { view: QuizView; readAt: number } | undefined;
  /** The start or end of an attempt at a quiz that the server has not answered yet, by its number. */
  waiting?: { seq: number; type: QuizEventType } | undefined;
};
/** Events of a quiz are stamped by the server; here nothing of them is judged. */
const quizContext = (drawn: string[]) => ({
  now: Date.now(),
  extra: NO_ALLOWANCE,
  draw: () => drawn,
  isStored: false,
  addOnly: false,
});

/**
 * The lessons that were opened in a session, as its events change them. The server derives the same from the same
 * events; only it knows what is right in graded questions.
 */
export function createLessonBook(answers: Record<string, AnswerFact>, valueOf: Facts["value"]) {
  const lessons = new Map<string, OpenLesson>();
  const known = new Map(Object.entries(answers));

  const revealPractice = (lesson: OpenLesson, id: string) => {
    const block = lesson.document.blocks.find((one) => one.id === id);
    const answer = lesson.state.answers[id];
    if (block?.kind !== "question" || !block.question.key || !answer) return {};
    return { [id]: revealAnswer(block.question, block.question.key, answer) };
  };
  const note = (id: string, { state }: OpenLesson) => {
    const answer = state.answers[id];
    if (answer) known.set(id, { result: resultOf(answer.share), chosen: chosenOf(answer.response) });
    const ended = state.scenarios?.[id] && scenarioFact(state.scenarios[id]);
    if (ended) known.set(id, ended);
  };
  const put = (lesson: OpenLesson) => void lessons.set(lesson.sco, lesson);
  const forget = <T>(record: Record<string, T>, id: string) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => key !== id));

  return {
    get: (sco: string) => lessons.get(sco),
    add(sco: string, { document, state, revealed, quiz }: SessionLesson) {
      const read = quiz && { quiz: { view: quiz, readAt: performance.now() } };
      const lesson = { sco, document, state, revealed, pending: {}, lost: {}, ...read };
      const practice = Object.keys(state.answers).flatMap((id) => Object.entries(revealPractice(lesson, id)));
      put({ ...lesson, revealed: { ...revealed, ...Object.fromEntries(practice) } });
    },
    /** Applies an event of this session. */
    apply({ seq, type, sco = "", key = "", value }: SessionEvent) {
      const lesson = lessons.get(sco);
      if (!lesson) return;
      const block = lesson.document.blocks.find(({ id }) => id === key);
      if (type === "block.answer" && block?.kind === "question" && !block.question.key) {
        const { response } = lessonValues["block.answer"].parse(JSON.parse(value ?? ""));
        put({
          ...lesson,
          pending: { ...lesson.pending, [key]: { seq, response } },
          lost: forget(lesson.lost, key),
        });
        return;
      }
      if (isQuizEvent(type)) return put(applyQuiz(lesson, { seq, type, value: value ?? "" }));
      const at = new Date().toISOString();
      const { state } = applyLessonEvent(lesson.document, lesson.state, { type, key, value, at });
      const changed = { ...lesson, state };
      const revealed = type === "block.answer" ? revealPractice(changed, key) : {};
      put({ ...changed, revealed: { ...lesson.revealed, ...revealed } });
      note(key, changed);
    },
    /**
     * What the server said of a commit. Answers up to `ackSeq` of which it said nothing did not count, or their receipt
     * was lost: returns their parts, which have to be read again.
     */
    settle(ackSeq: number, receipt: LessonReceipt | undefined): string[] {
      for (const { sco, block: id, tries, reveal } of receipt?.judged ?? []) {
        const lesson = lessons.get(sco);
        const sent = lesson?.pending[id];
        if (!lesson || !sent || sent.seq > ackSeq) continue;
        const share = reveal?.share ?? 0;
        const best = lesson.quiz ? share : Math.max(lesson.state.answers[id]?.best ?? 0, share);
        const answer = { response: sent.response, share, best, tries };
        const changed = {
          ...lesson,
          state: { ...lesson.state, answers: { ...lesson.state.answers, [id]: answer } },
          revealed: reveal ? { ...lesson.revealed, [id]: reveal } : lesson.revealed,
          pending: forget(lesson.pending, id),
        };
        put(changed);
        if (!lesson.quiz) note(id, changed);
      }
      const isUnknown = ({ pending, waiting }: OpenLesson) =>
        Object.values(pending).some(({ seq }) => seq <= ackSeq) || (waiting !== undefined && waiting.seq <= ackSeq);
      const named = receipt?.quizzes ?? [];
      return [...lessons.values()].filter((one) => isUnknown(one) || named.includes(one.sco)).map(({ sco }) => sco);
    },
    /** The lesson as the server has it, after a receipt was lost. */
    reread(sco: string, ackSeq: number, read: SessionLesson) {
      const lesson = lessons.get(sco);
      if (!lesson) return;
      const { state, revealed } = read;
      if (read.quiz) return put(rereadQuiz(lesson, ackSeq, read, read.quiz));
      const settled = Object.entries(lesson.pending).filter(([, { seq }]) => seq <= ackSeq);
      const lost = settled.filter(([id]) => !state.answers[id]);
      const ids = settled.map(([id]) => id);
      const answers = Object.fromEntries(ids.flatMap((id) => (state.answers[id] ? [[id, state.answers[id]]] : [])));
      const changed = {
        ...lesson,
        state: { ...lesson.state, answers: { ...lesson.state.answers, ...answers } },
        revealed: { ...lesson.revealed, ...revealed },
        pending: Object.fromEntries(Object.entries(lesson.pending).filter(([id]) => !ids.includes(id))),
        lost: { ...lesson.lost, ...Object.fromEntries(lost.map(([id]) => [id, true as const])) },
      };
      put(changed);
      for (const id of ids) note(id, changed);
    },
    facts: (): Facts => ({ value: valueOf, answer: (id) => known.get(id) }),
  };
}
/** Only the first attempt of a quiz whose questions are here begins before the server has answered. */
function applyQuiz(lesson: OpenLesson, { seq, type, value }: { seq: number; type: QuizEventType; value: string }) {
  const waiting = { seq, type };
  if (type !== "quiz.start" || !lesson.quiz?.view.isPrepared) return { ...lesson, waiting };
  const { document } = lesson;
  const drawn = document.blocks.flatMap(({ id, kind }) => (kind === "question" ? [id] : []));
  const event = { type, value, at: new Date().toISOString() };
  return {
    ...lesson,
    waiting,
    state: applyLessonEvent(document, lesson.state, event, false, quizContext(drawn)).state,
  };
}

/** The quiz as the server has it, with the answers that are on their way. */
function rereadQuiz(
  lesson: OpenLesson,
  ackSeq: number,
  { document, state, revealed }: SessionLesson,
  view: QuizView,
): OpenLesson {
  const { waiting } = lesson;
  const isAnswered = waiting === undefined || waiting.seq <= ackSeq;
  const pending = Object.fromEntries(Object.entries(lesson.pending).filter(([, { seq }]) => seq > ackSeq));
  const gone = Object.keys(lesson.pending).filter((id) => !pending[id] && !state.answers[id]);
  return {
    ...lesson,
    // What was begun here, and has not arrived, goes on.
    ...(isAnswered ? { document, state, waiting: undefined } : {}),
    revealed,
    pending,
    quiz: { view, readAt: performance.now() },
    lost: state.quiz?.open ? { ...lesson.lost, ...Object.fromEntries(gone.map((id) => [id, true as const])) } : {},
  };
}
export type LessonBook = ReturnType<typeof createLessonBook>;

/** True if the question takes another answer. */
export const isOpen = ({ id, question }: ShownBlockOf<"question">, { state, pending }: OpenLesson) =>
  !pending[id] && !isOver(question, state.answers[id]) && state.answers[id]?.share !== 1;
