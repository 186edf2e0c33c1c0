// The forms in which a page may show a text, reduced to letters and digits, with a space in place of other characters.

const BEYOND_ASCII = /[^\0-\x7f]/g;
const BEYOND_ASCII_RUN = /[^\0-\x7f]+/g;
const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]+/gu;
/** Shorter texts are often other words when reversed. */
const MIN_REVERSED_CHARS = 5;

/** Lower case without diacritics, of the same length: positions stay valid. */
export const fold = (text: string) =>
  text.toLowerCase().length === text.length
    ? text.toLowerCase().replace(BEYOND_ASCII, foldChar)
    : [...text]
        .map((char) => (char.toLowerCase().length === char.length ? foldChar(char.toLowerCase()) : char))
        .join("");
const foldChar = (char: string) => {
  const [base = char] = char.normalize("NFD");
  return base.length === char.length ? base : char;
};

/** Folded words with one space between them. */
export const reduce = (text: string) => fold(text.normalize("NFC")).replace(NOT_ALPHANUMERIC, " ").trim();

/** Folded words in which letters beyond ASCII are percent-encoded. */
const reduceEncoded = (text: string) =>
  text
    .replace(BEYOND_ASCII_RUN, encodeURIComponent)
    .toLowerCase()
    .replace(/[^a-z0-9%]+/g, " ")
    .replace(/^[ %]+| $/g, "");
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/**
 * A text unchanged, and in the forms that simple scripts produce: upper, lower and title case, without diacritics, as
 * an address, as a slug, escaped, in base64, backwards. White space and punctuation between its words do not matter.
 */
export function listForms(text: string): string[] {
  const trimmed = text.toWellFormed().trim();
  const cases = [trimmed, trimmed.toLowerCase(), trimmed.toUpperCase()];
  const forms = new Set(cases.map(reduce));
  for (const one of cases) if (one.search(BEYOND_ASCII) >= 0) forms.add(reduceEncoded(one));
  for (const one of new Set([text, ...cases])) forms.add(reduce(base64(one)));
  const [plain = ""] = forms;
  if (plain.length >= MIN_REVERSED_CHARS) forms.add([...plain].toReversed().join(""));
  forms.delete("");
  return [...forms];
}

/** A word backwards; null if it is too short. */
export const reverseWord = (word: string) =>
  word.length >= MIN_REVERSED_CHARS ? [...word].toReversed().join("") : null;
