import { record } from "#server/audit/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { checkOwn } from "#server/lessons/drafts/service.ts";
import { appendUpdate, type EditedLesson } from "#server/lessons/drafts/updates.ts";
import { MAX_LESSON_BYTES } from "#shared/lessons/drafts.ts";
import type { Outline } from "#shared/lessons/outline.ts";
import type { User } from "#shared/core/users.ts";
import { sortedJson } from "#shared/lessons/walk.ts";

export const isChanged = ({ before, after }: EditedLesson) => sortedJson(before) !== sortedJson(after);

/** The draft of a course, locked; 409 if something was restored since `latest`. */
export async function lockDraft(tx: Tx, courseId: string, latest: string | null) {
  const draft = await tx
    .selectFrom("courseDrafts")
    .where("courseId", "=", courseId)
    .select(["outline", "version"])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if ((await findLatestRestore(tx, courseId)) !== latest) throw conflict("lessonVersions.restoredMeanwhile");
  return draft;
}

/** Changes with each restore of a course, and with each that is undone. */
export async function findLatestRestore(db: Tx | Ctx<User>["db"], courseId: string) {
  const { at, undoneAt } = await db
    .selectFrom("lessonRestores")
    .where("courseId", "=", courseId)
    .select((e) => [e.fn.max("createdAt").as("at"), e.fn.max("undoneAt").as("undoneAt")])
    .executeTakeFirstOrThrow();
  return at === null ? null : `${at} ${undoneAt}`;
}

/** Appends what edits made of lessons, as updates like those of authors. */
export async function appendEdits(tx: Tx, ctx: Ctx<User>, courseId: string, edited: Map<string, EditedLesson>) {
  const ids = [...edited.keys()].toSorted();
  if (ids.length === 0) return;
  await tx
    .insertInto("lessonDrafts")
    .values(ids.map((id) => ({ id, courseId })))
    .onConflict((conflicting) => conflicting.doNothing())
    .execute();
  // All are locked before the first is written: an author who writes holds one lesson and waits for no other.
  const lessons = await tx
    .selectFrom("lessonDrafts")
    .where(isOneOf("lessonDrafts.id", ids))
    .where("courseId", "=", courseId)
    .orderBy("id")
    .select(["id", "bytes"])
    .forUpdate()
    .execute();
  if (lessons.length < ids.length) throw notFound();
  for (const { id, bytes } of lessons) {
    const { update } = edited.get(id)!;
    if (bytes + update.length > MAX_LESSON_BYTES) throw conflict("lessonDrafts.lessonFull");
    await appendUpdate(tx, { id, content: update, authorId: ctx.user.id });
  }
}

/** Stores contents that were restored, if they are others. */
export async function storeOutline(
  tx: Tx,
  courseId: string,
  before: { outline: Outline; version: number },
  to: Outline,
) {
  if (sortedJson(before.outline) === sortedJson(to)) return;
  await checkOwn(tx, courseId, to);
  await tx
    .updateTable("courseDrafts")
    .set({ outline: JSON.stringify(to), version: before.version + 1 })
    .where("courseId", "=", courseId)
    .execute();
}

export async function recordRestore(
  tx: Tx,
  ctx: Ctx<User>,
  action: "lessonVersions.restore" | "lessonVersions.undo",
  { courseId, number, scope }: { courseId: string; number: number; scope: string },
) {
  await record(tx, ctx, { action, courseId, details: { version: number, fields: [scope] } });
  await announceChange(tx, { domain: "lessonDrafts" });
}
