/** The properties of a hast node that are used here. */
type Node = { type: string; tagName?: string; value?: string; properties?: Record<string, unknown>; children?: Node[] };

const NUMBER = /\[(\d{1,2})\]/;
const SKIPPED = new Set(["code", "pre", "a"]);

/**
 * Makes `[n]` in the text of an answer an element `sup` with the number of a source; other numbers stay as they are.
 */
export const markSources = (numbers: ReadonlySet<number>) => () => (root: Node) => mark(root, numbers);

function mark(node: Node, numbers: ReadonlySet<number>) {
  if (!node.children || SKIPPED.has(node.tagName ?? "")) return;
  node.children = node.children.flatMap((child) => {
    if (child.type !== "text" || !child.value) {
      mark(child, numbers);
      return [child];
    }
    return child.value.split(NUMBER).flatMap((part, at): Node[] => {
      if (at % 2 === 0) return part ? [{ type: "text", value: part }] : [];
      if (!numbers.has(Number(part))) return [{ type: "text", value: `[${part}]` }];
      return [{ type: "element", tagName: "sup", properties: { title: part }, children: [] }];
    });
  });
}
