import { getDocumentProxy } from "unpdf";

type Node = { role?: string; children?: Node[] };

/**
 * A PDF as a reader shows it: the text of each page, the roles of its structure tree in their order, and whether it
 * says that it has one.
 */
export async function readPdfFile(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const pages: string[] = [];
  const roles: string[] = [];
  const walk = (node: Node | null) => {
    if (node?.role) roles.push(node.role);
    for (const child of node?.children ?? []) walk(child);
  };
  for (let n = 1; n <= pdf.numPages; n++) {
    const page = await pdf.getPage(n);
    pages.push((await page.getTextContent()).items.map((item) => ("str" in item ? item.str : "")).join(" "));
    walk((await page.getStructTree()) as Node);
  }
  return { pages, roles, isTagged: (await pdf.getMarkInfo())?.Marked === true };
}
