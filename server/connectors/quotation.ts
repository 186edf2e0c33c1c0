import type { Passage, Quote } from "#server/connectors/gatewayCall.ts";
import connectorTexts from "#shared/locales/en/connectors.json" with { type: "json" };
import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

const texts = connectorTexts.quotation;

// The built-in connector: answers by quoting complete sentences of the given passages. Deterministic, for any language.

type Sentence = { passage: Passage; start: number; end: number; words: Set<string> };
/** A part of an answer: text, and its source if it is a quote. */
export type QuotedPart = { text: string; quote?: Quote };
export type QuotedAnswer = { parts: QuotedPart[]; isRefused: boolean };

const MAX_QUOTES = 3;
/** The share of the question's weight that the quoted sentences must cover together. */
const MIN_COVERAGE = 0.4;
/** Minimum weight that a further sentence must add. */
const MIN_GAIN = 0.12;
/** Scripts without spaces between words are compared by pairs of characters. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");

/**
 * The words of a text for comparison: letters, marks and digits in lower case, pairs of characters for scripts without
 * spaces.
 */
export function wordsOf(text: string) {
  const words: string[] = [];
  for (const word of text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    if (!UNSPACED.test(word)) words.push(word);
    else {
      const characters = [...word];
      if (characters.length === 1) words.push(word);
      for (let at = 0; at + 1 < characters.length; at++) words.push(characters[at]! + characters[at + 1]!);
    }
  }
  return words;
}

/**
 * True if two words are forms of one: equal, or the longer one starts with the shorter one without its last character.
 */
function isSameWord(a: string, b: string) {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 4 || long.length > short.length * 2) return false;
  return long.startsWith(short.slice(0, Math.max(4, short.length - 1)));
}

/** Question words and connecting words are short in most languages, so longer words weigh more. */
const lengthWeight = (word: string) => (UNSPACED.test(word) ? 1 : Math.min(1, word.length / 6) ** 2);

/**
 * Answers `question` with up to three sentences of `passages` that cover most of what it asks; refuses if they cover
 * too little. Sentences are in the order of their passages, so that the best passage of the retrieval is quoted first.
 */
export function quote(question: string, passages: Passage[]): QuotedAnswer {
  const sentences = passages.flatMap(splitSentences);
  const weights = weigh([...new Set(wordsOf(question))], sentences);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const refusal = { parts: [{ text: passages.length === 0 ? texts.noPassages : texts.nothingFits }], isRefused: true };
  if (total === 0) return refusal;
  const chosen: Sentence[] = [];
  const missing = new Map(weights);
  let covered = 0;
  while (chosen.length < MAX_QUOTES) {
    const best = findBest(sentences, chosen, missing, weights, total);
    if (!best || (chosen.length > 0 && best.gain < MIN_GAIN)) break;
    chosen.push(best.sentence);
    covered += best.gain;
    for (const word of best.words) missing.delete(word);
  }
  if (covered < MIN_COVERAGE) return refusal;
  const order = new Map(sentences.map((sentence, at) => [sentence, at]));
  chosen.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return { parts: [{ text: `${texts.intro}\n\n` }, ...chosen.flatMap(asParts)], isRefused: false };
}

function asParts({ passage, start, end }: Sentence, at: number): QuotedPart[] {
  return [
    {
      text: `${at > 0 ? "\n\n" : ""}“${passage.text.slice(start, end)}”`,
      quote: { passageId: passage.id, start, end },
    },
  ];
}

function splitSentences(passage: Passage): Sentence[] {
  const sentences: Sentence[] = [];
  // Headings and list items are separate lines, which the segmenter does not recognise.
  for (const line of passage.text.matchAll(/[^\n]+/g))
    for (const { segment, index } of segmenter.segment(line[0])) {
      const text = segment.trim();
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const start = line.index + index + segment.indexOf(text);
      sentences.push({ passage, start, end: start + text.length, words: new Set(wordsOf(text)) });
    }
  return sentences;
}
const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The weight of each word of the question: low if most sentences contain it, highest if one or none does. */
function weigh(words: string[], sentences: Sentence[]) {
  return new Map(
    words.map((word) => {
      const having = sentences.filter((sentence) => has(sentence, word)).length;
      const rarity = Math.log(1 + (sentences.length + 1) / (Math.max(1, having) + 0.5));
      return [word, rarity * lengthWeight(word)];
    }),
  );
}
const has = (sentence: Sentence, word: string) =>
  sentence.words.has(word) || [...sentence.words].some((own) => isSameWord(own, word));

/**
 * The sentence that adds most coverage. Sentences of passages that are already quoted get a small bonus, so that an
 * answer stays in one place.
 */
function findBest(
  sentences: Sentence[],
  chosen: Sentence[],
  missing: Map<string, number>,
  weights: Map<string, number>,
  total: number,
) {
  let best: { sentence: Sentence; words: string[]; gain: number; score: number } | null = null;
  for (const sentence of sentences) {
    if (chosen.includes(sentence)) continue;
    const words = [...missing.keys()].filter((word) => has(sentence, word));
    const gain = words.reduce((sum, word) => sum + (missing.get(word) ?? 0), 0) / total;
    if (gain === 0) continue;
    const around = new Set(wordsOf(`${sentence.passage.title} ${sentence.passage.heading ?? ""}`));
    const near = [...weights].reduce(
      (sum, [word, weight]) => ([...around].some((own) => isSameWord(own, word)) ? sum + weight : sum),
      0,
    );
    const score = gain + (0.3 * near) / total;
    if (!best || score > best.score + 1e-9) best = { sentence, words, gain, score };
  }
  return best;
}
