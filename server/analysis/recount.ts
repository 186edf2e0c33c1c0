import { type RawBuilder, sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";

// The figures of a conversation are stored whenever its turns change (migrations/0060_conversation_figures.sql). Here
// they are compared with the turns.

export type ConversationDifference = { what: string; id: string; stored: string; recounted: string };

/** The number of conversations that are compared in one transaction. */
const BATCH = 5000;
/** The most differences that are returned. */
const MAX_LISTED = 1000;

/** The figures and calls of conversations as one text each. */
const rowsOf = (figures: RawBuilder<unknown>, calls: RawBuilder<unknown>) => sql`
      select
        conversation_id,
        to_jsonb(figures)::text || coalesce((
          select jsonb_agg(to_jsonb(calls) order by calls.model, calls.prompt_version_id)::text
          from ${calls}
        ), '') as row
      from ${figures}`;

/** Conversations whose figures or calls differ from their turns, also those that have no turns. */
const differing = (ids: string[]) => sql<Omit<ConversationDifference, "what">>`
    with recounted as (${rowsOf(
      sql`figures_of_turns(${ids}::uuid[]) figures`,
      sql`calls_of_turns(array[figures.conversation_id]) calls`,
    )}
    ),
    stored as (${rowsOf(
      sql`conversation_figures figures
      where conversation_id = any(${ids}::uuid[])`,
      sql`conversation_calls calls
          where calls.conversation_id = figures.conversation_id`,
    )}
    )
    select
      coalesce(recounted.conversation_id, stored.conversation_id) as id,
      coalesce(stored.row, '') as stored,
      coalesce(recounted.row, '') as recounted
    from recounted
    full join stored using (conversation_id)
    where recounted.row is distinct from stored.row`;

/**
 * Compares the stored figures of all conversations with their turns, and repairs what differs. Returns the differences,
 * at most 1000.
 */
export async function recountConversations(db: Db): Promise<ConversationDifference[]> {
  const differences: ConversationDifference[] = [];
  for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
    const { rows } = await sql<{ id: string }>`
      with ids as (
        select id from conversations
        union
        select conversation_id from conversation_figures
        union
        select conversation_id from conversation_calls
      )
      select id
      from ids
      where id > ${after}
      order by id
      limit ${BATCH}`.execute(db);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return differences;
    after = ids.at(-1) as string;
    const differingRows = await inTransaction(db, async (tx) => {
      const { rows } = await differing(ids).execute(tx);
      if (rows.length === 0) return [];
      const differingIds = rows.map(({ id }) => id);
      await tx.deleteFrom("conversationFigures").where(isOneOf("conversationId", differingIds)).execute();
      await tx.deleteFrom("conversationCalls").where(isOneOf("conversationId", differingIds)).execute();
      await sql`
        select count_conversations(array(
          select distinct conversation_id
          from turns
          where conversation_id = any(${differingIds}::uuid[])
            and state not in ('waiting', 'streaming')
        ))`.execute(tx);
      return rows;
    });
    differences.push(
      ...differingRows
        .map((row) => ({ what: "figures of conversation", ...row }))
        .slice(0, MAX_LISTED - differences.length),
    );
  }
}
