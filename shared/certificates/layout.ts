import { type DesignContent, pageSize } from "#shared/certificates/designs.ts";
import { type Shape, sideShapes } from "#shared/certificates/sideArt.ts";

// Where everything stands on a certificate, in points. The PDF and the preview in the browser draw the same boxes

export type Weight = "regular" | "bold";
/** The lines into which a text breaks at a size, and whether all of them fit into the width. */
export type Measure = (text: string, size: number, weight: Weight, width: number) => { lines: string[]; fits: boolean };

export type Line = { text: string; y: number };
export type TextBox = {
  kind: "text";
  /** What it is, for screen readers and for the preview. */
  part: string;
  tag: "H1" | "P";
  x: number;
  width: number;
  size: number;
  weight: Weight;
  color: string;
  align: "start" | "end";
  /** The whole text; `lines` are its pieces with the top of each. */
  text: string;
  lines: Line[];
};
export type PictureBox = {
  kind: "picture";
  part: string;
  hash: string;
  alt: string;
  x: number;
  y: number;
  width: number;
  height: number;
};
export type RuleBox = { kind: "rule"; x: number; y: number; width: number; height: number; color: string };
export type QrBox = { kind: "qr"; x: number; y: number; size: number; alt: string };
export type ShapeBox = { kind: "shape" } & Shape;
export type Box = TextBox | PictureBox | RuleBox | QrBox | ShapeBox;

/** What a certificate says, in the language of its reader. */
export type CertificateTexts = {
  name: string;
  issuer: string;
  number: string;
  issued: string;
  course: string;
  facts: { label: string; value: string }[];
  checkAt: string;
  address: string;
  qrAlt: string;
  signatureAlt: string;
  logoAlt: string;
};

export const INK = "#14211f";
export const DIMMED = "#55625f";
const RULE = "#c9d1ce";
const LEADING = 1.22;
/** Letters with marks above and below need more room between lines. */
const TALL_LEADING = 1.5;
const leadingOf = (text: string) =>
  /[\p{Script_Extensions=Arabic}\p{Script=Thai}\p{Script=Devanagari}]/u.test(text) ? TALL_LEADING : LEADING;
const QR = 57;
const FOOT = 78;
const SMALLEST = 0.6;

type Place = { x: number; width: number };
type TextOptions = Partial<Pick<TextBox, "tag" | "weight" | "color" | "align">> & { lines?: number; least?: number };

/**
 * Lays out a certificate. Long names and titles break into two lines, then become smaller, and everything between
 * head and foot is made smaller together until it fits.
 */
export function layOut(
  content: DesignContent,
  texts: CertificateTexts,
  brand: { color: string; logo: string | null },
  measure: Measure,
): { width: number; height: number; boxes: Box[] } {
  const { width, height } = pageSize(content);
  const isLandscape = width > height;
  const sideWidth = content.side === "none" ? 0 : width * (isLandscape ? 0.232 : 0.17);
  const margin = isLandscape ? 46 : 42;
  const left = content.side === "none" ? margin + 8 : 10 + sideWidth + (isLandscape ? 43 : 32);
  const area = { x: left, width: width - margin - left };
  const boxes: Box[] = sideShapes(content.side, brand.color, {
    x: 10,
    y: 10,
    width: sideWidth,
    height: height - 20,
  }).map((shape) => ({ kind: "shape", ...shape }));

  const head = addHead(boxes, texts, brand, area, measure);
  const foot = height - margin - FOOT;
  for (let scale = 1; ; scale -= 0.08) {
    const middle = layMiddle(content, texts, brand, area, scale, measure);
    const free = foot - 24 - head - middle.height;
    if (free < 0 && scale > SMALLEST) continue;
    const top = head + Math.max(0, free * 0.42);
    boxes.push(...middle.boxes.map((box) => moveDown(box, top)));
    addFoot(boxes, content, texts, area, foot, measure);
    return { width, height, boxes };
  }
}

function moveDown(box: Box, by: number): Box {
  if (box.kind === "shape") return box;
  if (box.kind === "text") return { ...box, lines: box.lines.map((line) => ({ ...line, y: line.y + by })) };
  return { ...box, y: box.y + by };
}

/** A text at `y`; smaller, down to `least` of its size, if it needs more lines than it may have. */
function layText(
  part: string,
  text: string,
  place: Place,
  y: number,
  size: number,
  measure: Measure,
  { lines = 1, least = 0.55, tag = "P", weight = "regular", color = INK, align = "start" }: TextOptions = {},
): TextBox & { height: number } {
  const leading = leadingOf(text);
  for (let scale = 1; ; scale -= 0.05) {
    const used = size * scale;
    const measured = measure(text, used, weight, place.width);
    if ((measured.lines.length > lines || !measured.fits) && scale - 0.05 >= least) continue;
    const kept = measured.lines.slice(0, lines);
    return {
      kind: "text",
      part,
      tag,
      ...place,
      size: used,
      weight,
      color,
      align,
      text,
      lines: kept.map((line, n) => ({ text: line, y: y + n * used * leading })),
      height: kept.length * used * leading,
    };
  }
}

function addHead(
  boxes: Box[],
  texts: CertificateTexts,
  { logo }: { logo: string | null },
  area: Place,
  measure: Measure,
) {
  const top = 38;
  const side = 36;
  if (logo)
    boxes.push({
      kind: "picture",
      part: "logo",
      hash: logo,
      alt: texts.logoAlt,
      x: area.x,
      y: top,
      width: 96,
      height: side,
    });
  const indent = logo ? 108 : 0;
  const right = { x: area.x + area.width - 150, width: 150 };
  const issuer = { x: area.x + indent, width: area.width - indent - right.width - 12 };
  boxes.push(
    layText("issuer", texts.issuer, issuer, top + 9, 14, measure, { weight: "bold", lines: 2 }),
    layText("number", texts.number, right, top + 5, 10, measure, { color: DIMMED, align: "end" }),
    layText("issued", texts.issued, right, top + 20, 10, measure, { color: DIMMED, align: "end" }),
  );
  return top + side + 18;
}

function layMiddle(
  content: DesignContent,
  texts: CertificateTexts,
  brand: { color: string },
  area: Place,
  scale: number,
  measure: Measure,
) {
  const boxes: Box[] = [];
  let y = 0;
  const add = (part: string, text: string, size: number, gap: number, options: TextOptions = {}) => {
    if (!text) return;
    const { height, ...box } = layText(part, text, area, y, size * scale, measure, options);
    boxes.push(box);
    y += height + gap * scale;
  };
  add("title", content.title, 11, 12, { tag: "H1", weight: "bold", color: brand.color, lines: 2 });
  add("intro", content.intro, 13, 5, { color: DIMMED });
  add("name", texts.name, 40, 9, { weight: "bold", lines: 2, least: 0.3 });
  add("verb", content.verb, 13, 5, { color: DIMMED });
  add("course", texts.course, 21, 8, { weight: "bold", lines: 2, least: 0.45 });
  add("text", content.text, 10.5, 4, { color: DIMMED, lines: 5, least: 0.8 });
  if (texts.facts.length === 0) return { boxes, height: y };
  y += 12 * scale;
  boxes.push({ kind: "rule", x: area.x, y, width: area.width, height: 1.5, color: INK });
  const cell = area.width / texts.facts.length;
  for (const [n, { label, value }] of texts.facts.entries()) {
    const indent = n === 0 ? 0 : 12;
    const place = { x: area.x + n * cell + indent, width: cell - indent - 6 };
    if (n > 0) boxes.push({ kind: "rule", x: area.x + n * cell, y: y + 1.5, width: 0.6, height: 52, color: RULE });
    boxes.push(
      layText(`fact${n}`, label, place, y + 10, 9.5, measure, { color: DIMMED }),
      layText(`fact${n}`, value, place, y + 25, 14, measure, { weight: "bold" }),
    );
  }
  boxes.push({ kind: "rule", x: area.x, y: y + 53, width: area.width, height: 0.6, color: RULE });
  return { boxes, height: y + 54 };
}

function addFoot(
  boxes: Box[],
  { signers }: DesignContent,
  texts: CertificateTexts,
  area: Place,
  top: number,
  measure: Measure,
) {
  const end = area.x + area.width;
  const isNarrow = area.width < 450;
  const beside = isNarrow ? 92 : 150;
  const qrTop = top + FOOT - QR;
  boxes.push({ kind: "qr", x: end - QR, y: qrTop, size: QR, alt: texts.qrAlt });
  const address = { x: end - QR - 10 - beside, width: beside };
  const lines = layText("address", texts.address, address, 0, 9.5, measure, {
    weight: "bold",
    align: "end",
    lines: 3,
    least: 0.75,
  });
  const { height, ...box } = lines;
  boxes.push(
    layText("checkAt", texts.checkAt, address, qrTop + QR - height - 13, 9.5, measure, { color: DIMMED, align: "end" }),
    moveDown(box, qrTop + QR - height),
  );
  const shown = signers.filter(({ name, role, picture }) => name || role || picture);
  const free = area.width - QR - 20 - beside;
  const each = Math.min(170, (free - (shown.length - 1) * 16) / Math.max(1, shown.length));
  for (const [n, { name, role, picture }] of shown.entries()) {
    const place = { x: area.x + n * (each + 16), width: each };
    const line = top + FOOT - 27;
    if (picture)
      boxes.push({
        kind: "picture",
        part: "signature",
        hash: picture,
        alt: texts.signatureAlt,
        x: place.x,
        y: top - 8,
        width: Math.min(each, 130),
        height: 54,
      });
    boxes.push(
      { kind: "rule", x: place.x, y: line, width: each, height: 0.7, color: "#8b9894" },
      layText("signer", name, place, line + 4, 9.5, measure, { weight: "bold" }),
      layText("role", role, place, line + 16, 9, measure, { color: DIMMED }),
    );
  }
}
