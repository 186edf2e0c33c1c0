import { getDocumentProxy } from "unpdf";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import type { FoundText } from "#server/documents/parsing/readText.ts";

type Line = { text: string; height: number; y: number; page: number };
type Item = { str: string; height: number; transform: number[]; hasEOL: boolean };

/** A larger line of at most this many characters is a heading. */
const MAX_HEADING_CHARS = 120;

/**
 * The text of a PDF by page: paragraphs detected by distance, headings by size, without lines that repeat on most
 * pages.
 */
export async function readPdf(bytes: Uint8Array, onPage: (done: number, total: number) => void) {
  const pdf = await getDocumentProxy(bytes).catch((error: unknown) => {
    throw new ParserFailure((error as Error).name === "PasswordException" ? "encrypted" : "damaged");
  });
  const pages: Line[][] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    try {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items as Item[], number));
      page.cleanup();
    } catch {
      throw new ParserFailure("damaged", number);
    }
    onPage(number, pdf.numPages);
  }
  const total = pdf.numPages;
  return { parts: partsOf(withoutRepeated(pages)), pages: total };
}

function linesOf(items: Item[], page: number): Line[] {
  const lines: Line[] = [];
  let open: Line | null = null;
  for (const { str, height, transform, hasEOL } of items) {
    const y = transform[5] ?? 0;
    if (open && str.trim() && Math.abs(open.y - y) > Math.max(2, open.height / 2)) {
      lines.push(open);
      open = null;
    }
    if (!open) open = { text: "", height: 0, y, page };
    if (str.trim()) open.y = y;
    open.text += str;
    open.height = Math.max(open.height, str.trim() ? height : 0);
    if (hasEOL) {
      lines.push(open);
      open = null;
    }
  }
  if (open) lines.push(open);
  return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, " ").trim() })).filter(({ text }) => text);
}

/**
 * Removes running heads and page numbers: first and last lines that are the same on most of at least four pages,
 * ignoring digits.
 */
function withoutRepeated(pages: Line[][]) {
  if (pages.length < 4) return pages;
  const keyOf = ({ text }: Line) => text.replace(/\d+/g, "#");
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const key of new Set([lines[0], lines.at(-1)].flatMap((line) => (line ? [keyOf(line)] : []))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const isRepeated = (line: Line) => (counts.get(keyOf(line)) ?? 0) > pages.length * 0.6;
  return pages.map((lines) => lines.filter((line, at) => (at > 0 && at < lines.length - 1) || !isRepeated(line)));
}

function partsOf(pages: Line[][]): FoundText[] {
  const lines = pages.flat();
  const body = median(lines.flatMap(({ text, height }) => Array<number>(Math.ceil(text.length / 20)).fill(height)));
  const sizes = [...new Set(lines.map(({ height }) => Math.round(height)).filter((height) => height > body * 1.15))];
  sizes.sort((a, b) => b - a);
  const parts: FoundText[] = [];
  let open: { text: string; page: number } | null = null;
  let previous: Line | null = null;
  const close = () => {
    if (open) parts.push(open);
    open = null;
  };
  for (const line of lines) {
    const isHeading = line.height > body * 1.15 && line.text.length <= MAX_HEADING_CHARS && /\p{L}/u.test(line.text);
    if (isHeading) {
      close();
      parts.push({ text: line.text, page: line.page, level: Math.min(6, sizes.indexOf(Math.round(line.height)) + 1) });
    } else {
      const gap = previous ? previous.y - line.y : 0;
      const startsAnew = previous?.page !== line.page || gap > line.height * 1.9 || gap < -line.height;
      if (open && startsAnew) close();
      if (!open) open = { text: line.text, page: line.page };
      else open.text += open.text.endsWith("-") && /^\p{Ll}/u.test(line.text) ? `\n${line.text}` : ` ${line.text}`;
    }
    previous = line;
  }
  close();
  return parts.map((part) => ({ ...part, text: part.text.replace(/(\p{L})-\n/gu, "$1") }));
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
