import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import type { AskedQuestion, AskedTerm, Passage } from "#server/documents/retrieval/byWords.ts";
import type { Meaning } from "#server/documents/retrieval/meaning.ts";
import { judge } from "#server/documents/retrieval/meaningEvidence.ts";
import type {
  Answer,
  AnswerFeatures,
  Range,
  Sentence,
  SentenceFeatures,
} from "#server/documents/retrieval/foundSentences.ts";
import { createComparison, SAME } from "#server/documents/retrieval/proximity.ts";
import { stemWords } from "#server/documents/retrieval/stems.ts";
import { isUnspaced } from "#server/documents/retrieval/words.ts";

// The sentences of the best passages that answer a question, or none: what may be quoted without a language model

/** The sentences that answer a question, by the id of their passage. */
export type Evidence = Map<string, Range[]>;

type Weights<T> = { [key in keyof T]: number };
/** Fitted by `npm run answers -- FOLDER --fit`: docs/benchmarks.md, Answers without a language model. */
const SENTENCE: Weights<SentenceFeatures> = {
  words: 13.3,
  similar: 14,
  headings: 9.5,
  neighbours: 6.4,
  rank: 4.6,
};
const ANSWER: Weights<AnswerFeatures> = {
  sentence: 0.3,
  found: 0.44,
  lead: 2.34,
  missingInPassage: -5.54,
  missingNumbers: -8.59,
  unspaced: 1.32,
};
/** The fit has -1.89. With 0.5 more, about one right answer in twenty is refused, and one absent one in five quoted. */
const BIAS = -1.4;

/** Passages in which an answer is looked for. */
const EXAMINED = 5;
const MAX_SENTENCES = 3;
/** Minimum share of the question's weight that a further sentence must add. */
const MIN_GAIN = 0.15;
/** Standard deviations by which a further sentence may be less near in meaning than the first one. */
const MAX_FARTHER = 2;

type Examined = { passage: Passage; headings: number[]; sentences: (Range & { matches: number[] })[] };

/**
 * The sentences of the best passages that answer a question, by passage, the best one first; empty if even the best one
 * does not seem to answer it. `passages` are the best ones, with their scores by words.
 */
export async function findEvidence(
  services: Services,
  question: AskedQuestion,
  passages: Passage[],
  { followUp, meaning }: { followUp?: string | undefined; meaning: Meaning | null },
): Promise<Evidence> {
  const found = await examine(services.db, question, passages);
  if (!found) return new Map();
  const byWords = found.hasWords ? scoreAnswer(found.features) : -Infinity;
  const judged = meaning && byWords < 0 ? await judge(services, meaning, found) : null;
  if ((judged?.score ?? byWords) < 0) return new Map();
  const answer = judged?.answer ?? found;
  if (followUp && !(await mentions(services.db, question, answer, followUp))) return new Map();
  const byPassage = Map.groupBy(chooseSentences(answer, question, judged?.nearness), ({ passage }) => passage.id);
  return new Map([...byPassage].map(([id, own]) => [id, own.map(({ start, end }) => ({ start, end }))]));
}

/** Whether the best sentence or its headings contain a word of a follow-up question; true if it has none. */
async function mentions(db: Db, question: AskedQuestion, { first }: Answer, followUp: string) {
  const [words = []] = await stemWords(db, first.passage.language, [followUp]);
  const asked = new Set(words.flatMap(({ word, stem }) => [word, stem]));
  const terms = distinct(termsOf(question, first.passage.language));
  return (
    asked.size === 0 || terms.some(({ word, stem }, at) => (asked.has(word) || asked.has(stem)) && first.own[at]! > 0)
  );
}

/** The best sentence with its features, and all others; null without a sentence. */
export async function examine(db: Db, question: AskedQuestion, passages: Passage[]): Promise<Answer | null> {
  const examined = await Promise.all(passages.slice(0, EXAMINED).map((passage) => readPassage(db, question, passage)));
  const scores = passages.map(({ score }) => score).toSorted((a, b) => b - a);
  const sentences = examined.flatMap((one) => scoreSentences(one, question, scores[0] ?? 0));
  const first = sentences.toSorted((a, b) => b.score - a.score)[0];
  if (!first) return null;
  const hasWords = first.matches.some((match) => match > 0);
  return { first, sentences, hasWords, features: featuresOf(first, examined, question, scores) };
}
const termsOf = ({ termsByLanguage }: AskedQuestion, language: string) => termsByLanguage.get(language) ?? [];
const distinct = (terms: AskedTerm[]) => [...new Map(terms.map((term) => [term.stem, term])).values()];

/** The distinct words of a question: their shares of its weight, which add up to 1. */
function weightsOf(question: AskedQuestion, language: string) {
  const terms = distinct(termsOf(question, language));
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return terms.map(({ weight }) => weight / total);
}

async function readPassage(db: Db, question: AskedQuestion, passage: Passage): Promise<Examined> {
  const ranges = splitSentences(passage.text);
  const { title, heading, text, language } = passage;
  const [headingWords = [], ...words] = await stemWords(db, language, [
    `${title}\n${heading}`,
    ...ranges.map(({ start, end }) => text.slice(start, end)),
  ]);
  const asked = distinct(termsOf(question, language));
  const compare = createComparison(asked.map(({ stem }) => stem));
  const matchesOf = (stems: string[]) => {
    const matches = asked.map(() => 0);
    for (const stem of stems)
      for (const { index, similarity } of compare(stem))
        matches[index] = Math.max(matches[index]!, similarity === SAME ? 1 : similarity);
    return matches.map((match, at) => match * asked[at]!.certainty);
  };
  const sentences = ranges.map((range, at) => ({ ...range, matches: matchesOf(words[at]!.map(({ stem }) => stem)) }));
  return { passage, headings: matchesOf(headingWords.map(({ stem }) => stem)), sentences };
}

/** The sentences of a text. Headings, list items and rows are lines of their own, which the segmenter does not know. */
export function splitSentences(text: string): Range[] {
  const ranges: Range[] = [];
  for (const line of text.matchAll(/[^\n]+/g))
    for (const { segment, index } of segmenter.segment(line[0])) {
      const sentence = segment.trim();
      if (!/[\p{L}\p{N}]/u.test(sentence)) continue;
      const start = line.index + index + segment.indexOf(sentence);
      ranges.push({ start, end: start + sentence.length });
    }
  return ranges;
}
const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The larger of two matches of each word. */
const larger = (a: number[], b: number[]) => a.map((match, at) => Math.max(match, b[at]!));
/** The share of the question's weight by which `found` exceeds `known`. */
const shareOf = (weights: number[], found: number[], known?: number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Math.max(0, found[at]! - (known?.[at] ?? 0)), 0);

/** Share of the question's weight in words that a passage and its headings do not contain. */
function shareMissing(
  { passage, headings, sentences }: Examined,
  question: AskedQuestion,
  isCounted: (term: AskedTerm) => boolean,
) {
  const weights = weightsOf(question, passage.language);
  const all = sentences.reduce((known, sentence) => larger(known, sentence.matches), headings);
  const terms = distinct(termsOf(question, passage.language));
  return terms.reduce((sum, term, at) => sum + (isCounted(term) ? weights[at]! * (1 - all[at]!) : 0), 0);
}
const hasDigit = ({ word }: AskedTerm) => /\p{N}/u.test(word);

function scoreSentences(examined: Examined, question: AskedQuestion, topScore: number) {
  const { passage, headings, sentences } = examined;
  const weights = weightsOf(question, passage.language);
  const missingNumbers = shareMissing(examined, question, hasDigit);
  return sentences.map(({ start, end, matches }, at): Sentence => {
    const around = [sentences[at - 1], sentences[at + 1]].reduce(
      (known, neighbour) => (neighbour ? larger(known, neighbour.matches) : known),
      weights.map(() => 0),
    );
    const exact = matches.map((match) => (match === 1 ? 1 : 0));
    const own = larger(matches, headings);
    const features: SentenceFeatures = {
      words: shareOf(weights, exact),
      similar: shareOf(weights, matches, exact),
      headings: shareOf(weights, headings, matches),
      neighbours: shareOf(weights, around, own),
      rank: topScore > 0 ? passage.score / topScore : 0,
    };
    return { passage, start, end, matches, own, features, score: weighSum(SENTENCE, features), missingNumbers };
  });
}

const weighSum = <T extends Record<string, number>>(weights: Weights<T>, features: T) =>
  Object.entries(weights).reduce((sum, [key, weight]) => sum + weight * (features[key] ?? 0), 0);

function featuresOf(
  { passage, own, score, missingNumbers }: Sentence,
  examined: Examined[],
  question: AskedQuestion,
  [best = 0, second = 0]: number[],
): AnswerFeatures {
  const terms = distinct(termsOf(question, passage.language));
  const whole = examined.find((one) => one.passage === passage)!;
  return {
    sentence: score,
    found: terms.reduce((sum, { weight }, at) => sum + weight * own[at]!, 0) / Math.log(1 + question.passages),
    lead: second > 0 ? (best - second) / best : 0,
    missingInPassage: shareMissing(whole, question, () => true),
    unspaced: terms.some(({ stem }) => isUnspaced(stem)) ? 1 : 0,
    missingNumbers,
  };
}

/** The logit of the probability that the sentence answers the question, 0 at the threshold. */
export const scoreAnswer = (features: AnswerFeatures) => weighSum(ANSWER, features) + BIAS;

/**
 * The best sentence, and others that add words of the question that it does not contain; only such that are about as
 * near in meaning, if that was measured.
 */
export function chooseSentences(
  { first, sentences }: Answer,
  question: AskedQuestion,
  nearness?: Map<Sentence, number>,
): Sentence[] {
  const least = (nearness?.get(first) ?? 0) - MAX_FARTHER;
  const isNear = (one: Sentence) => !nearness || (nearness.get(one) ?? -Infinity) >= least;
  const weights = weightsOf(question, first.passage.language);
  const chosen = [first];
  let known = first.matches;
  while (chosen.length < MAX_SENTENCES) {
    const gains = sentences
      .filter((one) => !chosen.includes(one) && one.passage.language === first.passage.language && isNear(one))
      .map((sentence) => ({ sentence, gain: shareOf(weights, sentence.matches, known) }))
      .filter(({ gain }) => gain >= MIN_GAIN);
    const next = gains.toSorted((a, b) => b.gain - a.gain || b.sentence.score - a.sentence.score)[0]?.sentence;
    if (!next) break;
    chosen.push(next);
    known = larger(known, next.matches);
  }
  return chosen;
}
