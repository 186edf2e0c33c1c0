import type { Inline, Mark, RichText } from "#shared/lessons/richText.ts";

// Runs of text as Markdown (CommonMark with the extensions of GitHub)

/** Signs that are understood only between a space and a letter, and elements that are understood everywhere. */
const signs: Partial<Record<Mark, string>> = { bold: "**", italic: "*", strike: "~~" };
const elements: Record<Mark, string> = {
  bold: "strong",
  italic: "em",
  strike: "s",
  underline: "u",
  subscript: "sub",
  superscript: "sup",
  code: "code",
};

/** Text that means nothing in Markdown. */
export const escapeMarkdown = (text: string) =>
  text
    .replace(/[\\`*_[\]<>~|&]/g, String.raw`\$&`)
    .replace(/^(\s*)([-+#=])/gm, String.raw`$1\$2`)
    .replace(/^(\s*\d+)([.)])/gm, String.raw`$1\$2`)
    // Web addresses and emails become links by themselves.
    .replace(/(https?|ftp):\/\//gi, String.raw`$1\://`)
    .replace(/(www)\./gi, String.raw`$1\.`)
    .replaceAll("@", String.raw`\@`);

const textIn = (run: Inline | undefined) => {
  if (!run || run.kind === "break") return "";
  return run.kind === "variable" ? run.fallback : run.text;
};

/** `isApart`: spaces or nothing around the run, and letters at its ends. */
function mark(text: string, marks: Mark[], isApart: boolean) {
  return marks.reduceRight((inner, one, at) => {
    const sign = isApart && at === marks.length - 1 ? signs[one] : undefined;
    return sign ? sign + inner + sign : `<${elements[one]}>${inner}</${elements[one]}>`;
  }, text);
}

function ofRun(runs: Inline[], at: number, lineBreak: string): string {
  const run = runs[at] as Inline;
  if (run.kind === "break") return lineBreak;
  const text = textIn(run);
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (inner === "") return text;
  const around = [textIn(runs[at - 1]).slice(-1) + before, after + textIn(runs[at + 1]).slice(0, 1)];
  const isApart =
    around.every((one) => one === "" || /\s/.test(one)) && /^[\p{L}\p{N}](.*[\p{L}\p{N}])?$/su.test(inner);
  const marked = mark(escapeMarkdown(inner), run.marks ?? [], isApart);
  const link = run.kind === "text" ? run.link : undefined;
  const linked = link ? `[${marked}](<${link.replace(/[<>\\\n]/g, encodeURIComponent)}>)` : marked;
  return before + linked + after;
}

/** One paragraph. */
export const markdownOf = ({ runs }: RichText, lineBreak = "\\\n") =>
  runs
    .map((_, at) => ofRun(runs, at, lineBreak))
    .join("")
    .trim();
