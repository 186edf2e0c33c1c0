// CSV as spreadsheets read it (RFC 4180), for the server and the browser alike

/** A value of one cell. `null` and `undefined` become an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

/** The first characters of a file: Excel takes the text for UTF-8 only with a byte order mark. */
export const CSV_START = "\ufeff";

/**
 * Text that a spreadsheet would evaluate: a formula sign, possibly full-width or after white space and control
 * characters.
 */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]/u;

/**
 * One cell. Text that a spreadsheet would evaluate as a formula is preceded by an apostrophe, which is shown as text
 * (OWASP, "CSV Injection"); numbers stay numbers. Cells with separators, quotation marks or line breaks are quoted.
 */
export function csvCell(value: CsvCell): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its line break. */
export const csvRow = (cells: CsvCell[]): string => `${cells.map(csvCell).join(",")}\r\n`;
