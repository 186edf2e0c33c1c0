import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Db } from "#server/core/database/db.ts";
import { listPackagesOf } from "#server/courses/packageFolders.ts";

const CACHED_VERSIONS = 2000;

/**
 * Finds the package of a version that a path belongs to, and the path in it. Among lessons the path begins with the id
 * of the package; otherwise the version has one. The packages of a version never change.
 */
export function createPackageFinder(db: Db) {
  const cache = new LRUCache<string, { own: boolean; ids: Set<string> }>({ max: CACHED_VERSIONS });
  return async (versionId: string, path: string): Promise<{ packageId: string; path: string } | null> => {
    let packages = cache.get(versionId);
    if (!packages) {
      const listed = await listPackagesOf(db, versionId);
      packages = { own: listed.some(({ entry }) => entry === ""), ids: new Set(listed.map(({ id }) => id)) };
      cache.set(versionId, packages);
    }
    if (packages.own) return { packageId: versionId, path };
    const [packageId = "", ...rest] = path.split("/");
    return packages.ids.has(packageId) ? { packageId, path: rest.join("/") } : null;
  };
}

/**
 * Finds the file of a package that a URL path refers to, relative to `folder`: as written, otherwise ignoring case,
 * because many packages are authored on Windows. A folder resolves to its index page. Null if there is no such file or
 * the path leaves the folder.
 */
export async function findPackageFile(folder: string, path: string): Promise<string | null> {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.some((segment) => segment === ".." || /[\0\\]/.test(segment))) return null;
  const exactPath = segments.join("/");
  const exact = await stat(join(folder, exactPath)).catch(() => null);
  if (exact?.isFile()) return exactPath;
  let actualPath = "";
  for (const segment of segments) {
    const names: string[] = await readdir(join(folder, actualPath)).catch(() => []);
    const name = names.includes(segment)
      ? segment
      : names.find((other) => other.toLowerCase() === segment.toLowerCase());
    if (!name) return null;
    actualPath = actualPath ? `${actualPath}/${name}` : name;
  }
  const target = await stat(join(folder, actualPath)).catch(() => null);
  if (target?.isFile()) return actualPath;
  if (!target?.isDirectory()) return null;
  const index = (await readdir(join(folder, actualPath))).find((name) => /^index\.html?$/i.test(name));
  return index ? join(actualPath, index) : null;
}
