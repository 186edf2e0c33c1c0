import stopwords from "stopwords-iso" with { type: "json" };
import { createBreather } from "#server/core/breather.ts";
import { stemmerOf } from "#server/documents/retrieval/languages.ts";
import { splitWords } from "#server/documents/retrieval/words.ts";

/** How much each stop word speaks for its languages, by word: one that many languages have, says little. */
const votes = new Map<string, { language: string; weight: number }[]>();
for (const [language, words] of Object.entries(stopwords as Record<string, string[]>)) {
  if (!stemmerOf(language)) continue;
  for (const word of words) votes.set(word, [...(votes.get(word) ?? []), { language, weight: 1 }]);
}
for (const ofWord of votes.values()) for (const vote of ofWord) vote.weight = 1 / ofWord.length;

/** Weight of the languages of the other texts, in words of the text itself. */
const PRIOR = 2;
const READ_WORDS = 200;

function countVotes(text: string) {
  const counted = new Map<string, number>();
  for (const { text: word } of splitWords(text).slice(0, READ_WORDS))
    for (const { language, weight } of votes.get(word) ?? [])
      counted.set(language, (counted.get(language) ?? 0) + weight);
  return counted;
}

/**
 * The languages of texts of one source as ISO 639-1 codes, by their stop words. Short texts, which say little about
 * their own language, have that of most others; English if no text has a stop word.
 */
export async function tellLanguages(texts: string[]): Promise<string[]> {
  const breathe = createBreather();
  const counted: Map<string, number>[] = [];
  for (const text of texts) {
    await breathe();
    counted.push(countVotes(text));
  }
  const shares = new Map<string, number>();
  for (const ofText of counted)
    for (const [language, weight] of ofText) shares.set(language, (shares.get(language) ?? 0) + weight);
  const all = [...shares.values()].reduce((sum, weight) => sum + weight, 0);
  return counted.map((own) => {
    let best = { language: "en", score: 0 };
    for (const [language, share] of shares) {
      const score = (own.get(language) ?? 0) + (PRIOR * share) / all;
      if (score > best.score) best = { language, score };
    }
    return best.language;
  });
}
