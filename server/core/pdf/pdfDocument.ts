import PDFDocument from "pdfkit";
import { createTextBlocks, type Style } from "#server/core/pdf/textBlocks.ts";
import { breakLines } from "#shared/certificates/breakLines.ts";

// A tagged PDF (ISO 32000-1, 14.8): headings, paragraphs and tables in a structure tree, page headers and footers as
// artifacts

const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - 84;
const TOP = 92;
export const INK = "#14211F";
const DIMMED = "#55625F";
const RULE = "#C9D1CE";
type Doc = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Doc["struct"]>;

export type Column = { head: string; width: number; align?: "right" };
export type Cell = { text: string; bold?: boolean };

/** Other requests get a turn after so many ms of drawing rows. */
const TURN_MS = 20;

export class PdfReport {
  readonly doc: Doc;
  private readonly root: Element;
  private readonly texts: ReturnType<typeof createTextBlocks>;
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
    this.texts = createTextBlocks(this.doc);
    this.root = this.doc.struct("Document");
    this.doc.addStructure(this.root);
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
    const { height, said, draw } = this.texts.block(text, WIDTH, { style, size, color, lineGap: 2 });
    this.ensure(height);
    this.root.add(this.doc.struct(tag, said, () => draw(MARGIN, this.y)));
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
    this.texts.chooseFont(style, size, text);
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
      const color = tag === "TH" ? DIMMED : INK;
      const blocks = cells.map(({ text, bold }, n) => {
        const { wide, align } = places[n] as (typeof places)[number];
        return this.texts.block(text, wide, { style: bold ? "bold" : "plain", size, color, align });
      });
      const height = Math.max(...blocks.map((block) => block.height));
      if (this.ensure(height + 10) && tag === "TD") draw(heads, "TH", true);
      const drawCell = (n: number) => blocks[n]?.draw(places[n]?.x as number, this.y + 4);
      if (isArtifact) {
        this.doc.markContent("Artifact", { type: "Pagination" });
        for (const n of blocks.keys()) drawCell(n);
        this.doc.endMarkedContent();
      } else {
        const row = this.doc.struct("TR");
        table.add(row);
        for (const [n, { said }] of blocks.entries())
          row.add(this.doc.struct(tag === "TD" && n === 0 ? "TH" : tag, said, () => drawCell(n)));
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
    const x = MARGIN + side + 14;
    const beside = this.texts.block(text, WIDTH - side - 14, { style: "plain", size: 9, color: DIMMED, lineGap: 2 });
    const height = Math.max(side, beside.height + 4);
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
    this.root.add(this.doc.struct("P", beside.said, () => beside.draw(x, this.y + 4)));
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
    const widthOf = (piece: string) => this.texts.writer.widthOf(piece, size, weight);
    const { lines } = breakLines(text, WIDTH / 2 - 20, widthOf);
    const shown = lines.length > 1 ? `${lines[0]}…` : text;
    const x = isAtEnd ? MARGIN + WIDTH - widthOf(shown) : MARGIN;
    this.texts.writer.draw(shown, x, 48, { size, weight, color: DIMMED });
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
        this.texts.chooseFont(style, style === "mono" ? 7 : 8.5, text);
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
