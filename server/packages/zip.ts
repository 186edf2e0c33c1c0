import { open, stat, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { PACKAGE_BYTES } from "#shared/courses.ts";
import { packageLimits as limits, type Finding } from "#shared/packages.ts";
import { readContent, readStart } from "./content.ts";
import { checkEntry, checkTogether, type ArchiveFile } from "./entries.ts";
import { megabytes, PackageError } from "./findings.ts";
import { cleanPath, isJunk, readName } from "./paths.ts";
import { WindowReader } from "./reader.ts";

export type Archive = {
  /** All files but junk, in the order of the archive. No two have the same path, none lies below another. */
  files: ArchiveFile[];
  warnings: Finding[];
  /** The content, checked while it is read: throws `PackageError` for a wrong size, damaged data, a wrong checksum. */
  read(file: ArchiveFile): AsyncGenerator<Buffer>;
  /** At most the first `bytes` of the content, without the checks. */
  readStart(file: ArchiveFile, bytes: number): Promise<Buffer>;
};

/**
 * Opens a ZIP archive on disk, checks every entry of its list and hands it to `use`; closes it afterwards. Only the
 * list is held in memory. `name` is what people call the file. Throws `PackageError` when the archive is not safe.
 */
export async function withArchive<T>(zipPath: string, name: string, use: (archive: Archive) => Promise<T>): Promise<T> {
  const handle = await openFile(zipPath, name);
  try {
    const { size } = await handle.stat();
    await checkBeginning(handle, size, name);
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
    // Before opening: to open a pipe would wait for ever
    if (!(await stat(zipPath)).isFile()) throw new PackageError("notAFile", { file: name });
    return await open(zipPath, "r");
  } catch (error) {
    if (error instanceof PackageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new PackageError("noSuchFile", { file: name });
    throw new PackageError("notReadable", { file: name, reason: String(code) });
  }
}

// What people upload by mistake, by its first bytes
const signatures: [string, string][] = [
  ["7z\xbc\xaf\x27\x1c", "7-Zip"],
  ["Rar!", "RAR"],
  ["\x1f\x8b", "gzip"],
  ["%pdf-", "PDF"],
  ["<?xml", "XML"],
  ["<!doctype html", "HTML"],
  ["<html", "HTML"],
];

async function checkBeginning(handle: FileHandle, size: number, name: string) {
  if (size === 0) throw new PackageError("emptyFile", { file: name });
  if (size > PACKAGE_BYTES) {
    throw new PackageError("tooLarge", { megabytes: megabytes(size), limit: megabytes(PACKAGE_BYTES) });
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
    // decodeStrings: names are decoded and checked in paths.ts, which can name the file and the fault.
    // validateEntrySizes: done in entries.ts and content.ts for the same reason.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
    return await fromRandomAccessReaderPromise(reader, size, options);
  } catch (error) {
    const { message } = error as Error;
    if (/multi-disk/.test(message)) throw new PackageError("splitArchive", { file: name });
    if (/comment length/.test(message)) throw new PackageError("extraBytes", { file: name });
    if (!/signature not found/.test(message)) throw new PackageError("damagedList", { file: name });
    const start = (await handle.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString("latin1");
    if (start === "PK\x07\x08" || start === "PK00") throw new PackageError("splitArchive", { file: name });
    if (start === "PK\x03\x04") throw new PackageError("cutOff", { file: name });
    throw new PackageError("notAZip", { file: name });
  }
}

async function listFiles(zip: ZipFile, handle: FileHandle, name: string) {
  // The declared count is enough to refuse: walking 60,000 entries first would take a while
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
      const path = cleanPath(last);
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
  const warnings = checkTogether(lists, listStart);
  return { files: kept, warnings };
}

/** What people call a file of which only the path is known. */
export const nameOf = (zipPath: string) => basename(zipPath) || zipPath;
