import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { phraseFinder } from "#server/conversations/phraseFinder.ts";

/** Conversations per batch. */
const BATCH = 100;

/**
 * After the publication of a version with blocked phrases, marks earlier messages that contain one, so that no model
 * reads them as history, in feedback or in an analysis. Removing a phrase does not unmark messages.
 */
export const markRefusedMessages = job(
  "conversations:markRefused",
  z.object({}),
  async ({ db }) => {
    for (let next = await readNext(db); next; next = await readNext(db)) {
      const isRefused = phraseFinder(next.settings.blockedPhrases);
      let ids = await readConversationIds(db, next.chatbotId);
      while (ids.length > 0) {
        await markRefused(db, ids, isRefused);
        ids = await readConversationIds(db, next.chatbotId, ids.at(-1));
      }
      await db.updateTable("chatbotVersions").set({ phrasesApplied: true }).where("id", "=", next.id).execute();
    }
  },
  "* * * * *",
);

/** A published version whose phrases have not been searched for yet. */
const readNext = (db: Db) =>
  db
    .selectFrom("chatbots")
    .innerJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .where("live.phrasesApplied", "=", false)
    .where(sql<boolean>`jsonb_array_length(live.settings->'blockedPhrases') > 0`)
    .select(["live.id", "live.chatbotId", "live.settings"])
    .limit(1)
    .executeTakeFirst();

async function readConversationIds(db: Db, chatbotId: string, after?: string): Promise<string[]> {
  const rows = await db
    .selectFrom("conversations")
    .where("chatbotId", "=", chatbotId)
    .$if(after !== undefined, (query) => query.where("id", ">", after as string))
    .select("id")
    .orderBy("id")
    .limit(BATCH)
    .execute();
  return rows.map(({ id }) => id);
}

async function markRefused(db: Db, conversationIds: string[], isRefused: (text: string) => boolean) {
  const turns = await db
    .selectFrom("turns")
    .where("conversationId", "in", conversationIds)
    .where("role", "=", "user")
    .where("state", "=", "stored")
    .select(["id", "text"])
    .execute();
  const refused = turns.filter(({ text }) => isRefused(text)).map(({ id }) => id);
  if (refused.length > 0) await db.updateTable("turns").set({ state: "blocked" }).where("id", "in", refused).execute();
}
