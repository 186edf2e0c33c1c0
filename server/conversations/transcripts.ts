import { type SelectQueryBuilder, sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, isOneOf, readPage, searchFor } from "#server/core/database/listing.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown, refuseHidden } from "#server/core/database/measured.ts";
import { readTurns, selectConversations, toReadTurn } from "#server/conversations/turnRows.ts";
import type { conversations, Transcript } from "#shared/conversations/conversations.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const SCOPE = { company: "conversations.companyId", person: "conversations.userId" };
const person = sql<{ id: string; name: string; email: string } | null>`case
  when users.id is not null then
    jsonb_build_object('id', users.id, 'name', coalesce(nullif(users.name, ''), users.email), 'email', users.email)
end`;

/** Conversations in the scope of the user, with people and companies. */
export const selectTranscripts = (db: Db, user: User) =>
  selectConversations(db)
    .leftJoin("users", "users.id", "conversations.userId")
    .leftJoin("companies", "companies.id", "conversations.companyId")
    .where(inScope(user, SCOPE))
    .where(isShown(user, "conversations", SCOPE.company));

/** 409 if the company of a conversation in the scope of the user shows none. */
export async function refuseHiddenConversation({ db, user }: Ctx<User>, id: string) {
  const found = await db
    .selectFrom("conversations")
    .where("id", "=", id)
    .where(inScope(user, SCOPE))
    .select("companyId")
    .executeTakeFirst();
  if (found) await refuseHidden(db, user, "conversations", found.companyId);
}

/** All conversations, newest first. */
export async function listTranscripts(ctx: Ctx<User>, query: QueryOf<typeof conversations.all>) {
  let rows = ctx.db
    .selectFrom("conversations")
    .where(inScope(ctx.user, SCOPE))
    .where(isShown(ctx.user, "conversations", SCOPE.company))
    .where("conversations.questions", ">", 0);
  if (query.includesPreviews === "no") rows = rows.where("conversations.isPreview", "=", false);
  if (query.orders === "yes")
    rows = rows.where((e) =>
      e.exists(
        e
          .selectFrom("turns")
          .whereRef("turns.conversationId", "=", "conversations.id")
          .where("turns.givesOrders", "=", true)
          .select("turns.id"),
      ),
    );
  if (query.chatbotId) rows = rows.where("conversations.chatbotId", "=", query.chatbotId);
  if (query.courseId) rows = rows.where("conversations.courseId", "=", query.courseId);
  if (query.companyId) rows = rows.where("conversations.companyId", "=", query.companyId);
  if (query.userId) rows = rows.where("conversations.userId", "=", query.userId);
  return listFound(ctx, rows, query, "conversations.lastAt");
}

type PageQuery = { q?: string | undefined; page: number; size: number };

/** One page of the given conversations that match the search, sorted by this time, newest first. */
export async function listFound(
  { db, user }: Ctx<User>,
  rows: SelectQueryBuilder<DB, "conversations", object>,
  { q, page, size }: PageQuery,
  time: "conversations.lastAt" | "conversations.startedAt",
) {
  const matching = q
    ? rows.where(
        searchFor(
          q,
          ["conversations.title"],
          await findElsewhere(q, ["conversations.userId"], (word) =>
            db
              .selectFrom("users")
              .where(searchFor(word, ["users.name", "users.email"]))
              .select("id"),
          ),
        ),
      )
    : rows;
  return readPage(
    { page, size },
    {
      ids: matching.select("conversations.id").orderBy(time, "desc").orderBy("conversations.id", "desc"),
      total: matching.select((e) => e.fn.countAll<number>().as("total")),
      rows: (ids) =>
        selectTranscripts(db, user)
          .leftJoin("conversationFigures as figures", "figures.conversationId", "conversations.id")
          .where(isOneOf("conversations.id", ids))
          .select([
            person.as("person"),
            "companies.name as company",
            sql<number>`coalesce(figures.cost_micros, 0)::float8`.as("costMicros"),
            sql<number>`coalesce(figures.refused, 0)`.as("unanswered"),
          ])
          .execute(),
    },
  );
}

/** A conversation for admins. Reading that of a learner is recorded, and visible to the learner. */
export async function readTranscript(ctx: Ctx<User>, id: string): Promise<Transcript> {
  await refuseHiddenConversation(ctx, id);
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
      ...toReadTurn(turn),
      connector: turn.connector,
      model: turn.model,
      tokensIn: turn.tokensIn,
      tokensOut: turn.tokensOut,
      costMicros: turn.costMicros,
      ratingReason: turn.ratingReason,
      ratingText: turn.ratingText,
      givesOrders: turn.givesOrders,
      why: turn.why,
    })),
  };
}
