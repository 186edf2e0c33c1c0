import { languageOf, wordsOf } from "#server/analysis/words.ts";
import type { Db } from "#server/core/database/db.ts";
import { stemWords } from "#server/documents/retrieval/stems.ts";

/**
 * The stem of a word of a text: “bicycles” and “bicycle” have the same one. Words of other texts are their own stem.
 */
export type StemOf = (word: string) => string;

/** Reads the stems of all words of these texts, each text in its own language. */
export async function readStems(db: Db, texts: string[]): Promise<(text: string) => StemOf> {
  const stems = new Map<string, Map<string, string>>();
  for (const [language, ofLanguage] of Map.groupBy(new Set(texts), languageOf)) {
    const words = [...new Set(ofLanguage.flatMap(wordsOf))].join(" ");
    const [stemmed = []] = await stemWords(db, language, [words]);
    stems.set(language, new Map(stemmed.map(({ word, stem }) => [word, stem])));
  }
  return (text) => {
    const ofLanguage = stems.get(languageOf(text));
    return (word) => ofLanguage?.get(word) ?? word;
  };
}
