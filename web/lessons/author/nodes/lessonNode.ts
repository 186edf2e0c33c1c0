import { Node, type NodeConfig } from "@tiptap/core";
import { ID_ATTRIBUTES } from "#shared/lessons/editing/nodeJson.ts";

type Attributes = Record<string, unknown>;
type Options = {
  name: string;
  /** Expression of ProseMirror. Loose, so that what is merged from two authors is never invalid (nodeJson.ts). */
  content?: string;
  /** Attributes besides ids, with their defaults. */
  attributes?: Attributes;
  /** The element and, for headings, its level. */
  tag?: string | ((attributes: Attributes) => string);
  /** Further elements that are read as this node. */
  reads?: { tag: string; attributes?: (element: HTMLElement) => Attributes }[];
} & Omit<Partial<NodeConfig>, "name" | "content" | "addAttributes" | "renderHTML" | "parseHTML">;

const MAX_JSON = 20_000;

/**
 * A node of lessons. It is copied as an element with `data-lesson` (its name) and `data-attributes` (without ids: what
 * is pasted gets new ones).
 */
export function lessonNode({ name, content, attributes = {}, tag = "div", reads = [], ...rest }: Options) {
  const ids = ID_ATTRIBUTES[name] ?? [];
  const isBlock = rest.group === "block";
  const defaults: Attributes = {
    ...Object.fromEntries(ids.map((id) => [id, null])),
    ...(isBlock && { showWhen: null }),
    ...attributes,
  };
  const isKnown = (attribute: string) => Object.hasOwn(defaults, attribute) && !ids.includes(attribute);
  return Node.create({
    name,
    ...(content !== undefined && { content }),
    ...rest,
    addAttributes: () =>
      Object.fromEntries(
        Object.entries(defaults).map(([attribute, value]) => [
          attribute,
          // Read by the rules below.
          {
            default: value,
            rendered: false,
            parseHTML: () => null,
            keepOnSplit: !ids.includes(attribute) && attribute !== "showWhen",
          },
        ]),
      ),
    renderHTML: ({ node }) => {
      const own = Object.entries(node.attrs).filter(([attribute, value]) => isKnown(attribute) && value !== null);
      const element = typeof tag === "function" ? tag(node.attrs) : tag;
      const named: Record<string, string> = {
        "data-lesson": name,
        "data-attributes": JSON.stringify(Object.fromEntries(own)),
      };
      if (isBlock || ids.includes("id")) named["data-id"] = String(node.attrs["id"] ?? "");
      for (const style of ["kind", "tone", "style", "depth", "width", "when", "hasHead", "hasHeadColumn"])
        if (style in node.attrs) named[`data-${style.toLowerCase()}`] = String(node.attrs[style]);
      return node.isLeaf ? [element, named] : [element, named, 0];
    },
    parseHTML: () => [
      {
        tag: `[data-lesson="${name}"]`,
        priority: 80,
        getAttrs: (element) => readAttributes(element.getAttribute("data-attributes"), isKnown),
      },
      ...reads.map(({ tag: read, attributes: readOwn }) => ({
        tag: read,
        ...(readOwn && { getAttrs: (element: HTMLElement) => readOwn(element) }),
      })),
    ],
  });
}

function readAttributes(json: string | null, isKnown: (attribute: string) => boolean): Attributes {
  try {
    const read: unknown = JSON.parse((json ?? "").slice(0, MAX_JSON));
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([attribute]) => isKnown(attribute)));
  } catch {
    return {};
  }
}
