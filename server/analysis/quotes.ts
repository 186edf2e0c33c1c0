import { isFunctionWord, wordsOf } from "#server/analysis/words.ts";

// Checks the quotes of models against the messages

/**
 * Whether a word continues from one text into the next one, as in “can” and “’t”. Never in scripts without spaces
 * between words.
 */
function isInWord(text: string, next: string) {
  const last = /.$/su.exec(text.slice(-2))?.[0] ?? "";
  const first = next.replace(/^['’](?=\p{L})/u, "");
  return [last, first].every((one) => /^[\p{L}\p{M}\p{N}]/u.test(one) && !withoutSpaces.test(one));
}
const scriptsWithoutSpaces = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const withoutSpaces = new RegExp(`^[${scriptsWithoutSpaces.map((name) => `\\p{Script=${name}}`).join("")}]`, "u");

/** Whether a range of a text consists of whole words, at least one of them no function word, or is the whole text. */
function isMeaningful(text: string, starts: number, ends: number) {
  const quote = text.slice(starts, ends);
  if (isInWord(text.slice(0, starts), quote) || isInWord(quote, text.slice(ends))) return false;
  return quote === text.trim() || wordsOf(quote).some((word) => !isFunctionWord(word));
}

const withoutMarks = (quote: string) => quote.trim().replace(/^[“”"']+|[“”"']+$/g, "");
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * The place of a quote in a text, in UTF-16 units, or null: whole words, not only function words such as “of the”.
 * `isLoose` ignores case, white space and the kinds of quotation marks.
 */
export function findQuote(text: string, quote: string, isLoose = false): { starts: number; ends: number } | null {
  const words = withoutMarks(quote);
  if (words === "") return null;
  const pattern = isLoose
    ? words
        .split(/\s+/)
        .map((word) => escaped(word).replace(/[“”"]/g, '[“”"]').replace(/['’‘]/g, "['’‘]"))
        .join("\\s+")
    : escaped(words);
  for (const { index, 0: match } of text.matchAll(new RegExp(pattern, isLoose ? "giu" : "gu"))) {
    const place = { starts: index, ends: index + match.length };
    if (isMeaningful(text, place.starts, place.ends)) return place;
  }
  return null;
}

/** At most `length` UTF-16 units of a text, not ending within a surrogate pair, which jsonb refuses. */
export const cutText = (text: string, length: number) =>
  text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
