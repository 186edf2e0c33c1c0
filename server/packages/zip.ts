import { open, stat, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { MAX_PACKAGE_BYTES } from "#shared/courses/courses.ts";
import { packageLimits as limits, type Finding } from "#shared/packages/packages.ts";
import { readContent, readStart } from "#server/packages/content.ts";
import { checkEntry, checkEntries, type ArchiveFile } from "#server/packages/archiveLimits.ts";
import { megabytes, PackageError } from "#server/packages/findings.ts";
import { toSafePath, isJunk, readName } from "#server/packages/paths.ts";
import { WindowReader } from "#server/packages/windowReader.ts";

export type Archive = {
  /** All files except junk, in the order of the archive. Paths are unique, and no path is a parent of another. */
  files: ArchiveFile[];
  warnings: Finding[];
  /** Streams the content; throws `PackageError` for a wrong size, damaged data or a wrong checksum. */
  read(file: ArchiveFile): AsyncGenerator<Buffer>;
  /** Reads at most the first `bytes` of the content, without verification. */
  readStart(file: ArchiveFile, bytes: number): Promise<Buffer>;
};

/**
 * Opens a ZIP archive, checks every entry of its list, passes it to `use` and closes it afterwards. Only the list is
 * kept in memory. `name` is the file name for messages. Throws `PackageError` if the archive is not safe.
 */
export async function withArchive<T>(zipPath: string, name: string, use: (archive: Archive) => Promise<T>): Promise<T> {
  const handle = await openFile(zipPath, name);
  try {
    const { size } = await handle.stat();
    await checkSignature(handle, size, name);
    const reader = new WindowReader(handle);
    const zip = await openZip(handle, reader, size, name);
    const { files, warnings } = await listFiles(zip, handle, name);
    const source = { zip, reader };
    return await use({
      files,
      warnings,
      read: (file) => readContent(source, file),
      readStart: (file, bytes) => readStart(source, file, bytes),
    });
  } finally {
    await handle.close();
  }
}

async function openFile(zipPath: string, name: string): Promise<FileHandle> {
  try {
    // Checked first because opening a pipe would block
    if (!(await stat(zipPath)).isFile()) throw new PackageError("notAFile", { file: name });
    return await open(zipPath, "r");
  } catch (error) {
    if (error instanceof PackageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new PackageError("noSuchFile", { file: name });
    throw new PackageError("notReadable", { file: name, reason: String(code) });
  }
}

// Formats that are uploaded by mistake, by their first bytes
const signatures: [string, string][] = [
  ["7z\xbc\xaf\x27\x1c", "7-Zip"],
  ["Rar!", "RAR"],
  ["\x1f\x8b", "gzip"],
  ["%pdf-", "PDF"],
  ["<?xml", "XML"],
  ["<!doctype html", "HTML"],
  ["<html", "HTML"],
];

async function checkSignature(handle: FileHandle, size: number, name: string) {
  if (size === 0) throw new PackageError("emptyFile", { file: name });
  if (size > MAX_PACKAGE_BYTES) {
    throw new PackageError("tooLarge", { megabytes: megabytes(size), limit: megabytes(MAX_PACKAGE_BYTES) });
  }
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
  const start = buffer
    .toString("latin1", 0, bytesRead)
    .replace(/^(\xef\xbb\xbf)?\s*/, "")
    .toLowerCase();
  const format = signatures.find(([signature]) => start.startsWith(signature.toLowerCase()))?.[1];
  if (format) throw new PackageError("otherFormat", { file: name, format });
}

async function openZip(handle: FileHandle, reader: WindowReader, size: number, name: string): Promise<ZipFile> {
  try {
    // Checked in paths.ts, archiveLimits.ts and content.ts instead, whose messages name the file and the problem.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
    return await fromRandomAccessReaderPromise(reader, size, options);
  } catch (error) {
    const { message } = error as Error;
    if (/multi-disk/.test(message)) throw new PackageError("splitArchive", { file: name });
    if (/comment length/.test(message)) throw new PackageError("extraBytes", { file: name });
    if (!/signature not found/.test(message)) throw new PackageError("damagedList", { file: name });
    const start = (await handle.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString("latin1");
    if (start === "PK\x07\x08" || start === "PK00") throw new PackageError("splitArchive", { file: name });
    if (start === "PK\x03\x04") throw new PackageError("truncated", { file: name });
    throw new PackageError("notAZip", { file: name });
  }
}

async function listFiles(zip: ZipFile, handle: FileHandle, name: string) {
  // The declared count is sufficient: reading 60,000 entries first would take too long
  if (zip.entryCount > limits.entries) {
    throw new PackageError("tooManyFiles", { count: zip.entryCount, limit: limits.entries });
  }
  const cursor = () => (zip as unknown as { readEntryCursor: number }).readEntryCursor;
  const listStart = cursor();
  const files: ArchiveFile[] = [];
  const folders: string[] = [];
  let last = name;
  try {
    for await (const entry of zip.eachEntry()) {
      last = readName(entry);
      const path = toSafePath(last);
      if (checkEntry(entry, last) === "folder") folders.push(path);
      else files.push({ path, size: entry.uncompressedSize, entry });
    }
  } catch (error) {
    if (error instanceof PackageError) throw error;
    if (/strong encryption/.test((error as Error).message)) throw new PackageError("encrypted", { file: last });
    throw new PackageError("damagedList", { file: name });
  }
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, cursor());
  if (bytesRead === 4 && buffer.readUInt32LE(0) === 0x02014b50) {
    throw new PackageError("hiddenFiles", { count: zip.entryCount });
  }
  const kept = files.filter((file) => !isJunk(file.path));
  const lists = { all: files, kept, folders: folders.filter((path) => !isJunk(path)) };
  const warnings = checkEntries(lists, listStart);
  return { files: kept, warnings };
}

/** The file name of a path. */
export const fileNameOf = (zipPath: string) => basename(zipPath) || zipPath;
