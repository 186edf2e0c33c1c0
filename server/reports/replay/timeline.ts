import type { TurnState } from "#shared/conversations/conversations.ts";
import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown } from "#server/core/database/measured.ts";
import { findSession } from "#server/reports/replay/session.ts";
import { ofSession, readShownValues } from "#server/reports/replay/values.ts";
import { maskEvents } from "#server/variables/mask.ts";
import { withoutUnclearLines } from "#shared/lessons/unclear/unclear.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import type { replays } from "#shared/reports/replays.ts";
import type { QueryOf, Reply } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** A page has at most this many commits, and about this many bytes of events. */
const PAGE_COMMITS = 500;
const PAGE_BYTES = 2_000_000;

/** One page of the events of a session. Suspend data is long and opaque: only its length is returned. */
export async function listReplayEvents(
  ctx: Ctx<User>,
  id: string,
  { after }: QueryOf<typeof replays.replayEvents>,
): Promise<Reply<typeof replays.replayEvents>> {
  const { courseId } = await findSession(ctx, id);
  const { rows } = await sql<Commit>`
    with commits as (
      select first_seq, last_seq, received_at, events
      from session_events
      where session_id = ${id}
        and first_seq > ${after}
      order by first_seq
      limit ${PAGE_COMMITS}
    ),
    measured as (
      select
        commits.*,
        sum(octet_length(events::text)) over (order by first_seq) - octet_length(events::text) as bytes_before
      from commits
    )
    select
      first_seq, last_seq, received_at, events,
      last_value(first_seq) over (rows between unbounded preceding and unbounded following) as last
    from measured
    where bytes_before < ${PAGE_BYTES}
    order by first_seq`.execute(ctx.db);
  const last = rows.at(-1);
  const more =
    last &&
    (await ctx.db
      .selectFrom("sessionEvents")
      .where("sessionId", "=", id)
      .where("firstSeq", ">", last.firstSeq)
      .select("firstSeq")
      .limit(1)
      .executeTakeFirst());
  const events = rows
    .flatMap((row) => row.events)
    .map((event) => (event.key === "cmi.suspend_data" ? { ...event, value: String(event.value?.length ?? 0) } : event));
  return {
    events: await maskEvents(ctx.db, { sessionId: id, courseId }, withoutUnclearLines(events)),
    commits: rows.map(({ firstSeq, lastSeq, receivedAt }) => ({ firstSeq, lastSeq, receivedAt })),
    next: more ? last.firstSeq : null,
  };
}
type Commit = { firstSeq: number; lastSeq: number; receivedAt: string; events: SessionEvent[] };

export async function listReplayValues(
  ctx: Ctx<User>,
  id: string,
  { after }: QueryOf<typeof replays.replayValues>,
): Promise<Reply<typeof replays.replayValues>> {
  await findSession(ctx, id);
  return readShownValues(ctx.db, ofSession(id), after);
}

/** The messages of the conversations that were held in a session. */
export async function listReplayTurns(ctx: Ctx<User>, id: string, { page, size }: QueryOf<typeof replays.replayTurns>) {
  await findSession(ctx, id);
  const turns = ctx.db
    .selectFrom("turns")
    .innerJoin("conversations", "conversations.id", "turns.conversationId")
    .innerJoin("chatbots", "chatbots.id", "conversations.chatbotId")
    .where("conversations.sessionId", "=", id)
    .where(inScope(ctx.user, { company: "conversations.companyId", person: "conversations.userId" }))
    .where(isShown(ctx.user, "conversations", "conversations.companyId"));
  const { total } = await turns.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await turns
    .orderBy("turns.createdAt")
    .orderBy("turns.id")
    .limit(size)
    .offset((page - 1) * size)
    .select([
      "turns.id",
      "chatbots.name as chatbot",
      "turns.number",
      "turns.role",
      // As in `toReadTurn`.
      sql<TurnState>`case when turns.state = 'care' then 'done' else turns.state end`.as("state"),
      "turns.text",
      sql<number>`jsonb_array_length(turns.sources)`.as("sources"),
      sql<string | null>`(select label from button_prompts where id = turns.button_id)`.as("button"),
      "turns.model",
      sql<number | null>`jsonb_array_length(turns.why->'passages')`.as("passages"),
      sql<number | null>`(turns.why->>'retrievalMs')::int`.as("retrievalMs"),
      "turns.costMicros",
      "turns.spoken",
      "turns.createdAt",
      "turns.firstAt",
      "turns.finishedAt",
    ])
    .execute();
  return { items, total: Number(total) };
}
