import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import type { ReadText } from "#server/documents/parsing/readText.ts";
import type { IndexedPassage } from "#server/documents/retrieval/indexing.ts";
import { splitPassages } from "#server/documents/retrieval/splitting.ts";

/** Passages that one statement writes. */
const BATCH = 1000;

/** Replaces the passages of a version by those of its text. Returns how many. */
export async function writePassages(db: Db, versionId: string, { text, blocks }: Omit<ReadText, "pages">) {
  const drafts = splitPassages(text, blocks);
  await db.deleteFrom("passages").where("versionId", "=", versionId).execute();
  for (let from = 0; from < drafts.length; from += BATCH)
    await db
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
