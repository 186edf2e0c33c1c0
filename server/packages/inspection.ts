import { listParts, packageLimits } from "#shared/packages/packages.ts";
import type { Finding, Manifest, PackageReport } from "#shared/packages/packages.ts";
import type { ArchiveFile } from "#server/packages/archiveLimits.ts";
import { toFinding, megabytes, PackageError } from "#server/packages/findings.ts";
import { readCourseStructure } from "#server/packages/courseStructure.ts";
import { detectFormat, type Format } from "#server/packages/formats.ts";
import { canBeFollowed } from "#server/packages/followable.ts";
import { webPageItem } from "#server/packages/items.ts";
import { parseManifest, readTableOfContents, type TableOfContents } from "#server/packages/manifest.ts";
import { FileIndex } from "#server/packages/paths.ts";
import { findFlash, isPage, searchPages } from "#server/packages/preflight.ts";
import { readTinCan } from "#server/packages/tinCan.ts";
import { toTitle } from "#server/packages/xml.ts";
import { fileNameOf, withArchive, type Archive } from "#server/packages/zip.ts";

/** A file to unpack: path below the course folder, `size` in bytes. */
export type PackageFile = { path: string; size: number };

/** Result of an inspection. `manifest` is null for a rejected package; `root` is the folder stripped from all paths. */
export type Inspection = { report: PackageReport; manifest: Manifest | null; root: string; files: PackageFile[] };

/**
 * Inspects a package without unpacking it: safety, format, parts. Never throws for an invalid package, only for I/O
 * errors. Wrong sizes and checksums of single files are only found by unpacking (or by `checkPackage`). `fileName` is
 * the original file name; it is used as the title if there is no other.
 */
export async function inspectPackage(zipPath: string, fileName = fileNameOf(zipPath)): Promise<Inspection> {
  const report: PackageReport = { ok: false, kind: null, title: null, launch: [], warnings: [], error: null };
  const inspection: Inspection = { report, manifest: null, root: "", files: [] };
  const warnings: Finding[] = [];
  try {
    await withArchive(zipPath, fileName, async (archive) => {
      warnings.push(...archive.warnings);
      const format = detectFormat(archive.files.map((file) => file.path));
      warnings.push(...format.warnings);
      inspection.root = format.root;
      const files = archive.files.map((file) => ({ ...file, path: file.path.slice(format.root.length) }));
      inspection.files = files.map(({ path, size }) => ({ path, size }));
      const course: PackageContext = { archive, files, file: format.file, fileName, report, warnings };
      inspection.manifest = await readers[format.kind](course);
    });
    report.launch = listParts(inspection.manifest?.items ?? []).map((part) => part.href as string);
    report.ok = true;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    report.error = error.finding;
  }
  report.warnings = [...new Map(warnings.map((warning) => [warning.sentence, warning])).values()].slice(0, 100);
  return inspection;
}

type PackageContext = {
  archive: Archive;
  files: ArchiveFile[];
  /** The manifest, or the start page. */
  file: string;
  fileName: string;
  report: PackageReport;
  warnings: Finding[];
};

async function readScorm({ archive, files, file, fileName, report, warnings }: PackageContext): Promise<Manifest> {
  const source = files.find(({ path }) => path === file) as ArchiveFile;
  const open = parseManifest(await readManifestFile(archive, source), file);
  report.kind = open.edition === "1.2" ? "scorm12" : "scorm2004";
  report.title = open.title ?? titleOf(fileName);
  let contents: TableOfContents;
  try {
    contents = readTableOfContents(open, new FileIndex(files.map(({ path }) => path)));
  } finally {
    warnings.push(...open.warnings);
  }
  const { items } = contents;
  const tree = contents.sequencing;
  const sequencing = tree && (await canBeFollowed(tree)) ? tree : null;
  if (tree && !sequencing) warnings.push(toFinding("sequencing"));
  const parts = listParts(items);
  const flash = findFlash(parts);
  if (flash.length === parts.length) throw new PackageError("onlyFlash", { file: parts[0]?.file ?? "" });
  const emptyFiles = new Set(files.filter(({ size }) => size === 0).map(({ path }) => path));
  const emptyPart = parts.find((part) => emptyFiles.has(part.file as string));
  if (emptyPart) throw new PackageError("launchFileEmpty", { item: emptyPart.title, file: emptyPart.file ?? "" });
  for (const part of flash) warnings.push(toFinding("launchFlash", { item: part.title, file: part.file ?? "" }));
  const preflight = await searchPages(archive, files, new Set(parts.map((part) => part.file as string)));
  warnings.push(...preflight.warnings);
  const isExpected = parts.some((part) => part.type !== "asset");
  if (preflight.reports === false && isExpected) warnings.push(toFinding("neverReports"));
  // The default is asset (CAM, <resource>), but in a package that makes SCORM calls an untyped page is most likely a
  // SCO
  for (const part of parts) part.type ??= preflight.reports !== false && isPage(part.file as string) ? "sco" : "asset";
  const { edition, identifier } = open;
  return { kind: report.kind, edition, identifier, title: report.title, items, ...(sequencing && { sequencing }) };
}

async function readHtml({ archive, files, file, fileName, report, warnings }: PackageContext): Promise<Manifest> {
  const start = files.find(({ path }) => path === file) as ArchiveFile;
  const page = (await archive.readStart(start, 64 * 1024)).toString("utf8");
  report.kind = "html";
  if (start.size === 0) throw new PackageError("startPageEmpty", { file });
  report.title = toTitle(decodeEntities(/<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? "")) ?? titleOf(fileName);
  const preflight = await searchPages(archive, files, new Set([file]));
  warnings.push(...preflight.warnings);
  if (preflight.isMadeForScorm) warnings.push(toFinding("callsWithoutManifest"));
  return { kind: "html", edition: null, identifier: "", title: report.title, items: [webPageItem(report.title, file)] };
}

/** A package whose parts report by statements. */
const readActivities =
  (kind: "cmi5" | "xapi") =>
  async ({ archive, files, file, fileName, report, warnings }: PackageContext): Promise<Manifest> => {
    report.kind = kind;
    const bytes = await readManifestFile(archive, files.find(({ path }) => path === file) as ArchiveFile);
    const index = new FileIndex(files.map(({ path }) => path));
    const { id, title, items } = (kind === "cmi5" ? readCourseStructure : readTinCan)(bytes, file, index);
    report.title = title ?? titleOf(fileName);
    const parts = listParts(items);
    const emptyFiles = new Set(files.filter(({ size }) => size === 0).map(({ path }) => path));
    const emptyPart = parts.find((part) => emptyFiles.has(part.file as string));
    if (emptyPart) throw new PackageError("launchFileEmpty", { item: emptyPart.title, file: emptyPart.file ?? "" });
    const preflight = await searchPages(archive, files, new Set(parts.map((part) => part.file as string)));
    warnings.push(...preflight.warnings);
    return { kind, edition: null, identifier: id, title: report.title, items };
  };

const readers: Record<Format["kind"], (course: PackageContext) => Promise<Manifest>> = {
  scorm: readScorm,
  html: readHtml,
  cmi5: readActivities("cmi5"),
  xapi: readActivities("xapi"),
};

async function readManifestFile(archive: Archive, file: ArchiveFile): Promise<Buffer> {
  const limit = packageLimits.manifestBytes;
  if (file.size > limit) {
    const params = { file: file.path, megabytes: megabytes(file.size), limit: megabytes(limit) };
    throw new PackageError("manifestTooLarge", params);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const titleOf = (fileName: string) => toTitle(fileName.replace(/\.(zip|pif)$/i, "")) ?? fileName;

const namedEntities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
};
const decodeEntities = (html: string) =>
  html.replace(/&(\w+|#39);/g, (whole, name: string) => namedEntities[name] ?? whole);
