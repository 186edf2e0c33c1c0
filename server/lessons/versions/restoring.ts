import type { Db, Tx } from "#server/core/database/db.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { findDraft, OUTLINE_ERRORS } from "#server/lessons/drafts/service.ts";
import { type DraftEdit, editDrafts, type EditedLesson, readDrafts } from "#server/lessons/drafts/updates.ts";
import { type Quizzes, withLesson, withVersion } from "#server/lessons/versions/restoredOutline.ts";
import { type CourseSide, openSide } from "#server/lessons/versions/sides.ts";
import {
  appendEdits,
  findLatestRestore,
  isChanged,
  lockDraft,
  recordRestore,
  storeOutline,
} from "#server/lessons/versions/storingEdits.ts";
import { blockToNode, documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { idsIn } from "#shared/lessons/editing/nodeJson.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { isWithinLimits, lessonsOf, type Outline } from "#shared/lessons/outline.ts";
import type { Restore, RestoreInput } from "#shared/lessons/versions/versions.ts";
import { listMedia } from "#shared/lessons/walk.ts";
import type { User } from "#shared/core/users.ts";

/** Documents that are restored at a time. */
const BATCH = 10;

/**
 * Restores a block, a lesson or a whole version into the draft. What others write in it meanwhile is merged, as between
 * two authors; the contents before are kept to undo it.
 */
export async function restoreVersion(ctx: Ctx<User>, courseId: string, input: RestoreInput): Promise<Restore> {
  const { number, lessonId, blockId } = input;
  const draft = await findDraft(ctx.db, courseId);
  const latest = await findLatestRestore(ctx.db, courseId);
  const version = await openSide(ctx.db, courseId, number);
  const scope = scopeOf(input);
  if (blockId && !lessonId) throw notFound();
  const wanted = lessonsOf(version.outline).filter(({ id }) => lessonId === undefined || id === lessonId);
  if (wanted.length === 0) throw notFound();
  if (blockId && !lessonsOf(draft.outline).some(({ id }) => id === lessonId))
    throw conflict("lessonVersions.lessonMissing");
  const ids = wanted.filter(({ packageId }) => packageId === undefined).map(({ id }) => id);
  const taken = scope === "version" ? new Set<string>() : await findTaken(ctx.db, draft.outline, lessonId);
  const quizzes = new Map<string, LessonDocument["quiz"]>();
  const media = new Map<string, string[]>();
  const edited = new Map<string, EditedLesson>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const documents = await readDocuments(version, ids.slice(at, at + BATCH));
    const edits = new Map<string, DraftEdit>();
    for (const [id, document] of documents) {
      quizzes.set(id, document.quiz);
      const edit = editFor(document, blockId, taken);
      media.set(id, listMedia(edit.shown));
      edits.set(id, { edit: edit.edit, seen: input.seen?.[id] });
    }
    const made = await editDrafts(ctx.db, edits);
    if (made.size < edits.size) throw conflict("lessonVersions.unreadable");
    for (const [id, one] of made) if (isChanged(one)) edited.set(id, one);
  }
  const title = lessonId === undefined ? "" : (wanted[0]?.title ?? "");
  const restored = await inTransaction(ctx.db, async (tx) => {
    const before = await lockDraft(tx, courseId, latest);
    if (scope === "version" && before.version !== (input.outlineVersion ?? draft.version))
      throw conflict("lessonVersions.contentsChanged");
    const outline = outlineAfter(before.outline, version.outline, { scope, lessonId, quizzes });
    if (!isWithinLimits(outline)) throw conflict(OUTLINE_ERRORS.tooMany);
    await appendEdits(tx, ctx, courseId, edited);
    await addFiles(tx, version.versionId!, media);
    await storeOutline(tx, courseId, before, outline);
    const row = await tx
      .insertInto("lessonRestores")
      .values({
        courseId,
        versionNumber: number,
        scope,
        title,
        outlineBefore: JSON.stringify(before.outline),
        outlineAfter: JSON.stringify(outline),
        createdBy: ctx.user.id,
      })
      .returning(["id", "createdAt"])
      .executeTakeFirstOrThrow();
    for (const [lesson, { before: was, after: is }] of edited)
      await tx
        .insertInto("restoredLessons")
        .values({ restoreId: row.id, lessonId: lesson, before: JSON.stringify(was), after: JSON.stringify(is) })
        .execute();
    await recordRestore(tx, ctx, "lessonVersions.restore", { courseId, number, scope });
    return row;
  });
  return { id: restored.id, number, scope, title, by: ctx.user.name, at: restored.createdAt, isUndone: false };
}

function scopeOf({ lessonId, blockId }: RestoreInput): Restore["scope"] {
  if (blockId) return "block";
  return lessonId ? "lesson" : "version";
}

type Scope = { scope: Restore["scope"]; lessonId: string | undefined; quizzes: Quizzes };
function outlineAfter(draft: Outline, version: Outline, { scope, lessonId, quizzes }: Scope) {
  if (scope === "version") return withVersion(draft, version, quizzes);
  return scope === "lesson" && lessonId ? withLesson(draft, version, lessonId, quizzes) : draft;
}

/** The documents of a version; 409 if one cannot be read. */
async function readDocuments(version: CourseSide, ids: string[]) {
  const lessons = await version.read(ids);
  return ids.map((id): [string, LessonDocument] => {
    const document = lessons.get(id)?.document;
    if (!document) throw conflict("lessonVersions.unreadable");
    return [id, document];
  });
}

function editFor(document: LessonDocument, blockId: string | undefined, taken: ReadonlySet<string>) {
  const takenOf = (list: string[]) => list.filter((id) => taken.has(id));
  if (blockId === undefined) {
    const nodes = documentToNodes(document).content ?? [];
    return {
      shown: document as unknown,
      edit: { kind: "lesson" as const, nodes, taken: takenOf(nodes.flatMap(idsIn)) },
    };
  }
  const block = document.blocks.find(({ id }) => id === blockId);
  if (!block) throw notFound();
  const node = blockToNode(block);
  const order = document.blocks.map(({ id }) => id);
  return { shown: block as unknown, edit: { kind: "block" as const, node, order, taken: takenOf(idsIn(node)) } };
}

/** The ids in the other lessons of the draft. */
async function findTaken(db: Db, outline: Outline, lessonId: string | undefined) {
  const others = lessonsOf(outline).filter(({ id, packageId }) => id !== lessonId && packageId === undefined);
  const nodes = await readDrafts(
    db,
    others.map(({ id }) => id),
  );
  return new Set([...nodes.values()].flatMap((one) => (one ? idsIn(one) : [])));
}

/** Authors can open the files of what was restored. */
async function addFiles(tx: Tx, versionId: string, media: Map<string, string[]>) {
  for (const [lessonId, fileIds] of media) {
    if (fileIds.length === 0) continue;
    await tx
      .insertInto("lessonFiles")
      .columns(["lessonId", "fileId"])
      .expression((e) =>
        e
          .selectFrom("lessonMedia")
          .innerJoin("lessonDrafts", (join) => join.on("lessonDrafts.id", "=", lessonId))
          .where("versionId", "=", versionId)
          .where("fileId", "in", fileIds)
          .select(["lessonDrafts.id", "fileId"]),
      )
      .onConflict((conflicting) => conflicting.doNothing())
      .execute();
  }
}
