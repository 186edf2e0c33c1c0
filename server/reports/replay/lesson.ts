import { createBreather } from "#server/core/breather.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { readContents } from "#server/lessons/contents.ts";
import { fold } from "#server/player/fold.ts";
import { createGrant } from "#server/player/grants.ts";
import { showLesson } from "#server/player/lesson.ts";
import { answersIn, settleQuizzes } from "#server/player/lessonFold.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { NEW_ATTEMPT, readBatches, STORED_QUIZZES } from "#server/player/replay.ts";
import type { Course, PartState } from "#server/player/trackingState.ts";
import { findSession, type FoundSession } from "#server/reports/replay/session.ts";
import { defaultCompletionRule } from "#shared/courses/completionRules.ts";
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
  const answers = Object.fromEntries(answersIn(course, parts.values()));
  const media = `${contentOrigin}/media/${createGrant(secret, { versionId, attemptId, isReview: true })}/`;
  // Conditions keep values of variables in the state, which may be masked.
  return { sco, shown: { lesson: { ...lesson, state: { ...lesson.state, values: {} } }, answers, media } };
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
    const before = { attempt: NEW_ATTEMPT, parts, reported: {}, startedAt: batch.startedAt, quizzes: STORED_QUIZZES };
    for (const [key, part] of fold(course, before, events, false).changed) parts.set(key, part);
    if (!isThis) continue;
    sco = events.findLast(({ type }) => type === "nav")?.sco ?? sco;
    now = Math.max(now, start + (events.at(-1)?.t ?? 0));
  }
  for (const part of settleQuizzes(course, parts.values(), now)) parts.set(part.sco, part);
  return { parts, sco, now };
}
