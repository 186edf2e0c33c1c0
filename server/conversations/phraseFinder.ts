import { UNSPACED_SCRIPTS } from "#shared/scripts.ts";

/** Lower case, without accents and invisible characters; anything but letters and digits is a space. */
const normalise = (text: string) =>
  text
    .replace(/\p{Cf}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("æ", "ae")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, " ");

const UNSPACED = `[${UNSPACED_SCRIPTS}]`;
/** Letters and digits of scripts that have spaces between words. `JOINS`: of those, Korean adds endings to its words without a space. */
const SPACED = String.raw`(?!${UNSPACED})[\p{L}\p{N}]`;
const JOINS = String.raw`\p{Script=Hangul}`;

/** A phrase begins and ends at the edge of a word, unless its script there has no spaces, or endings that join the word. */
function patternOf(phrase: string) {
  const words = normalise(phrase).trim();
  const start = new RegExp(`^${UNSPACED}`, "u").test(words) ? "" : `(?<!${SPACED})`;
  const isOpen = phrase.trim().endsWith("*") || new RegExp(`(?:${UNSPACED}|${JOINS})$`, "u").test(words);
  return `${start}${words}${isOpen ? "" : `(?!(?!${JOINS})${SPACED})`}`;
}

/** A test whether a text contains one of the phrases: whole words, in any case, with or without accents; a star stands for any ending. */
export function phraseFinder(phrases: string[]): (text: string) => boolean {
  if (phrases.length === 0) return () => false;
  const pattern = new RegExp(phrases.map(patternOf).join("|"), "u");
  return (text) => pattern.test(normalise(text));
}
