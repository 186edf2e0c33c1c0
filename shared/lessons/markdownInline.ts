import type { Inline, Mark, RichText } from "#shared/lessons/richText.ts";

// Runs of text as Markdown (CommonMark with the extensions of GitHub)

const around: Record<Mark, [string, string]> = {
  bold: ["**", "**"],
  italic: ["*", "*"],
  strike: ["~~", "~~"],
  underline: ["<u>", "</u>"],
  subscript: ["<sub>", "</sub>"],
  superscript: ["<sup>", "</sup>"],
  code: ["<code>", "</code>"],
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

function ofRun(run: Inline, lineBreak: string): string {
  if (run.kind === "break") return lineBreak;
  const text = run.kind === "variable" ? run.fallback : run.text;
  // Marks hold only next to a letter; HTML holds everywhere.
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (inner === "") return text;
  const marked = (run.marks ?? []).reduceRight((all, mark) => {
    const [start, end] = around[mark];
    return start + all + end;
  }, escapeMarkdown(inner));
  const link = run.kind === "text" ? run.link : undefined;
  const linked = link ? `[${marked}](<${link.replace(/[<>\\\n]/g, encodeURIComponent)}>)` : marked;
  return before + linked + after;
}

/** One paragraph. */
export const markdownOf = ({ runs }: RichText, lineBreak = "\\\n") =>
  runs
    .map((run) => ofRun(run, lineBreak))
    .join("")
    .trim();
