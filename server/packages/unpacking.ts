import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "#server/core/storage/storageDisk.ts";
import type { PackageReport } from "#shared/packages/packages.ts";
import type { ArchiveFile } from "#server/packages/archiveLimits.ts";
import { PackageError } from "#server/packages/findings.ts";
import { inspectPackage, type Inspection } from "#server/packages/inspection.ts";
import { fileNameOf, withArchive, type Archive } from "#server/packages/zip.ts";

/** Number of unpacked files, their total size in bytes, and the SHA-256 of the archive in hex. */
export type Unpacked = { files: number; bytes: number; sha256: string };

// Files are written concurrently because each one is flushed to disk
const CONCURRENT_WRITES = 8;

/**
 * Unpacks an inspected package into `folder`, which must not exist while its parent must. The folder appears complete
 * or not at all: everything is written to `folder.part`, flushed to disk and renamed; on failure that folder is
 * removed. Throws `PackageError` if the content does not match the archive's list, other errors for I/O errors.
 */
export async function unpackPackage(zipPath: string, inspection: Inspection, folder: string): Promise<Unpacked> {
  if (!inspection.report.ok) throw new Error("Only a package without errors can be unpacked");
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  try {
    await mkdir(part);
    const written = await withArchive(zipPath, fileNameOf(zipPath), (archive) =>
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

/** A dry run of the importer: `inspectPackage`, then every file is read and verified. */
export async function checkPackage(zipPath: string, fileName?: string): Promise<PackageReport> {
  const { report } = await inspectPackage(zipPath, fileName);
  if (!report.ok) return report;
  try {
    await withArchive(zipPath, fileName ?? fileNameOf(zipPath), async (archive) => {
      for (const file of archive.files) for await (const _ of archive.read(file));
    });
    return report;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    return { ...report, ok: false, error: error.finding };
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
    // wx: on a case-insensitive or normalising disk one file could otherwise overwrite another
    await pipeline(archive.read(file), createWriteStream(target, { flags: "wx", mode: 0o644, flush: true }));
    bytes += file.size;
  };
  const work = async () => {
    // The iterator is shared: each worker takes the next file
    for (const file of queue) {
      if (failed) return;
      await write(file).catch((error: unknown) => {
        failed = true;
        throw asPackageError(error, file);
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT_WRITES }, work));
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
