import { sql } from "kysely";
import { isWrittenHere } from "#shared/courses/completionRules.ts";
import type { Db } from "#server/core/database/db.ts";
import { readContents } from "#server/lessons/contents.ts";
import { allowancesOfAttempt, toAllowances } from "#server/player/quizzes/allowances.ts";
import { readRuleValues, type RuleValues } from "#server/player/ruleValues.ts";
import { hasAccessTo } from "#server/courses/attemptAccess.ts";
import { isStartedOver } from "#server/courses/setByAdmin.ts";
import { readLaunchVariables } from "#server/variables/content/launchVariables.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { DeclaredVariable } from "#shared/player/sessionVariables.ts";
import { type AttemptFacts, type Course, newPartState, type PartState } from "#server/player/trackingState.ts";

/** A session with everything a commit needs, as of attempt revision `rev`. */
export type SessionState = {
  sessionId: string;
  tokenHash: string;
  startedAt: string;
  endedAt: string | null;
  endReason: string | null;
  activeMs: number;
  failedCommits: number;
  lastSeq: number;
  /** Another session of the attempt was started after this one. */
  hasNewerSession: boolean;
  /** A newer session has written or taken over, so this one may only add to the state. */
  newerSessionHasWritten: boolean;
  reported: Record<string, number>;
  /** The person may use the attempt (attemptAccess.ts). */
  hasAccess: boolean;
  attemptId: string;
  versionId: string;
  courseId: string;
  enrolmentId: string | null;
  rev: number;
  attempt: AttemptFacts;
  activeSeconds: number;
  course: Course;
  parts: Map<string, PartState>;
  /** The variables on which conditions of the lessons depend, as the session has them now. */
  variables: DeclaredVariable[];
  ruleValues: RuleValues;
  /** Whose values of variables the session sees. */
  origin: { userId: string; companyId: string };
};

/** SQL: the browser has told something of a session, or content has, to the server itself. */
export const hasEvents = (session: string) => sql<boolean>`(
    ${sql.ref(`${session}.lastSeq`)} > 0
    or exists (
      select from session_events
      where session_events.session_id = ${sql.ref(`${session}.id`)}
    )
  )`;

/**
 * Days after the start of a session at which its token expires. Until then, leftover events of a browser are accepted.
 */
const TOKEN_DAYS = 30;

export const hasValidToken = sql<boolean>`sessions.started_at > now() - make_interval(days => ${TOKEN_DAYS})`;

/** The hash of a session's token; undefined if there is no such session or its token has expired. */
export const readTokenHash = async (db: Db, sessionId: string) =>
  (
    await db
      .selectFrom("sessions")
      .where("id", "=", sessionId)
      .where(hasValidToken)
      .select("tokenHash")
      .executeTakeFirst()
  )?.tokenHash;

/**
 * Reads a session with its attempt, course version and parts in one query; null if it does not exist or its token has
 * expired.
 */
export async function readSessionState(db: Db, sessionId: string): Promise<SessionState | null> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
    .innerJoin("courses", "courses.id", "attempts.courseId")
    .where("sessions.id", "=", sessionId)
    .where(hasValidToken)
    .select([
      "sessions.id as sessionId",
      "sessions.tokenHash",
      "sessions.startedAt",
      "sessions.endedAt",
      "sessions.endReason",
      "sessions.activeMs",
      "sessions.failedCommits",
      "sessions.lastSeq",
      "sessions.reported",
      sql<boolean>`exists (
        select from sessions newer
        where newer.attempt_id = attempts.id
          and newer.started_at > sessions.started_at
      )`.as("hasNewerSession"),
      sql<boolean>`exists (
        select from sessions newer
        where newer.attempt_id = attempts.id
          and newer.started_at > sessions.started_at
          and (${hasEvents("newer")} or sessions.end_reason = 'superseded')
      )`.as("newerSessionHasWritten"),
      sql<boolean>`${sql.raw(hasAccessTo("attempts"))}`.as("hasAccess"),
      "attempts.id as attemptId",
      "attempts.courseId",
      "attempts.enrolmentId",
      "attempts.rev",
      "attempts.completion",
      "attempts.success",
      "attempts.progress",
      "attempts.scorePercent",
      "attempts.currentPart",
      "attempts.reportedSeconds",
      "attempts.confirmed",
      "attempts.activeSeconds",
      "attempts.versionId",
      "attempts.sequencing",
      "courseVersions.isSequenced",
      "sessions.userId",
      "sessions.companyId",
      "courseVersions.kind",
      "courseVersions.parts as tree",
      "courses.completionRule as rule",
      allowancesOfAttempt.as("allowances"),
      isStartedOver.as("isOver"),
      sql<PartRow[]>`coalesce(
        (
          select json_agg(state)
          from part_states state
          where state.attempt_id = attempts.id
        ),
        '[]'
      )`.as("rows"),
    ])
    .executeTakeFirst();
  if (!row) return null;
  const { completion, success, progress, scorePercent, currentPart, reportedSeconds, confirmed, ...others } = row;
  const { sequencing, isSequenced, tree, rule, rows, ...more } = others;
  const { userId, companyId, kind, allowances, isOver, ...rest } = more;
  const { courseId, attemptId, versionId } = rest;
  const contents = isWrittenHere(kind) ? await readContents(db, versionId) : null;
  const origin = { userId, companyId, courseId, attemptId, versionId };
  const needsVariables = contents !== null && contents.conditionKeys.length > 0;
  return {
    ...rest,
    variables: needsVariables ? (await readLaunchVariables(db, origin)).declared : [],
    origin: { userId, companyId },
    ruleValues: await readRuleValues(db, rule, origin),
    attempt: { completion, success, progress, scorePercent, currentPart, reportedSeconds, confirmed, sequencing },
    course: {
      parts: tree,
      rule,
      isOver,
      isSequenced,
      ...(contents && { lessons: contents.lessons, extra: toAllowances(allowances) }),
    },
    parts: new Map(rows.map((part) => [part.sco, fromRow(part)])),
  };
}

type PartRow = {
  sco: string;
  cmi: Record<string, string>;
  suspend_data: string | null;
  completion: PartState["completion"];
  success: PartState["success"];
  score_percent: number | null;
  progress: number | null;
  visits: number;
  terminated: boolean;
  reported_seconds: number;
  learner_attempt: number;
  seconds_before: number;
  lesson: LessonState | null;
};
const fromRow = (row: PartRow): PartState => ({
  ...newPartState(row.sco),
  cmi: row.cmi,
  suspendData: row.suspend_data,
  completion: row.completion,
  success: row.success,
  scorePercent: row.score_percent,
  progress: row.progress,
  visits: row.visits,
  terminated: row.terminated,
  reportedSeconds: row.reported_seconds,
  learnerAttempt: row.learner_attempt,
  secondsBefore: row.seconds_before,
  lesson: row.lesson,
});

/** The stored states of the parts of an attempt, by `sco`. */
export async function readPartStates(db: Db, attemptId: string): Promise<Map<string, PartState>> {
  const { rows } = await sql<{ part: PartRow }>`
    select to_json(state) as part
    from part_states state
    where attempt_id = ${attemptId}`.execute(db);
  return new Map(rows.map(({ part }) => [part.sco, fromRow(part)]));
}
