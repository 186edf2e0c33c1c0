import type { TextBlock } from "#shared/documents/documentVersions.ts";

/** A piece of text found by the reader of a format, with its page and heading level (1 to 6; 0: none). */
export type FoundText = { text: string; level?: number; page?: number | null };
/** A document as stored: its text, and the blocks as ranges of it. `pages` is 0 for formats without pages. */
export type ReadText = { text: string; blocks: TextBlock[]; pages: number };

/** Joins the parts, without empty ones and without characters that PostgreSQL cannot store. */
export function textOf(parts: FoundText[], pages = 0): ReadText {
  const texts: string[] = [];
  const blocks: TextBlock[] = [];
  let at = 0;
  for (const part of parts) {
    const text = part.text.replaceAll("\0", "").toWellFormed().trim();
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    texts.push(text);
    blocks.push({ from: at, to: at + text.length, level: part.level ?? 0, page: part.page ?? null });
    at += text.length + 2;
  }
  return { text: texts.join("\n\n"), blocks, pages };
}
