import type { Db } from "#server/core/database/db.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { addToken, getChangeableFile, markFileInUse, type StoredFile } from "#server/files/service.ts";
import { tokenOf, validNonces } from "#server/files/tokens.ts";
import type { drafts, LessonFile } from "#shared/lessons/drafts.ts";
import { fileNameOf, objectAddress } from "#shared/files/files.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Uses an uploaded file in a lesson: it cannot be deleted any more. Idempotent. */
export async function addLessonFile(ctx: Ctx<User>, lessonId: string, { path, name }: BodyOf<typeof drafts.addFile>) {
  await ctx.db.selectFrom("lessonDrafts").where("id", "=", lessonId).select("id").executeTakeFirstOrThrow(notFound);
  const file = await getChangeableFile(ctx, path).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? new Problem(404, "lessonDrafts.noFile") : error;
  });
  if (file.purpose !== "lesson") throw notFound();
  await inTransaction(ctx.db, async (tx) => {
    await markFileInUse(tx, file.id);
    await tx
      .insertInto("lessonFiles")
      .values({ lessonId, fileId: file.id })
      .onConflict((conflicting) => conflicting.doNothing())
      .execute();
  });
  return { ...(await openable(ctx, file)), name };
}

/** The files of a draft among those asked for. */
export async function listLessonFiles(ctx: Ctx<User>, courseId: string, { fileIds }: BodyOf<typeof drafts.files>) {
  const files = fileIds.length > 0 ? await selectFiles(ctx.db, courseId, fileIds).execute() : [];
  return { files: await Promise.all(files.map((file) => openable(ctx, file))) };
}

const selectFiles = (db: Db, courseId: string, ids: string[]) =>
  db
    .selectFrom("files")
    .where("files.id", "in", ids)
    .where("files.deletedAt", "is", null)
    .where("files.id", "in", (e) =>
      e
        .selectFrom("lessonFiles")
        .innerJoin("lessonDrafts", "lessonDrafts.id", "lessonFiles.lessonId")
        .where("lessonDrafts.courseId", "=", courseId)
        .select("lessonFiles.fileId"),
    )
    .selectAll("files");

async function openable(ctx: Ctx<User>, file: StoredFile): Promise<LessonFile> {
  const [nonce] = validNonces(file);
  const token = nonce ? tokenOf(ctx.config.secret, file.id, nonce) : await newToken(ctx, file);
  return {
    fileId: file.id,
    name: fileNameOf(file.fullPath),
    type: file.contentType,
    bytes: file.size,
    url: `${objectAddress(file.fullPath)}?alt=media&token=${token}`,
  };
}

async function newToken(ctx: Ctx<User> & Pick<Services, "config">, { fullPath }: StoredFile) {
  const { downloadTokens } = await addToken(ctx, fullPath);
  return downloadTokens.split(",").at(-1) ?? "";
}
