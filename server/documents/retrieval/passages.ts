import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { givesOrders } from "#server/connectors/injection/modelOrders.ts";
import type { ReadText } from "#server/documents/parsing/readText.ts";
import type { IndexedPassage } from "#server/documents/retrieval/indexing.ts";
import { splitPassages } from "#server/documents/retrieval/splitting.ts";

/** Passages per statement. */
const BATCH = 1000;

/**
 * Replaces the passages of a version by those of its text; vectors of unchanged passages are kept. Returns their
 * number. For a transaction.
 */
export async function writePassages(tx: Tx, versionId: string, { text, blocks }: Omit<ReadText, "pages">) {
  const drafts = splitPassages(text, blocks);
  // Frees the numbers for the new passages.
  await sql`update passages set number = -number where version_id = ${versionId}`.execute(tx);
  for (let from = 0; from < drafts.length; from += BATCH)
    await tx
      .insertInto("passages")
      .values(
        drafts.slice(from, from + BATCH).map((draft, at) => {
          const passage = text.slice(draft.charFrom, draft.charTo);
          return {
            ...draft,
            versionId,
            number: from + at + 1,
            text: passage,
            givesOrders: givesOrders(passage),
          };
        }),
      )
      .execute();
  await sql`
    insert into passage_vectors (passage_id, connector_id, model, size, vector)
    select added.id, vectors.connector_id, vectors.model, vectors.size, vectors.vector
    from passages earlier
    join passage_vectors vectors on vectors.passage_id = earlier.id
    join passages added
      on added.version_id = earlier.version_id
      and added.heading = earlier.heading
      and added.text = earlier.text
    where earlier.version_id = ${versionId}
      and earlier.number < 0
      and added.number > 0
    on conflict do nothing`.execute(tx);
  await sql`delete from passages where version_id = ${versionId} and number < 0`.execute(tx);
  return drafts.length;
}

/** The passages of a version in order, after the one with that number. */
export const readPassages = (db: Db, versionId: string, after = 0, limit = 1_000_000): Promise<IndexedPassage[]> =>
  db
    .selectFrom("passages")
    .where("versionId", "=", versionId)
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .select([sql<number>`id`.as("id"), "heading", "text"])
    .execute();
