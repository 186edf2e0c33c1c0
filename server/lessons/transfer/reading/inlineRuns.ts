import type { AnyNode, Element } from "domhandler";
import { newId } from "#shared/lessons/editing/nodeJson.ts";
import {
  type Inline,
  linkTarget,
  type Mark,
  MAX_RUN_CHARS,
  MAX_RUNS,
  type RichText,
} from "#shared/lessons/richText.ts";

// Text of HTML as runs: marks, links and line breaks, and nothing else

const marks: Record<string, Mark> = {
  strong: "bold",
  b: "bold",
  em: "italic",
  i: "italic",
  u: "underline",
  ins: "underline",
  s: "strike",
  del: "strike",
  strike: "strike",
  code: "code",
  kbd: "code",
  samp: "code",
  sub: "subscript",
  sup: "superscript",
};
type Style = { marks: Mark[]; link: string | undefined };

const isElement = (node: AnyNode): node is Element => node.type === "tag";

/** Collects runs; `isBreak` is called for elements that are no text. */
export function collectRuns(nodes: AnyNode[], onOther: (element: Element) => boolean): Inline[] {
  const runs: Inline[] = [];
  const visit = (node: AnyNode, style: Style) => {
    if (node.type === "text") {
      const text = node.data.replace(/[\t\n\f\r ]+/g, " ");
      if (text) runs.push(toRun(text, style));
      return;
    }
    if (!isElement(node)) return;
    if (node.name === "br") return void runs.push({ kind: "break" });
    if (onOther(node)) return;
    const mark = marks[node.name];
    const link = node.name === "a" ? linkTarget.safeParse(node.attribs.href).data : undefined;
    const inner = {
      marks: mark && !style.marks.includes(mark) ? [...style.marks, mark] : style.marks,
      link: link ?? style.link,
    };
    for (const child of node.children) visit(child, inner);
  };
  for (const node of nodes) visit(node, { marks: [], link: undefined });
  return tidy(runs);
}

const toRun = (text: string, { marks: list, link }: Style): Inline => ({
  kind: "text",
  text,
  ...(list.length > 0 && { marks: list }),
  ...(link && { link }),
});

const isLike = (a: Inline, b: Inline) =>
  a.kind === "text" && b.kind === "text" && a.link === b.link && String(a.marks) === String(b.marks);

/** Joins runs that look the same, and removes spaces around the text and its line breaks. */
function tidy(runs: Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const isAfterSpace = !last || last.kind === "break" || (last.kind === "text" && last.text.endsWith(" "));
    const text = run.kind === "text" && isAfterSpace ? run.text.replace(/^ /, "") : undefined;
    const next = text === undefined ? run : { ...run, kind: "text" as const, text };
    if (next.kind === "text" && next.text === "") continue;
    if (next.kind === "break" && last?.kind === "text") last.text = last.text.replace(/ $/, "");
    if (last && isLike(last, next)) (last as { text: string }).text += (next as { text: string }).text;
    else joined.push({ ...next });
  }
  while (joined.at(-1)?.kind === "break") joined.pop();
  while (joined[0]?.kind === "break") joined.shift();
  const last = joined.at(-1);
  if (last?.kind === "text") last.text = last.text.replace(/ $/, "");
  return joined.filter((run) => run.kind !== "text" || run.text !== "").flatMap(cut);
}

const cut = (run: Inline): Inline[] =>
  run.kind === "text" && run.text.length > MAX_RUN_CHARS
    ? Array.from({ length: Math.ceil(run.text.length / MAX_RUN_CHARS) }, (_, n) => ({
        ...run,
        text: run.text.slice(n * MAX_RUN_CHARS, (n + 1) * MAX_RUN_CHARS),
      }))
    : [run];

/** Texts of at most as many runs as one may have. */
export const toTexts = (runs: Inline[]): RichText[] =>
  Array.from({ length: Math.ceil(runs.length / MAX_RUNS) }, (_, n) => ({
    id: newId(),
    runs: runs.slice(n * MAX_RUNS, (n + 1) * MAX_RUNS),
  }));
export const toText = (runs: Inline[]): RichText => ({ id: newId(), runs: runs.slice(0, MAX_RUNS) });
export const plainOf = (runs: Inline[]) =>
  runs
    .map((run) => (run.kind === "text" ? run.text : " "))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
