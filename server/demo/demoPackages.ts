/*
 * Packs the demo courses (demo/phishing, demo/conversations) into course packages.
 * Reproducible: sorted paths, a fixed time and compression level give the same bytes for the same files.
 *
 *   node_modules/node/bin/node server/demo/demoPackages.ts OUTDIR
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { zipSync, type Zippable } from "fflate";

export const demoNames = ["phishing", "conversations"] as const;
export type DemoName = (typeof demoNames)[number];

const demoRoot = join(import.meta.dirname, "../../demo");
// ZIP entries have a local time without a zone: a local date gives the same bytes in every time zone.
const mtime = new Date(2026, 0, 1, 12, 0, 0);

export async function packDemo(name: DemoName, outFile: string): Promise<void> {
  const root = join(demoRoot, name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  const manifest = await readFile(join(root, "imsmanifest.xml"), "utf8");
  compareWithManifest(name, manifest, paths);

  const files: Zippable = {};
  for (const path of paths) files[path] = await readFile(join(root, path));
  await mkdir(dirname(outFile), { recursive: true });
  await writeFile(outFile, zipSync(files, { mtime, level: 9 }));
}

// Some platforms copy only the files that the manifest lists, so all files must be listed.
function compareWithManifest(name: string, manifest: string, paths: string[]): void {
  const listed = [...manifest.matchAll(/<file href="([^"]+)"/g)].map((match) => match[1]!);
  const packed = paths.filter((path) => path !== "imsmanifest.xml");
  const problems = [
    ...packed.filter((path) => !listed.includes(path)).map((path) => `${path} is not listed`),
    ...listed.filter((path) => !packed.includes(path)).map((path) => `${path} is listed but does not exist`),
  ];
  if (problems.length > 0) throw new Error(`demo/${name}/imsmanifest.xml: ${problems.join(", ")}`);
}

if (import.meta.main) {
  const outDir = process.argv[2];
  if (!outDir) {
    console.error("Usage: node server/demo/demoPackages.ts OUTDIR");
    process.exit(2);
  }
  for (const name of demoNames) {
    const outFile = join(outDir, `${name}.zip`);
    await packDemo(name, outFile);
    console.log(outFile);
  }
}
