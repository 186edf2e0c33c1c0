import { isFunctionWord, wordsOf } from "#server/analysis/words.ts";

// Checks quotes of models against what was said

/**
 * True if a word continues from one text into the next one, as in “can” and “’t”. Never in scripts that put no spaces
 * between words.
 */
function isInWord(text: string, next: string) {
  const last = /.$/su.exec(text.slice(-2))?.[0] ?? "";
  const first = next.replace(/^['’](?=\p{L})/u, "");
  return [last, first].every((one) => /^[\p{L}\p{M}\p{N}]/u.test(one) && !withoutSpaces.test(one));
}
const withoutSpaces =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** True if a range of a text consists of whole words that are not all function words, or is all of the text. */
function isMeaningful(text: string, starts: number, ends: number) {
  const quote = text.slice(starts, ends);
  if (isInWord(text.slice(0, starts), quote) || isInWord(quote, text.slice(ends))) return false;
  return quote === text.trim() || wordsOf(quote).some((word) => !isFunctionWord(word));
}

const withoutMarks = (quote: string) => quote.trim().replace(/^[“”"']+|[“”"']+$/g, "");
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * Where a quote stands in a text, in UTF-16 units: whole words, not only function words such as “of the”. Null if it
 * does not stand there. `isLoose` ignores white space, upper and lower case, and kinds of quotation marks.
 */
export function findQuote(text: string, quote: string, isLoose = false): { starts: number; ends: number } | null {
  const wanted = withoutMarks(quote);
  if (wanted === "") return null;
  const pattern = isLoose
    ? wanted
        .split(/\s+/)
        .map((word) => escaped(word).replace(/[“”"]/g, '[“”"]').replace(/['’‘]/g, "['’‘]"))
        .join("\\s+")
    : escaped(wanted);
  for (const { index, 0: found } of text.matchAll(new RegExp(pattern, isLoose ? "giu" : "gu"))) {
    const place = { starts: index, ends: index + found.length };
    if (isMeaningful(text, place.starts, place.ends)) return place;
  }
  return null;
}

/** At most `length` UTF-16 units of a text, without half of a surrogate pair at its end: jsonb refuses it. */
export const cutText = (text: string, length: number) =>
  text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
