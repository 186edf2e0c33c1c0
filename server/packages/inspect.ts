import { listParts, packageLimits } from "#shared/packages.ts";
import type { Finding, Manifest, ManifestItem, Verdict } from "#shared/packages.ts";
import type { ArchiveFile } from "./entries.ts";
import { describe, megabytes, PackageError } from "./findings.ts";
import { recognise } from "./formats.ts";
import { plainPart } from "./items.ts";
import { openManifest, readParts } from "./manifest.ts";
import { FileIndex } from "./paths.ts";
import { findFlash, isPage, searchPages } from "./preflight.ts";
import { toTitle } from "./xml.ts";
import { nameOf, withArchive, type Archive } from "./zip.ts";

/** A file as it will lie in the course folder; `size` in bytes. */
export type PackageFile = { path: string; size: number };

/** What an archive holds. `manifest` is null for a refused package; `root` is the folder left out of all paths. */
export type Inspection = { verdict: Verdict; manifest: Manifest | null; root: string; files: PackageFile[] };

/**
 * Reads a package without unpacking it: is it safe, what is it, what can be launched. Never throws for a bad package,
 * only when the disk fails. Wrong sizes and checksums inside show when it is unpacked (`checkPackage` looks for them).
 * `fileName` is what the uploader calls the file; it stands in for a missing title.
 */
export async function inspectPackage(zipPath: string, fileName = nameOf(zipPath)): Promise<Inspection> {
  const verdict: Verdict = { ok: false, kind: null, title: null, launch: [], warnings: [], error: null };
  const inspection: Inspection = { verdict, manifest: null, root: "", files: [] };
  const warnings: Finding[] = [];
  try {
    await withArchive(zipPath, fileName, async (archive) => {
      warnings.push(...archive.warnings);
      const format = recognise(archive.files.map((file) => file.path));
      warnings.push(...format.warnings);
      inspection.root = format.root;
      const files = archive.files.map((file) => ({ ...file, path: file.path.slice(format.root.length) }));
      inspection.files = files.map(({ path, size }) => ({ path, size }));
      const course: Course = { archive, files, file: format.file, fileName, verdict, warnings };
      inspection.manifest = format.kind === "scorm" ? await readScorm(course) : await readHtml(course);
    });
    verdict.launch = listParts(inspection.manifest?.items ?? []).map((part) => part.href as string);
    verdict.ok = true;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    verdict.error = error.finding;
  }
  verdict.warnings = [...new Map(warnings.map((warning) => [warning.sentence, warning])).values()].slice(0, 100);
  return inspection;
}

type Course = {
  archive: Archive;
  files: ArchiveFile[];
  /** The manifest, or the start page. */
  file: string;
  fileName: string;
  verdict: Verdict;
  warnings: Finding[];
};

async function readScorm({ archive, files, file, fileName, verdict, warnings }: Course): Promise<Manifest> {
  const source = files.find(({ path }) => path === file) as ArchiveFile;
  const open = openManifest(await readWhole(archive, source), file);
  verdict.kind = open.edition === "1.2" ? "scorm12" : "scorm2004";
  verdict.title = open.title ?? titleOf(fileName);
  let items: ManifestItem[];
  try {
    items = readParts(open, new FileIndex(files.map(({ path }) => path)));
  } finally {
    warnings.push(...open.warnings);
  }
  const parts = listParts(items);
  const flash = findFlash(parts);
  if (flash.length === parts.length) throw new PackageError("onlyFlash", { file: parts[0]?.file ?? "" });
  for (const part of flash) warnings.push(describe("launchFlash", { item: part.title, file: part.file ?? "" }));
  const preflight = await searchPages(archive, files, new Set(parts.map((part) => part.file as string)));
  warnings.push(...preflight.warnings);
  const isExpected = parts.some((part) => part.type !== "asset");
  if (preflight.reports === false && isExpected) warnings.push(describe("neverReports"));
  // The default is asset (CAM, <resource>), but a page of a package that makes SCORM calls was meant as a SCO
  for (const part of parts) part.type ??= preflight.reports !== false && isPage(part.file as string) ? "sco" : "asset";
  const { edition, identifier } = open;
  return { kind: verdict.kind, edition, identifier, title: verdict.title, items };
}

async function readHtml({ archive, files, file, fileName, verdict, warnings }: Course): Promise<Manifest> {
  const start = files.find(({ path }) => path === file) as ArchiveFile;
  const page = (await archive.readStart(start, 64 * 1024)).toString("utf8");
  verdict.kind = "html";
  verdict.title = toTitle(decodeBasics(/<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? "")) ?? titleOf(fileName);
  const preflight = await searchPages(archive, files, new Set([file]));
  warnings.push(...preflight.warnings);
  if (preflight.isMadeForScorm) warnings.push(describe("callsWithoutManifest"));
  return { kind: "html", edition: null, identifier: "", title: verdict.title, items: [plainPart(verdict.title, file)] };
}

async function readWhole(archive: Archive, file: ArchiveFile): Promise<Buffer> {
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

const basics: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", "#39": "'" };
const decodeBasics = (html: string) => html.replace(/&(\w+|#39);/g, (whole, name: string) => basics[name] ?? whole);
