import { crc32, deflateRawSync } from "node:zlib";
import { listParts } from "#shared/packages/packages.ts";
import { PackageError } from "#server/packages/findings.ts";
import { parseManifest, readTableOfContents } from "#server/packages/manifest.ts";
import { FileIndex } from "#server/packages/paths.ts";

// Builds archives and manifests for tests of packages.

export type Entry = { name: string | Buffer; data?: string | Buffer } & Partial<{
  stored: boolean;
  method: number;
  flags: number;
  host: number;
  mode: number;
  size: number;
  crc: number;
  compressed: number;
  offset: number;
}>;

/** Builds a ZIP archive byte by byte, so that every field can be falsified. `changeEnd` edits the end record. */
export function buildZip(entries: Entry[], changeEnd: (end: Buffer) => void = () => {}): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? "");
    const body = entry.stored ? data : deflateRawSync(data);
    const name = Buffer.from(entry.name as string);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0x800, 2);
    common.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
    common.writeUInt32LE(entry.crc ?? crc32(data), 10);
    common.writeUInt32LE(entry.compressed ?? body.length, 14);
    common.writeUInt32LE(entry.size ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    central.writeUInt32LE(entry.offset ?? at, 10);
    parts.push(Buffer.from("PK\x03\x04"), common, name, body);
    list.push(Buffer.from("PK\x01\x02"), Buffer.from([20, entry.host ?? 3]), common, central, name);
    at += 30 + name.length + body.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length % 65536, 8);
  end.writeUInt16LE(entries.length % 65536, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  changeEnd(end);
  return Buffer.concat([...parts, directory, end]);
}

export const xmlns12 =
  'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"';
export const sampleManifest = (href = "index.html", title = "Golf") => `<?xml version="1.0"?>
<manifest identifier="M" ${xmlns12}>
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="O"><organization identifier="O"><title>${title}</title>
<item identifier="I" identifierref="R"><title>Part</title></item></organization></organizations>
<resources><resource identifier="R" type="webcontent" adlcp:scormtype="sco" href="${href}"/></resources></manifest>`;
export const scormPage = { name: "index.html", data: '<title>Page</title><script>API.LMSInitialize("")</script>' };
export const scormCourse: Entry[] = [{ name: "imsmanifest.xml", data: sampleManifest() }, scormPage];
export const webPage = { name: "index.html", data: "<title>Tea &amp; <b>cake</title>" };

export type ManifestParts = {
  version?: string;
  organizations?: string;
  resources?: string;
  head?: string;
  more?: string;
  root?: string;
};

export const xmlns2004 = [
  'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"',
  'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"',
  'xmlns:imsss="http://www.imsglobal.org/xsd/imsss"',
].join(" ");
export const oneItem = '<item identifier="I" identifierref="R"><title>Part</title></item>';
export const organizationsXml = (items: string, title = "Golf") =>
  `<organizations default="O"><organization identifier="O"><title>${title}</title>` +
  `${items}</organization></organizations>`;

export function buildManifest({
  version = "1.2",
  organizations = organizationsXml(oneItem),
  resources,
  head = '<?xml version="1.0"?>',
  more = "",
  root = xmlns12,
}: ManifestParts) {
  const schemaVersion = version && `<schemaversion>${version}</schemaversion>`;
  return [
    `${head}<manifest identifier="M" ${root}>`,
    `<metadata><schema>ADL SCORM</schema>${schemaVersion}</metadata>`,
    `${organizations}\n`,
    resources ?? '<resources><resource identifier="R" adlcp:scormtype="sco" href="a.html"/></resources>',
    `${more}</manifest>`,
  ].join("");
}

export function parse(source: string | Buffer, files = ["a.html", "b.html", "c.html"], path = "imsmanifest.xml") {
  const open = parseManifest(Buffer.from(source as string), path);
  const { items, sequencing } = readTableOfContents(open, new FileIndex(files));
  const warnings = open.warnings.map((warning) => warning.code.replace("packages.", ""));
  return { ...open, items, sequencing, warnings, launch: listParts(items).map((part) => part.href) };
}

/** The code and the sentence with which a manifest is rejected. */
export function rejection(source: string | Buffer, files?: string[]): [string, string] {
  try {
    parse(source, files);
  } catch (error) {
    if (error instanceof PackageError) return [error.finding.code.replace("packages.", ""), error.message];
    throw error;
  }
  throw new Error("the manifest was accepted");
}
