import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

/** Runs of scripts without spaces between words, which are indexed as pairs of characters. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]+`, "gu");
/** Includes marks: without them, Hindi words would be split at every vowel sign. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const MAX_WORD_CHARS = 64;

/** A word to be stemmed, or a pair of characters of a script without spaces, which is already a term. */
export type Word = { text: string; isPair: boolean };

/**
 * The words of a text in order, in lower case and compatibility form (NFKC); longer ones than 64 characters are cut.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const [run] of text.toLowerCase().normalize("NFKC").matchAll(WORD)) {
    let from = 0;
    for (const match of run.matchAll(UNSPACED)) {
      if (match.index > from) words.push(spacedWord(run.slice(from, match.index)));
      const characters = [...match[0]];
      if (characters.length === 1) words.push({ text: match[0], isPair: true });
      for (let at = 0; at + 1 < characters.length; at++)
        words.push({ text: `${characters[at]}${characters[at + 1]}`, isPair: true });
      from = match.index + match[0].length;
    }
    if (from < run.length) words.push(spacedWord(run.slice(from)));
  }
  return words;
}
const spacedWord = (text: string): Word => ({ text: text.slice(0, MAX_WORD_CHARS), isPair: false });

/** True for a term of `splitWords` in a script without spaces. */
export const isUnspaced = (term: string) => term.search(UNSPACED) >= 0;
