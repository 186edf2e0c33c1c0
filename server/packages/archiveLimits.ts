import type { Entry } from "yauzl";
import { packageLimits as limits, type Finding } from "#shared/packages/packages.ts";
import { toFinding, megabytes, listNames, PackageError } from "#server/packages/findings.ts";

/**
 * A file of an archive. `path` is safe to create below a folder; `size` is the size stated in the archive, in bytes.
 */
export type ArchiveFile = { path: string; size: number; entry: Entry };

// File type bits in the upper half of the external attributes, as in POSIX st_mode
const TYPE = 0o170000;
const SYMLINK = 0o120000;
const FOLDER = 0o040000;
const FILE = 0o100000;
// "Version made by" of Unix and macOS (APPNOTE.TXT 4.4.2)
const UNIX_HOSTS = [3, 19];

/** Checks a single entry and returns whether it is a file or a folder. `name` is used in error messages. */
export function checkEntry(entry: Entry, name: string): "file" | "folder" {
  const type = (entry.externalFileAttributes >>> 16) & TYPE;
  if (type === SYMLINK) throw new PackageError("symlink", { file: name });
  // On other systems these bits are arbitrary
  if (UNIX_HOSTS.includes(entry.versionMadeBy >>> 8) && ![0, FILE, FOLDER].includes(type)) {
    throw new PackageError("specialFile", { file: name });
  }
  if (/[\\/]$/.test(name)) return "folder";
  if (entry.uncompressedSize === 0 && (type === FOLDER || (entry.externalFileAttributes & 0x10) !== 0)) return "folder";

  if (entry.isEncrypted()) throw new PackageError("encrypted", { file: name });
  const { compressionMethod: method, compressedSize, uncompressedSize: size } = entry;
  if (method !== 0 && method !== 8) throw new PackageError("compression", { file: name, method: methodName(method) });
  if (method === 0 && compressedSize !== size) throw new PackageError("sizeMismatch", { file: name, bytes: size });
  if (isBomb(size, compressedSize, limits.fileBomb)) {
    const ratio = ratioOf(size, compressedSize);
    throw new PackageError("bombFile", { file: name, ratio, limit: limits.fileBomb.ratio });
  }
  return "file";
}

/** `all`: all files including junk; `kept`: the files to unpack; `folders`: the folder entries without junk. */
type EntryLists = { all: ArchiveFile[]; kept: ArchiveFile[]; folders: string[] };

/**
 * Checks all entries together: total size, overlapping data, conflicting names. `listStart` is the offset of the
 * central directory in bytes.
 */
export function checkEntries(lists: EntryLists, listStart: number): Finding[] {
  checkTotals(lists.all);
  checkOverlap(lists.all, listStart);
  return checkNames(lists.kept, lists.folders);
}

function checkTotals(files: ArchiveFile[]) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const compressed = files.reduce((sum, file) => sum + file.entry.compressedSize, 0);
  if (size > limits.totalBytes) {
    throw new PackageError("tooMuchData", { megabytes: megabytes(size), limit: megabytes(limits.totalBytes) });
  }
  if (isBomb(size, compressed, limits.totalBomb)) {
    throw new PackageError("bombArchive", { ratio: ratioOf(size, compressed), limit: limits.totalBomb.ratio });
  }
}

/** Overlapping entries can expand without limit (David Fifield, "A better zip bomb", 2019). */
function checkOverlap(files: ArchiveFile[], listStart: number) {
  const sorted = files.toSorted((a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader);
  for (const [i, file] of sorted.entries()) {
    const next = sorted[i + 1];
    // The fixed part of a local header is 30 bytes
    const end = file.entry.relativeOffsetOfLocalHeader + 30 + file.entry.compressedSize;
    if (end > listStart) throw new PackageError("damagedFile", { file: file.path });
    if (next && end > next.entry.relativeOffsetOfLocalHeader) {
      throw new PackageError("overlap", { file: file.path, other: next.path });
    }
  }
}

/**
 * Rejects duplicate files (paths are normalised, so composed and decomposed letters are the same) and files that are
 * also folders. Names that differ only in case give a warning: they work on case-sensitive disks and in browsers, and
 * on a case-insensitive disk unpacking fails.
 */
function checkNames(files: ArchiveFile[], folders: string[]): Finding[] {
  const paths = new Set<string>();
  const byLowerCase = new Map<string, string>();
  const similar: string[] = [];
  for (const { path } of files) {
    if (paths.has(path)) throw new PackageError("duplicate", { file: path });
    paths.add(path);
    const other = byLowerCase.get(path.toLowerCase());
    if (other) similar.push(`${other} / ${path}`);
    byLowerCase.set(path.toLowerCase(), path);
  }
  const parents = new Set(folders);
  for (const path of [...paths, ...folders]) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      parents.add(path.slice(0, end));
  }
  for (const path of paths) if (parents.has(path)) throw new PackageError("fileAndFolder", { file: path });
  return similar.length > 0 ? [toFinding("similarNames", { files: listNames(similar) })] : [];
}

const isBomb = (size: number, compressed: number, bomb: { bytes: number; ratio: number }) =>
  size > bomb.bytes && size > bomb.ratio * compressed;

const ratioOf = (size: number, compressed: number) => Math.round(size / Math.max(compressed, 1));

// APPNOTE.TXT 4.4.5
const compressionMethods: Record<number, string> = {
  1: "Shrink",
  6: "Implode",
  9: "Deflate64",
  12: "BZIP2",
  14: "LZMA",
  93: "Zstandard",
};
const methodName = (method: number) => compressionMethods[method] ?? String(method);
