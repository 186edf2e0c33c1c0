import { isUnspaced } from "#server/documents/retrieval/words.ts";

// The second step of ranking, over the candidates with the best words: the proximity of the words of the question, and
// words of which only a form or a part occurs, such as the parts of a German compound.

/** A found passage: its stems in order. */
export type Candidate = { stems: string[] };
/** The weight of a stem of the question: its inverse document frequency. */
export type Weights = (stem: string) => number;

/**
 * Weight of two neighbours of the question that are neighbours in the passage in the same order (Metzler and Croft
 * 2005).
 */
const ORDERED = 0.4;
/** Weight of two neighbours of the question within WINDOW words of each other, divided by their distance. */
const CLOSE = 0.4;
const WINDOW = 10;
/**
 * Weight of a word of which only a similar one occurs, and the minimum similarity (Dice coefficient of three-letter
 * groups).
 */
const SIMILAR = 0.3;
const MIN_SIMILARITY = 0.5;
/** Saturation and normalisation by length, as in the first step. */
export const K1 = 1.2;
export const B = 0.75;

/**
 * The score of every candidate, including BM25 of its words, and the share of the question's weight that it covers, 0
 * to 1.
 */
export function rankByProximity(question: string[], candidates: Candidate[], weigh: Weights, averageLength: number) {
  const questionStems = [...new Set(question)];
  const weights = questionStems.map(weigh);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const pairs = neighboursOf(question, questionStems);
  const compare = createComparison(questionStems);
  return candidates.map(({ stems }) => {
    const positions: number[][] = questionStems.map(() => []);
    const similarities: number[] = questionStems.map(() => 0);
    for (const [at, stem] of stems.entries()) {
      for (const { index, similarity } of compare(stem)) {
        if (similarity === SAME) positions[index]!.push(at);
        else similarities[index] = Math.max(similarities[index]!, similarity);
      }
    }
    const saturate = (count: number) =>
      (count * (K1 + 1)) / (count + K1 * (1 - B + (B * stems.length) / averageLength));
    let score = 0;
    for (const [first, second] of pairs) {
      const { ordered, close } = countPairs(positions[first]!, positions[second]!);
      score += ((weights[first]! + weights[second]!) / 2) * (ORDERED * saturate(ordered) + CLOSE * saturate(close));
    }
    let covered = 0;
    for (const [index, weight] of weights.entries()) {
      const count = positions[index]!.length;
      if (count > 0) {
        covered += weight;
        score += weight * saturate(count);
      } else {
        score += SIMILAR * similarities[index]! * weight;
        covered += similarities[index]! * weight;
      }
    }
    return { score, coverage: covered / total };
  });
}

/** Neighbouring words of a question, as indexes in `stems`; overlapping pairs of characters add nothing. */
function neighboursOf(question: string[], stems: string[]) {
  const pairs = new Map<string, [number, number]>();
  for (const [at, first] of question.entries()) {
    const second = question[at + 1];
    if (second && first !== second && !isUnspaced(first))
      pairs.set(`${first} ${second}`, [stems.indexOf(first), stems.indexOf(second)]);
  }
  return [...pairs.values()];
}

function countPairs(firsts: number[], seconds: number[]) {
  let ordered = 0;
  let close = 0;
  for (const first of firsts)
    for (const second of seconds) {
      const distance = second - first;
      if (distance === 1) ordered++;
      if (Math.abs(distance) <= WINDOW) close += 1 / Math.abs(distance);
    }
  return { ordered, close };
}

/** A word of the question, as its index in `questionStems`, and the similarity of a stem of a passage to it. */
type Match = { index: number; similarity: number };
/** The similarity of a stem to itself; those of others are at most 1. */
export const SAME = 2;
const NONE: Match[] = [];

/** Finds the words of a question that equal a stem of a passage, or are similar enough. */
export function createComparison(questionStems: string[]) {
  const places = new Map(questionStems.map((stem, at) => [stem, at]));
  const comparable = questionStems.flatMap((stem, at) =>
    stem.length < 4 || isUnspaced(stem) ? [] : [{ at, stem, groups: groupsOf(stem) }],
  );
  const fewest = Math.min(...comparable.map(({ groups }) => groups.size));
  // Most stems share no group with the question. Marks show this without building the groups of a stem; different
  // groups may share a mark.
  const marks = new Uint8Array(MARKS);
  for (const { groups } of comparable) for (const group of groups) marks[markOf(group, 0)] = 1;
  const isPossible = (stem: string) => {
    const padded = ` ${stem} `;
    let shared = 0;
    for (let at = 0; at + 3 <= padded.length; at++) shared += marks[markOf(padded, at)]!;
    return 2 * shared >= MIN_SIMILARITY * (fewest + 1);
  };
  const compareAll = (other: string): Match[] => {
    const matches: Match[] = [];
    const same = places.get(other);
    if (same !== undefined) matches.push({ index: same, similarity: SAME });
    if (!isPossible(other)) return matches.length > 0 ? matches : NONE;
    const theirs = groupsOf(other);
    for (const { at, stem, groups } of comparable) {
      // Too short or too long to be similar enough
      if (at === same || other.length * 3 < stem.length || other.length > stem.length * 3) continue;
      let common = 0;
      for (const group of theirs) if (groups.has(group)) common++;
      const similarity = (2 * common) / (groups.size + theirs.size);
      if (similarity >= MIN_SIMILARITY) matches.push({ index: at, similarity });
    }
    return matches;
  };
  // Passages share most of their words.
  const known = new Map<string, Match[]>();
  return (stem: string) => {
    let matches = known.get(stem);
    if (!matches) known.set(stem, (matches = compareAll(stem)));
    return matches;
  };
}

const MARKS = 2 ** 14;
/** The mark of the three letters of `text` at `at`. */
const markOf = (text: string, at: number) =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) % MARKS;

/** The distinct three-letter groups of a stem, including its ends. */
function groupsOf(stem: string) {
  const padded = ` ${stem} `;
  const groups = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) groups.add(padded.slice(at, at + 3));
  return groups;
}
