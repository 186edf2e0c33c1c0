import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { createGrant } from "#server/player/grants.ts";
import { findSession, type FoundSession } from "#server/reports/replay/session.ts";
import { findHidden } from "#server/reports/replay/stage.ts";
import type { ReplayRecording, replays } from "#shared/reports/replays.ts";
import type { QueryOf, Reply } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Approximate size of a page of chunks in bytes. */
const PAGE_BYTES = 1_000_000;

/**
 * The address of the viewer of a recorded session; none if nothing was recorded, or if the recording could show masked
 * or deleted values.
 */
export async function readReplayRecording(ctx: Ctx<User>, id: string): Promise<ReplayRecording> {
  const session = await findSession(ctx, id);
  if (!(await hasRecording(ctx, session))) return { closed: null, viewer: null };
  const closed = await findHidden(ctx.db, session);
  const { versionId, attemptId } = session;
  const grant = createGrant(ctx.config.secret, { versionId, attemptId, isReview: true });
  return { closed, viewer: closed ? null : `${ctx.config.contentOrigin}/recording-viewer/${grant}/` };
}

/** One page of the chunks of a recording. The audit log shows the learner who watched it. */
export async function listRecordingChunks(
  ctx: Ctx<User>,
  id: string,
  { from }: QueryOf<typeof replays.recordingChunks>,
): Promise<Reply<typeof replays.recordingChunks>> {
  const session = await findSession(ctx, id);
  if (!(await hasRecording(ctx, session)) || (await findHidden(ctx.db, session))) throw notFound();
  await recordView(ctx, "reports.recording", session.userId, { companyId: session.companyId });
  const { rows } = await sql<{ number: number; body: Buffer; isLast: boolean }>`
    select number, body, number = last as is_last
    from (
      select
        number,
        body,
        max(number) over () as last,
        sum(length(body)) over (order by number) - length(body) as bytes_before
      from recording_chunks
      where session_id = ${id}
        and number >= ${from}
    ) chunks
    where bytes_before < ${PAGE_BYTES}
    order by number`.execute(ctx.db);
  const last = rows.at(-1);
  return {
    chunks: rows.map(({ body }) => body.toString("base64")),
    next: last && !last.isLast ? last.number + 1 : null,
  };
}

const hasRecording = async ({ db }: Ctx<User>, { id }: FoundSession) =>
  (await db
    .selectFrom("recordings")
    .where("sessionId", "=", id)
    .where("chunks", ">", 0)
    .select("sessionId")
    .executeTakeFirst()) !== undefined;
