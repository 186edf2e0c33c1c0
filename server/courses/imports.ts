import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { getCourse } from "#server/courses/service.ts";
import { importPackage } from "#server/courses/versions.ts";
import { getChangeableFile, markFileDeleted } from "#server/files/service.ts";
import { notify } from "#server/notifications/notify.ts";
import { inspectPackage } from "#server/packages/inspection.ts";
import { unpackPackage } from "#server/packages/unpacking.ts";
import texts from "#shared/locales/en/courses.json" with { type: "json" };
import type { ImportInput } from "#shared/courses/courses.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Imports a package that was uploaded as a file. Idempotent: a repeated request (lost response, double click) returns
 * the same course. The file of a rejected package is deleted.
 */
export async function importUpload(ctx: Ctx<User>, { path, name, courseId }: ImportInput) {
  const file = await getChangeableFile(ctx, path).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? new Problem(404, "courses.noFile") : error;
  });
  if (file.purpose !== "course") throw notFound();
  return withImportLock(ctx, file.id, async () => {
    const imported = await ctx.db
      .selectFrom("courseVersions")
      .where("fileId", "=", file.id)
      .select("courseId")
      .executeTakeFirst();
    if (imported) return getCourse(ctx, imported.courseId);
    const { path: zip, done: release } = await ctx.storage.local(file.storageKey);
    try {
      return await importPackage(ctx, zip, { name, courseId, fileId: file.id });
    } catch (error) {
      if (error instanceof Problem) await markFileDeleted(ctx.db, file.id);
      await tellFailure(ctx, error, file.id, { name, courseId });
      throw error;
    } finally {
      await release();
    }
  });
}

/** Notifies the person who uploaded a package, who may have left the page, why it was not imported. */
async function tellFailure(
  ctx: Ctx<User>,
  error: unknown,
  fileId: string,
  { name, courseId }: Pick<ImportInput, "name" | "courseId">,
) {
  await inTransaction(ctx.db, (tx) =>
    notify(ctx, tx, {
      to: [ctx.user.id],
      kind: "importFailed",
      params: { name, reason: error instanceof Problem ? error.message : texts.upload.interrupted },
      link: courseId ? `/courses/${courseId}?tab=versions` : "/courses",
      key: `import:${fileId}`,
    }),
  ).catch((failure: unknown) => ctx.log.error({ err: failure }, "nobody was told about a failed import"));
}

/** Runs `work` while holding an advisory lock on the file, across processes. */
async function withImportLock<T>({ pool }: Services, key: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext($1))", [`import ${key}`]);
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock(hashtext($1))", [`import ${key}`]).then(
      () => client.release(),
      () => client.release(true),
    );
  }
}

const pendingUnpacks = new Map<string, Promise<void>>();

/**
 * Returns the folder with the unpacked files of a version. If they are missing (another server, a lost disk), they are
 * unpacked again from the stored package.
 */
export async function ensureUnpacked(services: Services, versionId: string) {
  const folder = join(services.config.filesDir, "packages", versionId);
  if (existsSync(folder)) return folder;
  const work =
    pendingUnpacks.get(versionId) ??
    unpackStoredPackage(services, versionId, folder).finally(() => pendingUnpacks.delete(versionId));
  pendingUnpacks.set(versionId, work);
  await work;
  return folder;
}

async function unpackStoredPackage(services: Services, versionId: string, folder: string) {
  const version = await services.db
    .selectFrom("courseVersions")
    .innerJoin("files", "files.id", "courseVersions.fileId")
    .where("courseVersions.id", "=", versionId)
    .select(["fileName", "storageKey"])
    .executeTakeFirst();
  if (!version) throw notFound();
  const { path, done: release } = await services.storage.local(version.storageKey);
  try {
    await mkdir(join(services.config.filesDir, "packages"), { recursive: true });
    await unpackPackage(path, await inspectPackage(path, version.fileName), folder);
    services.log.info({ versionId }, "unpacked a stored package again");
  } finally {
    await release();
  }
}
