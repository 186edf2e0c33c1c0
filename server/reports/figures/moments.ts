import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { FigureGroup } from "#shared/reports/reportFigures.ts";
import type { User } from "#shared/core/users.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";

/** The times that say what a row counts. */
type Counted = Pick<ReportRow, "id" | "status" | "startedAt" | "completedAt">;
/** A session, and the time in it in ms since its start; both null if nothing was opened. */
type Moment = Pick<ReportRow, "sessionId" | "t">;

const NOTHING: Moment = { sessionId: null, t: null };
const startGroups: FigureGroup[] = ["started", "startedIn"];

/**
 * Where in which session it happened that a row is counted: the start for the groups of those who have started, the
 * completion if it is completed, otherwise the last event before `asOf`, where the learner has left.
 */
export async function addMoments<R extends Counted>(
  { db, user }: Ctx<User>,
  rows: R[],
  { asOf, group }: { asOf: string; group: FigureGroup },
): Promise<(R & Moment)[]> {
  const wanted = rows.map((row) => ({
    id: row.id,
    moment: startGroups.includes(group) ? row.startedAt : row.completedAt,
  }));
  const { rows: found } = await sql<Moment & { id: string }>`
    select wanted.id, s.id as session_id, greatest(0, coalesce(
        case when s.started_at <= wanted.moment then floor(extract(epoch from wanted.moment - s.started_at) * 1000) end,
        (select (events -> -1 ->> 't')::float8 from session_events where session_id = s.id and received_at < ${asOf}::timestamptz
          order by last_seq desc limit 1)))::int as t
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (id uuid, moment timestamptz)
    cross join lateral (select sessions.id, sessions.started_at from attempts join sessions on sessions.attempt_id = attempts.id
      where attempts.enrolment_id = wanted.id and not attempts.preview and sessions.started_at < ${asOf}::timestamptz
        and ${inScope(user, { company: "sessions.companyId" })}
      order by (sessions.started_at <= coalesce(wanted.moment, 'infinity')) desc, sessions.started_at desc limit 1) s`.execute(
    db,
  );
  const moments = new Map(found.map(({ id, ...moment }) => [id, moment]));
  return rows.map((row) => ({ ...row, ...(moments.get(row.id) ?? NOTHING) }));
}
