import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown } from "#server/core/database/measured.ts";
import type { FigureGroup } from "#shared/reports/reportFigures.ts";
import type { User } from "#shared/core/users.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";

/** A row of a report, with the times that it may lead to. */
type Counted = Pick<ReportRow, "id" | "status" | "startedAt" | "completedAt">;
/** A session, and the time in it in ms since its start; both null if nothing was opened. */
type Moment = Pick<ReportRow, "sessionId" | "t">;

const NOTHING: Moment = { sessionId: null, t: null };
const startGroups: FigureGroup[] = ["started", "startedIn"];

/**
 * Adds the moment that a row leads to in a replay: the start for the groups of those who have started, otherwise the
 * completion, or if there is none, the last event before `asOf`, where the learner left.
 */
export async function addMoments<R extends Counted>(
  { db, user }: Ctx<User>,
  rows: R[],
  { asOf, group }: { asOf: string; group: FigureGroup },
): Promise<(R & Moment)[]> {
  const targets = rows.map((row) => ({
    id: row.id,
    moment: startGroups.includes(group) ? row.startedAt : row.completedAt,
  }));
  const msIntoSession = sql`floor(extract(epoch from targets.moment - session.started_at) * 1000)`;
  const { rows: sessionMoments } = await sql<Moment & { id: string }>`
    select
      targets.id,
      session.id as session_id,
      greatest(0, coalesce(
        case when session.started_at <= targets.moment then ${msIntoSession} end,
        (
          select (events -> -1 ->> 't')::float8
          from session_events
          where session_id = session.id
            and received_at < ${asOf}::timestamptz
          order by received_at desc, first_seq desc
          limit 1
        )
      ))::int as t
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as targets (id uuid, moment timestamptz)
    cross join lateral (
      select sessions.id, sessions.started_at
      from attempts
      join sessions on sessions.attempt_id = attempts.id
      where attempts.enrolment_id = targets.id
        and not attempts.preview
        and sessions.started_at < ${asOf}::timestamptz
        and ${inScope(user, { company: "sessions.companyId" })}
        and ${isShown(user, "replay", "sessions.companyId")}
      order by (sessions.started_at <= coalesce(targets.moment, 'infinity')) desc, sessions.started_at desc
      limit 1
    ) session`.execute(db);
  const moments = new Map(sessionMoments.map(({ id, ...moment }) => [id, moment]));
  return rows.map((row) => ({ ...row, ...(moments.get(row.id) ?? NOTHING) }));
}
