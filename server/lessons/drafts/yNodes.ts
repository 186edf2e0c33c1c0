import * as Y from "yjs";
import type { MarkJson, NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// Between Yjs documents and nodes of the editor, as @tiptap/y-tiptap stores them: an element for each node, whose
// attributes are those of the node; a text for the text in it, whose formats are its marks.

/** The name of the fragment with the lesson. */
export const FRAGMENT = "lesson";
export type Bounds = { depth: number; nodes: number };
/** The document is deeper or larger than what is read. */
class OutOfBounds extends Error {}

/** Marks that may overlap with others of their type carry a hash in their name: `link--4ucr2cg`. */
export const markName = (format: string) => format.replace(/--[A-Za-z0-9+/=]{8}$/, "");
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The nodes of a document, or below one of its elements, whose attributes are those of the node then. Whatever it
 * contains, this reads a bounded number of nodes, or throws `OutOfBounds`.
 */
export function readNodes(source: Y.Doc | Y.XmlElement, bounds: Bounds): NodeJson {
  let nodes = 0;
  const count = (depth: number) => {
    nodes += 1;
    if (nodes > bounds.nodes || depth > bounds.depth) throw new OutOfBounds();
  };
  const readText = (text: Y.XmlText, depth: number): NodeJson[] =>
    (text.toDelta() as { insert?: unknown; attributes?: Record<string, unknown> }[]).flatMap(
      ({ insert, attributes = {} }) => {
        count(depth);
        if (typeof insert !== "string" || insert === "") return [];
        const marks = Object.entries(attributes).map(([format, attrs]): MarkJson => ({
          type: markName(format),
          ...(isObject(attrs) && { attrs }),
        }));
        return [{ type: "text", text: insert, ...(marks.length > 0 && { marks }) }];
      },
    );
  const readAll = (parent: Y.XmlFragment, depth: number): NodeJson[] =>
    parent.toArray().flatMap((child): NodeJson[] => {
      count(depth);
      if (child instanceof Y.XmlText) return readText(child, depth);
      if (!(child instanceof Y.XmlElement)) return [];
      const attrs = child.getAttributes() as Record<string, unknown>;
      const { marks, ...own } = attrs as { marks?: unknown };
      return [
        {
          type: String(child.nodeName),
          ...(Object.keys(own).length > 0 && { attrs: own }),
          content: readAll(child, depth + 1),
          ...(isObject(marks) && {
            marks: Object.entries(marks).map(([format, value]): MarkJson => ({
              type: markName(format),
              ...(isObject(value) && { attrs: value }),
            })),
          }),
        },
      ];
    });
  if (!(source instanceof Y.Doc))
    return { type: source.nodeName, attrs: source.getAttributes(), content: readAll(source, 0) };
  return { type: "doc", content: readAll(source.getXmlFragment(FRAGMENT), 0) };
}

/** An update that makes the document of an empty one. */
export function nodesToUpdate({ content = [] }: NodeJson): Uint8Array {
  const doc = new Y.Doc();
  doc.getXmlFragment(FRAGMENT).insert(0, toTypes(content));
  return Y.encodeStateAsUpdate(doc);
}

export type TextDelta = { insert: string; attributes?: Record<string, unknown> }[];

/** Text nodes as the content of one text. */
export const toDelta = (nodes: NodeJson[]): TextDelta =>
  nodes.map(({ text = "", marks }) => ({
    insert: text,
    ...(marks && { attributes: Object.fromEntries(marks.map(({ type, attrs = {} }) => [type, attrs])) }),
  }));

export function toTypes(nodes: NodeJson[]): (Y.XmlElement | Y.XmlText)[] {
  const types: (Y.XmlElement | Y.XmlText)[] = [];
  let texts: NodeJson[] = [];
  const flush = () => {
    if (texts.length === 0) return;
    const text = new Y.XmlText();
    text.applyDelta(toDelta(texts));
    types.push(text);
    texts = [];
  };
  for (const node of nodes) {
    if (node.type === "text") {
      texts.push(node);
      continue;
    }
    flush();
    const element = new Y.XmlElement(node.type);
    for (const [name, value] of Object.entries(node.attrs ?? {}))
      if (value !== null && value !== undefined) element.setAttribute(name, value as string);
    if (node.marks)
      element.setAttribute(
        "marks",
        Object.fromEntries(node.marks.map(({ type, attrs = {} }) => [type, attrs])) as never,
      );
    element.insert(0, toTypes(node.content ?? []));
    types.push(element);
  }
  flush();
  return types;
}
