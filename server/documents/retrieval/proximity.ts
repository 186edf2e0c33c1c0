import { isUnspaced } from "#server/documents/retrieval/words.ts";

// The second step of ranking, over the passages that have the best words: how close the words of the question stand to each other,
// and words of which only a form or a part occurs, such as the parts of a German compound.

/** A found passage: its stems in order, and what its words score (BM25). */
export type Candidate = { stems: string[]; score: number };
/** What a stem of the question says: its inverse document frequency. */
export type Weights = (stem: string) => number;

/** Weight of two neighbours of the question that are neighbours in the passage in the same order (Metzler and Croft 2005). */
const ORDERED = 0.4;
/** Weight of two neighbours of the question that stand within WINDOW words of each other, by the inverse of their distance. */
const CLOSE = 0.4;
const WINDOW = 10;
/** Weight of a word of which only a similar one occurs, and how similar it is at least (Dice coefficient of three-letter groups). */
const SIMILAR = 0.3;
const MIN_SIMILARITY = 0.5;
/** Saturation and normalisation by length, as in the first step. */
export const K1 = 1.2;
export const B = 0.75;

/** A score for every candidate, to be added to its own, and the share of the question's weight that it has, 0 to 1. */
export function rankByProximity(question: string[], candidates: Candidate[], weigh: Weights, averageLength: number) {
  const asked = [...new Set(question)];
  const total = asked.reduce((sum, stem) => sum + weigh(stem), 0) || 1;
  const pairs = neighboursOf(question);
  const isSimilar = createSimilarity();
  return candidates.map(({ stems, score }) => {
    const positions = new Map<string, number[]>();
    for (const [at, stem] of stems.entries()) {
      const known = positions.get(stem);
      if (known) known.push(at);
      else positions.set(stem, [at]);
    }
    const saturate = (count: number) =>
      (count * (K1 + 1)) / (count + K1 * (1 - B + (B * stems.length) / averageLength));
    let added = 0;
    for (const [first, second] of pairs) {
      const { ordered, close } = countPairs(positions.get(first), positions.get(second));
      added += ((weigh(first) + weigh(second)) / 2) * (ORDERED * saturate(ordered) + CLOSE * saturate(close));
    }
    let covered = 0;
    for (const stem of asked) {
      if (positions.has(stem)) covered += weigh(stem);
      else {
        const similarity = isSimilar(stem, positions.keys());
        added += SIMILAR * similarity * weigh(stem);
        covered += similarity * weigh(stem);
      }
    }
    return { score: score + added, coverage: covered / total };
  });
}

/** Neighbouring words of a question; pairs of characters overlap and say nothing more. */
function neighboursOf(question: string[]) {
  const pairs = new Map<string, [string, string]>();
  for (const [at, first] of question.entries()) {
    const second = question[at + 1];
    if (second && first !== second && !isUnspaced(first)) pairs.set(`${first} ${second}`, [first, second]);
  }
  return [...pairs.values()];
}

function countPairs(firsts: number[] = [], seconds: number[] = []) {
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

/** The similarity of a stem to the most similar one of a passage, 0 below MIN_SIMILARITY. */
function createSimilarity() {
  const groups = new Map<string, Set<string>>();
  const groupsOf = (stem: string) => {
    let found = groups.get(stem);
    if (!found) {
      const padded = ` ${stem} `;
      found = new Set(Array.from({ length: Math.max(0, padded.length - 2) }, (_, at) => padded.slice(at, at + 3)));
      groups.set(stem, found);
    }
    return found;
  };
  return (stem: string, others: Iterable<string>) => {
    if (stem.length < 4 || isUnspaced(stem)) return 0;
    const own = groupsOf(stem);
    let best = 0;
    for (const other of others) {
      const size = other.length;
      // Too short or too long to be similar enough
      if (size * 3 < stem.length || size > stem.length * 3) continue;
      const theirs = groupsOf(other);
      let common = 0;
      for (const group of own) if (theirs.has(group)) common++;
      best = Math.max(best, (2 * common) / (own.size + theirs.size));
    }
    return best >= MIN_SIMILARITY ? best : 0;
  };
}
