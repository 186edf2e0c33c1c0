import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { refuseHidden } from "#server/core/database/measured.ts";
import { describeDevice } from "#server/player/newSession.ts";
import { readStartValues } from "#server/reports/replay/startValues.ts";
import { variableColumns } from "#server/reports/replay/values.ts";
import { SERVER_SEQ } from "#shared/player/playerTiming.ts";
import type { Replay } from "#shared/reports/replays.ts";
import type { User } from "#shared/core/users.ts";

/** The number of commits by which the clocks are compared. */
const COMPARED_COMMITS = 200;
/** A larger offset, in ms, means that even the fastest commit was late; it says nothing about the clocks. */
const MAX_OFFSET_MS = 10_000;

/** A session in the scope of the user with its attempt; 404 for previews, which no report shows. */
const readFound = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
    .where("sessions.id", "=", id)
    .where("attempts.preview", "=", false)
    .where(inScope(user, { company: "sessions.companyId", person: "sessions.userId" }))
    .select([
      "sessions.id",
      "sessions.attemptId",
      "sessions.userId",
      "sessions.companyId",
      "sessions.startedAt",
      "attempts.courseId",
      "attempts.enrolmentId",
      "attempts.versionId",
      "courseVersions.kind",
      "courseVersions.parts",
    ])
    .executeTakeFirstOrThrow(notFound);
export type FoundSession = Awaited<ReturnType<typeof readFound>>;

/** 409 if its company shows no replays. */
export async function findSession(ctx: Ctx<User>, id: string): Promise<FoundSession> {
  const session = await readFound(ctx, id);
  await refuseHidden(ctx.db, ctx.user, "replay", session.companyId);
  return session;
}

/** What a replay starts with. The audit log shows the learner who opened it. */
export async function readReplay(ctx: Ctx<User>, id: string): Promise<Replay> {
  const session = await findSession(ctx, id);
  await recordView(ctx, "reports.session", session.userId, { companyId: session.companyId });
  const [row, clock, variables] = await Promise.all([
    ctx.db
      .selectFrom("sessions")
      .innerJoin("attempts", "attempts.id", "sessions.attemptId")
      .innerJoin("courses", "courses.id", "attempts.courseId")
      .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
      .innerJoin("users", "users.id", "sessions.userId")
      .innerJoin("companies", "companies.id", "sessions.companyId")
      .where("sessions.id", "=", id)
      .where(inScope(ctx.user, { company: "sessions.companyId", person: "sessions.userId" }))
      .select((e) => [
        e.ref("attempts.enrolmentId").$notNull().as("enrolmentId"),
        "courses.title as course",
        "attempts.no as attemptNo",
        "sessions.startedAt",
        "sessions.endedAt",
        "sessions.endReason",
        "sessions.device",
        sql<number>`(sessions.active_ms / 1000)::int`.as("activeSeconds"),
        "sessions.lastSeq as events",
        "sessions.failedCommits",
        sql<string>`coalesce(nullif(users.name, ''), users.email)`.as("learner"),
        "companies.name as company",
        "companies.timezone as zone",
        "courseVersions.number as version",
        "courseVersions.questions",
      ])
      .executeTakeFirstOrThrow(notFound),
    measureOffset(ctx, session),
    listVariables(ctx, session),
  ]);
  const { learner, company, zone, version, questions, device, ...rest } = row;
  return {
    session: { id, ...rest, device: describeDevice(device) },
    learner: { id: session.userId, name: learner },
    company,
    zone,
    courseId: session.courseId,
    version,
    parts: session.parts.map(({ sco, title, depth, href }) => ({ sco, title, depth, isHeading: href === null })),
    questions,
    variables,
    offsetMs: clock,
    openedAt: new Date().toISOString(),
  };
}

/**
 * How much later than `startedAt` the clock of the browser started, in ms: the shortest time from the last event of a
 * commit, by that clock, to its arrival. It includes some ms of network latency.
 */
async function measureOffset({ db }: Ctx<User>, { id, startedAt }: FoundSession) {
  const { rows } = await sql<{ offset: number | null }>`
    select min(
      extract(epoch from received_at - ${startedAt}::timestamptz) * 1000 - (events->-1->>'t')::double precision
    )::double precision as "offset"
    from (
      select received_at, events
      from session_events
      where session_id = ${id}
        and first_seq <= ${SERVER_SEQ}
      order by first_seq
      limit ${COMPARED_COMMITS}
    ) commits`.execute(db);
  const offset = rows[0]?.offset ?? null;
  return offset === null || offset > MAX_OFFSET_MS ? null : Math.round(offset);
}

/** The variables of the course, and those that were set in the session. */
async function listVariables(ctx: Ctx<User>, session: FoundSession) {
  const [rows, start] = await Promise.all([
    ctx.db
      .selectFrom("variables")
      .leftJoin("variableCourses", (join) =>
        join
          .onRef("variableCourses.variableId", "=", "variables.id")
          .on("variableCourses.courseId", "=", session.courseId),
      )
      .where((e) =>
        e.or([
          e("variableCourses.courseId", "is not", null),
          e(
            "variables.id",
            "in",
            e.selectFrom("variableValues").where("sessionId", "=", session.id).select("variableId").distinct(),
          ),
        ]),
      )
      .orderBy("variables.label")
      .orderBy("variables.id")
      .select([sql<string>`coalesce(variable_courses.key, variables.key)`.as("key"), ...variableColumns])
      .execute(),
    readStartValues(ctx.db, session),
  ]);
  return rows.map((row) => ({ ...row, start: row.privacy === "sensitive" ? null : (start.get(row.id) ?? null) }));
}
