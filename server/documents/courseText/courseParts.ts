import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, extname, join, normalize, relative, sep } from "node:path";

/** A part of a course with its pages as files: what its text is read from. */
export type CoursePart = { title: string; paths: string[] };

/** Larger pages hold data rather than text. */
const MAX_PAGE_BYTES = 2 * 1024 ** 2;
/** Pages of a part, and of a course. */
const MAX_PAGES = 50;
const MAX_COURSE_PAGES = 500;
const PAGE = /\.x?html?$/i;
/** Names of other pages of the package in quotes: links, frames, and lists of pages in scripts. */
const LINKED = /["']([^"'#?<>\n]{1,300}\.x?html?)(?=[#?"'])/gi;

type ListedPart = { title: string; href: string | null };

/**
 * The parts of an unpacked package that can be opened, in order, with the page that opens and those it names, directly
 * or through others. A page belongs to the first part that leads to it.
 */
export async function findCourseParts(folder: string, parts: ListedPart[]): Promise<CoursePart[]> {
  const root = await realpath(folder);
  const taken = new Set<string>();
  const starts = parts.flatMap(({ title, href }) => (href === null ? [] : [{ title, path: toPath(href) }]));
  const startPaths = new Set(starts.map(({ path }) => path));
  const found: CoursePart[] = [];
  for (const { title, path } of starts) {
    const paths: string[] = [];
    const open = [path];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      if (taken.has(next) || paths.length >= MAX_PAGES || taken.size >= MAX_COURSE_PAGES) continue;
      const page = await readPage(root, next);
      if (!page) continue;
      taken.add(next);
      paths.push(page.path);
      for (const [, link = ""] of page.html.matchAll(LINKED)) {
        if (open.length >= MAX_COURSE_PAGES) break;
        // Scripts may name pages from the folder of the package.
        for (const linked of new Set([toPath(link, dirname(next)), toPath(link)]))
          if (!startPaths.has(linked) && !taken.has(linked)) open.push(linked);
      }
    }
    found.push({ title, paths });
  }
  return found;
}

/** A path below the package folder, without query and fragment. */
function toPath(href: string, base = ".") {
  const [path = ""] = href.split(/[?#]/);
  try {
    return normalize(join(base, decodeURIComponent(path)));
  } catch {
    return normalize(join(base, path));
  }
}

/** A page of the package; null if it is none, too large, or outside of the package folder. */
async function readPage(root: string, path: string) {
  if (!PAGE.test(extname(path)) || path.startsWith("..")) return null;
  const file = await realpath(join(root, path)).catch(() => null);
  if (!file || relative(root, file).split(sep)[0] === "..") return null;
  const { size } = await stat(file);
  return size > MAX_PAGE_BYTES ? null : { path: file, html: await readFile(file, "utf8") };
}
