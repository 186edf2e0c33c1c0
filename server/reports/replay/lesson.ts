import { createBreather } from "#server/core/breather.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Db } from "#server/core/database/db.ts";
import { conditionKeysOf, readContents } from "#server/lessons/contents.ts";
import { fold } from "#server/player/fold.ts";
import { createGrant } from "#server/player/grants.ts";
import { showLesson } from "#server/player/lesson.ts";
import { answersIn, settleQuizzes } from "#server/player/lessonFold.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { NEW_ATTEMPT, readBatches, STORED_QUIZZES } from "#server/player/replay.ts";
import type { Course, PartState } from "#server/player/trackingState.ts";
import { findSession, type FoundSession } from "#server/reports/replay/session.ts";
import { defaultCompletionRule } from "#shared/courses/completionRules.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { ShownBlock, ShownDocument } from "#shared/lessons/shownLesson.ts";
import { writtenBy } from "#shared/lessons/variablesOf.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { ReplayLesson, replays } from "#shared/reports/replays.ts";

/** The lesson that was open after an event of a session, as the learner saw it then. */
export async function readReplayLesson(
  ctx: Ctx<User>,
  id: string,
  { seq }: QueryOf<typeof replays.replayLesson>,
): Promise<ReplayLesson> {
  const session = await findSession(ctx, id);
  const { versionId, attemptId, kind, parts: listed } = session;
  const { documents, lessons } = await readContents(ctx.db, versionId);
  const extra = await readAllowances(ctx.db, session.enrolmentId);
  const course: Course = { parts: listed, rule: defaultCompletionRule(kind), lessons, extra };
  const { parts, sco, now } = await foldUntil(ctx, session, course, seq);
  if (sco === null || !documents.has(sco)) return { sco, shown: null };
  const { secret, contentOrigin } = ctx.config;
  const lesson = showLesson({ secret, attemptId, documents, course, now }, sco, parts.get(sco)?.lesson);
  const hidden = hiddenBlocks(lessons.values(), await listMaskedKeys(ctx.db, session));
  const without = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).filter(([block]) => !hidden.has(block)));
  const { seen, last, answers: given, scenarios, unclear } = lesson.state;
  const state = {
    ...lesson.state,
    // Conditions keep values of variables there.
    values: {},
    seen: seen.filter((block) => !hidden.has(block)),
    last: last !== null && hidden.has(last) ? null : last,
    answers: without(given),
    ...(scenarios && { scenarios: without(scenarios) }),
    ...(unclear && { unclear: without(withoutLines(unclear)) }),
  };
  const answers = without(Object.fromEntries(answersIn(course, parts.values())));
  const media = `${contentOrigin}/media/${createGrant(secret, { versionId, attemptId, isReview: true })}/`;
  return { sco, shown: { lesson: { ...lesson, state, revealed: without(lesson.revealed) }, answers, media } };
}

/** Marks as those see them who know whose session it is. */
const withoutLines = (unclear: NonNullable<LessonState["unclear"]>) =>
  Object.fromEntries(Object.entries(unclear).map(([block, mark]) => [block, { ...mark, line: mark.line && "" }]));

/** The keys of variables whose values in an attempt are not shown: sensitive ones, and those that were deleted. */
async function listMaskedKeys(db: Db, { courseId, attemptId }: FoundSession) {
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("courseId", "=", courseId)
    .where((e) =>
      e.or([
        e("variables.privacy", "=", "sensitive"),
        e.exists(
          e
            .selectFrom("variableValues")
            .whereRef("variableValues.variableId", "=", "variables.id")
            .where("attemptId", "=", attemptId)
            .where("deletionId", "is not", null)
            .select("variableValues.id"),
        ),
      ]),
    )
    .select((e) => e.fn.coalesce("variableCourses.key", "variables.key").as("key"))
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** The blocks of which even a trace would tell a masked value: they depend on it, or set it by what is chosen. */
function hiddenBlocks(documents: Iterable<ShownDocument>, masked: ReadonlySet<string>) {
  const blocks = [...documents].flatMap((document) => document.blocks);
  const tells = (block: ShownBlock) =>
    conditionKeysOf({ blocks: [block] }).some((key) => masked.has(key)) ||
    (block.kind === "scenario" && writtenBy(block).some((key) => masked.has(key)));
  return new Set(blocks.filter(tells).map(({ id }) => id));
}

/**
 * The parts of an attempt after an event of a session, which of them was open, and when that was, in ms since the
 * epoch. What an earlier window of the attempt sent later belongs to it.
 */
async function foldUntil({ db }: Ctx<User>, { id, attemptId, startedAt }: FoundSession, course: Course, seq: number) {
  const breathe = createBreather();
  const start = Date.parse(startedAt);
  const parts = new Map<string, PartState>();
  let [sco, now] = [null as string | null, start];
  for await (const batch of readBatches(db, attemptId)) {
    await breathe();
    const isThis = batch.sessionId === id;
    if (!isThis && Date.parse(batch.startedAt) >= start) continue;
    const events = isThis ? batch.events.filter((event) => event.seq <= seq) : batch.events;
    if (events.length === 0) continue;
    const before = { attempt: NEW_ATTEMPT, parts, reported: {}, startedAt: batch.startedAt, quizzes: STORED_QUIZZES };
    for (const [key, part] of fold(course, before, events, false).changed) parts.set(key, part);
    if (!isThis) continue;
    sco = events.findLast(({ type }) => type === "nav")?.sco ?? sco;
    now = Math.max(now, start + (events.at(-1)?.t ?? 0));
  }
  for (const part of settleQuizzes(course, parts.values(), now)) parts.set(part.sco, part);
  return { parts, sco, now };
}
