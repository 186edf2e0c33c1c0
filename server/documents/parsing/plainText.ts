import type { ReadText } from "#server/documents/parsing/readText.ts";
import { textOf } from "#server/documents/parsing/readText.ts";

/** Plain text: paragraphs are separated by empty lines. */
export const readPlainText = (text: string): ReadText =>
  textOf(
    text
      .replaceAll("\r\n", "\n")
      .split(/\n[ \t]*\n+/)
      .map((paragraph) => ({ text: paragraph.trim() })),
  );
