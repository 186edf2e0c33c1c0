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

type Word = { text: string; starts: number; ends: number; clause: number };
/** A rated word with its negation or intensifier: its place in the message in UTF-16 units, and its value. */
type Rated = { starts: number; ends: number; value: number };
export type Toned = { tone: Tone; score: number; words: Rated[] };

/** Words in lower case, with the number of their clause. */
function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let clause = 0;
  for (const { 0: match, index } of text.matchAll(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[.,;:!?\n]/gu)) {
    const word = match.toLowerCase().replace("’", "'");
    const isWord = /^\p{L}/u.test(word);
    if (!isWord || word === "but" || word === "although") clause++;
    if (isWord) words.push({ text: word, starts: index, ends: index + match.length, clause });
  }
  return words;
}

export function toneOf(text: string): Toned {
  const ratings = readWordList();
  const all = splitWords(text);
  const words = all.flatMap((word, at): Rated[] => {
    const rating = ratings.get(word.text);
    if (rating === undefined || negations.has(word.text)) return [];
    const before = all.slice(Math.max(0, at - NEGATION_WORDS), at).filter(({ clause }) => clause === word.clause);
    const negation = before.find(({ text: one }) => isNegation(one));
    const close = before.slice(-INTENSIFIER_WORDS);
    const factor = close.reduce((product, { text: one }) => product * intensity(one), negation ? NEGATED : 1);
    const first = negation ?? close.find(({ text: one }) => intensity(one) !== 1) ?? word;
    return [{ starts: first.starts, ends: word.ends, value: rating * factor }];
  });
  const score = words.reduce((sum, { value }) => sum + value, 0);
  return { tone: toneFor(score), score, words };
}

function intensity(word: string) {
  if (stronger.has(word)) return STRONGER;
  return weaker.has(word) ? WEAKER : 1;
}

function toneFor(score: number): Tone {
  if (score >= MIN_SCORE) return "positive";
  return score <= -MIN_SCORE ? "negative" : "neutral";
}
