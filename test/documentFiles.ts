import { strToU8, zipSync } from "fflate";

// Small documents of every kind, written by hand

const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A heading with its paragraphs; on paper, a page. */
export type Section = { heading: string; paragraphs: string[] };

export function makePdf(pages: Section[], options: { encrypted?: boolean; scanned?: boolean } = {}) {
  const objects: string[] = [];
  const add = (text: string) => objects.push(text);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(" ")}] >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  const quote = (text: string) => text.replace(/[\\()]/g, "\\$&");
  for (const { heading, paragraphs } of pages) {
    const lines = paragraphs.flatMap((one) => [...wrap(one), ""]);
    const text = options.scanned
      ? "0 0 100 100 re f"
      : `BT /F1 20 Tf 50 780 Td (${quote(heading)}) Tj /F1 10 Tf 0 -30 Td ${lines
          .map((line) => (line ? `(${quote(line)}) Tj 0 -13 Td` : "0 -16 Td"))
          .join(" ")} ET`;
    const number = objects.length + 1;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number + 1} 0 R >>`,
    );
    add(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
  }
  let file = "%PDF-1.4\n";
  const offsets = objects.map((text, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${text}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  // A password nobody knows: the check value of the user password does not fit.
  const encryption = options.encrypted
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> ` +
      `/P -4 >> /ID [<${"43".repeat(16)}> <${"43".repeat(16)}>]`
    : "";
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${encryption} >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(file, "latin1");
}
const wrap = (text: string) => text.match(/.{1,90}(\s|$)/g)?.map((line) => line.trim()) ?? [];

export const makeDocx = (sections: Section[]) =>
  zip({
    "[Content_Types].xml":
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
      `</Types>`,
    "_rels/.rels":
      `<?xml version="1.0"?>` +
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
      `<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>` +
      `</Relationships>`,
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${sections
      .map(
        ({ heading, paragraphs }) =>
          `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${escape(heading)}</w:t></w:r></w:p>${paragraphs
            .map((one) => `<w:p><w:r><w:t>${escape(one)}</w:t></w:r></w:p>`)
            .join("")}`,
      )
      .join("")}</w:body></w:document>`,
    "word/styles.xml":
      `<?xml version="1.0"?>` +
      `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
      `<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    "word/_rels/document.xml.rels":
      `<?xml version="1.0"?>` +
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
      `<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>` +
      `</Relationships>`,
  });

export const makePptx = (sections: Section[]) =>
  zip({
    "ppt/presentation.xml":
      `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>` +
      `${sections.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join("")}</p:sldIdLst>` +
      `</p:presentation>`,
    "ppt/_rels/presentation.xml.rels":
      `<Relationships>` +
      `${sections.map((_, at) => `<Relationship Id="r${at}" Target="slides/slide${at + 1}.xml"/>`).join("")}` +
      `</Relationships>`,
    ...Object.fromEntries(
      sections.map(({ heading, paragraphs }, at) => [
        `ppt/slides/slide${at + 1}.xml`,
        `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/>` +
          `</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${escape(heading)}</a:t></a:r></a:p></p:txBody>` +
          `</p:sp><p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>` +
          `${paragraphs.map((one) => `<a:p><a:r><a:t>${escape(one)}</a:t></a:r></a:p>`).join("")}` +
          `</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  });

const WORKSHEET = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet";
export const makeXlsx = (sections: Section[]) =>
  zip({
    "[Content_Types].xml":
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      `<Default Extension="xml" ContentType="application/xml"/></Types>`,
    "xl/workbook.xml":
      `<?xml version="1.0"?>` +
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
      `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
      `<sheets>` +
      `${sections.map(({ heading }, at) => `<sheet name="${escape(heading)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`).join("")}` +
      `</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      `<?xml version="1.0"?>` +
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
      `${sections.map((_, at) => `<Relationship Id="r${at + 1}" Type="${WORKSHEET}" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}` +
      `</Relationships>`,
    "xl/styles.xml":
      `<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
      `<cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sections.map(({ paragraphs }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${[
          "Subject",
          ...paragraphs,
        ]
          .map(
            (one, row) =>
              `<row r="${row + 1}"><c r="A${row + 1}" t="inlineStr"><is><t>${escape(one)}</t></is></c>` +
              `<c r="B${row + 1}" t="inlineStr"><is><t>${row === 0 ? "Class" : `class ${row}`}</t></is></c>` +
              `</row>`,
          )
          .join("")}</sheetData></worksheet>`,
      ]),
    ),
  });

export const makeOdt = (sections: Section[]) =>
  zip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text>${sections
      .map(
        ({ heading, paragraphs }) =>
          `<text:h text:outline-level="1">${escape(heading)}</text:h>${paragraphs.map((one) => `<text:p>${escape(one)}</text:p>`).join("")}`,
      )
      .join("")}</office:text></office:body></office:document-content>`,
  });

export const makeHtml = (sections: Section[]) =>
  Buffer.from(
    `<!doctype html><html><head><title>Page</title></head><body><nav>Menu of the site</nav><main>${sections
      .map(
        ({ heading, paragraphs }) =>
          `<h1>${escape(heading)}</h1>${paragraphs.map((one) => `<p>${escape(one)}</p>`).join("")}`,
      )
      .join("")}</main><script>"script text"</script></body></html>`,
  );

export const makeMarkdown = (sections: Section[]) =>
  Buffer.from(sections.map(({ heading, paragraphs }) => `# ${heading}\n\n${paragraphs.join("\n\n")}`).join("\n\n"));

export const makeText = (sections: Section[]) =>
  Buffer.from(sections.map(({ heading, paragraphs }) => `${heading}\n\n${paragraphs.join("\n\n")}`).join("\n\n"));

export const makeSubtitles = (sections: Section[]) =>
  Buffer.from(
    `WEBVTT\n\n${sections
      .flatMap(({ heading, paragraphs }) => [heading, ...paragraphs])
      .map(
        (text, at) =>
          `00:00:${String(at).padStart(2, "0")}.000 --> 00:00:${String(at + 1).padStart(2, "0")}.000\n${text}`,
      )
      .join("\n\n")}`,
  );

/** A small archive that says that it becomes 200 MB. */
export const makeBomb = () => zipSync({ "word/document.xml": new Uint8Array(200 * 1024 ** 2) }, { level: 9 });

export const makers: Record<string, (sections: Section[]) => Uint8Array> = {
  pdf: makePdf,
  docx: makeDocx,
  pptx: makePptx,
  xlsx: makeXlsx,
  odt: makeOdt,
  html: makeHtml,
  md: makeMarkdown,
  txt: makeText,
  vtt: makeSubtitles,
};
