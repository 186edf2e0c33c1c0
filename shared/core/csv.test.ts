import { expect, test } from "vitest";
import { csvCell, csvRow } from "#shared/core/csv.ts";

test("marks every text that a spreadsheet would evaluate as text", () => {
  for (const formula of [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "|cmd",
    "%0A=1",
    "\t=1",
    "\r=1",
    " =1",
    "\u0000=1",
    "＝1",
    "＠x",
  ])
    expect(csvCell(formula)).toMatch(/^"?'/);
});

test("leaves numbers, ordinary text and empty values alone", () => {
  expect([-5, 1.5, true, "a-b", "", null, undefined].map(csvCell)).toEqual(["-5", "1.5", "true", "a-b", "", "", ""]);
});

test("quotes separators, quotation marks and line breaks", () => {
  expect(csvRow(["a,b", 'say "hi"', "two\nlines", "semi;colon"])).toBe(
    '"a,b","say ""hi""","two\nlines","semi;colon"\r\n',
  );
});
