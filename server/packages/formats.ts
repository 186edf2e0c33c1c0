import type { Finding } from "#shared/packages.ts";
import { describe, nameSome, PackageError } from "./findings.ts";

/**
 * What kind of package a list of paths is. `root` is the folder to leave out (with a slash at the end, or empty);
 * `file` is the manifest or the start page, its path without `root`.
 */
export type Format = { kind: "scorm" | "html"; root: string; file: string; warnings: Finding[] };

/** Recognises a package by the names of its files. Throws `PackageError` for other formats and for nothing at all. */
export function recognise(paths: string[]): Format {
  if (paths.length === 0) throw new PackageError("emptyArchive");
  const manifests = paths.filter((path) => baseOf(path) === "imsmanifest.xml");
  const depth = Math.min(...manifests.map(depthOf));
  const highest = manifests.filter((path) => depthOf(path) === depth);
  if (depth === 0) return asScorm(paths, highest);
  refuseForeign(paths);
  if (manifests.length === 0) return asHtml(paths);

  const folders = [...new Set(highest.map(folderOf))];
  if (folders.length > 1) {
    throw new PackageError("severalPackages", { count: folders.length, folders: nameSome(folders) });
  }
  const alone = paths.every((path) => path.startsWith(folders[0] as string));
  if (depth === 1 || alone) return asScorm(paths, highest);
  // A web site that happens to hold a package somewhere inside
  if (paths.some((path) => /^index\.html?$/i.test(path))) return asHtml(paths);
  throw new PackageError("manifestTooDeep", { file: highest[0] as string });
}

function asScorm(paths: string[], candidates: string[]): Format {
  const manifest = candidates.find((path) => path.endsWith("imsmanifest.xml")) ?? (candidates[0] as string);
  const warnings: Finding[] = [];
  if (!manifest.endsWith("imsmanifest.xml")) warnings.push(describe("manifestName", { file: manifest }));
  const folder = folderOf(manifest);
  if (folder !== "") warnings.push(describe("nestedManifest", { folder }));
  // Files beside the folder may be used from inside (`../shared`); then everything stays where it is
  const root = paths.every((path) => path.startsWith(folder)) ? folder : "";
  return { kind: "scorm", root, file: manifest.slice(root.length), warnings };
}

const pagePattern = /\.x?html?$/i;
// What authoring tools call the page that starts a course (Storyline, Captivate, Camtasia, iSpring, Presenter)
const startNames = ["index", "story", "index_lms", "start", "launch", "default", "main", "home", "presentation"];

function asHtml(paths: string[]): Format {
  const root = commonFolder(paths);
  const inside = paths.map((path) => path.slice(root.length));
  const pages = inside.filter((path) => pagePattern.test(path));
  if (pages.length === 0) refuseWithoutPage(paths);
  const top = pages.filter((path) => depthOf(path) === 0);
  const file = chooseStart(top) ?? (pages.length === 1 ? pages[0] : undefined);
  if (!file) {
    const choice = top.length > 0 ? top : pages;
    throw new PackageError("severalPages", { count: choice.length, files: nameSome(choice) });
  }
  const warnings: Finding[] = [];
  if (root !== "") warnings.push(describe("strippedFolder", { folder: root }));
  if (!/^index\.x?html?$/i.test(file)) warnings.push(describe("pageChosen", { file }));
  return { kind: "html", root, file, warnings };
}

function chooseStart(pages: string[]): string | undefined {
  for (const name of startNames) {
    const found = pages.find((page) => page.replace(pagePattern, "").toLowerCase() === name);
    if (found) return found;
  }
  return pages.length === 1 ? pages[0] : undefined;
}

function refuseWithoutPage(paths: string[]): never {
  const archives = paths.filter((path) => /\.(zip|7z|rar)$/i.test(path));
  if (archives.length === 1) throw new PackageError("zipInZip", { file: archives[0] as string });
  if (archives.length > 1) throw new PackageError("zipsInZip", { count: archives.length, files: nameSome(archives) });
  throw new PackageError("noManifest");
}

/** Formats of other standards, told by a file at the top or in the only folder. */
function refuseForeign(paths: string[]) {
  const root = commonFolder(paths);
  const top = paths.map((path) => path.slice(root.length)).filter((path) => depthOf(path) === 0);
  const find = (pattern: RegExp) => top.find((path) => pattern.test(path));
  const cmi5 = find(/^cmi5\.xml$/i);
  if (cmi5) throw new PackageError("cmi5", { file: cmi5 });
  const xapi = find(/^tincan\.xml$/i);
  if (xapi) throw new PackageError("xapi", { file: xapi });
  const h5p = find(/^h5p\.json$/i);
  if (h5p) throw new PackageError("h5p", { file: h5p });
  // .au alone may be a sound, .des alone anything
  const aicc = find(/\.crs$/i) ?? find(/\.cst$/i) ?? (find(/\.au$/i) && find(/\.des$/i));
  if (aicc) throw new PackageError("aicc", { file: aicc });
}

/** The folder, or folders, around all files; with a slash at the end, or empty. */
function commonFolder(paths: string[]): string {
  let common = folderOf(paths[0] ?? "");
  for (const path of paths) while (!path.startsWith(common)) common = folderOf(common.slice(0, -1));
  return common;
}

const baseOf = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
const depthOf = (path: string) => path.split("/").length - 1;
