import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Db } from "#server/core/database/db.ts";
import { stemmerOf } from "#server/documents/retrieval/languages.ts";
import { splitWords } from "#server/documents/retrieval/words.ts";

/** Stems by stemmer and word; the stem of a stop word is empty. Shared by all databases, because stems are the same. */
const cachedStems = new LRUCache<string, string>({ max: 200_000 });

/** Words per statement. */
const BATCH = 20_000;

/**
 * The stems of texts in one language, in order and without stop words, for indexing and searching. Uses the
 * dictionaries of PostgreSQL (https://www.postgresql.org/docs/current/textsearch-dictionaries.html).
 */
export async function stemTexts(db: Db, language: string, texts: string[]): Promise<string[][]> {
  return (await stemWords(db, language, texts)).map((words) => words.map(({ stem }) => stem));
}

/** Like `stemTexts`, with the word of each stem. */
export async function stemWords(
  db: Db,
  language: string,
  texts: string[],
): Promise<{ word: string; stem: string }[][]> {
  const stemmer = stemmerOf(language);
  const split = texts.map(splitWords);
  const stems = new Map<string, string>();
  if (stemmer) {
    const missing: string[] = [];
    for (const { text, isPair } of split.flat()) {
      if (isPair || stems.has(text)) continue;
      const stem = cachedStems.get(`${stemmer} ${text}`);
      if (stem === undefined) missing.push(text);
      stems.set(text, stem ?? text);
    }
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const { rows } = await sql<{ word: string; lexemes: string[] | null }>`
        select word, ts_lexize(${stemmer}::regdictionary, word) as lexemes
        from unnest(${batch}::text[]) word`.execute(db);
      for (const { word, lexemes } of rows) {
        const stem = lexemes ? (lexemes[0] ?? "") : word;
        stems.set(word, stem);
        cachedStems.set(`${stemmer} ${word}`, stem);
      }
    }
  }
  return split.map((words) =>
    words.flatMap(({ text, isPair }) => {
      const stem = isPair ? text : (stems.get(text) ?? text);
      return stem ? [{ word: text, stem }] : [];
    }),
  );
}

/** The term in the index; stems of different languages are different terms. */
export const termOf = (language: string, stem: string) => `${language}:${stem}`;
