import type { FoundAt } from "#shared/packages/packageCheck.ts";
import { limits } from "#server/packages/doctor/limits.ts";

/** Finds the line and column of offsets in a text, in any order. */
export function createPlaceFinder(file: string, text: string) {
  let starts: number[] | null = null;
  return (offset: number): FoundAt => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}
export type PlaceFinder = ReturnType<typeof createPlaceFinder>;

function lineStarts(text: string) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

export const wholeFile = (file: string): FoundAt => ({ file, line: null, column: null });

// Includes bidirectional controls, as the importer's sentences do.
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
export const printable = (text: string) =>
  text.slice(0, limits.nameChars).toWellFormed().replace(unprintable, "\ufffd");
