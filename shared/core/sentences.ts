/** Scripts that put no spaces between words: what stands in the brackets of a regular expression with the flag `u`. */
export const UNSPACED_SCRIPTS = [
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}",
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}",
].join("");

/** Sentences end with a mark and a space, or with a line. */
const END = /[.!?…:]["'”’)\]]*\s|\n/g;

/** Text as it is read aloud: without the marks of Markdown and the numbers of sources. */
export const spokenText = (markdown: string) =>
  markdown
    .replace(/```\w*\n?/g, "")
    .replace(/\[(\d{1,2})\]/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#>|]+/g, "")
    .replace(/[ \t]+/g, " ");

/** A sentence as it is read aloud, and where it stands in the text. */
export type Sentence = { text: string; from: number; to: number };

/** Gives the sentences of a growing text, each once and only when it is whole; `isDone` also gives the rest. */
export function createSentences() {
  let told = 0;
  return (text: string, isDone: boolean): Sentence[] => {
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
