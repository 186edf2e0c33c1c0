import { type Selectable, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Chatbots } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { orderBy, searchFor } from "#server/core/database/listing.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

type Row = Selectable<Chatbots> & { liveNumber: number | null; livePublishedAt: string | null; isChanged: boolean };

const selectBots = (db: Db) =>
  db
    .selectFrom("chatbots")
    .leftJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .selectAll("chatbots")
    .select([
      "live.number as liveNumber",
      "live.publishedAt as livePublishedAt",
      sql<boolean>`live.id is null or live.settings <> chatbots.settings or live.name <> chatbots.name`.as("isChanged"),
    ]);

const toBot = ({ liveNumber, livePublishedAt, ...row }: Row): Chatbot => ({
  id: row.id,
  name: row.name,
  status: row.status,
  version: row.version,
  settings: row.settings,
  live:
    row.liveVersionId && liveNumber !== null && livePublishedAt
      ? { id: row.liveVersionId, number: liveNumber, publishedAt: livePublishedAt }
      : null,
  isChanged: row.isChanged,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** The chatbots that a user may see and change: all, or for an admin of one company those only for its people. */
export const inBotScope = (user: User) => {
  const scope = scopeOf(user);
  if (scope.kind === "academy") return sql<boolean>`true`;
  return scope.kind === "company"
    ? sql<boolean>`chatbots.settings->'companyIds' = jsonb_build_array(${scope.companyId}::text)`
    : sql<boolean>`false`;
};

export const readBot = async (db: Db, id: string, user: User): Promise<Chatbot> =>
  toBot(await selectBots(db).where("chatbots.id", "=", id).where(inBotScope(user)).executeTakeFirstOrThrow(notFound));

const SINCE = sql<string>`now() - interval '30 days'`;
/** Conversations (with at least one message of the person) and people of all chatbots, in one pass. */
const lately = (db: Db) =>
  db
    .selectFrom("conversations")
    .where("isPreview", "=", false)
    .where("questions", ">", 0)
    .where("lastAt", ">", SINCE)
    .groupBy("chatbotId")
    .select([
      "chatbotId",
      sql<number>`count(*)::int`.as("conversations"),
      sql<number>`count(distinct coalesce(user_id, md5(visitor)::uuid))::int`.as("people"),
    ]);
/** Cost of the answers of each chatbot, including previews. */
const spent = (db: Db) =>
  db
    .selectFrom(
      db
        .selectFrom("turns")
        .where("createdAt", ">", SINCE)
        .where("costMicros", ">", 0)
        .groupBy("conversationId")
        .select(["conversationId", sql<number>`sum(cost_micros)`.as("costMicros")])
        .as("costs"),
    )
    .innerJoin("conversations", "conversations.id", "costs.conversationId")
    .groupBy("conversations.chatbotId")
    .select(["conversations.chatbotId", sql<number>`sum(costs.cost_micros)::float8`.as("costMicros")]);

/** The chatbots with their activity of the last 30 days, without previews. */
export async function listBots({ db, user }: Ctx<User>, query: QueryOf<typeof chatbots.list>) {
  let filtered = db.selectFrom("chatbots").where(inBotScope(user));
  if (query.q) filtered = filtered.where(searchFor(query.q, ["chatbots.name"]));
  filtered = query.status
    ? filtered.where("chatbots.status", "=", query.status)
    : filtered.where("chatbots.status", "!=", "archived");
  if (query.courseId) filtered = filtered.where(sql<boolean>`chatbots.settings->'courseIds' ? ${query.courseId}`);
  const { total } = await filtered.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await filtered
    .leftJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .leftJoin(lately(db).as("lately"), "lately.chatbotId", "chatbots.id")
    .leftJoin(spent(db).as("spent"), "spent.chatbotId", "chatbots.id")
    .leftJoin("connectors", "connectors.id", sql`nullif(chatbots.settings->>'connectorId', '')::uuid` as never)
    .selectAll("chatbots")
    .select([
      "live.number as liveNumber",
      "live.publishedAt as livePublishedAt",
      sql<boolean>`live.id is null or live.settings <> chatbots.settings or live.name <> chatbots.name`.as("isChanged"),
      "connectors.name as connector",
      sql<{ id: string; title: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('id', courses.id, 'title', courses.title) order by lower(courses.title))
        from courses
        where chatbots.settings->'courseIds' ? courses.id::text
      ), '[]')`.as("courses"),
      sql<number>`jsonb_array_length(chatbots.settings->'documentIds')`.as("documents"),
      sql<number>`coalesce(lately.conversations, 0)`.as("conversations"),
      sql<number>`coalesce(lately.people, 0)`.as("people"),
      sql<number>`coalesce(spent.cost_micros, 0)`.as("costMicros"),
      sql<string | null>`(
        select max(conversations.last_at)
        from conversations
        where conversations.chatbot_id = chatbots.id
          and conversations.questions > 0
          and not conversations.is_preview)`.as("lastAt"),
    ])
    .orderBy(orderBy(query.sort, { name: sql`lower(chatbots.name)`, updatedAt: sql`chatbots.updated_at` }))
    .orderBy("chatbots.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  const items = rows.map((row) => {
    const { settings, ...bot } = toBot(row);
    const { connector, courses, documents, conversations, people, costMicros, lastAt } = row;
    const { access, pedagogy, color, description, allowedOrigins } = settings;
    return {
      ...bot,
      access,
      pedagogy,
      color,
      description,
      origins: allowedOrigins.length,
      connector,
      courses,
      documents,
      conversations,
      people,
      costMicros,
      lastAt,
    };
  });
  return { items, total };
}
