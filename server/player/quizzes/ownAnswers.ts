import type { Db } from "#server/core/database/db.ts";
import { readContents } from "#server/lessons/contents.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { readPartStates } from "#server/player/sessionState.ts";
import type { PartState } from "#server/player/trackingState.ts";
import type { Questions } from "#shared/courses/questions.ts";
import { readStoredAnswer } from "#shared/lessons/answerText.ts";
import { isOver } from "#shared/lessons/judge.ts";
import { NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { mayReview } from "#shared/lessons/quizState.ts";
import type { ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { SessionEvent } from "#shared/player/player.ts";

// Learners read their own answers in reports too, also while they may still answer: there they find out no more than in
// the lesson

/** `result`: whether an answer was right. `solution`: what is right. */
type Known = { result: boolean; solution: boolean };
const EVERYTHING: Known = { result: true, solution: true };
type Knowledge = {
  /** What the learner may know about the answers to a question. */
  about: (sco: string, block: string) => Known;
  /** The questions of quizzes, of which not every one is drawn. */
  drawn: ReadonlySet<string>;
};

export async function readKnowledge(db: Db, attemptId: string): Promise<Knowledge> {
  const { versionId, enrolmentId } = await db
    .selectFrom("attempts")
    .where("id", "=", attemptId)
    .select(["versionId", "enrolmentId"])
    .executeTakeFirstOrThrow();
  const { lessons } = await readContents(db, versionId);
  if (lessons.size === 0) return { about: () => EVERYTHING, drawn: new Set() };
  const states = await readPartStates(db, attemptId);
  const allowances = await readAllowances(db, enrolmentId);
  const quizzes = [...lessons.values()].filter(({ quiz }) => quiz);
  return {
    about: (sco, block) => {
      const document = lessons.get(sco);
      return document ? knownOf(document, states.get(sco), block, allowances.get(sco) ?? NO_ALLOWANCE) : EVERYTHING;
    },
    drawn: new Set(quizzes.flatMap(({ blocks }) => blocks.map(({ id }) => id))),
  };
}

function knownOf(
  { blocks, quiz }: ShownDocument,
  part: PartState | undefined,
  id: string,
  extra: typeof NO_ALLOWANCE,
): Known {
  const block = blocks.find((one) => one.id === id);
  if (block?.kind !== "question" || !block.question.graded) return EVERYTHING;
  const lesson = part?.lesson;
  if (!quiz) return { result: true, solution: isOver(block.question, lesson?.answers[id]) };
  if (mayReview(quiz, lesson?.quiz, extra)) return EVERYTHING;
  const isEach = quiz.feedback === "each";
  return { result: isEach, solution: isEach && quiz.review === "always" };
}

/** The fields of an answer without what its learner may not know yet. */
export function knownFields(fields: Record<string, string>, sco: string, { about }: Knowledge) {
  const { result, solution } = about(sco, fields["id"] ?? "");
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => {
      if (name.startsWith("correct_responses.")) return solution || (result && fields["result"] === "correct");
      return name !== "result" || result;
    }),
  );
}

/** The events of a session, in which stored answers say how much of them is right, in the same way. */
export const knownEvents = (events: SessionEvent[], { about }: Knowledge): SessionEvent[] =>
  events.map((event) => {
    const { type, sco = "", key = "", value = "" } = event;
    const answer = type === "block.answer" && !about(sco, key).result ? readStoredAnswer(value) : null;
    if (!answer) return event;
    const { share: _, ...given } = answer;
    return { ...event, value: JSON.stringify(given) };
  });

/** Of quizzes only the questions that were answered: others of a pool may be drawn later. */
export function knownQuestions(questions: Questions, events: SessionEvent[], { drawn }: Knowledge): Questions {
  const answered = new Set(events.flatMap(({ type, key = "" }) => (type === "block.answer" ? [key] : [])));
  return Object.fromEntries(Object.entries(questions).filter(([id]) => answered.has(id) || !drawn.has(id)));
}
