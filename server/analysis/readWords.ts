import { COMMON_WORDS } from "#server/analysis/commonWords.ts";
import { isCourtesy } from "#server/analysis/courtesies.ts";
import { tellLanguages } from "#server/analysis/languages.ts";
import { createBreather } from "#server/core/breather.ts";
import type { Db } from "#server/core/database/db.ts";
import { isLightWord } from "#server/documents/retrieval/lightWords.ts";
import { stemWords } from "#server/documents/retrieval/stems.ts";
import { splitWords } from "#server/documents/retrieval/words.ts";

/**
 * A word of a text; `isContent` if it says something about the subject, `isCommon` if that may be any subject.
 */
export type TextWord = { text: string; stem: string; isContent: boolean; isCommon: boolean };
export type WordsOf = (text: string) => TextWord[];

/** Reads the words of texts of one source with their stems, each text in its own language. */
export async function readWords(db: Db, texts: string[]): Promise<WordsOf> {
  const distinct = [...new Set(texts)];
  const languages = await tellLanguages(distinct);
  const breathe = createBreather();
  const split: string[][] = [];
  for (const text of distinct) {
    await breathe();
    split.push(splitWords(text).flatMap(({ text: word }) => (isWord(word) ? word : [])));
  }
  const words = new Map<string, TextWord[]>();
  for (const [language, places] of Map.groupBy(distinct.keys(), (at) => languages[at]!)) {
    const vocabulary = [...new Set(places.flatMap((at) => split[at]!))];
    const [stemmed = [], common = []] = await stemWords(db, language, [
      vocabulary.join(" "),
      COMMON_WORDS[language] ?? "",
    ]);
    const commonStems = new Set(common.map(({ stem }) => stem));
    const stems = new Map(stemmed.map(({ word, stem }) => [word, stem]));
    for (const at of places) {
      await breathe();
      words.set(
        distinct[at]!,
        split[at]!.map((text) => {
          // A word without a stem is a stop word of the stemmer.
          const stem = stems.get(text);
          return {
            text,
            stem: stem ?? text,
            isContent: stem !== undefined && !isLightWord(language, text) && !isCourtesy(text),
            isCommon: stem !== undefined && commonStems.has(stem),
          };
        }),
      );
    }
  }
  return (text) => words.get(text) ?? [];
}

/** Single letters are what is left of an apostrophe. */
const isWord = (word: string) => word.length > 1 || !/\p{Script=Latin}/u.test(word);
