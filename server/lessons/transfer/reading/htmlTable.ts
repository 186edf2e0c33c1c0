import type { AnyNode, Element } from "domhandler";
import { toText } from "#server/lessons/transfer/reading/inlineRuns.ts";
import { type LessonBlock, MAX_TABLE_CELLS } from "#shared/lessons/blocks.ts";
import { newId } from "#shared/lessons/editing/nodeJson.ts";
import type { Inline } from "#shared/lessons/richText.ts";

const MAX_COLUMNS = 20;
const MAX_ROWS = 200;
const MAX_CAPTION_CHARS = 300;
type ReadInline = (nodes: AnyNode[]) => { runs: Inline[]; images: Element[] };

const isTag = (node: AnyNode): node is Element => node.type === "tag";
/** Rows of this table, and not of one in its cells. */
const rowsIn = (element: Element): Element[] =>
  element.children.flatMap((node) => {
    if (!isTag(node) || node.name === "table") return [];
    return node.name === "tr" ? [node] : rowsIn(node);
  });
const cellsOf = (row: Element) =>
  row.children.filter((node): node is Element => isTag(node) && (node.name === "td" || node.name === "th"));
const plain = (node: AnyNode): string => {
  if (node.type === "text") return node.data;
  return isTag(node) ? node.children.map(plain).join("") : "";
};

/** A table, cut into several if it has more rows than one may have; `lost` cells are beyond its columns. */
export function readTable(element: Element, inline: ReadInline) {
  const rows = rowsIn(element).filter((row) => cellsOf(row).length > 0);
  const [first] = rows;
  const images: Element[] = [];
  if (!first) return { blocks: [] as LessonBlock[], images, lost: 0 };
  const width = Math.min(MAX_COLUMNS, Math.max(...rows.map((row) => cellsOf(row).length)));
  const isHead = (row: Element) => cellsOf(row).every(({ name }) => name === "th");
  const hasHead = isHead(first);
  const body = hasHead ? rows.slice(1) : rows;
  const hasHeadColumn = body.length > 0 && body.every((row) => cellsOf(row)[0]?.name === "th");
  const caption = element.children.find((node): node is Element => isTag(node) && node.name === "caption");
  let lost = 0;
  const read = (row: Element) => {
    const cells = cellsOf(row);
    lost += Math.max(0, cells.length - width);
    const texts = cells.slice(0, width).map((cell) => {
      const found = inline(cell.children);
      images.push(...found.images);
      return toText(found.runs);
    });
    return [...texts, ...Array.from({ length: width - texts.length }, () => toText([]))];
  };
  const perTable = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_TABLE_CELLS / width)) - 1);
  const head = hasHead ? read(first) : null;
  const blocks: LessonBlock[] = [];
  for (let at = 0; at < Math.max(1, body.length); at += perTable) {
    const part = body.slice(at, at + perTable).map(read);
    const heading = head && (at === 0 ? head : head.map((text) => ({ ...text, id: newId() })));
    const all = heading ? [heading, ...part] : part;
    if (all.length === 0) continue;
    blocks.push({
      kind: "table",
      id: newId(),
      hasHead,
      hasHeadColumn,
      caption: at === 0 && caption ? plain(caption).trim().slice(0, MAX_CAPTION_CHARS) : "",
      rows: all,
    });
  }
  return { blocks, images, lost };
}
