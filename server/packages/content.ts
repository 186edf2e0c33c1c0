import { crc32, inflateRawSync } from "node:zlib";
import type { ZipFile } from "yauzl";
import type { ArchiveFile } from "#server/packages/archiveLimits.ts";
import { PackageError } from "#server/packages/findings.ts";
import type { WindowReader } from "#server/packages/windowReader.ts";

export type Source = { zip: ZipFile; reader: WindowReader };

// Files up to these sizes, in bytes, are inflated in memory, which takes well under 1 ms. Setting up a stream takes
// 0.4 ms: for 20,000 files, 8 s instead of 0.5 s.
const SMALL_FILE = { compressed: 64 * 1024, size: 256 * 1024 };

/**
 * Streams the content of a file and verifies it. Throws `PackageError` if its size differs from the stated one (never
 * yielding more than that), its data is damaged or its checksum is wrong. Other errors are I/O errors.
 */
export async function* readContent(source: Source, file: ArchiveFile): AsyncGenerator<Buffer> {
  let size = 0;
  let checksum = 0;
  for await (const chunk of inflate(source, file)) {
    size += chunk.length;
    if (size > file.size) break;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (size !== file.size) throw new PackageError("sizeMismatch", { file: file.path, bytes: file.size });
  if (checksum !== file.entry.crc32) throw new PackageError("wrongChecksum", { file: file.path });
}

/** Reads at most the first `bytes` of a file, without verification. */
export async function readStart(source: Source, file: ArchiveFile, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of inflate(source, file)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

async function* inflate(source: Source, file: ArchiveFile): AsyncGenerator<Buffer> {
  const isSmall = file.entry.compressedSize <= SMALL_FILE.compressed && file.size <= SMALL_FILE.size;
  try {
    if (isSmall) yield await inflateSmall(source, file);
    else yield* (await source.zip.openReadStreamPromise(file.entry)) as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof PackageError || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new PackageError("damagedFile", { file: file.path });
  }
}

async function inflateSmall({ zip, reader }: Source, file: ArchiveFile): Promise<Buffer> {
  const { compressedSize, compressionMethod } = file.entry;
  // Also checks that the data is within the archive
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(file.entry, { minimal: true });
  const data = await reader.readBytes(fileDataStart, compressedSize);
  if (compressionMethod === 0) return data;
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(file.size, 1), chunkSize: Math.max(file.size, 64) });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLong ? new PackageError("sizeMismatch", { file: file.path, bytes: file.size }) : error;
  }
}
