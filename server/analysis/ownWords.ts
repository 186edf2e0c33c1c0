import { sql } from "kysely";

/**
 * SQL condition on `turns` with the role `user`: the person said this in their own words. It is neither a button, nor a
 * choice in a scene, nor a reply that the chatbot suggests.
 */
export const isOwnWords = sql<boolean>`(
    turns.button_id is null
    and not exists (
      select
      from turns asked
      where asked.id = turns.parent_id
        and asked.options ? turns.text
    )
    and not exists (
      select
      from conversations held
      join chatbots on chatbots.id = held.chatbot_id
      left join chatbot_versions version on version.id = held.version_id
      where held.id = turns.conversation_id
        and coalesce(version.settings, chatbots.settings)->'quickReplies' ? turns.text
    )
  )`;

/** SQL condition on `conversations`: the person said something in their own words. */
export const hasOwnWords = sql<boolean>`exists (
    select
    from turns
    where turns.conversation_id = conversations.id
      and turns.role = 'user'
      and ${isOwnWords}
  )`;
