import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { hasRunTime } from "#server/player/dataModel.ts";
import { createGrant } from "#server/player/grants.ts";
import { findSession, type FoundSession } from "#server/reports/replay/session.ts";
import { readStartValues } from "#server/reports/replay/startValues.ts";
import { maskedVariable, ofSession, readValuesOf } from "#server/reports/replay/values.ts";
import { readCourseVariables } from "#server/variables/content/courseVariables.ts";
import type { ReplayStage, replays } from "#shared/reports/replays.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { SERVER_SEQ } from "#shared/player/playerTiming.ts";
import { elementNames, hasEndedAttempt, NAVIGATION_REQUEST, UNLOADED } from "#shared/player/runTimeData.ts";
import type { User } from "#shared/core/users.ts";

/** The parts of a session as they were after one of its events, and a read-only grant for their files. */
export async function readReplayStage(
  ctx: Ctx<User>,
  id: string,
  { seq }: QueryOf<typeof replays.replayStage>,
): Promise<ReplayStage> {
  const session = await findSession(ctx, id);
  const { versionId, attemptId, kind, parts } = session;
  const [variables, start, hidden] = await Promise.all([
    readCourseVariables(ctx.db, session.courseId),
    readStartValues(ctx.db, session),
    findHidden(ctx.db, session),
  ]);
  const canOpen = hidden === null && parts.some(({ kind, href }) => kind !== "lesson" && href !== null);
  const grant = createGrant(ctx.config.secret, { versionId, attemptId, isReview: true });
  return {
    closed: hidden,
    shell: canOpen ? `${ctx.config.contentOrigin}/play/${grant}/` : null,
    kind,
    parts,
    values: canOpen ? await readValuesAt(ctx, session, seq) : {},
    variables: {
      declared: !canOpen
        ? []
        : [...variables.values()].map(({ id: variableId, defaultValue, path: _, scope: __, ...variable }) => ({
            ...variable,
            value: variable.access === "write" ? null : (start.get(variableId) ?? defaultValue),
          })),
      newKeysLeft: 0,
      packagePaths: [],
      packageValues: {},
    },
  };
}

/**
 * Why the parts must not be opened; null if they may be. The suspend data of a package may contain masked or deleted
 * values, which cannot be found in it.
 */
export async function findHidden(db: Db, { courseId, attemptId }: FoundSession): Promise<ReplayStage["closed"]> {
  const { rows } = await sql<{ masked: boolean; deleted: boolean }>`
    select
      exists (
        select
        from variable_courses
        join variables on variables.id = variable_courses.variable_id
        where variable_courses.course_id = ${courseId}
          and variables.privacy = 'sensitive'
      )
      or exists (
        select
        from variable_values
        join variables on variables.id = variable_values.variable_id
        where variable_values.attempt_id = ${attemptId}
          and variables.privacy = 'sensitive'
      ) as masked,
      exists (
        select
        from variable_values
        where attempt_id = ${attemptId}
          and deletion_id is not null
      ) as deleted`.execute(db);
  if (rows[0]?.masked) return "masked";
  return rows[0]?.deleted ? "deleted" : null;
}

type Values = Record<string, string>;

/** SQL: an event of a session is not after the one with this number; the server numbers its own apart, so by time. */
const isUntil = (sessionId: string, seq: number) =>
  seq <= SERVER_SEQ
    ? sql`(event->>'seq')::int <= ${seq}`
    : sql`(event->>'t')::float8 <= (
        select (chosen->>'t')::float8
        from session_events batch
        cross join lateral json_array_elements(batch.events) chosen
        where batch.session_id = ${sessionId}
          and batch.first_seq <= ${seq}
          and batch.last_seq >= ${seq}
          and (chosen->>'seq')::int = ${seq}
      )`;

/** The data model values of each part after an event: the last ones that the attempt set, in any session. */
async function readValuesAt(
  { db, user }: Ctx<User>,
  session: FoundSession,
  seq: number,
): Promise<Record<string, Values>> {
  const { attemptId, startedAt, parts } = session;
  const { rows } = await sql<{ sco: string; type: string; key: string; value: string }>`
    with changes as (
      select
        event->>'sco' as sco,
        event->>'type' as type,
        case when event->>'type' = 'scorm.set' then event->>'key' else '' end as key,
        coalesce(event->>'value', '') as value,
        sessions.started_at,
        (event->>'seq')::int as seq
      from sessions
      join session_events on session_id = sessions.id
      cross join lateral json_array_elements(events) event
      where sessions.attempt_id = ${attemptId}
        and ${inScope(user, { company: "sessions.companyId", person: "sessions.userId" })}
        and (
          sessions.started_at < ${startedAt}::timestamptz
          or (sessions.id = ${session.id} and ${isUntil(session.id, seq)})
        )
        and event->>'type' in ('scorm.set', 'scorm.init', 'scorm.terminate')
    )
    select distinct on (sco, key) sco, type, key, value
    from changes
    where sco is not null
    order by sco, key, started_at desc, seq desc`.execute(db);
  return Object.fromEntries(
    parts.filter(hasRunTime).map(({ sco, kind, given }) => {
      const names = elementNames(kind);
      const ofPart = rows.filter((row) => row.sco === sco);
      const set: Values = Object.fromEntries(
        ofPart.filter(({ key }) => key !== "").map(({ key, value }) => [key, value]),
      );
      const last = ofPart.find(({ key }) => key === "");
      const end = {
        terminated: last?.type === "scorm.terminate" && (last.value !== UNLOADED || Boolean(set[names.exit])),
        exit: set[names.exit] ?? "",
        request: set[NAVIGATION_REQUEST] ?? "",
      };
      const isNew = ofPart.length === 0 || hasEndedAttempt(kind, end);
      return [sco, { ...given, ...(isNew ? {} : set), [names.entry]: isNew ? "ab-initio" : "resume" }];
    }),
  );
}

/** The values of a sensitive variable in a session. The audit log records who saw them and why. */
export async function revealValues(
  ctx: Ctx<User>,
  id: string,
  { variableId, reason }: BodyOf<typeof replays.revealValues>,
) {
  const session = await findSession(ctx, id);
  return inTransaction(ctx.db, async (tx) => {
    const { key } = await maskedVariable(tx, variableId);
    await record(tx, ctx, {
      action: "reports.reveal",
      people: [session.userId],
      companyId: session.companyId,
      courseId: session.courseId,
      details: { variable: key, reason },
    });
    const start = await readStartValues(tx, session);
    return { start: start.get(variableId) ?? null, values: await readValuesOf(tx, ofSession(id), variableId) };
  });
}
