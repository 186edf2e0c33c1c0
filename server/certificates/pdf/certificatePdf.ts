import type { Readable } from "node:stream";
import PDFDocument from "pdfkit";
import qrcode from "qrcode";
import { createTextWriter } from "#server/core/pdf/textRuns.ts";
import { breakLines } from "#shared/certificates/breakLines.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import { type Box, type CertificateTexts, INK, layOut, type TextBox } from "#shared/certificates/layout.ts";
import { DEFAULT_COLOR } from "#shared/certificates/sideArt.ts";

// A certificate as tagged PDF with everything that PDF/A-2a asks for: structure, language, XMP, output intent, embedded
// fonts

export type PdfInput = {
  content: DesignContent;
  texts: CertificateTexts;
  brand: { color: string | null; logo: string | null };
  /** Pictures by hash; those of a type that a PDF cannot contain are left out. */
  pictures: Map<string, Buffer>;
  /** What the QR code leads to. */
  address: string;
  issuedAt: Date;
};

type Doc = InstanceType<typeof PDFDocument>;

export function drawCertificate({ content, texts, brand, pictures, address, issuedAt }: PdfInput): Readable {
  const title = `${content.title}: ${texts.name}, ${texts.course}`;
  const doc = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    tagged: true,
    subset: "PDF/A-2a",
    pdfVersion: "1.7",
    lang: "en-GB",
    displayTitle: true,
    info: { Title: title, Author: texts.issuer, Creator: "Lyceum", CreationDate: issuedAt, ModDate: issuedAt },
  });
  const writer = createTextWriter(doc);
  const known = {
    color: brand.color ?? DEFAULT_COLOR,
    logo: brand.logo && pictures.has(brand.logo) ? brand.logo : null,
  };
  const { width, height, boxes } = layOut(content, texts, known, (text, size, weight, room) =>
    breakLines(text, room, (piece) => writer.widthOf(piece, size, weight)),
  );
  doc.addPage({ size: [width, height], margin: 0 });
  const root = doc.struct("Document");
  doc.addStructure(root);
  const asArtifact = (draw: () => void) => {
    doc.markContent("Artifact", { type: "Layout" });
    draw();
    doc.endMarkedContent();
  };
  const draw: { [kind in Box["kind"]]: (box: Extract<Box, { kind: kind }>) => void } = {
    shape: ({ path, fill }) => asArtifact(() => doc.path(path).fill(fill)),
    rule: ({ x, y, width: wide, height: high, color }) => asArtifact(() => doc.rect(x, y, wide, high).fill(color)),
    text: (box) => {
      if (box.lines.length === 0) return;
      root.add(
        doc.struct(box.tag, writer.isReordered(box.text) ? { actual: box.text } : {}, () => writeLines(writer, box)),
      );
    },
    picture: ({ hash, alt, x, y, width: wide, height: high }) => {
      const bytes = pictures.get(hash);
      if (bytes) root.add(doc.struct("Figure", { alt }, () => placePicture(doc, bytes, x, y, wide, high)));
    },
    qr: ({ x, y, size, alt }) => root.add(doc.struct("Figure", { alt }, () => drawQr(doc, address, x, y, size))),
  };
  for (const box of boxes) draw[box.kind](box as never);
  root.end();
  doc.end();
  return doc as unknown as Readable;
}

function writeLines(writer: ReturnType<typeof createTextWriter>, box: TextBox) {
  const { size, weight, color, x, width, align } = box;
  for (const { text, y } of box.lines) {
    const isAtEnd = align === "end";
    const indent = isAtEnd ? width - writer.widthOf(text, size, weight) : 0;
    writer.draw(text, x + indent, y, { size, weight, color });
  }
}

function placePicture(doc: Doc, bytes: Buffer, x: number, y: number, width: number, height: number) {
  doc.image(bytes, x, y, { fit: [width, height], valign: "center" });
}

function drawQr(doc: Doc, address: string, x: number, y: number, size: number) {
  const { modules } = qrcode.create(address, { errorCorrectionLevel: "M" });
  const side = size / modules.size;
  for (const [n, isDark] of modules.data.entries())
    if (isDark) doc.rect(x + (n % modules.size) * side, y + Math.floor(n / modules.size) * side, side, side);
  doc.fill(INK);
}
