import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";

/** The chatbot, if visitors without an account may talk to it now; otherwise null. */
export async function findPublicChatbot(db: Db, id: string | null): Promise<string | null> {
  if (!id) return null;
  const bot = await db
    .selectFrom("chatbots")
    .innerJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .where("chatbots.id", "=", id)
    .where("chatbots.status", "=", "published")
    .where(sql<boolean>`live.settings->>'access' = 'public' and live.settings->'companyIds' = '[]'`)
    .select("chatbots.id")
    .executeTakeFirst();
  return bot?.id ?? null;
}
