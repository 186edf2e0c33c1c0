import { isUtf8 } from "node:buffer";
import { getFileNameLowLevel, type Entry } from "yauzl";
import { packageLimits } from "#shared/packages.ts";
import { PackageError } from "./findings.ts";

/**
 * The name of an entry as its author saw it. The UTF-8 flag is set wrongly by many tools (macOS writes UTF-8 without
 * it), so valid UTF-8 is taken as such and everything else as code page 437, the archive format's own.
 */
export function readName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const flags = isUtf8(raw) ? entry.generalPurposeBitFlag | 0x800 : entry.generalPurposeBitFlag & ~0x800;
  return getFileNameLowLevel(flags, raw, entry.extraFields, true);
}

/**
 * Turns the name of an entry into a safe path below the course folder: `/` between folders, no `.` or empty segments,
 * composed Unicode (NFC, so that a name typed on a Mac meets the one in the manifest). Throws `PackageError` for
 * anything that could lead elsewhere.
 *
 * Backslashes become slashes before any check. yauzl's strictFileNames would refuse them, but packages zipped with old
 * .NET have them throughout, and their author cannot see why; `..\` and `\x` are caught below like `../` and `/x`.
 */
export function cleanPath(name: string): string {
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

/** Files that macOS and Windows leave behind; no course needs them. */
export function isJunk(path: string): boolean {
  return /(^|\/)(__MACOSX(\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i.test(path);
}

/** All files of a package by path, found without regard to upper and lower case when need be. */
export class FileIndex {
  readonly paths: Set<string>;
  private readonly folded = new Map<string, string>();

  constructor(paths: string[]) {
    this.paths = new Set(paths);
    for (const path of paths) if (!this.folded.has(path.toLowerCase())) this.folded.set(path.toLowerCase(), path);
  }

  /** The path as it is in the package, or null. */
  find(path: string): string | null {
    return this.paths.has(path) ? path : (this.folded.get(path.toLowerCase()) ?? null);
  }
}
