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

/** Gives the sentences of a growing text, each once and only when it is whole; `isDone` also gives the rest. */
export function createSentences() {
  let told = 0;
  return (text: string, isDone: boolean): string[] => {
    const ends = [...text.matchAll(END)].map(({ index, 0: end }) => index + end.length).filter((end) => end > told);
    if (isDone && text.length > (ends.at(-1) ?? told)) ends.push(text.length);
    return ends.flatMap((end) => {
      const sentence = spokenText(text.slice(told, end)).trim();
      told = end;
      return /[\p{L}\p{N}]/u.test(sentence) ? [sentence] : [];
    });
  };
}
