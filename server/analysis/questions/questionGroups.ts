import { cosineOf, type Spread } from "#server/documents/retrieval/similarity.ts";
import type { TextWord } from "#server/analysis/readWords.ts";

// Two questions are alike if they share words, rare ones above all, or if an embedding model finds them nearer than
// others. Each question joins the group that it is most like on average, or opens one: no group is ever joined with
// another, because people work with them. Weights and threshold were chosen on questions to a bank
// (docs/benchmarks.md).

/** The average likeness from which a question belongs to a group, from 0 (no word in common) to 1 (the same words). */
const ALIKE = 0.4;
/** The number of words of a question that are compared. */
const MAX_WORDS = 60;
/** The weights of words that say nothing about the subject, beside 1: “when” and “where” ask for different things. */
const ASKING = 0.5;
const OTHER = 0.2;
/** Words that ask, in the languages of `courtesies.ts` and some more. */
const askingWords = new Set(
  `who whom whose what which when where why how wer wen wem wessen was wann wo woher wohin warum wieso weshalb wie
  welche welcher welches welchen welchem qui que quoi quand où ou pourquoi comment combien quel quelle quels
  quelles quién quien quiénes qué cuándo cuando dónde donde cómo como cuánto cuanto cuánta cuántos cuántas cuál
  cual cuáles chi cosa dove perché perche come quanto quanti quale quali hvem hva hvad hvor hvornår når hvordan
  hvorfor vem vad var när hur varför wat waar wanneer waarom hoe welk welke quem quê onde quando porquê qual`.split(
    /\s+/,
  ),
);

/** The terms of a question with their weights; the rarer a term is in all questions, the greater its part. */
export type Terms = Map<string, number>;

/** The stems of the content words of a question, and its other words with less weight; all alike without content. */
export function termsOf(words: TextWord[]): Terms {
  const terms: Terms = new Map();
  const read = words.slice(0, MAX_WORDS);
  for (const { stem, isContent } of read) if (isContent) terms.set(stem, 1);
  const hasContent = terms.size > 0;
  for (const { text, isContent } of read) if (!isContent) terms.set(` ${text}`, hasContent ? weightBeside(text) : 1);
  return terms;
}
const weightBeside = (word: string) => (askingWords.has(word) ? ASKING : OTHER);

/** Added to the number of questions, and to that of those with a term: in a few questions nothing is rare yet. */
const MORE_QUESTIONS = 20;
const MORE_WITH_TERM = 2;

/** Added to the squared length of a question, so that a single word is not as like a sentence as its length says. */
const MORE_LENGTH = 1;

/** The nearness in meaning from which a question belongs to a group: standard deviations above other pairs. */
const NEAR = 3.5;

/** What a question is compared by; `vector` of length 1, if an embedding model made one. */
export type Compared = { terms: Terms; vector?: Float32Array | undefined };
type Group<Id> = { id: Id; sum: Terms; size: number; vector: Float32Array | null; vectors: number };
type Vector = { numbers: Terms; /** The terms by which groups are found. */ leading: string[] };

/**
 * Groups of questions; `all` are the terms of all questions that are going to be compared, `spread` the cosines of
 * those that have nothing to do with each other.
 */
export function createQuestionGroups<Id>(
  all: Iterable<Terms>,
  { minAlike = ALIKE, spread = null }: { minAlike?: number; spread?: Spread | null } = {},
) {
  const groups: Group<Id>[] = [];
  const byId = new Map<Id, number>();
  const byTerm = new Map<string, Set<number>>();
  const sameTerms = new Map<string, number>();
  const frequency = new Map<string, number>();
  let questions = 0;
  for (const terms of all) {
    questions++;
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const rarityOf = (term: string) =>
    Math.sqrt(Math.log((questions + MORE_QUESTIONS) / ((frequency.get(term) ?? 0) + MORE_WITH_TERM)));

  const weigh = (terms: Terms): Vector => {
    const numbers = new Map([...terms].map(([term, weight]) => [term, weight * rarityOf(term)]));
    const length = Math.hypot(Math.sqrt(MORE_LENGTH), ...numbers.values());
    for (const [term, number] of numbers) numbers.set(term, number / length);
    return { numbers, leading: [...terms].flatMap(([term, weight]) => (weight === 1 ? [term] : [])) };
  };
  /** The average likeness of a question and those of a group. */
  const likeness = ({ numbers }: Vector, { sum, size }: Group<Id>) => {
    let product = 0;
    for (const [term, number] of numbers) product += number * (sum.get(term) ?? 0);
    return product / size;
  };

  /** Adds a question to a group, which is opened if it is new. */
  const add = (id: Id, { terms, vector }: Compared) => {
    const { numbers, leading } = weigh(terms);
    let at = byId.get(id);
    if (at === undefined) {
      at = groups.push({ id, sum: new Map(), size: 0, vector: null, vectors: 0 }) - 1;
      byId.set(id, at);
    }
    const group = groups[at]!;
    group.size++;
    for (const [term, number] of numbers) group.sum.set(term, (group.sum.get(term) ?? 0) + number);
    for (const term of leading) byTerm.set(term, (byTerm.get(term) ?? new Set()).add(at));
    if (vector) {
      group.vectors++;
      group.vector ??= new Float32Array(vector.length);
      for (const [n, number] of vector.entries()) group.vector[n]! += number;
    }
    const key = keyOf(terms);
    if (!sameTerms.has(key)) sameTerms.set(key, at);
  };
  /** The group to which a question belongs, if there is one: that with the same words, or the one most like it. */
  const find = ({ terms, vector }: Compared): Id | undefined => {
    const same = sameTerms.get(keyOf(terms));
    if (same !== undefined) return groups[same]!.id;
    const weighed = weigh(terms);
    let best = { at: -1, degree: 1 };
    const compare = (at: number, degree: number) => {
      if (degree > best.degree || (degree === best.degree && (best.at < 0 || at < best.at))) best = { at, degree };
    };
    for (const at of new Set(weighed.leading.flatMap((term) => [...(byTerm.get(term) ?? [])])))
      compare(at, likeness(weighed, groups[at]!) / minAlike);
    if (vector && spread)
      for (const [at, group] of groups.entries()) if (group.vector) compare(at, nearness(vector, group, spread) / NEAR);
    return groups[best.at]?.id;
  };
  /** How typical a question is of its group, from 0 to 1. */
  const typicality = (id: Id, terms: Terms) => likeness(weigh(terms), groups[byId.get(id)!]!);
  return { add, find, typicality };
}

/** How near a question is to a group on average. */
const nearness = <Id>(question: Float32Array, { vector, vectors }: Group<Id>, { mean, deviation }: Spread) =>
  vector ? (cosineOf(question, vector) / vectors - mean) / deviation : 0;

const keyOf = (terms: Terms) => [...terms.keys()].toSorted().join(" ");
