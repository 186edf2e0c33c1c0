import { sql } from "kysely";
import { z } from "zod";
import { announceChange } from "#server/core/live/announcements.ts";
import { job } from "#server/core/jobs.ts";

/** Ends answers whose node has died, and answers that were never started. Their text is kept and marked as cut. */
export const closeLostAnswers = job(
  "conversations:closeLost",
  z.object({}),
  async ({ db }) => {
    const { rows } = await sql`
      update turns
      set state = 'cut',
        finished_at = now(),
        leased_until = null
      where state in ('waiting', 'streaming')
        and leased_until < now()
      returning id`.execute(db);
    if (rows.length > 0) await announceChange(db, { domain: "conversations" });
  },
  "* * * * *",
);

/**
 * Deletes conversations after the period that their chatbot has published, or that of its draft if it was never
 * published; those of visitors and previews after 30 days at most.
 */
const GUEST_DAYS = 30;
export const deleteOldConversations = job(
  "conversations:deleteOld",
  z.object({}),
  async ({ db }) => {
    await sql`
      delete from conversations
      using chatbots
      left join chatbot_versions live on live.id = chatbots.live_version_id
      where chatbots.id = conversations.chatbot_id
        and conversations.last_at < now() - make_interval(days => least(
          (coalesce(live.settings, chatbots.settings)->>'retentionDays')::int,
          case when conversations.user_id is null or conversations.is_preview then ${GUEST_DAYS} else 3650 end
        ))`.execute(db);
  },
  "50 3 * * *",
);
