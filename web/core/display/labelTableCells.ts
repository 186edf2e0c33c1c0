/** The properties of a hast node that are used here. */
type Node = { type: string; tagName?: string; value?: string; properties?: Record<string, unknown>; children?: Node[] };

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join("");
const findAll = (node: Node, ...names: string[]): Node[] =>
  (node.children ?? []).flatMap((child) => (names.includes(child.tagName ?? "") ? [child] : findAll(child, ...names)));
const roles: Record<string, string> = {
  table: "table",
  thead: "rowgroup",
  tbody: "rowgroup",
  tr: "row",
  th: "columnheader",
  td: "cell",
};

/**
 * A rehype plugin for tables: every cell gets the header of its column, so that rows can be stacked on phones, and
 * every element its ARIA role, which browsers drop when a table is displayed as blocks.
 */
export const labelTableCells = () => (tree: Node) => {
  for (const table of findAll(tree, "table")) {
    const headers = findAll(table, "th").map(textOf);
    for (const row of findAll(table, "tr"))
      findAll(row, "td").forEach((cell, n) => Object.assign((cell.properties ??= {}), { dataHead: headers[n] ?? "" }));
    const addRoles = (node: Node) => {
      const role = roles[node.tagName ?? ""];
      if (role) (node.properties ??= {}).role = role;
      node.children?.forEach(addRoles);
    };
    addRoles(table);
  }
};
