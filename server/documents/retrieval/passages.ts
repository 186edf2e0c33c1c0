import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
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
        drafts.slice(from, from + BATCH).map((draft, at) => ({
          ...draft,
          versionId,
          number: from + at + 1,
          text: text.slice(draft.charFrom, draft.charTo),
        })),
      )
      .execute();
  await sql`
    insert into passage_vectors (passage_id, connector_id, model, size, vector)
    select new.id, v.connector_id, v.model, v.size, v.vector
    from passages old join passage_vectors v on v.passage_id = old.id
      join passages new on new.version_id = old.version_id and new.heading = old.heading and new.text = old.text
    where old.version_id = ${versionId} and old.number < 0 and new.number > 0
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
