import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { readContents } from "#server/lessons/contents.ts";
import { fold } from "#server/player/fold.ts";
import { constantsOf, NEW_ATTEMPT, readBatches, type StoredBatch, STORED_QUIZZES } from "#server/player/replay.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { readPartStates } from "#server/player/sessionState.ts";
import { factsOf, rateLesson, settleQuizzes } from "#server/player/lessonFold.ts";
import { type Course, newPartState, type PartState } from "#server/player/trackingState.ts";
import type { ClosedQuiz } from "#shared/lessons/quizState.ts";

export type LessonDifference = { what: string; id: string; stored: string; recounted: string };

const MAX_LISTED = 1000;
const PER_BATCH = 100;

/**
 * Applies all events of every attempt at lessons once more, and compares what was answered, seen and achieved. What
 * differs is repaired. Conditions see the variables as they were at the last event.
 */
export async function recountLessons(db: Db): Promise<LessonDifference[]> {
  const differences: LessonDifference[] = [];
  for (let after = ""; ;) {
    const attempts = await db
      .selectFrom("attempts")
      .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
      .innerJoin("courses", "courses.id", "attempts.courseId")
      .where("courseVersions.kind", "in", ["lessons", "mixed"])
      .where("attempts.userId", "is not", null)
      .$if(after !== "", (rows) => rows.where("attempts.id", ">", after))
      .orderBy("attempts.id")
      .limit(PER_BATCH)
      .select(["attempts.id", "attempts.rev", "attempts.enrolmentId", "versionId", "parts", "completionRule as rule"])
      .execute();
    for (const { id, rev, enrolmentId, versionId, parts, rule } of attempts) {
      const { lessons } = await readContents(db, versionId);
      const extra = await readAllowances(db, enrolmentId);
      const found = await recountAttempt(db, { id, rev, course: { parts, rule, lessons, extra } });
      differences.push(...found.slice(0, MAX_LISTED - differences.length));
    }
    const last = attempts.at(-1);
    if (!last) return differences;
    after = last.id;
  }
}

type Attempt = { id: string; rev: number; course: Course };

async function recountAttempt(db: Db, { id, rev, course }: Attempt): Promise<LessonDifference[]> {
  const stored = await readPartStates(db, id);
  const recounted = await applyAll(course, readBatches(db, id), stored);
  const changed = course.parts
    .filter(({ kind }) => kind === "lesson")
    .map(({ sco }) => sco)
    .filter((sco) => describe(stored.get(sco)) !== describe(recounted.get(sco)));
  if (changed.length > 0) await repair(db, id, rev, changed, recounted);
  return changed.map((sco) => ({
    what: `lesson ${sco} of attempt`,
    id,
    stored: describe(stored.get(sco)),
    recounted: describe(recounted.get(sco)),
  }));
}

async function applyAll(course: Course, batches: AsyncIterable<StoredBatch>, stored: Map<string, PartState>) {
  const variables = constantsOf(stored.values());
  const parts = new Map<string, PartState>();
  for await (const { startedAt, events } of batches) {
    const before = { attempt: NEW_ATTEMPT, parts, reported: {}, startedAt, variables, quizzes: STORED_QUIZZES };
    const { changed } = fold(course, before, events, false);
    for (const [sco, part] of changed) parts.set(sco, part);
  }
  for (const part of settleQuizzes(course, parts.values(), Date.now())) {
    rateLesson(
      course,
      part,
      factsOf(course, parts.values(), () => null),
    );
    parts.set(part.sco, part);
  }
  return parts;
}

/** What counts of a lesson; not its place, which depends on the window that was open. */
function describe({ completion, success, scorePercent, lesson }: PartState = newPartState("")) {
  const { answers, checked, watched, written, confirmed, ended, seen, quiz, unclear } = lesson ?? {};
  const answered = Object.entries(answers ?? {}).map(([block, { best, tries }]) => `${block} ${best} ${tries}`);
  const pointsOf = ({ no, earned, points }: ClosedQuiz) => `${no} ${earned} ${points}`;
  const attempts = quiz && { open: quiz.open?.no, drawn: quiz.drawn, closed: quiz.closed.map(pointsOf) };
  const marked = Object.entries(unclear ?? {}).map(
    ([block, { line }]) => `${block} ${line === null ? "" : `: ${line}`}`,
  );
  const facts = {
    answered: answered.toSorted(),
    checked,
    watched,
    written,
    confirmed,
    ended,
    seen: seen?.toSorted(),
    ...(marked.length > 0 && { unclear: marked.toSorted() }),
  };
  return `${completion} ${success} ${scorePercent ?? "–"} ${JSON.stringify(attempts ? { ...facts, attempts } : facts)}`;
}

/** A session in memory reads the attempt again, because its revision has changed. */
const repair = (db: Db, attemptId: string, rev: number, changed: string[], parts: Map<string, PartState>) =>
  inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("attempts")
      .set({ rev: sql`rev + 1` })
      .where("id", "=", attemptId)
      .where("rev", "=", rev)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const sco of changed) {
      const { completion, success, scorePercent, lesson } = parts.get(sco) ?? newPartState(sco);
      await tx
        .updateTable("partStates")
        .set({ completion, success, scorePercent, lesson: lesson && JSON.stringify(lesson) })
        .where("attemptId", "=", attemptId)
        .where("sco", "=", sco)
        .execute();
    }
  });
