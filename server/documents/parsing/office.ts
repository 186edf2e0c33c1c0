import { strFromU8, unzipSync } from "fflate";
import { XMLParser } from "fast-xml-parser";
import mammoth from "mammoth";
import readXlsxFile from "read-excel-file/node";
import { readHtml, tableParts } from "#server/documents/parsing/html.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import type { FoundText } from "#server/documents/parsing/readText.ts";

type Read = { parts: FoundText[]; pages: number };

/** Word: headings by the styles, tables by row. Word has no pages before it is laid out. */
export async function readDocx(bytes: Uint8Array): Promise<Read> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(async () => ({ src: "" })), includeEmbeddedStyleMap: false },
  );
  return { parts: readHtml(value), pages: 0 };
}

/** Spreadsheets: a sheet is a page and a heading; every row names its columns. */
export async function readXlsx(bytes: Uint8Array): Promise<Read> {
  const sheets = (await readXlsxFile(Buffer.from(bytes) as never)) as unknown as { sheet: string; data: unknown[][] }[];
  const parts = sheets.flatMap(({ sheet, data }, at): FoundText[] => [
    { text: sheet, level: 1, page: at + 1 },
    ...tableParts(
      data.map((row) => row.map((cell) => cellText(cell))),
      at + 1,
    ),
  ]);
  return { parts, pages: sheets.length };
}
const cellText = (cell: unknown) =>
  cell === null || cell === undefined
    ? ""
    : cell instanceof Date
      ? cell.toISOString().slice(0, 10)
      : String(cell).trim();

type Node = { [tag: string]: Node[] | string | undefined };
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: false,
});
const parse = (xml: string) => parser.parse(xml) as Node[];
const tagOf = (node: Node) => Object.keys(node).find((key) => key !== ":@") ?? "";
const childrenOf = (node: Node) => {
  const inner = node[tagOf(node)];
  return Array.isArray(inner) ? inner : [];
};
const attributeOf = (node: Node, name: string) => (node[":@"] as unknown as Record<string, string>)?.[`@_${name}`];
const textIn = (node: Node): string => {
  const tag = tagOf(node);
  if (tag === "#text") return String(node["#text"] ?? "");
  if (tag === "br" || tag === "line-break") return "\n";
  if (tag === "tab") return "\t";
  if (tag === "s") return " ".repeat(Number(attributeOf(node, "c") ?? 1));
  return childrenOf(node).map(textIn).join("");
};
const find = (nodes: Node[], tag: string): Node[] =>
  nodes.flatMap((node) => (tagOf(node) === tag ? [node] : find(childrenOf(node), tag)));

const openZip = (bytes: Uint8Array, isWanted: (name: string) => boolean) => {
  try {
    return unzipSync(bytes, { filter: ({ name }) => isWanted(name) });
  } catch {
    throw new ParserFailure("damaged");
  }
};

/** Presentations: a slide is a page, its title a heading; notes follow their slide. */
export function readPptx(bytes: Uint8Array): Read {
  const files = openZip(bytes, (name) =>
    /^ppt\/((slides|notesSlides)\/|_rels\/presentation|presentation\.xml)/.test(name),
  );
  const parts: FoundText[] = [];
  const slides = slideOrder(files);
  for (const [at, name] of slides.entries()) {
    const page = at + 1;
    const slide = parse(strFromU8(files[name] ?? new Uint8Array()));
    for (const shape of [...find(slide, "sp"), ...find(slide, "graphicFrame")]) {
      const kind = find(childrenOf(shape), "ph").map((place) => attributeOf(place, "type"))[0];
      if (tagOf(shape) === "graphicFrame") {
        const rows = find(childrenOf(shape), "tr").map((row) =>
          find(childrenOf(row), "tc").map((cell) => find(childrenOf(cell), "p").map(textIn).join(" ").trim()),
        );
        if (rows.length > 0) parts.push(...tableParts(rows, page));
        continue;
      }
      if (kind === "sldNum" || kind === "dt" || kind === "ftr") continue;
      const text = find(childrenOf(shape), "p")
        .map(textIn)
        .filter((line) => line.trim())
        .join("\n");
      const isTitle = kind === "title" || kind === "ctrTitle";
      parts.push({ text: isTitle ? text.replace(/\n/g, " ") : text, page, ...(isTitle && { level: 1 }) });
    }
    const notes = notesOf(files, name);
    if (notes) parts.push({ text: notes, page });
  }
  return { parts, pages: slides.length };
}

const relationsOf = (files: Record<string, Uint8Array>, path: string) =>
  new Map(
    find(parse(strFromU8(files[path] ?? new Uint8Array())), "Relationship").map((one) => [
      attributeOf(one, "Id") ?? "",
      (attributeOf(one, "Target") ?? "").replace(/^(\.\.\/|\/ppt\/)/, ""),
    ]),
  );

function slideOrder(files: Record<string, Uint8Array>) {
  const targets = relationsOf(files, "ppt/_rels/presentation.xml.rels");
  const listed = find(parse(strFromU8(files["ppt/presentation.xml"] ?? new Uint8Array())), "sldId").flatMap((one) => {
    const path = `ppt/${targets.get((one[":@"] as unknown as Record<string, string>)?.["@_id"] ?? "") ?? ""}`;
    return files[path] ? [path] : [];
  });
  const numberOf = (name: string) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
  const all = Object.keys(files)
    .filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  return listed.length === all.length ? listed : all;
}

function notesOf(files: Record<string, Uint8Array>, slide: string) {
  const relations = relationsOf(files, slide.replace("slides/", "slides/_rels/").concat(".rels"));
  const path = [...relations.values()].find((target) => target.startsWith("notesSlides/"));
  const notes = path && files[`ppt/${path}`];
  if (!notes) return "";
  return find(parse(strFromU8(notes)), "sp")
    .filter((shape) => find(childrenOf(shape), "ph").some((place) => attributeOf(place, "type") === "body"))
    .flatMap((shape) => find(childrenOf(shape), "p").map(textIn))
    .filter((line) => line.trim())
    .join("\n");
}

/** OpenDocument texts: headings by their outline level, tables by row. */
export function readOdt(bytes: Uint8Array): Read {
  const files = openZip(bytes, (name) => name === "content.xml" || name === "META-INF/manifest.xml");
  if (strFromU8(files["META-INF/manifest.xml"] ?? new Uint8Array()).includes("encryption-data"))
    throw new ParserFailure("encrypted");
  const parts: FoundText[] = [];
  const visit = (node: Node) => {
    const tag = tagOf(node);
    if (tag === "h")
      parts.push({ text: textIn(node), level: Math.min(6, Number(attributeOf(node, "outline-level") ?? 1) || 1) });
    else if (tag === "p") parts.push({ text: textIn(node) });
    else if (tag === "list")
      parts.push({
        text: find(childrenOf(node), "p")
          .map((item) => `• ${textIn(item).trim()}`)
          .join("\n"),
      });
    else if (tag === "table")
      parts.push(
        ...tableParts(
          find(childrenOf(node), "table-row").map((row) =>
            find(childrenOf(row), "table-cell").map((cell) => find(childrenOf(cell), "p").map(textIn).join(" ").trim()),
          ),
        ),
      );
    else if (tag !== "tracked-changes") for (const child of childrenOf(node)) visit(child);
  };
  for (const node of find(parse(strFromU8(files["content.xml"] ?? new Uint8Array())), "body")) visit(node);
  return { parts, pages: 0 };
}
