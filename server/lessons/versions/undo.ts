import { sql } from "kysely";
import { z } from "zod";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { job } from "#server/core/jobs.ts";
import type { LessonEdit } from "#server/lessons/drafts/blockEdits.ts";
import { editDrafts, type EditedLesson } from "#server/lessons/drafts/updates.ts";
import {
  appendEdits,
  findLatestRestore,
  isChanged,
  lockDraft,
  recordRestore,
  storeOutline,
} from "#server/lessons/versions/storingEdits.ts";
import type { User } from "#shared/core/users.ts";
import { sortedJson } from "#shared/lessons/walk.ts";

/** Days for which the contents before a restore are kept. */
export const RESTORE_DAYS = 30;

export const deleteOldRestores = job(
  "lessons:deleteOldRestores",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("lessonRestores")
      .where("createdAt", "<", sql<string>`now() - make_interval(days => ${RESTORE_DAYS})`)
      .execute();
  },
  "50 3 * * *",
);

/** Takes back what a restore has changed, except for what was changed again since. */
export async function undoRestore(ctx: Ctx<User>, id: string) {
  const restore = await ctx.db
    .selectFrom("lessonRestores")
    .where("id", "=", id)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  const { courseId, versionNumber: number, scope } = restore;
  if (restore.undoneAt !== null) throw conflict("lessonVersions.alreadyUndone");
  const latest = await findLatestRestore(ctx.db, courseId);
  const lessons = await ctx.db.selectFrom("restoredLessons").where("restoreId", "=", id).select("lessonId").execute();
  const edited = new Map<string, EditedLesson>();
  for (const { lessonId } of lessons) {
    const edits = await readUndo(ctx.db, id, lessonId);
    const made = await editDrafts(ctx.db, edits);
    if (made.size === 0) throw conflict("lessonVersions.unreadable");
    for (const [lesson, one] of made) edited.set(lesson, one);
  }
  const kept = [...edited.values()].reduce((sum, one) => sum + one.kept, 0);
  const changed = new Map([...edited].filter(([, one]) => isChanged(one)));
  const isOutlineKept = await inTransaction(ctx.db, async (tx) => {
    const draft = await lockDraft(tx, courseId, latest);
    await appendEdits(tx, ctx, courseId, changed);
    const isSame = sortedJson(draft.outline) === sortedJson(restore.outlineAfter);
    if (isSame) await storeOutline(tx, courseId, draft, restore.outlineBefore);
    await tx
      .updateTable("lessonRestores")
      .set({ undoneAt: sql`now()` })
      .where("id", "=", id)
      .execute();
    await recordRestore(tx, ctx, "lessonVersions.undo", { courseId, number, scope });
    return !isSame && sortedJson(restore.outlineBefore) !== sortedJson(restore.outlineAfter);
  });
  return { kept, isOutlineKept };
}

async function readUndo(db: Db, restoreId: string, lessonId: string) {
  const { before, after } = await db
    .selectFrom("restoredLessons")
    .where("restoreId", "=", restoreId)
    .where("lessonId", "=", lessonId)
    .select(["before", "after"])
    .executeTakeFirstOrThrow();
  const edit: LessonEdit = { kind: "undo", before: before.content ?? [], after: after.content ?? [] };
  return new Map([[lessonId, { edit }]]);
}
