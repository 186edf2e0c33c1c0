import { strToU8, Zip, ZipDeflate } from "fflate";

type Cell = string | number;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** What a cell holds at most in the programs that read it. */
const LONGEST = 32_000;
/** Text that is compressed at a time. */
const CHUNK = 64 * 1024;

/** Everything of a workbook with one sheet but the sheet: its kind, where things lie, and a bold style for the first row. */
const frame = (name: string): [path: string, text: string][] => [
  [
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    "xl/styles.xml",
    `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
  ],
];

/**
 * Rows as an XLSX file (ECMA-376), written while they come: however many there are, only some kilobytes are held. The first row
 * is bold and stays in sight. Every text is a text: nothing that somebody entered is run as a formula.
 */
export async function* xlsxOf(rows: AsyncIterable<Cell[]>, sheet: string): AsyncGenerator<Uint8Array> {
  let done: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    done.push(bytes);
  });
  const taken = () => {
    const given = done;
    done = [];
    return given;
  };
  const add = (path: string) => {
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    return file;
  };
  for (const [path, text] of frame(sheet)) add(path).push(strToU8(HEAD + text), true);
  const file = add("xl/worksheets/sheet1.xml");
  let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData>`;
  let number = 0;
  for await (const row of rows) {
    text += rowOf(row, ++number);
    if (text.length < CHUNK) continue;
    file.push(strToU8(text));
    text = "";
    yield* taken();
  }
  file.push(strToU8(`${text}</sheetData></worksheet>`), true);
  zip.end();
  yield* taken();
}

const rowOf = (cells: Cell[], number: number) =>
  `<row r="${number}">${cells.map((cell, at) => cellOf(cell, `${columnOf(at)}${number}`, number === 1)).join("")}</row>`;
function cellOf(cell: Cell, at: string, bold: boolean) {
  const style = bold ? ' s="1"' : "";
  if (typeof cell === "number") return `<c r="${at}"${style}><v>${cell}</v></c>`;
  return cell === ""
    ? ""
    : `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.slice(0, LONGEST))}</t></is></c>`;
}

/** 0 is A, 26 is AA. */
export const columnOf = (at: number): string =>
  (at < 26 ? "" : columnOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

/** Text for XML: what it cannot hold at all (control characters, halves of pairs) goes, and nothing reads as one of the format's own `_x0041_`. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/_x[0-9a-f]{4}_/gi, (code) => `_x005F${code}`)
    .replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] as string);
