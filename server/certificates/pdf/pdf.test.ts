import { inflateSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { drawCertificate } from "#server/certificates/pdf/certificatePdf.ts";
import { sampleDesign } from "#test/certificates.ts";
import { readPdfFile } from "#test/pdf.ts";
import { certificateTexts, sampleFacts } from "#shared/certificates/certificateTexts.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";

// PDFs that screen readers read, with names in any script, and everything that PDF/A-2a asks for. Not validated by
// veraPDF: `verapdf --flavour 2a FILE`

const NAMES = {
  latin: "Aleksandra Konstantinovna Maria-Magdalena Orlova-Bjørnstad von der Hohenzollern",
  unbroken: "Ab".repeat(40),
  arabic: "محمد بن عبد الله الخوارزمي",
  chinese: "欧阳修远",
  thai: "สมชาย ศรีสุวรรณ ณ อยุธยา",
  greek: "Αλέξανδρος Παπαδόπουλος",
};
const PAGES: Pick<DesignContent, "paper" | "orientation">[] = [
  { paper: "a4", orientation: "landscape" },
  { paper: "letter", orientation: "portrait" },
];

async function draw(name: string, page: (typeof PAGES)[number]) {
  const content = { ...sampleDesign, ...page };
  return buffer(
    drawCertificate({
      content,
      texts: certificateTexts(
        content,
        sampleFacts("course", name, "Working at heights", 12),
        "https://academy.example",
      ),
      brand: { color: "#c80f2e", logo: null },
      pictures: new Map(),
      address: "https://academy.example/verify/NE-7KQ2-M4RX",
      issuedAt: new Date("2026-11-28T12:00:00Z"),
    }),
  );
}
/** The file with its compressed streams opened, for searching. */
function open(pdf: Buffer) {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, data = ""]) => {
    try {
      return inflateSync(Buffer.from(data, "latin1")).toString("latin1");
    } catch {
      return data;
    }
  });
  return { text, all: [text, ...streams].join("\n") };
}
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("latin1");

for (const [script, name] of Object.entries(NAMES))
  for (const page of PAGES)
    test(`a ${script} name is text of a tagged page, ${page.paper} ${page.orientation}`, async () => {
      const pdf = await draw(name, page);
      const { pages, roles, isTagged } = await readPdfFile(pdf);
      expect(pages.length).toBe(1);
      expect(isTagged).toBe(true);
      expect(roles.filter((role) => role === "H1")).toHaveLength(1);
      expect(roles).toContain("Figure");
      const { text } = open(pdf);
      expect(text).toContain("/Lang (en-GB)");
      expect(text).toContain("/DisplayDocTitle true");
      const letters = (value: string) => [...value.replace(/[\s\u064b-\u0652]/g, "")].toSorted().join("");
      const shown = (pages[0] as string).normalize("NFKC");
      // Right-to-left text is drawn in visual order; the structure says how it is read.
      if (script === "arabic") expect(text).toContain(utf16(name).replace(/[\\()]/g, "\\$&"));
      else for (const letter of letters(name)) expect(shown).toContain(letter);
    });

test("a certificate has what PDF/A-2a asks for, and every font in it", async () => {
  const pdf = await draw(`${NAMES.chinese} ${NAMES.thai}`, PAGES[0] as (typeof PAGES)[number]);
  const { text, all } = open(pdf);
  expect(text.slice(0, 8)).toBe("%PDF-1.7");
  expect(all).toMatch(/pdfaid:part>2</);
  expect(all).toMatch(/pdfaid:conformance>A</);
  expect(text).toMatch(/\/OutputIntents/);
  expect(text).toMatch(/\/S \/GTS_PDFA1/);
  const descriptors = text.match(/\/Type \/FontDescriptor/g) ?? [];
  expect(descriptors.length).toBeGreaterThan(2);
  expect((text.match(/\/FontFile[23] /g) ?? []).length).toBe(descriptors.length);
  expect((text.match(/\/ToUnicode /g) ?? []).length).toBe(descriptors.length);
  expect(text).not.toMatch(/\/Encrypt|\/JavaScript|\/AA /);
});
