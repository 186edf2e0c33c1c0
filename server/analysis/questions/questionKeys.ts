import type { StemOf } from "#server/analysis/stems.ts";
import { isFunctionWord, wordsOf } from "#server/analysis/words.ts";

// Two statements are the same if they share most of their content words, in any form and order

/** The number of words of a question that are compared. */
const MAX_WORDS = 40;
/** The share of the words of the shorter question that both must have. */
const SHARED_OF_SHORTER = 0.6;
/** The share of the longer one: a long message is not the same question just because it contains a short one. */
const SHARED_OF_LONGER = 0.34;

/** The stems of the content words of a question, or of all its words if it has no content words. */
export function questionKey(text: string, stemOf: StemOf): Set<string> {
  const words = wordsOf(text);
  const content = words.filter((word) => !isFunctionWord(word));
  return new Set((content.length > 0 ? content : words).slice(0, MAX_WORDS).map(stemOf));
}

/** The similarity of two questions from 0 (different) to 1 (the same words). */
export function similarity(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const [shorter, longer] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  if (shared === 0 || (shared === 1 && longer > 1)) return 0;
  if (shared / shorter < SHARED_OF_SHORTER || shared / longer < SHARED_OF_LONGER) return 0;
  return shared / (one.size + other.size - shared);
}
