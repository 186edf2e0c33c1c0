import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { findDraft } from "#server/lessons/drafts/service.ts";
import {
  appendUpdate,
  type DraftEdit,
  editDrafts,
  type EditedLesson,
  readDrafts,
} from "#server/lessons/drafts/updates.ts";
import { MAX_LESSON_BYTES } from "#shared/lessons/drafts.ts";
import { idsIn, type NodeJson, withOwnNodeIds } from "#shared/lessons/editing/nodeJson.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";
import { sortedJson } from "#shared/lessons/walk.ts";
import type { User } from "#shared/core/users.ts";

// Ids name blocks, texts and choices in a whole course. What was copied from one lesson into another gets ids of its
// own when the course is published, also in the draft, so that versions and the draft name the same block alike.

/** Ids that were made here end like this. */
const MADE = /-\d+$/;

/** The lessons of a course in their order, in which no id stands twice. */
export function withIdsOfCourse(lessons: ReadonlyMap<string, NodeJson | null>) {
  const taken = new Set<string>();
  const others = new Set([...lessons.values()].flatMap((node) => (node ? idsIn(node) : [])));
  return new Map(
    [...lessons].map(([id, node]) => [
      id,
      { node: node && { ...node, content: withOwnNodeIds(node.content ?? [], taken, others) } },
    ]),
  );
}

/** Gives what was copied ids of its own in the draft. What others write in it meanwhile is merged. */
export async function storeOwnIds(ctx: Ctx<User>, courseId: string) {
  const edits = await findEdits(ctx.db, courseId);
  for (const [lessonId, edit] of edits)
    for (const [id, edited] of await editDrafts(ctx.db, new Map([[lessonId, edit]])))
      await inTransaction(ctx.db, (tx) => storeIds(tx, id, edited));
}

async function findEdits(db: Db, courseId: string) {
  const { outline } = await findDraft(db, courseId);
  const ids = lessonsOf(outline).flatMap(({ id, packageId }) => (packageId === undefined ? [id] : []));
  const lessons = await readDrafts(db, ids);
  const others = [...lessons.values()].flatMap((node) => (node ? idsIn(node).filter((id) => MADE.test(id)) : []));
  const taken = new Set<string>();
  const edits = new Map<string, DraftEdit>();
  for (const [id, { node }] of withIdsOfCourse(lessons)) {
    const before = lessons.get(id);
    if (!node || !before) continue;
    if (sortedJson(node) !== sortedJson(before)) {
      const own = idsIn(before).filter((one) => taken.has(one));
      edits.set(id, { edit: { kind: "ids", taken: own, others } });
    }
    for (const one of idsIn(node)) taken.add(one);
  }
  return edits;
}

async function storeIds(tx: Tx, lessonId: string, { before, after, update }: EditedLesson) {
  const lesson = await tx
    .selectFrom("lessonDrafts")
    .where("id", "=", lessonId)
    .select("bytes")
    .forUpdate()
    .executeTakeFirst();
  // A full lesson is published with ids of its own that its draft does not have.
  if (!lesson || lesson.bytes + update.length > MAX_LESSON_BYTES) return;
  await appendUpdate(tx, { id: lessonId, content: update, authorId: null });
  const idOf = ({ attrs }: NodeJson) => String(attrs?.["id"] ?? "");
  const now = after.content ?? [];
  const present = new Set(now.map(idOf));
  for (const [n, node] of (before.content ?? []).entries()) {
    const [was, is] = [idOf(node), now[n] ? idOf(now[n]) : ""];
    if (is === "" || present.has(was)) continue;
    await tx
      .updateTable("lessonComments")
      .set({ blockId: is })
      .where("lessonId", "=", lessonId)
      .where("blockId", "=", was)
      .execute();
    await tx.deleteFrom("lessonBlockAuthors").where("lessonId", "=", lessonId).where("blockId", "=", is).execute();
    await tx
      .updateTable("lessonBlockAuthors")
      .set({ blockId: is })
      .where("lessonId", "=", lessonId)
      .where("blockId", "=", was)
      .execute();
  }
}
