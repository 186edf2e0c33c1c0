import { type RawBuilder, sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { roundedPercent } from "#server/core/database/roundedPercent.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown, listHidden, readSmallestGroup, refuseHidden, shown } from "#server/core/database/measured.ts";
import { ENROLMENT_SCOPE, listEnrolments } from "#server/courses/enrolments.ts";
import { isAttemptSetByAdmin } from "#server/courses/setByAdmin.ts";
import { getLearner } from "#server/learners/service.ts";
import { findLearner, resolveQuery } from "#server/reports/figures/report.ts";
import { createAnswerMask, maskEvents } from "#server/variables/mask.ts";
import { describeDevice } from "#server/player/newSession.ts";
import { knownEvents, knownFields, knownQuestions, readKnowledge } from "#server/player/quizzes/ownAnswers.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import { describeResponse, type Questions } from "#shared/courses/questions.ts";
import { withoutUnclearLines } from "#shared/lessons/unclear/unclear.ts";
import type { LearnerReport, reports } from "#shared/reports/reports.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { inOrder } from "#shared/player/playerTiming.ts";
import { parseSeconds } from "#shared/player/runTimeData.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

/**
 * What one learner in the scope of the user has done: courses as they are now, also withdrawn ones, and the attempts
 * and sessions that began before the time of the report. The figures are those of `readReport`.
 */
export async function readLearnerReport(
  ctx: Ctx<User>,
  id: string,
  query: QueryOf<typeof reports.learner>,
): Promise<LearnerReport> {
  const { db } = ctx;
  const learner = await getLearner(ctx, id);
  const { asOf, filters } = (await resolveQuery(ctx, await findLearner(ctx, id), query)).counted;
  await recordView(ctx, "reports.open", id, { companyId: learner.companyId });
  const smallest = await readSmallestGroup(db, learner.companyId);
  const hidden = await listHidden(db, ctx.user, learner.companyId ? [learner.companyId] : []);
  const seen = <T>(kind: MeasuredKind, value: RawBuilder<T>) => shown(ctx.user, kind, "attempts.companyId", value);
  const ofDays = !hidden.has("activeTime") && !hidden.has("lastActivity");
  const [enrolments, attempts, sessions, days, figures] = await Promise.all([
    listEnrolments(ctx, { page: 1, size: 1000, userId: id, sort: "-lastActivityAt", withdrawn: true }),
    db
      .selectFrom("attempts")
      .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
      .where("attempts.userId", "=", id)
      .where(inScope(ctx.user, { company: "attempts.companyId", person: "attempts.userId" }))
      .where("preview", "=", false)
      .where("attempts.startedAt", "<", asOf)
      .orderBy("attempts.startedAt", "desc")
      .limit(500)
      .select((e) => [
        "attempts.id",
        e.ref("attempts.enrolmentId").$notNull().as("enrolmentId"),
        "attempts.no",
        "courseVersions.number as version",
        "completion",
        "success",
        seen("scores", sql<number | null>`score_percent`).as("scorePercent"),
        "attempts.startedAt",
        "completedAt",
        isAttemptSetByAdmin.as("setByAdmin"),
        seen("activeTime", sql<number>`active_seconds`).as("activeSeconds"),
        seen("activeTime", sql<number>`reported_seconds`).as("reportedSeconds"),
      ])
      .execute(),
    selectSessions(ctx)
      .where("sessions.userId", "=", id)
      .where("sessions.startedAt", "<", asOf)
      .orderBy("sessions.startedAt", "desc")
      .limit(500)
      .execute(),
    sql<{ day: string; seconds: number }>`
      select
        (sessions.started_at at time zone ${filters.zone})::date as day,
        sum(active_ms / 1000)::int as seconds
      from sessions
      join attempts on attempts.id = sessions.attempt_id and not preview
      where sessions.user_id = ${id}
        and ${inScope(ctx.user, SESSION_SCOPE)}
        and ${isShown(ctx.user, "activeTime", SESSION_SCOPE.company)}
        and ${isShown(ctx.user, "lastActivity", SESSION_SCOPE.company)}
        and sessions.started_at < ${asOf}::timestamptz
        and sessions.started_at > ${asOf}::timestamptz - interval '26 weeks'
      group by day
      order by day`.execute(db),
    sql<{ companyMean: number | null; nextDue: string | null; sessions: number }>`
      with company as (
        select
          avg(score_percent) as mean,
          count(distinct user_id) filter (where score_percent is not null) as people
        from enrolments
        where company_id = ${learner.companyId}
          and status <> 'withdrawn'
          and ${isShown(null, "scores", ENROLMENT_SCOPE.company)}
      )
      select
        (
          select case when ${isAdmin(ctx.user)} or people >= ${smallest} then ${roundedPercent(sql`mean`)} end
          from company
        ) as company_mean,
        (
          select min(due_date)
          from enrolments
          join companies on companies.id = company_id
          where user_id = ${id}
            and enrolments.status in ('assigned', 'in_progress', 'failed')
            and (due_date + 1)::timestamp at time zone companies.timezone > now()
            and ${inScope(ctx.user, ENROLMENT_SCOPE)}
        ) as next_due,
        (
          select count(*)::int
          from sessions
          join attempts on attempts.id = attempt_id and not preview
          where sessions.user_id = ${id}
            and sessions.started_at < ${asOf}::timestamptz
            and ${inScope(ctx.user, SESSION_SCOPE)}
            and ${isShown(ctx.user, "lastActivity", SESSION_SCOPE.company)}
        ) as sessions`.execute(db),
  ]);
  const figure = figures.rows[0];
  return {
    learner,
    summary: {
      completed: learner.completed,
      assigned: learner.assigned,
      overdue: learner.overdue,
      nextDue: figure?.nextDue ?? null,
      meanScore: learner.meanScore,
      companyMeanScore: figure?.companyMean ?? null,
      activeSeconds: learner.activeSeconds,
      reportedSeconds:
        enrolments.items.some((row) => row.reportedSeconds !== null) || enrolments.items.length === 0
          ? enrolments.items.reduce((sum, row) => sum + (row.reportedSeconds ?? 0), 0)
          : null,
      sessions: hidden.has("lastActivity") ? null : (figure?.sessions ?? 0),
      activeDays: ofDays ? days.rows.filter((day) => day.seconds > 0).length : null,
    },
    days: days.rows,
    enrolments: enrolments.items,
    attempts,
    sessions: sessions.map(({ device, ...row }) => ({ ...row, device: describeDevice(device) })),
  };
}

const SESSION_SCOPE = { company: "sessions.companyId", person: "sessions.userId" };
/** The sessions in the scope of the user, without previews, with the columns of `sessionRow`. */
const selectSessions = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .innerJoin("courses", "courses.id", "attempts.courseId")
    .where("attempts.preview", "=", false)
    .where(inScope(user, SESSION_SCOPE))
    .where(isShown(user, "lastActivity", SESSION_SCOPE.company))
    .select((e) => [
      "sessions.id",
      e.ref("attempts.enrolmentId").$notNull().as("enrolmentId"),
      "courses.title as course",
      "attempts.no as attemptNo",
      "sessions.startedAt",
      shown(user, "activeTime", SESSION_SCOPE.company, sql<string | null>`sessions.ended_at`).as("endedAt"),
      "sessions.endReason",
      "sessions.device",
      shown(user, "activeTime", SESSION_SCOPE.company, sql<number>`(sessions.active_ms / 1000)::int`).as(
        "activeSeconds",
      ),
      "sessions.lastSeq as events",
      "sessions.failedCommits",
    ]);

/** One page of the answers of an enrolment, each with its session and the time in it. */
export async function listAnswers(ctx: Ctx<User>, enrolmentId: string, { page, size }: { page: number; size: number }) {
  const { db, user } = ctx;
  const enrolment = await db
    .selectFrom("enrolments")
    .where("id", "=", enrolmentId)
    .where(inScope(user, ENROLMENT_SCOPE))
    .select(["courseId", "userId", "companyId"])
    .executeTakeFirst();
  if (!enrolment) throw notFound();
  if (enrolment.userId) await recordView(ctx, "reports.open", enrolment.userId, { companyId: enrolment.companyId });
  const isOwn = enrolment.userId === user.id;
  const mask = isOwn ? null : await createAnswerMask(db, enrolment.courseId);
  const answers = db
    .selectFrom("answers")
    .innerJoin("attempts", "attempts.id", "answers.attemptId")
    .where("attempts.enrolmentId", "=", enrolmentId);
  const { total } = await answers.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await answers
    .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
    .orderBy("attempts.no", "desc")
    .orderBy("answers.updatedAt")
    .orderBy("n")
    .orderBy("sco")
    .limit(size)
    .offset((page - 1) * size)
    .select([
      shown(user, "replay", "attempts.companyId", sql<string | null>`answers.session_id`).as("sessionId"),
      shown(user, "replay", "attempts.companyId", sql<number | null>`answers.t`).as("t"),
    ])
    .select(["attemptId", "sco", "fields", "answers.updatedAt", "parts", "questions"])
    .execute();
  const readable = isOwn
    ? await withoutUnknown(db, rows)
    : rows.map((row) => ({ ...row, fields: mask ? mask(row.fields) : row.fields }));
  const times = !(await listHidden(db, user, [enrolment.companyId])).has("activeTime");
  const items = readable.map(({ fields, parts, questions, sco, updatedAt, ...row }) => ({
    ...row,
    part: parts.find((part) => part.sco === sco)?.title ?? sco,
    key: fields.id ?? "",
    type: fields.type ?? "",
    question: wordsOf(questions, fields)?.text ?? fields.description ?? fields.id ?? "",
    response: describeResponse(
      fields.learner_response ?? fields.student_response ?? "",
      fields.type ?? "",
      wordsOf(questions, fields),
    ),
    correct: Object.entries(fields)
      .filter(([name]) => /^correct_responses\.\d+\.pattern$/.test(name))
      .map(([, value]) => describeResponse(value, fields.type ?? "", wordsOf(questions, fields)))
      .join(" or "),
    result: fields.result ?? "",
    seconds: times && fields.latency ? parseSeconds(fields.latency) : null,
    answeredAt: updatedAt,
  }));
  return { items, total: Number(total) };
}

const wordsOf = (questions: Questions, { id }: Record<string, string>) => (id ? questions[id] : undefined);

/** Answers as their learner may read them. */
async function withoutUnknown<R extends { attemptId: string; sco: string; fields: Record<string, string> }>(
  db: Ctx<User>["db"],
  rows: R[],
): Promise<R[]> {
  const ids = [...new Set(rows.map(({ attemptId }) => attemptId))];
  const known = new Map(await Promise.all(ids.map(async (id) => [id, await readKnowledge(db, id)] as const)));
  return rows.map((row) => ({ ...row, fields: knownFields(row.fields, row.sco, known.get(row.attemptId)!) }));
}

/** One session with its events in order. Suspend data is long and opaque: only its length is returned. */
export async function readSession(ctx: Ctx<User>, id: string) {
  const row = await selectSessions(ctx)
    .innerJoin("users", "users.id", "sessions.userId")
    .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
    .where("sessions.id", "=", id)
    .select([
      "users.name as learner",
      "sessions.userId",
      "sessions.companyId",
      "sessions.attemptId",
      "attempts.courseId",
      "courseVersions.parts as tree",
      "courseVersions.questions",
    ])
    .executeTakeFirstOrThrow(notFound);
  const { learner, userId, companyId, attemptId, courseId, tree, questions, device, ...session } = row;
  await refuseHidden(ctx.db, ctx.user, "replay", companyId);
  await recordView(ctx, "reports.session", userId);
  const chunks = await ctx.db
    .selectFrom("sessionEvents")
    .where("sessionId", "=", id)
    .orderBy("firstSeq")
    .limit(5000)
    .select("events")
    .execute();
  const events = inOrder(chunks.flatMap((chunk) => chunk.events)).map((event) =>
    event.key === "cmi.suspend_data" ? { ...event, value: String(event.value?.length ?? 0) } : event,
  );
  const masked = await maskEvents(ctx.db, { sessionId: id, courseId }, events);
  const known = userId === ctx.user.id ? await readKnowledge(ctx.db, attemptId) : null;
  return {
    session: { ...session, device: describeDevice(device) },
    learner,
    userId,
    events: known ? knownEvents(masked, known) : withoutUnclearLines(masked),
    questions: known ? knownQuestions(questions, events, known) : questions,
    parts: Object.fromEntries(tree.map((part) => [part.sco, part.title])),
  };
}
