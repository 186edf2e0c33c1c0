import type { Finding } from "#shared/packages/packages.ts";
import { toFinding, listNames, PackageError } from "#server/packages/findings.ts";

/**
 * The format of a package. `root` is the folder to strip from all paths (with a trailing slash, or empty); `file` is
 * the path of the manifest or the start page without `root`.
 */
export type Format = { kind: "scorm" | "cmi5" | "xapi" | "html"; root: string; file: string; warnings: Finding[] };

/** Detects the format of a package by its file names. Throws `PackageError` if it is empty or unsupported. */
export function detectFormat(paths: string[]): Format {
  if (paths.length === 0) throw new PackageError("emptyArchive");
  const manifests = paths.filter((path) => fileNameOf(path) === "imsmanifest.xml");
  const depth = Math.min(...manifests.map(depthOf));
  const highest = manifests.filter((path) => depthOf(path) === depth);
  if (depth === 0) return toScorm(paths, highest);
  rejectOtherStandards(paths);
  const structure = findStructure(paths);
  if (structure) return structure;
  if (manifests.length === 0) return toHtml(paths);

  const folders = [...new Set(highest.map(folderOf))];
  if (folders.length > 1) {
    throw new PackageError("severalPackages", { count: folders.length, folders: listNames(folders) });
  }
  const alone = paths.every((path) => path.startsWith(folders[0] as string));
  if (depth === 1 || alone) return toScorm(paths, highest);
  // A web page that happens to contain a package in a subfolder
  if (paths.some((path) => /^index\.html?$/i.test(path))) return toHtml(paths);
  throw new PackageError("manifestTooDeep", { file: highest[0] as string });
}

function toScorm(paths: string[], candidates: string[]): Format {
  const manifest = candidates.find((path) => path.endsWith("imsmanifest.xml")) ?? (candidates[0] as string);
  const warnings: Finding[] = [];
  if (!manifest.endsWith("imsmanifest.xml")) warnings.push(toFinding("manifestName", { file: manifest }));
  const folder = folderOf(manifest);
  if (folder !== "") warnings.push(toFinding("nestedManifest", { folder }));
  // Files outside the folder may be referenced from inside (`../shared`), so the folder is kept
  const root = paths.every((path) => path.startsWith(folder)) ? folder : "";
  return { kind: "scorm", root, file: manifest.slice(root.length), warnings };
}

const pagePattern = /\.x?html?$/i;
// Start page names of authoring tools (Storyline, Captivate, Camtasia, iSpring, Presenter)
const startNames = ["index", "story", "index_lms", "start", "launch", "default", "main", "home", "presentation"];

function toHtml(paths: string[]): Format {
  const root = commonFolder(paths);
  const inside = paths.map((path) => path.slice(root.length));
  const pages = inside.filter((path) => pagePattern.test(path));
  if (pages.length === 0) rejectWithoutPage(paths);
  const top = pages.filter((path) => depthOf(path) === 0);
  const file = findStartPage(top) ?? (pages.length === 1 ? pages[0] : undefined);
  if (!file) {
    const choice = top.length > 0 ? top : pages;
    throw new PackageError("severalPages", { count: choice.length, files: listNames(choice) });
  }
  const warnings: Finding[] = [];
  if (root !== "") warnings.push(toFinding("strippedFolder", { folder: root }));
  if (!/^index\.x?html?$/i.test(file)) warnings.push(toFinding("pageChosen", { file }));
  return { kind: "html", root, file, warnings };
}

function findStartPage(pages: string[]): string | undefined {
  for (const name of startNames) {
    const startPage = pages.find((page) => page.replace(pagePattern, "").toLowerCase() === name);
    if (startPage) return startPage;
  }
  return pages.length === 1 ? pages[0] : undefined;
}

function rejectWithoutPage(paths: string[]): never {
  const archives = paths.filter((path) => /\.(zip|7z|rar)$/i.test(path));
  if (archives.length === 1) throw new PackageError("zipInZip", { file: archives[0] as string });
  if (archives.length > 1) throw new PackageError("zipsInZip", { count: archives.length, files: listNames(archives) });
  throw new PackageError("noManifest");
}

/** Rejects packages of other standards, identified by a file at the top or in the only folder. */
function rejectOtherStandards(paths: string[]) {
  const root = commonFolder(paths);
  const top = paths.map((path) => path.slice(root.length)).filter((path) => depthOf(path) === 0);
  const find = (pattern: RegExp) => top.find((path) => pattern.test(path));
  const h5p = find(/^h5p\.json$/i);
  if (h5p) throw new PackageError("h5p", { file: h5p });
  // A single .au file may be a sound, and .des is used for many things
  const aicc = find(/\.crs$/i) ?? find(/\.cst$/i) ?? (find(/\.au$/i) && find(/\.des$/i));
  if (aicc) throw new PackageError("aicc", { file: aicc });
}

/** A package of cmi5 or xAPI, by the file at the top or in the only folder; cmi5 first, because it says more. */
function findStructure(paths: string[]): Format | null {
  const root = commonFolder(paths);
  const top = paths.map((path) => path.slice(root.length)).filter((path) => depthOf(path) === 0);
  const warnings = root === "" ? [] : [toFinding("strippedFolder", { folder: root })];
  for (const [kind, name] of [
    ["cmi5", "cmi5.xml"],
    ["xapi", "tincan.xml"],
  ] as const) {
    const file = top.find((path) => path === name) ?? top.find((path) => path.toLowerCase() === name);
    if (file) return { kind, root, file, warnings };
  }
  return null;
}

/** The common parent folder of all files, with a trailing slash, or empty. */
function commonFolder(paths: string[]): string {
  let common = folderOf(paths[0] ?? "");
  for (const path of paths) while (!path.startsWith(common)) common = folderOf(common.slice(0, -1));
  return common;
}

const fileNameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
const depthOf = (path: string) => path.split("/").length - 1;
