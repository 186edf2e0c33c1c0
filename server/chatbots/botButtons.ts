import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";

/**
 * The active buttons of a chatbot, in its order, whose prompt has a live version; `body` is the text of that version.
 */
export async function readBotButtons(db: Db, { settings }: { settings: Pick<BotSettings, "buttonIds"> }) {
  const { buttonIds } = settings;
  if (buttonIds.length === 0) return [];
  return db
    .selectFrom("buttonPrompts")
    .innerJoin("prompts", "prompts.id", "buttonPrompts.promptId")
    .innerJoin("promptVersions as live", "live.id", "prompts.liveVersionId")
    .where("buttonPrompts.id", "in", buttonIds)
    .where("buttonPrompts.status", "=", "active")
    .where("prompts.status", "=", "active")
    .select(["buttonPrompts.id", "buttonPrompts.label", "live.body"])
    .orderBy(sql`array_position(${buttonIds}::uuid[], button_prompts.id)`)
    .execute();
}
