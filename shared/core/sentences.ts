/** Scripts without spaces between words, for a character class of a regular expression with the flag `u`. */
export const UNSPACED_SCRIPTS = [
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}",
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}",
].join("");

/** A sentence ends with a punctuation mark and a space, or at a line break. */
const END = /[.!?…:]["'”’)\]]*\s|\n/g;

/** Text for reading aloud: without Markdown markup and source numbers. */
export const spokenText = (markdown: string) =>
  markdown
    .replace(/```\w*\n?/g, "")
    .replace(/\[(\d{1,2})\]/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#>|]+/g, "")
    .replace(/[ \t]+/g, " ");

/** A sentence for reading aloud, and its offsets in the text. */
export type Sentence = { text: string; from: number; to: number };

/**
 * Returns a function that returns the new complete sentences of a growing text, each once; with `isDone`, also the
 * rest. If the text is replaced, as when an answer comes from a fallback connection, it starts again.
 */
export function createSentences() {
  let told = 0;
  let before = "";
  return (text: string, isDone: boolean): Sentence[] => {
    if (!text.startsWith(before.slice(0, told))) told = 0;
    before = text;
    const ends = [...text.matchAll(END)].map(({ index, 0: end }) => index + end.length).filter((end) => end > told);
    if (isDone && text.length > (ends.at(-1) ?? told)) ends.push(text.length);
    return ends.flatMap((to) => {
      const from = told;
      told = to;
      const sentence = spokenText(text.slice(from, to)).trim();
      return /[\p{L}\p{N}]/u.test(sentence) ? [{ text: sentence, from, to }] : [];
    });
  };
}
