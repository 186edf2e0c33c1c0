import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

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
