import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";

// What conversations add up to is stored where it changes (migrations/0060_conversation_figures.sql). It is compared
// here with the turns.

export type ConversationDifference = { what: string; id: string; stored: string; recounted: string };

/** Conversations that are compared in one transaction. */
const BATCH = 5000;
/** Differences that are returned. */
const MAX_LISTED = 1000;

/** Conversations whose figures or calls differ from their turns. Rows without turns differ, too. */
const differing = (ids: string[]) => sql<Omit<ConversationDifference, "what">>`
  select coalesce(n.conversation_id, s.conversation_id) as id, coalesce(s.row, '') as stored, coalesce(n.row, '') as recounted from
    (select conversation_id, to_jsonb(f)::text || coalesce((select jsonb_agg(to_jsonb(k) order by k.model, k.prompt_version_id)::text
      from calls_of_turns(array[f.conversation_id]) k), '') as row from figures_of_turns(${ids}::uuid[]) f) n
    full join (select conversation_id, to_jsonb(f)::text || coalesce((select jsonb_agg(to_jsonb(k) order by k.model, k.prompt_version_id)::text
      from conversation_calls k where k.conversation_id = f.conversation_id), '') as row from conversation_figures f
      where conversation_id = any(${ids}::uuid[])) s using (conversation_id)
  where n.row is distinct from s.row`;

/**
 * Compares the stored figures of all conversations with their turns, and repairs what differs. Returns the differences,
 * at most 1000.
 */
export async function recountConversations(db: Db): Promise<ConversationDifference[]> {
  const differences: ConversationDifference[] = [];
  for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
    const { rows } = await sql<{ id: string }>`select id from (select id from conversations
      union select conversation_id from conversation_figures union select conversation_id from conversation_calls) all_ids
      where id > ${after} order by id limit ${BATCH}`.execute(db);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return differences;
    after = ids.at(-1) as string;
    const found = await inTransaction(db, async (tx) => {
      const { rows } = await differing(ids).execute(tx);
      if (rows.length === 0) return [];
      const wrong = rows.map(({ id }) => id);
      await sql`delete from conversation_figures where conversation_id = any(${wrong}::uuid[])`.execute(tx);
      await sql`delete from conversation_calls where conversation_id = any(${wrong}::uuid[])`.execute(tx);
      await sql`select count_conversations(array(select distinct conversation_id from turns
        where conversation_id = any(${wrong}::uuid[]) and state not in ('waiting', 'streaming')))`.execute(tx);
      return rows;
    });
    differences.push(
      ...found.map((one) => ({ what: "figures of conversation", ...one })).slice(0, MAX_LISTED - differences.length),
    );
  }
}
