import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

// The source files of the repository, for tests that read them

export const root = join(import.meta.dirname, "..");

/** The paths of all files below a folder, absolute. */
export const walk = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
const isCode = (path: string) => /\.(ts|tsx)$/.test(path) && !path.endsWith(".d.ts");
export const files = ["shared", "server", "web"]
  .flatMap((folder) => walk(join(root, folder)))
  .filter(isCode)
  .map((path) => relative(root, path));
/** Code without tests. Paths are relative to the root. */
export const product = files.filter((path) => !/\.(test|probes)\.tsx?$/.test(path));
export const sourceOf = (path: string) => readFileSync(join(root, path), "utf8");
export const rootOf = (path: string) => path.split("/")[0] ?? "";
