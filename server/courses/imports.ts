import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { getCourse } from "#server/courses/service.ts";
import { importPackage } from "#server/courses/versions.ts";
import { getChangeableFile, markFileDeleted } from "#server/files/service.ts";
import { notify } from "#server/notifications/notify.ts";
import texts from "#shared/locales/en/courses.json" with { type: "json" };
import type { ImportInput } from "#shared/courses/courses.ts";
import type { User } from "#shared/core/users.ts";

/** Imports a package that was uploaded as a file. Idempotent: a repeated request returns the same course. */
export const importUpload = (ctx: Ctx<User>, { path, name, courseId }: ImportInput) =>
  withUpload(
    ctx,
    { path, name, link: courseId ? `/courses/${courseId}?tab=versions` : "/courses" },
    {
      find: async (fileId) => {
        const imported = await ctx.db
          .selectFrom("courseVersions")
          .where("fileId", "=", fileId)
          .select("courseId")
          .executeTakeFirst();
        return imported && getCourse(ctx, imported.courseId);
      },
      add: (zip, fileId) => importPackage(ctx, zip, { name, courseId, fileId }),
    },
  );

/** `link`: where the person who uploaded finds what became of it. */
type UploadedPackage = { path: string; name: string; link: string };
type Import<T> = {
  /** What an earlier request has made of the file. */
  find: (fileId: string) => Promise<T | undefined>;
  add: (zip: string, fileId: string) => Promise<T>;
};

/**
 * Makes something of an uploaded package once, even if the request is repeated (lost response, double click). The file
 * of a rejected package is deleted.
 */
export async function withUpload<T>(ctx: Ctx<User>, upload: UploadedPackage, { find, add }: Import<T>): Promise<T> {
  const file = await getChangeableFile(ctx, upload.path).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? new Problem(404, "courses.noFile") : error;
  });
  if (file.purpose !== "course") throw notFound();
  return withImportLock(ctx, file.id, async () => {
    const found = await find(file.id);
    if (found) return found;
    const { path: zip, done: release } = await ctx.storage.local(file.storageKey);
    try {
      return await add(zip, file.id);
    } catch (error) {
      if (error instanceof Problem) await markFileDeleted(ctx.db, file.id);
      await tellFailure(ctx, error, file.id, upload);
      throw error;
    } finally {
      await release();
    }
  });
}

/** Notifies the person who uploaded a package, who may have left the page, why it was not imported. */
async function tellFailure(ctx: Ctx<User>, error: unknown, fileId: string, { name, link }: UploadedPackage) {
  await inTransaction(ctx.db, (tx) =>
    notify(ctx, tx, {
      to: [ctx.user.id],
      kind: "importFailed",
      params: { name, reason: error instanceof Problem ? error.message : texts.upload.interrupted },
      link,
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
