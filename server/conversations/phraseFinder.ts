import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import { UNSPACED_SCRIPTS } from "#shared/core/sentences.ts";

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
/** A letter or digit of a script that has spaces between words. */
const SPACED = String.raw`(?!${UNSPACED})[\p{L}\p{N}]`;
/** Korean has spaces, too, but particles follow its words without one. */
const KOREAN = String.raw`\p{Script=Hangul}`;

/**
 * A phrase begins and ends where words do, unless its first or last character is of a script without spaces, or Korean
 * follows.
 */
function patternOf(phrase: string) {
  const words = normalise(phrase).trim();
  const start = new RegExp(`^${UNSPACED}`, "u").test(words) ? "" : `(?<!${SPACED})`;
  const isOpen = phrase.trim().endsWith("*") || new RegExp(`(?:${UNSPACED}|${KOREAN})$`, "u").test(words);
  return `${start}${words}${isOpen ? "" : `(?!(?!${KOREAN})${SPACED})`}`;
}

/**
 * A test whether a text contains one of the phrases: whole words, in any case, with or without accents; a star stands
 * for any ending.
 */
export function phraseFinder(phrases: string[]): (text: string) => boolean {
  if (phrases.length === 0) return () => false;
  const pattern = new RegExp(phrases.map(patternOf).join("|"), "u");
  return (text) => pattern.test(normalise(text));
}

/**
 * The settings of an earlier version, with what an admin has forbidden since: that holds in conversations under way,
 * too.
 */
export const withLivePhrases = (settings: BotSettings, { blockedPhrases, blockedText }: BotSettings): BotSettings => ({
  ...settings,
  blockedPhrases,
  blockedText,
});
