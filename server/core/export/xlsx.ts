import { strToU8, ZipDeflate } from "fflate";
import { openZip } from "#server/core/export/zip.ts";
import { escapeXml } from "#server/core/export/xml.ts";

type Cell = string | number;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** The first row stays visible when the sheet is scrolled. */
const SHEET_START = [
  `<worksheet xmlns="${MAIN}">`,
  '<sheetViews><sheetView workbookViewId="0">',
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
  "</sheetView></sheetViews>",
  '<sheetFormatPr defaultRowHeight="15"/><sheetData>',
].join("");
/** Maximum length of a cell in characters; Excel accepts 32,767. */
const MAX_CELL_CHARS = 32_000;
/** Characters per chunk that is compressed. */
const CHUNK_CHARS = 64 * 1024;

/**
 * All files of a workbook with one sheet except the sheet: content types, relationships, and a bold style for the first
 * row.
 */
const workbookFiles = (name: string): [path: string, text: string][] => [
  [
    "[Content_Types].xml",
    [
      `<Types xmlns="${PACKAGE}/content-types">`,
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>`,
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
      "</Types>",
    ].join(""),
  ],
  ["_rels/.rels", relationships(["officeDocument", "xl/workbook.xml"])],
  [
    "xl/workbook.xml",
    [
      `<workbook xmlns="${MAIN}" xmlns:r="${REL}">`,
      `<sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets>`,
      "</workbook>",
    ].join(""),
  ],
  ["xl/_rels/workbook.xml.rels", relationships(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"])],
  [
    "xl/styles.xml",
    [
      `<styleSheet xmlns="${MAIN}">`,
      '<fonts count="2">',
      '<font><sz val="11"/><name val="Calibri"/></font>',
      '<font><b/><sz val="11"/><name val="Calibri"/></font>',
      "</fonts>",
      '<fills count="2">',
      '<fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      "</fills>",
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      '<cellXfs count="2">',
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
      "</cellXfs>",
      "</styleSheet>",
    ].join(""),
  ],
];

/** Relationships from a kind to the file of that kind; ids are `rId1`, `rId2` and so on. */
const relationships = (...targets: [kind: string, path: string][]) =>
  [
    `<Relationships xmlns="${PACKAGE}/relationships">`,
    ...targets.map(([kind, path], at) => `<Relationship Id="rId${at + 1}" Type="${REL}/${kind}" Target="${path}"/>`),
    "</Relationships>",
  ].join("");

/**
 * Streams rows as an XLSX file (ECMA-376) with one sheet; memory use does not depend on the number of rows. The first
 * row is bold and frozen. Strings are stored as text cells, so input is never evaluated as a formula.
 */
export async function* xlsxOf(rows: AsyncIterable<Cell[]>, sheet: string): AsyncGenerator<Uint8Array> {
  const { zip, takeOutput } = openZip();
  const add = (path: string) => {
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    return file;
  };
  for (const [path, text] of workbookFiles(sheet)) add(path).push(strToU8(HEAD + text), true);
  const file = add("xl/worksheets/sheet1.xml");
  let text = HEAD + SHEET_START;
  let number = 0;
  for await (const row of rows) {
    text += rowOf(row, ++number);
    if (text.length < CHUNK_CHARS) continue;
    file.push(strToU8(text));
    text = "";
    yield* takeOutput();
  }
  file.push(strToU8(`${text}</sheetData></worksheet>`), true);
  zip.end();
  yield* takeOutput();
}

function rowOf(cells: Cell[], number: number) {
  const cellElements = cells.map((cell, at) => cellOf(cell, `${columnOf(at)}${number}`, number === 1));
  return `<row r="${number}">${cellElements.join("")}</row>`;
}
function cellOf(cell: Cell, at: string, bold: boolean) {
  const style = bold ? ' s="1"' : "";
  if (typeof cell === "number") return `<c r="${at}"${style}><v>${cell}</v></c>`;
  if (cell === "") return "";
  const text = escapeCell(cell.slice(0, MAX_CELL_CHARS));
  return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** Column name of an index from 0: 0 is `A`, 26 is `AA`. */
export const columnOf = (at: number): string =>
  (at < 26 ? "" : columnOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

/** Text in a cell: `_x0041_` is escaped, which the format would read as a character code. */
const escapeCell = (text: string) => escapeXml(text).replace(/_x[0-9a-f]{4}_/gi, (code) => `_x005F${code}`);
