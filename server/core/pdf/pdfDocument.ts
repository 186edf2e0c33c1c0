import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import { createTextWriter } from "#server/core/pdf/textRuns.ts";
import { breakLines } from "#shared/certificates/breakLines.ts";

// A tagged PDF (ISO 32000-1, 14.8): headings, paragraphs and tables in a structure tree, page headers and footers as
// artifacts

const require = createRequire(import.meta.url);
const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - 84;
const TOP = 92;
export const INK = "#14211F";
const DIMMED = "#55625F";
const RULE = "#C9D1CE";
const hanken = (weight: string) =>
  require.resolve(`@expo-google-fonts/hanken-grotesk/${weight}/HankenGrotesk_${weight}.ttf`);
const dejaVu = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
/** The second font has letters that the first lacks: Greek, Arabic, Hebrew, Georgian and others. */
const FONTS = {
  plain: [hanken("400Regular"), dejaVu("DejaVuSans")],
  bold: [hanken("600SemiBold"), dejaVu("DejaVuSans-Bold")],
  mono: [dejaVu("DejaVuSansMono"), dejaVu("DejaVuSansMono")],
} as const;
type Style = keyof typeof FONTS;
const weightOf = (style: Style) => (style === "bold" ? "bold" : "regular");
/** Height of a line in another script, in sizes of its letters. */
const SCRIPT_LINE = 1.45;
type Doc = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Doc["struct"]>;
type WithFont = { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } };

export type Column = { head: string; width: number; align?: "right" };
export type Cell = { text: string; bold?: boolean };

/** Other requests get a turn after so many ms of drawing rows. */
const TURN_MS = 20;

export class PdfReport {
  readonly doc: Doc;
  private readonly root: Element;
  private readonly writer: ReturnType<typeof createTextWriter>;
  private y = TOP;

  constructor(title: string, author: string) {
    this.doc = new PDFDocument({
      size: "A4",
      margin: 0,
      bufferPages: true,
      tagged: true,
      lang: "en-GB",
      displayTitle: true,
      pdfVersion: "1.7",
      info: { Title: title, Author: author, Creator: "Lyceum" },
    });
    this.writer = createTextWriter(this.doc);
    this.root = this.doc.struct("Document");
    this.doc.addStructure(this.root);
  }

  /** Whether the first font of a style has a letter, by style and letter. */
  private readonly coverage = new Map<string, boolean>();

  /** Chooses the font of a style that has all letters of the text. */
  private font(style: Style, size: number, text = "") {
    const [first, second] = FONTS[style];
    this.doc.font(first).fontSize(size);
    const {
      _font: { font },
    } = this.doc as unknown as WithFont;
    for (const letter of text) {
      let isCovered = this.coverage.get(style + letter);
      if (isCovered === undefined) {
        isCovered = letter === "\n" || font.hasGlyphForCodePoint(letter.codePointAt(0) as number);
        this.coverage.set(style + letter, isCovered);
      }
      if (isCovered) continue;
      this.doc.font(second).fontSize(size * 0.92);
      return;
    }
  }

  /**
   * The lines of a text that `font` cannot draw, because it has letters of other scripts or runs from right to left;
   * null for any other text.
   */
  private scriptLines(text: string, style: Style, size: number, width: number) {
    const isPlain = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{M}]*$/u.test(text);
    if (isPlain || style === "mono") return null;
    const widthOf = (piece: string) => this.writer.widthOf(piece, size, weightOf(style));
    return text.split("\n").flatMap((line) => breakLines(line, width, widthOf).lines);
  }

  private drawLines(lines: string[], style: Style, size: number, color: string, x: number, y: number) {
    for (const [n, line] of lines.entries())
      this.writer.draw(line, x, y + n * size * SCRIPT_LINE, { size, weight: weightOf(style), color });
  }

  private ensure(height: number) {
    if (this.y + height <= BOTTOM) return false;
    this.doc.addPage();
    this.y = TOP;
    return true;
  }

  /** A heading is never the last line of a page. */
  heading(level: 1 | 2, text: string) {
    const size = level === 1 ? 24 : 14;
    if (level === 2) this.y += 18;
    this.ensure(size + 60);
    this.block(`H${level}`, text, { style: "bold", size, gap: level === 1 ? 8 : 7 });
  }

  paragraph(text: string, { size = 9.5, color = DIMMED, style = "plain" as Style, gap = 8 } = {}) {
    this.block("P", text, { style, size, color, gap });
  }

  private block(
    tag: string,
    text: string,
    { style, size, color = INK, gap }: { style: Style; size: number; color?: string; gap: number },
  ) {
    this.font(style, size, text);
    const lines = this.scriptLines(text, style, size, WIDTH);
    const height = lines
      ? lines.length * size * SCRIPT_LINE
      : this.doc.heightOfString(text, { width: WIDTH, lineGap: 2 });
    this.ensure(height);
    this.root.add(
      this.doc.struct(tag, lines ? { actual: text } : {}, () => {
        if (lines) return this.drawLines(lines, style, size, color, MARGIN, this.y);
        this.font(style, size, text);
        this.doc.fillColor(color).text(text, MARGIN, this.y, { width: WIDTH, lineGap: 2 });
      }),
    );
    this.y += height + gap;
  }

  /** Large figures side by side: label, value and a note such as the share. */
  ledger(cells: { label: string; value: string; note: string }[]) {
    const width = WIDTH / cells.length;
    this.ensure(70);
    this.rule(this.y, INK, 1.5);
    const list = this.doc.struct("L");
    this.root.add(list);
    for (const [n, { label, value, note }] of cells.entries()) {
      const x = MARGIN + n * width;
      const item = this.doc.struct("LI");
      list.add(item);
      item.add(
        this.doc.struct("LBody", {}, () => {
          this.line(label, x, this.y + 9, width - 8, "plain", 8.5, DIMMED);
          this.line(value, x, this.y + 21, width - 8, "bold", 17, INK);
          this.line(note, x, this.y + 44, width - 8, "plain", 8, DIMMED);
        }),
      );
      item.end();
    }
    list.end();
    this.rule(this.y + 62, RULE, 0.7);
    this.y += 72;
  }

  private line(text: string, x: number, y: number, width: number, style: Style, size: number, color: string) {
    this.font(style, size, text);
    this.doc.fillColor(color).text(text, x, y, { width, height: size * 1.6, ellipsis: true });
  }

  /** A table that repeats its head on every page. A cell breaks into lines; a row never breaks between pages. */
  async table(columns: Column[], rows: AsyncIterable<Cell[]> | Iterable<Cell[]>) {
    const table = this.doc.struct("Table");
    this.root.add(table);
    const places = columns.map((column, n) => ({
      ...column,
      x: MARGIN + columns.slice(0, n).reduce((sum, { width }) => sum + width * WIDTH, 0),
      wide: column.width * WIDTH - (column.align ? 12 : 6),
    }));
    const draw = (cells: Cell[], tag: "TH" | "TD", isArtifact = false) => {
      const size = tag === "TH" ? 8.5 : 9;
      const linesOf = cells.map(({ text, bold }, n) =>
        this.scriptLines(text, bold ? "bold" : "plain", size, places[n]?.wide as number),
      );
      const heights = cells.map(({ text, bold }, n) => {
        const width = places[n]?.wide as number;
        const lines = linesOf[n];
        if (lines) return lines.length * size * SCRIPT_LINE;
        this.font(bold ? "bold" : "plain", size, text);
        // Most cells have one line, and measuring its width is cheaper than laying out the text.
        const isShort = text.length < 40 && !text.includes("\n") && this.doc.widthOfString(text) < width - 1;
        return isShort ? this.doc.currentLineHeight(true) : this.doc.heightOfString(text, { width });
      });
      const height = Math.max(...heights);
      if (this.ensure(height + 10) && tag === "TD") draw(heads, "TH", true);
      const cellOf = (n: number) => {
        const { text, bold } = cells[n] as Cell;
        const { x, wide, align = "left" } = places[n] as (typeof places)[number];
        const lines = linesOf[n];
        if (lines)
          return this.drawLines(lines, bold ? "bold" : "plain", size, tag === "TH" ? DIMMED : INK, x, this.y + 4);
        this.font(bold ? "bold" : "plain", size, text);
        this.doc.fillColor(tag === "TH" ? DIMMED : INK).text(text, x, this.y + 4, { width: wide, align });
      };
      if (isArtifact) {
        this.doc.markContent("Artifact", { type: "Pagination" });
        for (const n of cells.keys()) cellOf(n);
        this.doc.endMarkedContent();
      } else {
        const row = this.doc.struct("TR");
        table.add(row);
        for (const n of cells.keys()) {
          const said = linesOf[n] ? { actual: cells[n]?.text as string } : {};
          row.add(this.doc.struct(tag === "TD" && n === 0 ? "TH" : tag, said, () => cellOf(n)));
        }
        row.end();
      }
      this.y += height + 9;
      this.rule(this.y - 1, tag === "TH" ? DIMMED : RULE, 0.6);
    };
    const heads = columns.map(({ head }) => ({ text: head }));
    this.ensure(60);
    draw(heads, "TH");
    let since = performance.now();
    for await (const cells of rows) {
      draw(cells, "TD");
      if (performance.now() - since < TURN_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    table.end();
    this.y += 8;
  }

  /** A QR code, given as modules, with its address as alternative text, and text beside it. */
  code({ size, data }: { size: number; data: Uint8Array }, alt: string, text: string) {
    const side = 68;
    const [textSize, x, width] = [9, MARGIN + side + 14, WIDTH - side - 14];
    this.font("plain", textSize, text);
    const lines = this.scriptLines(text, "plain", textSize, width);
    const textHeight = lines
      ? lines.length * textSize * SCRIPT_LINE
      : this.doc.heightOfString(text, { width, lineGap: 2 });
    const height = Math.max(side, textHeight + 4);
    this.ensure(height + 8);
    const module = side / size;
    this.root.add(
      this.doc.struct("Figure", { alt }, () => {
        for (let n = 0; n < data.length; n++)
          if (data[n])
            this.doc.rect(MARGIN + (n % size) * module, this.y + Math.floor(n / size) * module, module, module);
        this.doc.fill(INK);
      }),
    );
    this.root.add(
      this.doc.struct("P", lines ? { actual: text } : {}, () => {
        if (lines) return this.drawLines(lines, "plain", textSize, DIMMED, x, this.y + 4);
        this.font("plain", textSize, text);
        this.doc.fillColor(DIMMED).text(text, x, this.y + 4, { width, lineGap: 2 });
      }),
    );
    this.y += height + 10;
  }

  private rule(y: number, color: string, width: number) {
    this.doc.markContent("Artifact", { type: "Layout" });
    this.doc
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + WIDTH, y)
      .lineWidth(width)
      .stroke(color);
    this.doc.endMarkedContent();
  }

  /** A side of the header: one line in half the width, cut at its end. */
  private drawHead(text: string, isAtEnd: boolean) {
    const [size, weight] = [8.5, "regular"] as const;
    const widthOf = (piece: string) => this.writer.widthOf(piece, size, weight);
    const { lines } = breakLines(text, WIDTH / 2 - 20, widthOf);
    const shown = lines.length > 1 ? `${lines[0]}…` : text;
    const x = isAtEnd ? MARGIN + WIDTH - widthOf(shown) : MARGIN;
    this.writer.draw(shown, x, 48, { size, weight, color: DIMMED });
  }

  /** Writes the headers and footers of all pages and ends the document. `footOf` gets the page and the page count. */
  finish(head: [left: string, right: string], footOf: (page: number, pages: number) => [string, string, string]) {
    this.root.end();
    const { start, count } = this.doc.bufferedPageRange();
    for (let n = 0; n < count; n++) {
      this.doc.switchToPage(start + n);
      const [left, middle, right] = footOf(n + 1, count);
      this.rule(68, RULE, 0.6);
      this.rule(BOTTOM + 24, RULE, 0.6);
      this.doc.markContent("Artifact", { type: "Pagination" });
      const write = (text: string, y: number, align: "left" | "center" | "right", style: Style = "plain") => {
        this.font(style, style === "mono" ? 7 : 8.5, text);
        this.doc.fillColor(DIMMED).text(text, MARGIN, y, { width: WIDTH, align, lineBreak: false });
      };
      this.drawHead(head[0], false);
      this.drawHead(head[1], true);
      write(left, BOTTOM + 34, "left");
      write(middle, BOTTOM + 35, "center", "mono");
      write(right, BOTTOM + 34, "right");
      this.doc.endMarkedContent();
    }
    this.doc.end();
  }
}
