import type { Services } from "#server/core/services.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { readContents } from "#server/lessons/contents.ts";
import { drawQuiz, shuffleBy, shuffleKey } from "#server/player/quizzes/draw.ts";
import { readSessionState, type SessionState } from "#server/player/sessionState.ts";
import type { Course } from "#server/player/trackingState.ts";
import { type AnswerState, type Reveal, revealAnswer } from "#shared/lessons/judge.ts";
import { readStoredAnswer } from "#shared/lessons/answerText.ts";
import { isQuizEvent } from "#shared/lessons/quizEvents.ts";
import { isQuiz, lessonValues } from "#shared/lessons/lessonEvents.ts";
import { NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { mayReview } from "#shared/lessons/quizState.ts";
import { revealInQuiz, showQuiz } from "#shared/lessons/showQuiz.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { type LessonState, newLessonState } from "#shared/lessons/lessonState.ts";
import { type ShownDocument, toShownDocument, withoutKeys } from "#shared/lessons/shownLesson.ts";
import type { LessonReceipt, SessionLesson } from "#shared/player/lessons.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** A lesson for a session, with what the learner has done in it and without what is not to be known yet. */
export async function readLesson(
  { db, config }: Pick<Services, "db" | "config">,
  sessionId: string,
  sco: string,
): Promise<SessionLesson> {
  const session = await readSessionState(db, sessionId);
  if (!session) throw new Problem(401, "player.sessionUnknown");
  if (!session.hasAccess) throw new Problem(403, "core.forbidden");
  const { documents } = await readContents(db, session.versionId);
  const { attemptId, course, parts } = session;
  return showLesson({ secret: config.secret, attemptId, documents, course }, sco, parts.get(sco)?.lesson);
}

type Shown = {
  secret: string;
  attemptId: string;
  documents: ReadonlyMap<string, LessonDocument>;
  course: Pick<Course, "lessons" | "extra">;
  /** When it is shown, in ms since the epoch. */
  now?: number;
};

/** A lesson of an attempt in a state, as its learner sees it; 404 for other parts. */
export function showLesson(
  { secret, attemptId, documents, course, now = Date.now() }: Shown,
  sco: string,
  stored: LessonState | null | undefined,
): SessionLesson {
  const state = stored ?? newLessonState();
  const document = documents.get(sco);
  const withKeys = course.lessons?.get(sco);
  if (!document || !withKeys) throw notFound();
  const shuffleOf = (no: number | null) => (block: string) => shuffleBy(shuffleKey(secret, attemptId, block, no));
  if (document.quiz) {
    const shown = toShownDocument(document, shuffleOf(Math.max(1, state.quiz?.started ?? 1)));
    const extra = course.extra?.get(sco);
    if (isQuiz(shown))
      return showQuiz(shown, state, { draw: (no) => drawQuiz(secret, attemptId, withKeys, no), withKeys, extra, now });
  }
  return {
    document: withoutKeys(toShownDocument(document, shuffleOf(null))),
    state,
    revealed: Object.fromEntries(
      Object.entries(state.answers).flatMap(([block, answer]) => {
        const found = revealGraded(withKeys, block, answer);
        return found ? [[block, found]] : [];
      }),
    ),
  };
}

/** What is said of a graded answer; null for everything else, of which the browser has the key. */
function revealGraded({ blocks }: ShownDocument, id: string, answer: AnswerState): Reveal | null {
  const block = blocks.find((one) => one.id === id);
  if (block?.kind !== "question" || !block.question.graded || !block.question.key) return null;
  return revealAnswer(block.question, block.question.key, answer);
}

type Judged = Map<number, Record<string, unknown>>;

/**
 * Adds to stored events what the server decided about them: how much of an answer is right, and the facts of quizzes.
 * A browser may have added them itself, to an event that did not count.
 */
export const withJudgements = (events: SessionEvent[], judged: Judged) =>
  events.map((event) => {
    const { type, value = "" } = event;
    if (isQuizEvent(type)) {
      const { attempt } = readAttempt(value);
      return { ...event, value: JSON.stringify({ attempt, ...judged.get(event.seq) }) };
    }
    const answer = type === "block.answer" ? readStoredAnswer(value) : null;
    if (!answer) return event;
    const { share: _, ...given } = answer;
    return { ...event, value: JSON.stringify({ ...given, ...judged.get(event.seq) }) };
  });

function readAttempt(value: string): { attempt?: number } {
  try {
    return lessonValues["quiz.end"].pick({ attempt: true }).safeParse(JSON.parse(value)).data ?? {};
  } catch {
    return {};
  }
}

/** The questions of the attempts of a session at quizzes. */
export const drawFor =
  (secret: string, { attemptId, course }: Pick<SessionState, "attemptId" | "course">) =>
  (sco: string, no: number) =>
    drawQuiz(secret, attemptId, course.lessons?.get(sco), no);

/** What a commit did in lessons. Answers that were stored before are named again: their receipt may have been lost. */
export function toLessonReceipt(
  { course, parts }: Pick<SessionState, "course" | "parts">,
  events: SessionEvent[],
  refused: LessonReceipt["refused"],
): LessonReceipt | undefined {
  if (!course.lessons) return undefined;
  const answered = new Map(
    events.flatMap(({ type, sco = "", key = "" }) =>
      type === "block.answer" ? [[`${sco} ${key}`, { sco, key }]] : [],
    ),
  );
  const judged = [...answered.values()].flatMap(({ sco, key }) => {
    const document = course.lessons?.get(sco);
    const answer = parts.get(sco)?.lesson?.answers[key];
    if (!document || !answer) return [];
    if (isQuiz(document)) return [{ sco, block: key, tries: answer.tries, reveal: revealNow(course, parts, sco, key) }];
    const found = revealGraded(document, key, answer);
    return found ? [{ sco, block: key, tries: answer.tries, reveal: found }] : [];
  });
  const refusedSeqs = new Set(refused.map(({ seq }) => seq));
  const touched = events.filter(
    ({ type, sco = "", seq }) => course.lessons?.get(sco)?.quiz && (isQuizEvent(type) || refusedSeqs.has(seq)),
  );
  const quizzes = [...new Set(touched.map(({ sco = "" }) => sco))];
  return judged.length + refused.length + quizzes.length > 0 ? { judged, refused, quizzes } : undefined;
}

function revealNow({ lessons, extra }: SessionState["course"], parts: SessionState["parts"], sco: string, id: string) {
  const document = lessons?.get(sco);
  const block = document?.blocks.find((one) => one.id === id);
  const lesson = parts.get(sco)?.lesson;
  if (!document?.quiz || block?.kind !== "question") return null;
  const canReview = mayReview(document.quiz, lesson?.quiz, extra?.get(sco) ?? NO_ALLOWANCE);
  return revealInQuiz(block, lesson?.answers[id], document.quiz, canReview);
}
