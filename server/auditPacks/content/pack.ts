import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { certificatesFile, proofFiles } from "#server/auditPacks/content/certificateFiles.ts";
import {
  completionsFile,
  correctionsFile,
  rulesFile,
  settingsFile,
  withdrawalsFile,
} from "#server/auditPacks/content/completionFiles.ts";
import { exemptionsFile } from "#server/auditPacks/content/exemptionFile.ts";
import { indexPage, paths } from "#server/auditPacks/content/indexPage.ts";
import { type MadeFile, type Pack, type Source, textFile } from "#server/auditPacks/content/packFile.ts";
import { heldFile, matrixFile, termsFile } from "#server/auditPacks/content/requirementFiles.ts";
import { type ZipEntry, zipOf } from "#server/core/export/zip.ts";
import type { FileCheck, PackFile } from "#shared/auditPacks/auditPacks.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "verify.mjs"), "utf8");
const INDEX = "index.html";
/** Files without records of their own: what they say follows from the others. */
const EXPLAINING: string[] = [INDEX, paths.verify];

/** All files of a pack except the manifest, each to be read before the next. */
async function* filesOf(source: Source, pack: Pack, company: string): AsyncGenerator<MadeFile> {
  yield textFile(INDEX, await indexPage(source.pools.exports.db, pack, company));
  yield termsFile(source, pack);
  yield await matrixFile(source, pack);
  yield heldFile(source, pack);
  yield completionsFile(source, pack);
  yield rulesFile(source, pack);
  yield certificatesFile(source, pack);
  yield correctionsFile(source, pack);
  yield withdrawalsFile(source, pack);
  yield exemptionsFile(source, pack);
  yield settingsFile(source, pack);
  yield* proofFiles(source, pack);
  yield textFile(paths.verify, SCRIPT);
}

/** Makes all files without keeping them, and returns their sums. */
export async function sumFiles(source: Source, pack: Pack, company: string) {
  const sums: PackFile[] = [];
  for await (const { parts, finish } of filesOf(source, pack, company)) {
    for await (const _ of parts);
    sums.push(finish());
  }
  return sums;
}

/** The list of files with their sums, which is the last file of a pack. */
export const manifestOf = (pack: Pick<Pack, "number" | "at" | "zone" | "fromDay" | "toDay">, files: PackFile[]) =>
  `${JSON.stringify(
    {
      format: "lyceum-audit-pack-1",
      number: pack.number,
      asOf: pack.at,
      zone: pack.zone,
      from: pack.fromDay,
      to: pack.toDay,
      files: files.map(({ path, rows, bytes, sha256 }) => ({ path, rows, bytes, sha256 })),
    },
    null,
    2,
  )}\n`;

/** SHA-256 of the manifest, 64 hex digits. */
export const digestOf = (pack: Parameters<typeof manifestOf>[0], files: PackFile[]) =>
  createHash("sha256").update(manifestOf(pack, files)).digest("hex");

/** The pack as a ZIP archive, made while it is read: the same bytes whenever its records and names are the same. */
export function zipPack(source: Source, pack: Pack, company: string): AsyncGenerator<Uint8Array> {
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    const sums: PackFile[] = [];
    for await (const { path, parts, finish } of filesOf(source, pack, company)) {
      yield { path, content: parts, isCompressed: true };
      sums.push(finish());
    }
    yield { path: paths.manifest, content: manifestOf(pack, sums) };
  };
  const [year = 0, month = 1, date = 1] = pack.day.split("-").map(Number);
  // A ZIP archive has no time zone, and noon exists on every day of every zone.
  return zipOf(entries(), new Date(year, month - 1, date, 12));
}

/** How each file that was made first compares with those that were made again, with files that only one of them has. */
export function compareFiles(first: PackFile[], again: PackFile[]): { path: string; check: FileCheck }[] {
  const found = new Map(again.map((file) => [file.path, file]));
  const compared = first.map((file) => {
    const other = found.get(file.path);
    found.delete(file.path);
    return { path: file.path, check: other ? compareFile(file, other) : ("records" as const) };
  });
  return [...compared, ...[...found.keys()].map((path) => ({ path, check: "records" as const }))];
}

function compareFile(file: PackFile, other: PackFile): FileCheck {
  if (file.sha256 === other.sha256) return "same";
  if (EXPLAINING.includes(file.path)) return "names";
  return file.records !== null && file.records === other.records ? "names" : "records";
}
