import { diffParts } from "#web/prompts/diffLines.ts";

export type Piece = { text: string; isDifferent: boolean };
/** Longer texts are not compared: the time grows with the product of their lengths. */
const MAX_WORDS = 2500;
/** Shorter runs of common words between differences count as different: single words would be noise. */
const MIN_COMMON = 3;

/** Words, each with the following space. */
const wordsOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];

/** Two texts in pieces, with the words that only one of them has. Null if they are too long to compare. */
export function markDifferences(left: string, right: string): { left: Piece[]; right: Piece[] } | null {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return null;
  // White space is ignored.
  const parts = diffParts(
    a.map((word) => word.trim()),
    b.map((word) => word.trim()),
  );
  const isCommon = commonParts(parts.map(({ kind }) => kind === "same"));
  const pieces: { left: Piece[]; right: Piece[] } = { left: [], right: [] };
  let [atLeft, atRight] = [0, 0];
  for (const [at, { kind }] of parts.entries()) {
    const isDifferent = !isCommon[at];
    if (kind !== "added") addPiece(pieces.left, a[atLeft++] ?? "", isDifferent);
    if (kind !== "removed") addPiece(pieces.right, b[atRight++] ?? "", isDifferent);
  }
  return pieces;
}

/** Which parts count as common: runs of enough words, and those at the beginning and the end. */
function commonParts(same: boolean[]): boolean[] {
  const common = [...same];
  for (let from = 0; from < same.length; from++) {
    if (!same[from]) continue;
    let to = from;
    while (same[to]) to++;
    if (to - from < MIN_COMMON && from > 0 && to < same.length) common.fill(false, from, to);
    from = to;
  }
  return common;
}

/** Adds a word. The space after the last word of a difference is not part of it. */
function addPiece(pieces: Piece[], word: string, isDifferent: boolean) {
  const last = pieces.at(-1);
  if (last?.isDifferent === isDifferent) last.text += word;
  else if (last?.isDifferent) {
    const text = last.text.trimEnd();
    const space = last.text.slice(text.length);
    last.text = text;
    pieces.push({ text: space + word, isDifferent });
  } else pieces.push({ text: word, isDifferent });
}
