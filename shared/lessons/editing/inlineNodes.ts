import type { MarkJson, NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import {
  blockId,
  type Inline,
  languageTag,
  linkTarget,
  type Mark,
  mark,
  MAX_RUN_CHARS,
  type RichText,
} from "#shared/lessons/richText.ts";

// Runs of text to nodes of the editor, and back

const marksToNodes = (run: Inline): MarkJson[] => {
  if (run.kind === "break") return [];
  const marks: MarkJson[] = (run.marks ?? []).map((type) => ({ type }));
  if (run.kind === "variable") return marks;
  if (run.link) marks.push({ type: "link", attrs: { href: run.link } });
  if (run.language) marks.push({ type: "language", attrs: { language: run.language } });
  return marks;
};

export const runsToNodes = (runs: Inline[]): NodeJson[] =>
  runs.map((run) => {
    const marks = marksToNodes(run);
    const marked = marks.length > 0 ? { marks } : {};
    if (run.kind === "break") return { type: "hardBreak" };
    if (run.kind === "text") return { type: "text", text: run.text, ...marked };
    return { type: "variable", attrs: { key: run.key, fallback: run.fallback }, ...marked };
  });

const readMarks = (marks: MarkJson[] = []) => {
  const plain = marks.map(({ type }) => type).filter((type): type is Mark => mark.safeParse(type).success);
  const attrOf = (type: string, name: string) => marks.find((one) => one.type === type)?.attrs?.[name];
  const link = linkTarget.safeParse(attrOf("link", "href")).data;
  const language = languageTag.safeParse(attrOf("language", "language")).data;
  return {
    marks: plain.length > 0 ? { marks: plain } : {},
    link: { ...(link && { link }), ...(language && { language }) },
  };
};

export function nodesToRuns(nodes: NodeJson[] = []): Inline[] {
  return nodes.flatMap((node): Inline[] => {
    if (node.type === "hardBreak") return [{ kind: "break" }];
    const { marks, link } = readMarks(node.marks);
    if (node.type === "variable") {
      const key = String(node.attrs?.["key"] ?? "").slice(0, 100);
      const fallback = String(node.attrs?.["fallback"] ?? "").slice(0, 500);
      return key ? [{ kind: "variable", key, fallback, ...marks }] : [];
    }
    if (node.type !== "text" || !node.text) return [];
    return cut(node.text).map((text) => ({ kind: "text", text, ...marks, ...link }));
  });
}

const cut = (text: string) =>
  Array.from({ length: Math.ceil(text.length / MAX_RUN_CHARS) }, (_, n) =>
    text.slice(n * MAX_RUN_CHARS, (n + 1) * MAX_RUN_CHARS),
  );

/** The text of a node without marks. */
export const plainOf = (node: NodeJson | undefined): string =>
  node ? (node.text ?? (node.content ?? []).map(plainOf).join("")) : "";

export const richTextNode = ({ id, runs }: RichText, type = "richText"): NodeJson => ({
  type,
  attrs: { id },
  content: runsToNodes(runs),
});
export const plainNode = (text: string): NodeJson => ({
  type: "plain",
  content: text ? [{ type: "text", text }] : [],
});

/** An id of a node; derived from that of its parent where it has none. */
export const idOf = (value: unknown, parent: string, place: string | number) =>
  blockId.safeParse(value).data ?? `${parent.slice(0, 50)}-${place}`.padEnd(6, "0");

/** The text of a node of its own, or an empty one where the node is missing. */
export const readText = (node: NodeJson | undefined, parent: string, place: string | number): RichText => ({
  id: idOf(node?.attrs?.["id"], parent, place),
  runs: nodesToRuns(node?.content),
});
/** The text that a node holds itself. */
export const ownText = (node: NodeJson, id: string): RichText => ({
  id: idOf(node.attrs?.["textId"], id, "t"),
  runs: nodesToRuns(node.content),
});
export const childrenOf = (node: NodeJson, ...types: string[]) =>
  (node.content ?? []).filter(({ type }) => types.includes(type));
