import { unzipSync } from "fflate";

/** Limits of a ZIP file: entries, inflated bytes, and their ratio to the packed bytes above a size. */
export type ArchiveLimits = { entries: number; bytes: number; ratio: number; smallBytes: number };

/** Why a ZIP file is not opened: its list of entries cannot be read, or says that it is too large when inflated. */
export class ArchiveFailure extends Error {
  code: "damaged" | "archiveBomb";
  constructor(code: "damaged" | "archiveBomb") {
    super(code);
    this.code = code;
  }
}

/** The names of the entries of a ZIP file within the limits. Nothing is inflated. Throws an `ArchiveFailure`. */
export function listEntries(bytes: Uint8Array, limits: ArchiveLimits): Set<string> {
  const names = new Set<string>();
  let total = 0;
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.add(name);
        total += originalSize;
        if (names.size > limits.entries || total > limits.bytes) throw new ArchiveFailure("archiveBomb");
        return false;
      },
    });
  } catch (error) {
    throw error instanceof ArchiveFailure ? error : new ArchiveFailure("damaged");
  }
  if (total > limits.smallBytes && total > bytes.length * limits.ratio) throw new ArchiveFailure("archiveBomb");
  return names;
}

/** Office files before 2007, and all with a password, are compound files (MS-CFB). */
export const isCompoundFile = (bytes: Uint8Array) =>
  bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;

/** Password-protected Office files are compound files with a stream of this name (MS-OFFCRYPTO 2.3). */
export const isEncryptedOffice = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from("EncryptedPackage", "utf16le"));
