import type { StemOf } from "#server/analysis/stems.ts";
import { isFunctionWord, wordsOf } from "#server/analysis/words.ts";

// When two questions are the same: they share most of their content words, in any form of them. No model and no order
// of words is involved, so that a group can be explained, and the same questions always give the same groups.

/** Words of a question that are compared; further ones are not. */
const MAX_WORDS = 40;
/** Share of the shorter question that both must have. */
const SHARED_OF_SHORTER = 0.6;
/** Share of the longer one: a long message is not the same question only because it contains a short one. */
const SHARED_OF_LONGER = 0.34;

/** The stems of the content words of a question; of all its words if it has none of them. */
export function questionKey(text: string, stemOf: StemOf): Set<string> {
  const words = wordsOf(text);
  const content = words.filter((word) => !isFunctionWord(word));
  return new Set((content.length > 0 ? content : words).slice(0, MAX_WORDS).map(stemOf));
}

/** How alike two questions are, from 0 (different) to 1 (the same words). */
export function similarity(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const [shorter, longer] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  if (shared === 0 || (shared === 1 && longer > 1)) return 0;
  if (shared / shorter < SHARED_OF_SHORTER || shared / longer < SHARED_OF_LONGER) return 0;
  return shared / (one.size + other.size - shared);
}

/** A group of questions, with the content words by which further questions are compared with it. */
export type KeyedGroup<Group> = { group: Group; key: Set<string> };

/**
 * Finds the group that is most alike by the words that it shares with a question; of several, the first that was added.
 */
export function createQuestionIndex<Group>(known: KeyedGroup<Group>[]) {
  const groups: KeyedGroup<Group>[] = [];
  const having = new Map<string, number[]>();
  const add = (added: KeyedGroup<Group>) => {
    for (const word of added.key) {
      const own = having.get(word);
      if (own) own.push(groups.length);
      else having.set(word, [groups.length]);
    }
    groups.push(added);
  };
  for (const one of known) add(one);
  const find = (key: Set<string>) => {
    let best = { alike: 0, at: -1 };
    const candidates = new Set([...key].flatMap((word) => having.get(word) ?? []));
    for (const at of [...candidates].toSorted((a, b) => a - b)) {
      const alike = similarity(key, (groups[at] as KeyedGroup<Group>).key);
      if (alike > best.alike) best = { alike, at };
    }
    return groups[best.at]?.group;
  };
  return { add, find };
}
