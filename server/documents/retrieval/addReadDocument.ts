import { sql } from "kysely";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { ReadText } from "#server/documents/parsing/readText.ts";
import { indexPassages } from "#server/documents/retrieval/indexing.ts";
import { detectLanguage } from "#server/documents/retrieval/languages.ts";
import { readPassages, writePassages } from "#server/documents/retrieval/passages.ts";

type Added = { documentId: string; versionId: string; passages: number };

/**
 * Adds a document from text and makes it live: for benchmarks and demos. It is for all companies. The language is
 * detected unless it is given.
 */
export const addReadDocument = (
  db: Db,
  { title, language: given, ...content }: ReadText & { title: string; language?: string },
): Promise<Added> =>
  inTransaction(db, async (tx) => {
    const language = given ?? (await detectLanguage(content.text));
    const document = await tx
      .insertInto("documents")
      .values({ title, source: "text" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const version = await tx
      .insertInto("documentVersions")
      .values({ documentId: document.id, number: 1, name: title, kind: "text", state: "ready", language })
      .returning("id")
      .executeTakeFirstOrThrow();
    const passages = await writePassages(tx, version.id, content);
    const words = await indexPassages(tx, { id: version.id, language, title }, await readPassages(tx, version.id));
    await tx
      .updateTable("documentVersions")
      .set({ passages, words, chars: content.text.length, readyAt: sql`now()` })
      .where("id", "=", version.id)
      .execute();
    await tx.updateTable("documents").set({ liveVersionId: version.id }).where("id", "=", document.id).execute();
    return { documentId: document.id, versionId: version.id, passages };
  });
