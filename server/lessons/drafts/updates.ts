import { sql } from "kysely";
import * as Y from "yjs";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { LessonEdit } from "#server/lessons/drafts/blockEdits.ts";
import { addWriter, keepBlockAuthors } from "#server/lessons/drafts/blockAuthors.ts";
import { readLessons } from "#server/lessons/drafts/reading.ts";
import { type drafts, MAX_LESSON_BYTES, MAX_UPDATE_BYTES, MAX_UPDATES } from "#shared/lessons/drafts.ts";
import { type BodyOf, MIB } from "#shared/core/route.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Stores an update before it is acknowledged. An update that Yjs cannot decode is refused, so that others can read.
 * The same update under the same key is stored once; another one under that key is stored as well.
 */
export async function writeUpdate(ctx: Ctx<User>, id: string, { key, update }: BodyOf<typeof drafts.write>) {
  const content = Buffer.from(update, "base64");
  if (content.length > MAX_UPDATE_BYTES) throw new Problem(413, "lessonDrafts.updateTooLarge");
  if (!isUpdate(content)) throw badField("update", "lessonDrafts.badUpdate");
  return inTransaction(ctx.db, async (tx) => {
    const lesson = await lockLesson(tx, id);
    const stored = await tx
      .selectFrom("lessonUpdates")
      .where("lessonId", "=", id)
      .where("key", "=", key)
      .select(["number", "content"])
      .executeTakeFirst();
    if (stored?.content.equals(content)) return { number: stored.number };
    if (lesson.bytes + content.length > MAX_LESSON_BYTES) throw conflict("lessonDrafts.lessonFull");
    return appendUpdate(tx, { id, key: stored ? null : key, content, authorId: ctx.user.id });
  });
}

const lockLesson = (tx: Tx, id: string) =>
  tx
    .selectFrom("lessonDrafts")
    .where("id", "=", id)
    .select(["updates", "bytes"])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);

/** Without an author: the server has changed only ids. */
type Appended = { id: string; key?: string | null; content: Uint8Array; authorId: string | null };

/** Appends an update to a lesson, with who wrote it, and tells other authors. */
export async function appendUpdate(tx: Tx, { id, key, content, authorId }: Appended) {
  const { number, courseId } = await tx
    .updateTable("lessonDrafts")
    .set((e) => ({ updates: e("updates", "+", 1), bytes: e("bytes", "+", content.length) }))
    .where("id", "=", id)
    .returning(["updates as number", "courseId"])
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("lessonUpdates")
    .values({
      lessonId: id,
      number,
      key: key ?? null,
      content: Buffer.from(content),
      authorId,
      origin: authorId === null ? "unknown" : "author",
    })
    .execute();
  if (authorId !== null) await addWriter(tx, courseId, authorId);
  await announceChange(tx, { domain: "lessonDrafts" });
  return { number };
}

function isUpdate(content: Uint8Array) {
  try {
    Y.decodeUpdate(content);
    return true;
  } catch {
    return false;
  }
}

export const selectUpdates = (db: Db, ids: string[]) =>
  db
    .selectFrom("lessonUpdates")
    .where("lessonId", "in", ids)
    .orderBy("lessonId")
    .orderBy("number")
    .select(["lessonId", "number", "content", "authorId", "writtenAt", "origin"]);

/** The updates after a number. A reader of many merges them first. */
export async function listUpdates(ctx: Ctx<User>, id: string, { since }: { since: number }) {
  const lesson = await ctx.db
    .selectFrom("lessonDrafts")
    .where("id", "=", id)
    .select((e) => [
      "updates",
      e
        .selectFrom("lessonUpdates")
        .whereRef("lessonId", "=", "lessonDrafts.id")
        .select((count) => sql<number>`${count.fn.countAll()}::int`.as("stored"))
        .$asScalar()
        .$notNull()
        .as("stored"),
    ])
    .executeTakeFirstOrThrow(notFound);
  if (lesson.stored > MAX_UPDATES) await mergeUpdates(ctx, id);
  const rows = await selectUpdates(ctx.db, [id]).where("number", ">", since).execute();
  return {
    updates: rows.map(({ content }) => content.toString("base64")),
    until: rows.at(-1)?.number ?? since,
  };
}

/**
 * Replaces all updates of a lesson that are stored now by one with the number of the last, which readers of any earlier
 * number receive. Updates that arrive meanwhile stay, and a lesson that cannot be read stays as it is.
 */
export async function mergeUpdates(ctx: Pick<Ctx<User>, "db" | "log">, id: string) {
  const rows = await selectUpdates(ctx.db, [id]).execute();
  const until = rows.at(-1)?.number;
  const lesson = { id, updates: rows.map(({ content }) => content) };
  const read = async (isTracing: boolean) => (await readLessons([lesson], { isMerging: true, isTracing })).get(id);
  const traced = await read(true);
  // That the lesson opens is worth more than the names of its authors.
  const reply = traced?.merged ? traced : await read(false);
  const content = reply?.merged;
  if (!content || until === undefined) return ctx.log.warn({ lessonId: id }, "updates of a lesson cannot be merged");
  await inTransaction(ctx.db, async (tx) => {
    await lockLesson(tx, id);
    const numbers = rows.map(({ number }) => number);
    const removed = await tx
      .deleteFrom("lessonUpdates")
      .where("lessonId", "=", id)
      .where("number", "in", numbers)
      .executeTakeFirst();
    // Another request has merged them.
    if (Number(removed.numDeletedRows) < rows.length) throw conflict("core.conflict");
    await tx
      .insertInto("lessonUpdates")
      .values({ lessonId: id, number: until, content: Buffer.from(content), origin: "merged" })
      .execute();
    await keepBlockAuthors(tx, id, rows, reply?.traces ?? {});
    await tx
      .updateTable("lessonDrafts")
      .set({
        bytes: sql<number>`(
          select coalesce(sum(length(content)), 0)::int
          from lesson_updates
          where lesson_id = ${id})`,
      })
      .where("id", "=", id)
      .execute();
  }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.status === 409)) throw error;
  });
}

/** Bytes of updates that are read at a time. */
const BATCH_BYTES = 32 * MIB;

/** The nodes of lessons; null for one that cannot be read. */
export async function readDrafts(db: Db, ids: string[]) {
  const sizes =
    ids.length > 0 ? await db.selectFrom("lessonDrafts").where("id", "in", ids).select(["id", "bytes"]).execute() : [];
  const nodes = new Map<string, NodeJson | null>(ids.map((id) => [id, null]));
  for (const batch of inBatches(sizes))
    for (const [id, reply] of await readLessons(await listStored(db, batch))) nodes.set(id, reply.nodes);
  return nodes;
}

async function listStored(db: Db, ids: string[]) {
  const rows = await selectUpdates(db, ids).execute();
  return ids.map((id) => {
    const own = rows.filter(({ lessonId }) => lessonId === id);
    return { id, updates: own.map(({ content }) => content), numbers: own.map(({ number }) => number) };
  });
}

/** `seen`: the number of the last update that the author of the edit has seen; by default all. */
export type DraftEdit = { edit: LessonEdit; seen?: number | undefined };

/** What edits make of lessons. A lesson that cannot be read is missing; one without a draft is empty. */
export async function editDrafts(db: Db, edits: ReadonlyMap<string, DraftEdit>) {
  const ids = [...edits.keys()];
  const edited = new Map<string, EditedLesson>();
  if (ids.length === 0) return edited;
  const stored = await db
    .selectFrom("lessonDrafts")
    .where(isOneOf("lessonDrafts.id", ids))
    .select(["id", "bytes"])
    .execute();
  const known = new Set(stored.map(({ id }) => id));
  const fresh = ids.filter((id) => !known.has(id)).map((id) => ({ id, bytes: 0 }));
  for (const batch of inBatches([...stored, ...fresh])) {
    const lessons = (await listStored(db, batch)).map(({ numbers, ...lesson }) => {
      const { edit, seen = Infinity } = edits.get(lesson.id)!;
      const known = numbers.filter((number) => number <= seen).length;
      // Updates that were merged since cannot be told apart any more: what others wrote would go.
      if (known === 0 && numbers.length > 0) throw conflict("lessonVersions.changedMeanwhile");
      return { ...lesson, edit, seen: known };
    });
    for (const [id, reply] of await readLessons(lessons)) {
      if (reply.isOutdated) throw conflict("lessonVersions.changedMeanwhile");
      if (reply.edited) edited.set(id, reply.edited);
    }
  }
  return edited;
}
export type EditedLesson = { before: NodeJson; after: NodeJson; update: Uint8Array; kept: number };

function inBatches(sizes: { id: string; bytes: number }[]) {
  const batches: string[][] = [];
  let left = 0;
  for (const { id, bytes } of sizes) {
    if (bytes > left) {
      batches.push([]);
      left = BATCH_BYTES;
    }
    batches.at(-1)?.push(id);
    left -= bytes;
  }
  return batches;
}
