import bidiFactory from "bidi-js";
import type PDFDocument from "pdfkit";
import { LATIN, OTHER, scriptFont, type Weight } from "#server/core/pdf/fonts.ts";

// One line of text in any script: which font has its letters, and in which order they are drawn (UAX #9)

type Doc = InstanceType<typeof PDFDocument>;
type WithFont = { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } };
/** Letters that are drawn at once, in their logical order: the font reverses and joins those of a right-to-left run. */
type Run = { text: string; font: string; level: number };

// The types of the package describe an ES module, Node loads it as CommonJS.
const { getEmbeddingLevels, getMirroredCharacter } = (bidiFactory as unknown as typeof bidiFactory.default)();
/** The other font is wider than ours. */
const OTHER_SCALE = 0.92;

export function createTextWriter(doc: Doc) {
  const covered = new Map<string, boolean>();
  const hasLetter = (font: string, letter: string) => {
    const key = `${font} ${letter}`;
    let has = covered.get(key);
    if (has === undefined) {
      doc.font(font);
      const {
        _font: { font: opened },
      } = doc as unknown as WithFont;
      has = opened.hasGlyphForCodePoint(letter.codePointAt(0) as number);
      covered.set(key, has);
    }
    return has;
  };
  const fontOf = (letter: string, weight: Weight, current: string | undefined) => {
    // Marks, joiners and spaces stay with the letter before them, if its font has them.
    if (current && /[\p{M}\p{Cf}\s]/u.test(letter) && hasLetter(current, letter)) return current;
    const own = scriptFont(letter, weight);
    if (own && hasLetter(own, letter)) return own;
    return hasLetter(LATIN[weight], letter) ? LATIN[weight] : OTHER[weight];
  };

  const runsOf = (text: string, weight: Weight): Run[] => {
    const { levels } = getEmbeddingLevels(text);
    const runs: Run[] = [];
    let at = 0;
    for (const letter of text) {
      const level = levels[at] ?? 0;
      at += letter.length;
      const last = runs.at(-1);
      const font = fontOf(letter, weight, last?.font);
      const drawn = level % 2 === 1 ? (getMirroredCharacter(letter) ?? letter) : letter;
      if (last && last.font === font && last.level === level) last.text += drawn;
      else runs.push({ text: drawn, font, level });
    }
    return inVisualOrder(runs);
  };
  const sizeOf = (font: string, size: number) => (Object.values(OTHER).includes(font) ? size * OTHER_SCALE : size);
  const widthOfRun = ({ text, font }: Run, size: number) =>
    doc.font(font).fontSize(sizeOf(font, size)).widthOfString(text, { features: [] });
  const widthOf = (text: string, size: number, weight: Weight) =>
    runsOf(text, weight).reduce((sum, run) => sum + widthOfRun(run, size), 0);

  return {
    widthOf,
    /** Draws one line with its top at `y`, all fonts on one baseline. Returns its width. */
    draw(text: string, x: number, y: number, { size, weight, color }: { size: number; weight: Weight; color: string }) {
      const baseline = y + size;
      let at = x;
      for (const run of runsOf(text, weight)) {
        const width = widthOfRun(run, size);
        doc
          .font(run.font)
          .fontSize(sizeOf(run.font, size))
          .fillColor(color)
          .text(run.text, at, baseline, { lineBreak: false, baseline: "alphabetic", features: [] });
        at += width;
      }
      return at - x;
    },
    /** Whether some letters are drawn in another order than they are read. */
    isReordered: (text: string) => getEmbeddingLevels(text).levels.some((level) => level % 2 === 1),
    isRightToLeft: (text: string) => (getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1,
  };
}

/** Rule L2 of UAX #9, for runs: those of a level and above are reversed, from the highest level to the lowest one. */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to] as Run).level >= level) to++;
      if (to - from > 1) ordered.splice(from, to - from, ...ordered.slice(from, to).toReversed());
      from = Math.max(from, to - 1);
    }
  return ordered;
}
