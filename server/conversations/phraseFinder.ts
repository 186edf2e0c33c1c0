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

/** Scripts without spaces between words, or with endings that join them: a phrase of them is found within other words, too. */
const JOINED = new RegExp(`[${UNSPACED_SCRIPTS}\\p{Script=Hangul}]`, "u");

function patternOf(phrase: string) {
  const words = normalise(phrase).trim();
  if (JOINED.test(words)) return words;
  return `(?:^| )${words}${phrase.trim().endsWith("*") ? String.raw`\p{L}*` : ""}(?: |$)`;
}

/** A test whether a text contains one of the phrases: whole words, in any case, with or without accents; a star stands for any ending. */
export function phraseFinder(phrases: string[]): (text: string) => boolean {
  if (phrases.length === 0) return () => false;
  const pattern = new RegExp(phrases.map(patternOf).join("|"), "u");
  return (text) => pattern.test(normalise(text));
}
