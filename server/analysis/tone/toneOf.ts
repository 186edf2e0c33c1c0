import { readWordList } from "#server/analysis/tone/wordList.ts";
import type { Tone } from "#shared/analysis/analysisRuns.ts";

// The tone of a message by its words. Irony, and bad news without a bad word, are not recognised.

/** The least sum of a message that is not neutral: that of one clearly good or bad word. */
const MIN_SCORE = 1;
/** A negated word counts the opposite way, but less: “not good” is milder than “bad”. */
const NEGATED = -0.7;
const STRONGER = 1.3;
const WEAKER = 0.6;
/** A negation reaches over this many words, an intensifier over two; neither beyond the clause. */
const NEGATION_WORDS = 3;
const INTENSIFIER_WORDS = 2;

const listOf = (text: string) => new Set(text.split(/\s+/));
const negations = listOf(
  `no not never none nobody nothing neither nor without hardly barely cannot cant dont doesnt didnt isnt wasnt arent
  werent wont wouldnt couldnt shouldnt havent hasnt aint`,
);
const isNegation = (word: string) => negations.has(word) || word.endsWith("n't");
const stronger = listOf(
  "absolutely completely deeply especially extremely highly incredibly really so super totally truly very",
);
const weaker = listOf("bit fairly hardly little partly quite rather slightly somewhat");

type Word = { text: string; clause: number };
export type Toned = { tone: Tone; score: number };

/** Words in lower case, with the number of their clause. */
function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let clause = 0;
  for (const [match] of text.matchAll(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[.,;:!?\n]/gu)) {
    const word = match.toLowerCase().replace("’", "'");
    const isWord = /^\p{L}/u.test(word);
    if (!isWord || word === "but" || word === "although") clause++;
    if (isWord) words.push({ text: word, clause });
  }
  return words;
}

export function toneOf(text: string): Toned {
  const ratings = readWordList();
  const all = splitWords(text);
  let score = 0;
  for (const [at, word] of all.entries()) {
    const rating = ratings.get(word.text);
    if (rating === undefined || negations.has(word.text)) continue;
    const before = all.slice(Math.max(0, at - NEGATION_WORDS), at).filter(({ clause }) => clause === word.clause);
    const isNegated = before.some(({ text: one }) => isNegation(one));
    const close = before.slice(-INTENSIFIER_WORDS);
    score += close.reduce((product, { text: one }) => product * intensity(one), isNegated ? NEGATED * rating : rating);
  }
  return { tone: toneFor(score), score };
}

function intensity(word: string) {
  if (stronger.has(word)) return STRONGER;
  return weaker.has(word) ? WEAKER : 1;
}

function toneFor(score: number): Tone {
  if (score >= MIN_SCORE) return "positive";
  return score <= -MIN_SCORE ? "negative" : "neutral";
}
