import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#server/core/database/db.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { flattenParts } from "#server/courses/parts.ts";
import { readPackageNames } from "#server/courses/packageNames.ts";
import { readQuestions } from "#server/courses/questions.ts";
import { PackageError, toFinding } from "#server/packages/findings.ts";
import { type Inspection, inspectPackage } from "#server/packages/inspection.ts";
import { unpackPackage } from "#server/packages/unpacking.ts";
import type { Finding, Manifest } from "#shared/packages/packages.ts";

// The folder of a package has its id as its name, and holds the unpacked files

const folderOf = ({ config }: Pick<Services, "config">, id: string) => join(config.filesDir, "packages", id);

/** What is stored of a package besides its files, with its JSON columns as text. */
export type PackageRow = {
  id: string;
  kind: Manifest["kind"];
  title: string;
  fileName: string;
  bytes: number;
  files: number;
  parts: string;
  warnings: string;
  questions: string;
  packageNames: string;
};
export type AddedPackage = { row: PackageRow; manifest: Manifest; sha256: string };

/**
 * Checks and unpacks a package, then runs `store`, which writes its row. The files are complete on disk before the row
 * is written, so every visible package can be launched. A rejected package gives a 422 that names the problem and the
 * file. If anything fails, nothing is left behind.
 */
export async function addPackage<T>(
  ctx: Pick<Services, "config" | "db" | "log">,
  zip: string,
  fileName: string,
  store: (added: AddedPackage) => Promise<T>,
): Promise<T> {
  const inspection = await inspectPackage(zip, fileName);
  const { report, manifest } = inspection;
  if (!report.ok || !manifest) throw packageRefused(report.error, report.warnings);
  const id = randomUUID();
  const folder = folderOf(ctx, id);
  await mkdir(join(ctx.config.filesDir, "packages"), { recursive: true });
  const { bytes, files, sha256 } = await unpackPackage(zip, inspection, folder).catch((error: unknown) => {
    throw error instanceof PackageError ? packageRefused(error.finding, report.warnings) : error;
  });
  try {
    const row = {
      id,
      kind: manifest.kind,
      title: manifest.title,
      fileName,
      bytes,
      files,
      parts: JSON.stringify(flattenParts(manifest)),
      warnings: JSON.stringify(report.warnings),
      questions: JSON.stringify(await readQuestions(folder)),
      packageNames: JSON.stringify(await readPackageNames(folder, inspection.files)),
    };
    return await store({ row, manifest, sha256 });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The row of a package among lessons: rules for the order of its parts are not followed, which it says. */
export function withoutRules(row: PackageRow, { kind, items, sequencing }: Manifest): PackageRow {
  const parts = flattenParts({ kind, items });
  const ignored = [
    ...(sequencing ? [toFinding("sequencing")] : []),
    ...(parts.some(({ prerequisites }) => prerequisites) ? [toFinding("prerequisites")] : []),
  ];
  return {
    ...row,
    parts: JSON.stringify(parts.map((part) => ({ ...part, prerequisites: undefined }))),
    warnings: JSON.stringify([...(JSON.parse(row.warnings) as Finding[]), ...ignored]),
  };
}

function packageRefused(error: Inspection["report"]["error"], warnings: Finding[]) {
  const reason = error?.sentence ?? "The package cannot be read.";
  return new Problem(422, "courses.packageRefused", {
    values: { reason },
    details: { finding: error, warnings: warnings.map(({ sentence }) => sentence) },
  });
}

const pendingUnpacks = new Map<string, Promise<void>>();

/**
 * Returns the folder with the unpacked files of a package. If they are missing (another server, a lost disk), they are
 * unpacked again from the stored file.
 */
export async function ensureUnpacked(services: Services, packageId: string) {
  const folder = folderOf(services, packageId);
  if (existsSync(folder)) return folder;
  const work =
    pendingUnpacks.get(packageId) ??
    unpackStoredPackage(services, packageId, folder).finally(() => pendingUnpacks.delete(packageId));
  pendingUnpacks.set(packageId, work);
  await work;
  return folder;
}

async function unpackStoredPackage(services: Services, packageId: string, folder: string) {
  const stored = await services.db
    .selectFrom("packages")
    .innerJoin("files", "files.id", "packages.fileId")
    .where("packages.id", "=", packageId)
    .select(["fileName", "storageKey"])
    .executeTakeFirst();
  if (!stored) throw notFound();
  const { path, done: release } = await services.storage.local(stored.storageKey);
  try {
    await mkdir(join(services.config.filesDir, "packages"), { recursive: true });
    await unpackPackage(path, await inspectPackage(path, stored.fileName), folder);
    services.log.info({ packageId }, "unpacked a stored package again");
  } finally {
    await release();
  }
}

/** The packages that a version refers to. */
export const listPackagesOf = (db: Db, versionId: string) =>
  db
    .selectFrom("versionPackages")
    .innerJoin("packages", "packages.id", "versionPackages.packageId")
    .where("versionId", "=", versionId)
    .select(["entry", "packages.id", "packages.parts"])
    .execute();
