import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";

/** The delimiters that are recognised, the more common ones first. */
const DELIMITERS = [";", ",", "\t", "|", "^", "~", ":"];
/** Number of records from which the delimiter is recognised. */
const SAMPLE = 20;

export type CsvRecord = { number: number; cells: string[] };

/** Excel writes the delimiter into the first line: `sep=;`. */
const SEP_LINE = /^"?sep=(.)"?\r?\n/i;

/**
 * The delimiter of a text: the one that splits most of the first records into as many cells as the first of them.
 * Records without any delimiter are one column.
 */
export function detectDelimiter(text: string): string {
  const said = SEP_LINE.exec(text)?.[1];
  if (said) return said;
  const start = text.slice(0, 200_000);
  const scores = DELIMITERS.map((delimiter) => {
    const widths: number[] = [];
    for (const { cells } of readRecords(start, delimiter, true)) {
      if (cells.some(Boolean)) widths.push(cells.length);
      if (widths.length === SAMPLE) break;
    }
    const [first = 1] = widths;
    const alike = widths.filter((width) => width === first).length / Math.max(1, widths.length);
    return { delimiter, score: first > 1 ? alike * Math.min(first, 10) : 0 };
  });
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).score > 0
    ? scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter
    : ",";
}

/**
 * The records of a text (RFC 4180), with line breaks of any system. A quotation mark in the middle of a cell is text.
 * Throws for a quotation mark that is never closed, which would swallow the rest of the file, unless `isSample`.
 */
export function* readRecords(text: string, delimiter: string, isSample = false): Generator<CsvRecord> {
  const body = text.replace(SEP_LINE, "");
  const length = body.length;
  let number = text.length === length ? 1 : 2;
  let cells: string[] = [];
  let at = 0;
  while (at < length) {
    let cell = "";
    if (body[at] === '"') {
      let from = at + 1;
      for (;;) {
        const quote = body.indexOf('"', from);
        if (quote < 0) {
          if (isSample) return;
          throw new UnreadableFile("unclosedQuote", number);
        }
        cell += body.slice(from, quote);
        if (body[quote + 1] !== '"') {
          at = quote + 1;
          break;
        }
        cell += '"';
        from = quote + 2;
      }
    }
    const rest = endOfCell(body, at, delimiter);
    cell += body.slice(at, rest);
    cells.push(cell);
    at = rest;
    if (at < length && body[at] === delimiter) {
      at++;
      if (at === length) cells.push("");
      else continue;
    }
    yield { number, cells };
    number++;
    cells = [];
    if (body[at] === "\r" && body[at + 1] === "\n") at++;
    at++;
  }
}

function endOfCell(text: string, from: number, delimiter: string) {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}
