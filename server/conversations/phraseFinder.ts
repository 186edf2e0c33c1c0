import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

/** Lower case, without accents and invisible characters; everything except letters and digits becomes a space. */
export const normalisePhrase = (text: string) =>
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
/** A letter or digit of a script that has spaces between words. */
const SPACED = String.raw`(?!${UNSPACED})[\p{L}\p{N}]`;
/** Korean has spaces, but particles follow words without one. */
const KOREAN = String.raw`\p{Script=Hangul}`;

/**
 * A phrase must start and end at word boundaries, unless its first or last character is of a script without spaces, or
 * Korean follows.
 */
function patternOf(phrase: string) {
  const words = normalisePhrase(phrase).trim();
  const start = new RegExp(`^${UNSPACED}`, "u").test(words) ? "" : `(?<!${SPACED})`;
  const isOpen = phrase.trim().endsWith("*") || new RegExp(`(?:${UNSPACED}|${KOREAN})$`, "u").test(words);
  return `${start}${words}${isOpen ? "" : `(?!(?!${KOREAN})${SPACED})`}`;
}

/**
 * Returns a function that tests whether a text contains one of the phrases: whole words, ignoring case and accents; `*`
 * stands for any ending.
 */
export function phraseFinder(phrases: string[]): (text: string) => boolean {
  if (phrases.length === 0) return () => false;
  const pattern = new RegExp(phrases.map(patternOf).join("|"), "u");
  return (text) => pattern.test(normalisePhrase(text));
}

/** The settings of an earlier version with the current blocked phrases, which also apply to running conversations. */
export const withLivePhrases = (settings: BotSettings, { blockedPhrases, blockedText }: BotSettings): BotSettings => ({
  ...settings,
  blockedPhrases,
  blockedText,
});
