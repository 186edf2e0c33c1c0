import { isUtf8 } from "node:buffer";
import { getFileNameLowLevel, type Entry } from "yauzl";
import { packageLimits } from "#shared/packages/packages.ts";
import { PackageError } from "#server/packages/findings.ts";

/**
 * Decodes the name of an entry. Many tools set the UTF-8 flag wrongly (macOS writes UTF-8 without it), so valid UTF-8
 * is decoded as such and everything else as code page 437, the default of the ZIP format.
 */
export function readName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const flags = isUtf8(raw) ? entry.generalPurposeBitFlag | 0x800 : entry.generalPurposeBitFlag & ~0x800;
  return getFileNameLowLevel(flags, raw, entry.extraFields, true);
}

/**
 * Converts the name of an entry into a safe path below the course folder: `/` as separator, no `.` or empty segments,
 * composed Unicode (NFC, so that a name from macOS matches the manifest). Throws `PackageError` for anything that could
 * point elsewhere.
 *
 * Backslashes become slashes before any check, so `..\` and `\x` are rejected like `../` and `/x`. yauzl's
 * strictFileNames would reject all backslashes, but archives made with old .NET versions contain them throughout.
 */
export function toSafePath(name: string): string {
  if (/\p{Cc}/u.test(name)) throw new PackageError("badName", { file: name });
  const path = name.replaceAll("\\", "/").normalize("NFC");
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) throw new PackageError("absolutePath", { file: name });
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw new PackageError("pathTraversal", { file: name });
  if (segments.length === 0 && !path.endsWith("/")) throw new PackageError("noName");
  const clean = segments.join("/");
  const bytes = Buffer.byteLength(clean);
  const { pathBytes, pathFolders } = packageLimits;
  if (bytes > pathBytes) throw new PackageError("longPath", { file: name, count: bytes, limit: pathBytes });
  if (segments.length - 1 > pathFolders) {
    throw new PackageError("deepPath", { file: name, count: segments.length - 1, limit: pathFolders });
  }
  return clean;
}

/** Metadata files of macOS and Windows that no course needs. */
export function isJunk(path: string): boolean {
  return /(^|\/)(__MACOSX(\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i.test(path);
}

/** Finds files of a package by path, ignoring case if there is no exact match. */
export class FileIndex {
  readonly paths: Set<string>;
  private readonly byLowerCase = new Map<string, string>();

  constructor(paths: string[]) {
    this.paths = new Set(paths);
    for (const path of paths)
      if (!this.byLowerCase.has(path.toLowerCase())) this.byLowerCase.set(path.toLowerCase(), path);
  }

  /** The path as spelled in the package, or null. */
  find(path: string): string | null {
    return this.paths.has(path) ? path : (this.byLowerCase.get(path.toLowerCase()) ?? null);
  }
}
