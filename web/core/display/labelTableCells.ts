/** The part of a parsed text (hast) that is looked at here. */
type Node = { type: string; tagName?: string; value?: string; properties?: Record<string, unknown>; children?: Node[] };

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join("");
const all = (node: Node, ...names: string[]): Node[] =>
  (node.children ?? []).flatMap((child) => (names.includes(child.tagName ?? "") ? [child] : all(child, ...names)));
const roles: Record<string, string> = {
  table: "table",
  thead: "rowgroup",
  tbody: "rowgroup",
  tr: "row",
  th: "columnheader",
  td: "cell",
};

/**
 * For tables in written text: every cell learns the head of its column, so that rows can be stacked on a phone, and every part its
 * role, which the browser forgets when it is laid out as a block.
 */
export const labelTableCells = () => (tree: Node) => {
  for (const table of all(tree, "table")) {
    const heads = all(table, "th").map(textOf);
    for (const row of all(table, "tr"))
      all(row, "td").forEach((cell, n) => Object.assign((cell.properties ??= {}), { dataHead: heads[n] ?? "" }));
    const mark = (node: Node) => {
      const role = roles[node.tagName ?? ""];
      if (role) (node.properties ??= {}).role = role;
      node.children?.forEach(mark);
    };
    mark(table);
  }
};
