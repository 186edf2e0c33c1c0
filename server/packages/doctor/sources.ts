import { open, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "#server/packages/doctor/limits.ts";

export type ListedFile = { path: string; size: number };

/** The files below a folder, without links. `isWhole` is false if the limits leave some out. */
export async function listFolder(folder: string): Promise<{ files: ListedFile[]; isWhole: boolean }> {
  const paths: string[] = [];
  const waiting = [{ path: "", depth: 0 }];
  let isWhole = true;
  for (const { path, depth } of waiting) {
    if (!isWhole) break;
    for await (const entry of await opendir(join(folder, path))) {
      const inner = path ? `${path}/${entry.name}` : entry.name;
      if (paths.length >= limits.files || waiting.length > limits.files) {
        isWhole = false;
        break;
      }
      if (entry.isDirectory()) {
        if (depth < limits.folders) waiting.push({ path: inner, depth: depth + 1 });
        else isWhole = false;
      } else if (entry.isFile()) paths.push(inner);
    }
  }
  const files: ListedFile[] = [];
  for (let at = 0; at < paths.length; at += STATS_AT_ONCE) {
    const batch = paths.slice(at, at + STATS_AT_ONCE);
    const sizes = await Promise.all(batch.map((path) => stat(join(folder, path))));
    batch.forEach((path, n) => files.push({ path, size: sizes[n]?.size ?? 0 }));
  }
  return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)), isWhole };
}
const STATS_AT_ONCE = 64;

export type TextKind = "page" | "script" | "style" | "settings";
export type TextFile = ListedFile & { kind: TextKind };

const kinds: [RegExp, TextKind][] = [
  [/\.(x?html?|aspx?|php|jsp)$/i, "page"],
  [/\.[cm]?js$/i, "script"],
  [/\.css$/i, "style"],
  [/(^|\/)(imsmanifest\.xml|cmi5\.xml|tincan\.xml|meta\.xml|config\.json)$/i, "settings"],
];
export const kindOfText = (path: string) => kinds.find(([pattern]) => pattern.test(path))?.[1];

/** Pages, scripts, styles and settings: start pages first, then settings and files named like a driver. */
export function orderTexts(files: ListedFile[], starts: Set<string>): TextFile[] {
  const rank = ({ path, kind }: TextFile) => {
    if (starts.has(path)) return 0;
    if (kind === "settings") return 1;
    if (/scorm|api|lms|driver|data\.js$|user\.js$/i.test(path)) return 2;
    return kind === "style" ? 4 : 3;
  };
  return files
    .flatMap((file) => {
      const kind = kindOfText(file.path) ?? (starts.has(file.path) ? ("page" as const) : undefined);
      return kind ? [{ ...file, kind }] : [];
    })
    .map((file) => ({ file, rank: rank(file) }))
    .toSorted((a, b) => a.rank - b.rank || a.file.size - b.file.size)
    .map(({ file }) => file);
}

/** The first `bytes` of a text; null if the file is no text, such as a picture that is named like a script. */
export async function readText(folder: string, path: string, bytes: number): Promise<string | null> {
  const file = await open(join(folder, path), "r").catch(() => null);
  if (!file) return null;
  try {
    const buffer = Buffer.alloc(Math.min(bytes, (await file.stat()).size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

export function decode(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le").slice(1);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString("utf16le");
  }
  if (bytes.subarray(0, 8000).includes(0)) return null;
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}
