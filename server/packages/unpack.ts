import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "#server/core/storageDisk.ts";
import type { Verdict } from "#shared/packages.ts";
import type { ArchiveFile } from "./entries.ts";
import { PackageError } from "./findings.ts";
import { inspectPackage, type Inspection } from "./inspect.ts";
import { nameOf, withArchive, type Archive } from "./zip.ts";

/** What was unpacked: number of files, their bytes, and the SHA-256 of the archive in hex. */
export type Unpacked = { files: number; bytes: number; sha256: string };

// Files written at the same time, so that waiting for the disk to have them overlaps
const WRITERS = 8;

/**
 * Unpacks an inspected package into `folder`, which must not exist; its parent must. The folder appears complete or not
 * at all: everything is written to `folder.part`, flushed to the disk and renamed; on failure that folder is removed.
 * Throws `PackageError` when the content is not what the archive says, other errors when the disk fails.
 */
export async function unpackPackage(zipPath: string, inspection: Inspection, folder: string): Promise<Unpacked> {
  if (!inspection.verdict.ok) throw new Error("Only a package with a good verdict can be unpacked");
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  try {
    await mkdir(part);
    const written = await withArchive(zipPath, nameOf(zipPath), (archive) =>
      writeFiles(archive, inspection.root, part),
    );
    const sha256 = await hashFile(zipPath);
    await rename(part, folder);
    await syncFolder(dirname(folder));
    return { ...written, sha256 };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** The whole importer without a result on disk: `inspectPackage`, then every byte of every file is read and checked. */
export async function checkPackage(zipPath: string, fileName?: string): Promise<Verdict> {
  const { verdict } = await inspectPackage(zipPath, fileName);
  if (!verdict.ok) return verdict;
  try {
    await withArchive(zipPath, fileName ?? nameOf(zipPath), async (archive) => {
      for (const file of archive.files) for await (const _ of archive.read(file));
    });
    return verdict;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    return { ...verdict, ok: false, error: error.finding };
  }
}

async function writeFiles(archive: Archive, root: string, part: string) {
  const folders = new Map<string, Promise<unknown>>();
  const queue = archive.files.values();
  let failed = false;
  let bytes = 0;
  const write = async (file: ArchiveFile) => {
    if (!file.path.startsWith(root)) throw new Error("The archive has changed since it was inspected");
    const target = join(part, file.path.slice(root.length));
    const parent = dirname(target);
    if (!folders.has(parent)) folders.set(parent, mkdir(parent, { recursive: true }));
    await folders.get(parent);
    // wx: a disk that folds case or letters would otherwise let one file overwrite another
    await pipeline(archive.read(file), createWriteStream(target, { flags: "wx", mode: 0o644, flush: true }));
    bytes += file.size;
  };
  const work = async () => {
    // The iterator is shared: every writer takes the next file
    for (const file of queue) {
      if (failed) return;
      await write(file).catch((error: unknown) => {
        failed = true;
        throw asPackageError(error, file);
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: WRITERS }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  await Promise.all([...folders.keys(), part].map(syncFolder));
  return { files: archive.files.length, bytes };
}

function asPackageError(error: unknown, file: ArchiveFile) {
  return (error as NodeJS.ErrnoException).code === "EEXIST"
    ? new PackageError("duplicate", { file: file.path })
    : error;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}
