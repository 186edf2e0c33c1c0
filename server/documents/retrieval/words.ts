/** Scripts without spaces whose characters carry meaning: indexed as pairs of characters. */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
/** Alphabets without spaces between words: words are recognised by the dictionaries of ICU. */
const ALPHABETIC = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Includes marks: without them, Hindi words would be split at every vowel sign. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const MAX_WORD_CHARS = 64;

/** The dictionary of each of these scripts is used whichever language is given. */
const segmenter = new Intl.Segmenter("th", { granularity: "word" });

/** A word to be stemmed, or a pair of characters of a script without spaces, which is already a term. */
export type Word = { text: string; isPair: boolean };

/**
 * The words of a text in order, in lower case and compatibility form (NFKC); longer ones than 64 characters are cut.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const [run] of text.toLowerCase().normalize("NFKC").matchAll(WORD)) {
    let from = 0;
    for (const match of run.matchAll(PAIRED)) {
      words.push(...spacedWords(run.slice(from, match.index)));
      const characters = [...match[0]];
      if (characters.length === 1) words.push({ text: match[0], isPair: true });
      for (let at = 0; at + 1 < characters.length; at++)
        words.push({ text: `${characters[at]}${characters[at + 1]}`, isPair: true });
      from = match.index + match[0].length;
    }
    words.push(...spacedWords(run.slice(from)));
  }
  return words;
}

/** The words of a run without characters to be paired. */
function spacedWords(run: string): Word[] {
  if (run === "") return [];
  if (!ALPHABETIC.test(run)) return [spacedWord(run)];
  // NFKC separates these vowels, which the dictionaries contain as one character.
  const composed = run.replaceAll("\u0E4D\u0E32", "\u0E33").replaceAll("\u0ECD\u0EB2", "\u0EB3");
  return [...segmenter.segment(composed)].flatMap(({ segment }) =>
    /[\p{L}\p{N}]/u.test(segment) ? [spacedWord(segment)] : [],
  );
}
const spacedWord = (text: string): Word => ({ text: text.slice(0, MAX_WORD_CHARS), isPair: false });

/** True for a term of `splitWords` that consists of a pair of characters. */
export const isUnspaced = (term: string) => term.search(PAIRED) >= 0;
