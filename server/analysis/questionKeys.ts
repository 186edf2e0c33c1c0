import { isFunctionWord, wordsOf } from "#server/analysis/counting.ts";

// When two questions are the same: they share most of their content words. No model and no order of words is involved, so that a
// group can be explained, and the same questions always give the same groups.

/** Words of a question that are compared; further ones are not. */
const MAX_WORDS = 40;
/** Share of the shorter question that both must have. */
const SHARED_OF_SHORTER = 0.6;
/** Share of the longer one: a long message is not the same question only because it contains a short one. */
const SHARED_OF_LONGER = 0.34;

/** The content words of a question; all its words if it has none of them. */
export function questionKey(text: string): Set<string> {
  const words = wordsOf(text);
  const content = words.filter((word) => !isFunctionWord(word));
  return new Set((content.length > 0 ? content : words).slice(0, MAX_WORDS));
}

/** How alike two questions are, from 0 (different) to 1 (the same words). */
export function similarity(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const [shorter, longer] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  if (shared === 0 || (shared === 1 && longer > 1)) return 0;
  if (shared / shorter < SHARED_OF_SHORTER || shared / longer < SHARED_OF_LONGER) return 0;
  return shared / (one.size + other.size - shared);
}
