import { XMLParser } from "fast-xml-parser";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { columnOf, xlsxOf } from "#server/core/export/xlsx.ts";

async function* each<T>(rows: T[]) {
  yield* rows;
}
async function written(rows: (string | number)[][]) {
  const chunks = await Array.fromAsync(xlsxOf(each(rows), "People & places"));
  const files = unzipSync(Buffer.concat(chunks));
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    isArray: (name) => name === "row" || name === "c",
  });
  const parsed = Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [path, parser.parse(Buffer.from(bytes).toString("utf8"))]),
  );
  return {
    parsed,
    chunks,
    sheet: parsed["xl/worksheets/sheet1.xml"].worksheet.sheetData.row as {
      "@_r": string;
      c?: { "@_r": string; "@_t"?: string; "@_s"?: string; v?: string; is?: { t: { "#text": string } } }[];
    }[],
  };
}

test("a workbook keeps texts as texts and numbers as numbers, whatever they contain", async () => {
  const { parsed, sheet } = await written([
    ["Name", "Place"],
    ['=HYPERLINK("x")', 12],
    ['a < b & "c" \u0000\ud800é😀', ""],
    ["_x0041_", 0],
  ]);
  expect(Object.keys(parsed)).toEqual([
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/worksheets/sheet1.xml",
  ]);
  expect(parsed["xl/workbook.xml"].workbook.sheets.sheet["@_name"]).toBe("People & places");
  const values = sheet.map(({ c = [] }) =>
    c.map((cell) => [cell["@_r"], cell["@_t"] === "inlineStr" ? cell.is?.t["#text"] : Number(cell.v)]),
  );
  expect(values).toEqual([
    [
      ["A1", "Name"],
      ["B1", "Place"],
    ],
    [
      ["A2", '=HYPERLINK("x")'],
      ["B2", 12],
    ],
    [["A3", 'a < b & "c" \ufffdé😀']],
    [
      ["A4", "_x005F_x0041_"],
      ["B4", 0],
    ],
  ]);
  expect(sheet[0]?.c?.every((cell) => cell["@_s"] === "1")).toBe(true);
});

test("a workbook is sent while its rows are still being read", async () => {
  let count = 0;
  async function* many() {
    for (; count < 40_000; count++) yield [`Guest ${count}`, `guest-${count}@norrvik.example`, count];
  }
  let first = 0;
  let bytes = 0;
  for await (const chunk of xlsxOf(many(), "Many")) {
    bytes += chunk.length;
    if (bytes > 20_000 && first === 0) first = count;
  }
  expect(first).toBeLessThan(8000);
  expect(bytes).toBeGreaterThan(200_000);
});

test("columns are named as in spreadsheets", () =>
  expect([0, 25, 26, 51, 52, 701, 702].map(columnOf)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]));
