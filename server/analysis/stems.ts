import { languageOf, wordsOf } from "#server/analysis/words.ts";
import type { Db } from "#server/core/database/db.ts";
import { stemWords } from "#server/documents/retrieval/stems.ts";

/** The stem of a word of a text: of “bicycles” that of “bicycle”. Other words are their own stem. */
export type StemOf = (word: string) => string;

/** What gives the stems of the words of each of these texts, each text in its own language. */
export async function readStems(db: Db, texts: string[]): Promise<(text: string) => StemOf> {
  const stems = new Map<string, Map<string, string>>();
  for (const [language, own] of Map.groupBy(new Set(texts), languageOf)) {
    const words = [...new Set(own.flatMap(wordsOf))].join(" ");
    const [found = []] = await stemWords(db, language, [words]);
    stems.set(language, new Map(found.map(({ word, stem }) => [word, stem])));
  }
  return (text) => {
    const own = stems.get(languageOf(text));
    return (word) => own?.get(word) ?? word;
  };
}
