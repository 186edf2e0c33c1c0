import { createRequire } from "node:module";
import type PDFDocument from "pdfkit";
import { createTextWriter } from "#server/core/pdf/textRuns.ts";
import { breakLines } from "#shared/certificates/breakLines.ts";

// Text in a column: by PDFKit's own layout if one of our fonts has its letters, else line by line in the fonts of its
// scripts

type Doc = InstanceType<typeof PDFDocument>;
type WithFont = { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } };
export type Style = keyof typeof FONTS;
/** Sizes in points. */
type Look = { style: Style; size: number; color: string; align?: "left" | "right"; lineGap?: number };
export type TextBlock = {
  /** In points. */
  height: number;
  /** For `doc.struct`: the text as it is read, if it is drawn in another order or in pieces. */
  said: { actual?: string };
  /** Draws the text with its top start corner here. */
  draw(x: number, y: number): void;
};

const require = createRequire(import.meta.url);
const hanken = (weight: string) =>
  require.resolve(`@expo-google-fonts/hanken-grotesk/${weight}/HankenGrotesk_${weight}.ttf`);
const dejaVu = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
/** The second font has letters that the first lacks: Greek, Arabic, Hebrew, Georgian and others. */
const FONTS = {
  plain: [hanken("400Regular"), dejaVu("DejaVuSans")],
  bold: [hanken("600SemiBold"), dejaVu("DejaVuSans-Bold")],
  mono: [dejaVu("DejaVuSansMono"), dejaVu("DejaVuSansMono")],
} as const;
const weightOf = (style: Style) => (style === "bold" ? "bold" : "regular");
/** Height of a line in another script, in sizes of its letters. */
const SCRIPT_LINE = 1.45;
/** Cells of fewer letters mostly have one line: measuring their width is cheaper than laying them out. */
const SHORT = 40;

export function createTextBlocks(doc: Doc) {
  const writer = createTextWriter(doc);
  /** Whether the first font of a style has a letter, by style and letter. */
  const coverage = new Map<string, boolean>();

  /** Chooses the font of a style that has all letters of the text. */
  const chooseFont = (style: Style, size: number, text: string) => {
    const [first, second] = FONTS[style];
    doc.font(first).fontSize(size);
    const {
      _font: { font },
    } = doc as unknown as WithFont;
    for (const letter of text) {
      let isCovered = coverage.get(style + letter);
      if (isCovered === undefined) {
        isCovered = letter === "\n" || font.hasGlyphForCodePoint(letter.codePointAt(0) as number);
        coverage.set(style + letter, isCovered);
      }
      if (isCovered) continue;
      doc.font(second).fontSize(size * 0.92);
      return;
    }
  };

  /** The lines of a text with letters of other scripts or from right to left; null for any other text. */
  const scriptLines = (text: string, style: Style, size: number, width: number) => {
    const isPlain = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{M}]*$/u.test(text);
    if (isPlain || style === "mono") return null;
    const widthOf = (piece: string) => writer.widthOf(piece, size, weightOf(style));
    return text.split("\n").flatMap((line) => breakLines(line, width, widthOf).lines);
  };

  const heightOf = (text: string, width: number, lineGap: number) => {
    const isOneLine = text.length < SHORT && !text.includes("\n") && doc.widthOfString(text) < width - 1;
    return isOneLine ? doc.currentLineHeight(true) + lineGap : doc.heightOfString(text, { width, lineGap });
  };

  return {
    writer,
    chooseFont,
    block(text: string, width: number, { style, size, color, align = "left", lineGap = 0 }: Look): TextBlock {
      const lines = scriptLines(text, style, size, width);
      if (lines)
        return {
          height: lines.length * size * SCRIPT_LINE,
          said: { actual: text },
          draw(x, y) {
            for (const [n, line] of lines.entries())
              writer.draw(line, x, y + n * size * SCRIPT_LINE, { size, weight: weightOf(style), color });
          },
        };
      chooseFont(style, size, text);
      return {
        height: heightOf(text, width, lineGap),
        said: {},
        draw(x, y) {
          chooseFont(style, size, text);
          doc.fillColor(color).text(text, x, y, { width, align, lineGap });
        },
      };
    },
  };
}
