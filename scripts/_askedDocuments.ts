import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { addReadDocument } from "#server/documents/retrieval/addReadDocument.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { readMarkdown } from "#server/documents/parsing/markup.ts";
import { readPlainText } from "#server/documents/parsing/plainText.ts";
import { textOf } from "#server/documents/parsing/readText.ts";
import type { Corpus } from "./_retrievalCorpora.ts";

// The documents of a collection, and how its questions are changed, for `npm run answers`

/** Adds the documents; returns their ids in the collection by their ids in the database. */
export async function addDocuments(db: Db, corpus: Corpus) {
  const idOf = new Map<string, string>();
  for (const { id, title, text } of corpus.documents) {
    const read = corpus.format === "handbook" ? textOf(readMarkdown(text)) : readPlainText(text);
    const { documentId } = await addReadDocument(db, { title: title.replaceAll("_", " "), ...read });
    idOf.set(documentId, id);
  }
  await sql`analyze`.execute(db);
  return idOf;
}

export async function makeVectors(services: Services, baseUrl: string) {
  const model = { id: "vectors", use: "embedding" as const, prices: [] };
  await services.db
    .insertInto("connectors")
    .values({ name: "Vectors", kind: "openai", baseUrl, models: JSON.stringify([model]), status: "active" })
    .execute();
  await embedPassages(services);
}

/**
 * The question with two neighbouring letters exchanged, or one letter left out or doubled, in its longest word; which
 * one depends on the question.
 */
export function misspell(question: string) {
  const longest = (question.match(/[\p{L}\p{M}]+/gu) ?? []).toSorted((a, b) => b.length - a.length)[0];
  if (!longest || longest.length < 5) return question;
  const letters = [...longest];
  const at = 1 + (question.length % (letters.length - 2));
  const [letter = "", next = ""] = letters.slice(at, at + 2);
  const wrong = [[next, letter], [next], [letter, letter, next]][question.length % 3]!;
  return question.replace(longest, [...letters.slice(0, at), ...wrong, ...letters.slice(at + 2)].join(""));
}
