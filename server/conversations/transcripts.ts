import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Db } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { searchFor } from "#server/core/listing.ts";
import { notFound } from "#server/core/problem.ts";
import { inScope } from "#server/core/scope.ts";
import { readTurns, selectConversations, toTurn } from "#server/conversations/turnRows.ts";
import type { conversations, Transcript } from "#shared/conversations.ts";
import type { QueryOf } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

const SCOPE = { company: "conversations.companyId", person: "conversations.userId" };
const person = sql<{ id: string; name: string; email: string } | null>`case when users.id is not null then
  jsonb_build_object('id', users.id, 'name', coalesce(nullif(users.name, ''), users.email), 'email', users.email) end`;

/** Conversations with their people and companies, as far as the user may see them. */
export const selectTranscripts = (db: Db, user: User) =>
  selectConversations(db)
    .leftJoin("users", "users.id", "conversations.userId")
    .leftJoin("companies", "companies.id", "conversations.companyId")
    .where(inScope(user, SCOPE));

/** All conversations, newest first. */
export async function listTranscripts(ctx: Ctx<User>, query: QueryOf<typeof conversations.all>) {
  let rows = selectTranscripts(ctx.db, ctx.user).where("conversations.questions", ">", 0);
  if (query.includesPreviews === "no") rows = rows.where("conversations.isPreview", "=", false);
  if (query.chatbotId) rows = rows.where("conversations.chatbotId", "=", query.chatbotId);
  if (query.courseId) rows = rows.where("conversations.courseId", "=", query.courseId);
  if (query.companyId) rows = rows.where("conversations.companyId", "=", query.companyId);
  if (query.userId) rows = rows.where("conversations.userId", "=", query.userId);
  return readPage(ctx.db, rows, query, "conversations.lastAt");
}

type PageQuery = { q?: string | undefined; page: number; size: number };

/** One page of conversations that match the search, by this time, the newest first. */
export async function readPage(
  db: Db,
  selected: ReturnType<typeof selectTranscripts>,
  { q, page, size }: PageQuery,
  time: "conversations.lastAt" | "conversations.startedAt",
) {
  const rows = q ? selected.where(searchFor(q, ["conversations.title", "users.name", "users.email"])) : selected;
  const { total } = await db
    .selectFrom(rows.as("found"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .select([
      person.as("person"),
      "companies.name as company",
      sql<number>`(select coalesce(sum(t.cost_micros), 0)::float8 from turns t where t.conversation_id = conversations.id)`.as(
        "costMicros",
      ),
      sql<number>`(select count(*)::int from turns t where t.conversation_id = conversations.id and t.state = 'refused')`.as(
        "unanswered",
      ),
    ])
    .orderBy(time, "desc")
    .orderBy("conversations.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

/** A conversation as admins read it. Reading that of a learner is recorded, and visible to the learner. */
export async function readTranscript(ctx: Ctx<User>, id: string): Promise<Transcript> {
  const row = await selectTranscripts(ctx.db, ctx.user)
    .where("conversations.id", "=", id)
    .select([
      person.as("person"),
      "companies.name as company",
      "conversations.companyId",
      "conversations.isPreview",
      "conversations.sessionId",
      "version.number as versionNumber",
    ])
    .executeTakeFirstOrThrow(notFound);
  const { companyId, ...shown } = row;
  if (row.person)
    await recordView(ctx, "conversations.open", row.person.id, {
      companyId,
      courseId: row.courseId,
      conversationId: id,
    });
  const turns = await readTurns(ctx.db, id);
  return {
    ...shown,
    turns: turns.map((turn) => ({
      ...toTurn(turn),
      connector: turn.connector,
      model: turn.model,
      tokensIn: turn.tokensIn,
      tokensOut: turn.tokensOut,
      costMicros: turn.costMicros,
      ratingReason: turn.ratingReason,
      ratingText: turn.ratingText,
      why: turn.why,
    })),
  };
}
