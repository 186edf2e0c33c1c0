import type { FoundText } from "#server/documents/parsing/readText.ts";

/** Markdown: headings, paragraphs, lists and code as source, without markup of emphasis, links and images. */
export function readMarkdown(markdown: string): FoundText[] {
  const parts: FoundText[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const flush = () => {
    if (lines.length > 0) parts.push({ text: lines.join("\n") });
    lines = [];
  };
  const source = markdown.replace(/^---\n[\s\S]*?\n---\n/, "").split(/\r?\n/);
  for (const [at, line] of source.entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      if (mark?.startsWith(fence)) fence = null;
      else lines.push(line);
      continue;
    }
    if (mark) {
      fence = mark;
      continue;
    }
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const underline = /^(=+|-+)\s*$/.exec(source[at + 1] ?? "")?.[1];
    if (heading || (underline && underline.length > 2 && line.trim() && lines.length === 0 && !line.includes("|"))) {
      flush();
      parts.push({
        text: plain(heading?.[2] ?? line),
        level: heading?.[1]?.length ?? (underline?.startsWith("=") ? 1 : 2),
      });
    } else if (!line.trim()) flush();
    else if (/^\s*([-*_=|: ]){3,}$/.test(line)) continue;
    else lines.push(plain(line.replace(/^(\s*)[-*+]\s+/, "$1• ").replace(/^\s*>\s?/, "")));
  }
  flush();
  return parts;
}

const plain = (line: string) =>
  line
    .replace(/<[^>]+>/g, "")
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}])([*_])(\S.*?)\1(?![\p{L}\p{N}])/gu, "$2")
    .replace(/^\s*\|\s*|\s*\|\s*$/g, "");

/** Cues that are joined to one paragraph. */
const CUES = 8;

/** Subtitles (WebVTT, SubRip): the spoken text, without times and repeated lines. */
export function readSubtitles(text: string): FoundText[] {
  const spokenTexts: string[] = [];
  for (const cue of text.replaceAll("\r\n", "\n").split(/\n\s*\n/)) {
    const lines = cue.split("\n");
    const time = lines.findIndex((line) => line.includes("-->"));
    if (time < 0) continue;
    const words = lines
      .slice(time + 1)
      .join(" ")
      .replace(/<[^>]+>|\{\\[^}]+\}/g, "")
      .replace(/\s+/g, " ")
      .trim();
    if (words && words !== spokenTexts.at(-1)) spokenTexts.push(words);
  }
  const parts: FoundText[] = [];
  for (let at = 0; at < spokenTexts.length; at += CUES)
    parts.push({ text: spokenTexts.slice(at, at + CUES).join(" ") });
  return parts;
}
