import { isUnspaced } from "#server/documents/retrieval/words.ts";

// The second step of ranking, over the passages that have the best words: how close the words of the question stand to each other,
// and words of which only a form or a part occurs, such as the parts of a German compound.

/** A found passage: its stems in order. */
export type Candidate = { stems: string[] };
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

/** The score of every candidate, BM25 of its words included, and the share of the question's weight that it has, 0 to 1. */
export function rankByProximity(question: string[], candidates: Candidate[], weigh: Weights, averageLength: number) {
  const asked = [...new Set(question)];
  const total = asked.reduce((sum, stem) => sum + weigh(stem), 0) || 1;
  const pairs = neighboursOf(question);
  const similarityTo = createSimilarity(candidates);
  return candidates.map(({ stems }) => {
    const positions = new Map<string, number[]>();
    for (const [at, stem] of stems.entries()) {
      const known = positions.get(stem);
      if (known) known.push(at);
      else positions.set(stem, [at]);
    }
    const saturate = (count: number) =>
      (count * (K1 + 1)) / (count + K1 * (1 - B + (B * stems.length) / averageLength));
    let score = 0;
    for (const [first, second] of pairs) {
      const { ordered, close } = countPairs(positions.get(first), positions.get(second));
      score += ((weigh(first) + weigh(second)) / 2) * (ORDERED * saturate(ordered) + CLOSE * saturate(close));
    }
    let covered = 0;
    for (const stem of asked) {
      const count = positions.get(stem)?.length ?? 0;
      if (count > 0) {
        covered += weigh(stem);
        score += weigh(stem) * saturate(count);
      } else {
        const similarity = similarityTo(stem, positions);
        score += SIMILAR * similarity * weigh(stem);
        covered += similarity * weigh(stem);
      }
    }
    return { score, coverage: covered / total };
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

/** For a stem and the stems of a passage: the similarity of the most similar one, 0 below MIN_SIMILARITY. */
function createSimilarity(candidates: Candidate[]) {
  const vocabulary = new Set(candidates.flatMap(({ stems }) => stems));
  const groups = new Map([...vocabulary].map((stem) => [stem, groupsOf(stem)]));
  // Passages share most of their words: those similar to a stem are looked up once, the most similar first.
  const known = new Map<string, [string, number][]>();
  const findSimilar = (stem: string) => {
    const own = groupsOf(stem);
    const found: [string, number][] = [];
    for (const [other, theirs] of groups) {
      // Too short or too long to be similar enough
      if (other.length * 3 < stem.length || other.length > stem.length * 3) continue;
      let common = 0;
      for (const group of theirs) if (own.has(group)) common++;
      const similarity = (2 * common) / (own.size + theirs.size);
      if (similarity >= MIN_SIMILARITY) found.push([other, similarity]);
    }
    return found.toSorted((a, b) => b[1] - a[1]);
  };
  return (stem: string, positions: ReadonlyMap<string, unknown>) => {
    if (stem.length < 4 || isUnspaced(stem)) return 0;
    const similar = known.get(stem) ?? findSimilar(stem);
    known.set(stem, similar);
    return similar.find(([other]) => positions.has(other))?.[1] ?? 0;
  };
}

/** The three-letter groups of a stem with its ends, each once. */
function groupsOf(stem: string) {
  const padded = ` ${stem} `;
  const groups = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) groups.add(padded.slice(at, at + 3));
  return groups;
}
