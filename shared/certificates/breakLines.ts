/** Where a text may break: after spaces and hyphens, and between words of scripts that write no spaces. */
function piecesOf(text: string) {
  const pieces: string[] = [];
  for (const { segment } of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) {
    const last = pieces.at(-1);
    const isJoined = last !== undefined && !/[\s-]$/.test(last) && !isUnspaced(last.at(-1)) && !isUnspaced(segment[0]);
    if (last !== undefined && (isJoined || /^[\s\p{P}]/u.test(segment))) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  return pieces;
}
const isUnspaced = (letter = "") =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(letter);

/**
 * Breaks a text into lines of a width. `fits` is false if a single word is wider; it is then broken between letters, so
 * that nothing is lost.
 */
export function breakLines(text: string, width: number, widthOf: (text: string) => number) {
  const lines: string[] = [];
  let line = "";
  let fits = true;
  const isWide = (candidate: string) => widthOf(candidate.trimEnd()) > width;
  const add = (piece: string) => {
    if (line !== "" && isWide(line + piece)) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  };
  for (const piece of piecesOf(text)) {
    if (!isWide(piece)) {
      add(piece);
      continue;
    }
    fits = false;
    for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(piece)) add(segment);
  }
  if (line.trim() !== "") lines.push(line.trimEnd());
  return { lines, fits };
}
