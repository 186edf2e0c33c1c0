import { normalisePhrase } from "#server/conversations/phraseFinder.ts";

/** Characters of a piece of a word. */
const PIECE_CHARS = 4;

/** Of one kind each: a word, two words in a row, four characters in a row of a word, a property of the message. */
export type Feature = `w ${string}` | `b ${string}` | `c ${string}` | "question" | "quotation";

/** What the model of care messages (`careModel.ts`) sees of a message. */
export function careFeatures(text: string): Set<Feature> {
  const features = new Set<Feature>();
  for (const sentence of text.split(/[.!?\n;]+/u)) {
    const words = normalisePhrase(sentence).trim().split(" ").filter(Boolean);
    for (const [at, word] of words.entries()) {
      features.add(`w ${word}`);
      if (at > 0) features.add(`b ${words[at - 1]} ${word}`);
      const bounded = `_${word}_`;
      for (let from = 0; from + PIECE_CHARS <= bounded.length; from++)
        features.add(`c ${bounded.slice(from, from + PIECE_CHARS)}`);
    }
  }
  if (/[?？]\s*$/u.test(text)) features.add("question");
  if (/["“„«]/u.test(text)) features.add("quotation");
  return features;
}
