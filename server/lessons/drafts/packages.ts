import type { Db, Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { withUpload } from "#server/courses/imports.ts";
import { addPackage, withoutRules } from "#server/courses/packageFolders.ts";
import { markFileInUse } from "#server/files/service.ts";
import type { drafts, DraftPackage } from "#shared/lessons/drafts.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** More are refused: a course has at most 200 lessons. */
const MAX_PACKAGES = 500;

/** Imports an uploaded package for a draft. Idempotent: a repeated request returns the same package. */
export async function importDraftPackage(
  ctx: Ctx<User>,
  courseId: string,
  { path, name }: BodyOf<typeof drafts.importPackage>,
): Promise<DraftPackage> {
  await ctx.db
    .selectFrom("courseDrafts")
    .where("courseId", "=", courseId)
    .select("courseId")
    .executeTakeFirstOrThrow(notFound);
  return withUpload(
    ctx,
    { path, name, link: `/courses/${courseId}/edit` },
    {
      find: async (fileId) => (await listDraftPackages(ctx.db, courseId)).find((one) => one.fileId === fileId)?.shown,
      add: (zip, fileId) =>
        addPackage(ctx, zip, name, ({ row: packageRow, manifest }) =>
          inTransaction(ctx.db, async (tx) => {
            const row = withoutRules(packageRow, manifest);
            await tx
              .insertInto("packages")
              .values({ ...row, courseId, fileId, createdBy: ctx.user.id })
              .execute();
            await markFileInUse(tx, fileId);
            await record(tx, ctx, { action: "lessonDrafts.importPackage", courseId, details: { name } });
            await announceChange(tx, { domain: "lessonDrafts" });
            const packages = await listDraftPackages(tx, courseId);
            return packages.find(({ shown }) => shown.id === row.id)!.shown;
          }),
        ),
    },
  );
}

export async function listDraftPackages(db: Db | Tx, courseId: string) {
  const rows = await db
    .selectFrom("packages")
    .where("courseId", "=", courseId)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(MAX_PACKAGES)
    .select(["id", "kind", "title", "fileName", "bytes", "parts", "warnings", "fileId"])
    .execute();
  return rows.map(({ fileId, parts, ...row }) => ({
    fileId,
    shown: { ...row, parts: parts.filter(({ href }) => href !== null).length },
  }));
}
