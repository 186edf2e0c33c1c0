import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { MAX_BLOCKS } from "#shared/lessons/lessonDocument.ts";
import { blockId } from "#shared/lessons/richText.ts";

// Who wrote in which block. Updates have an author; those that are merged leave the last author of each block behind.

/** Notes that a person writes for the next version of a course. */
export const addWriter = (tx: Tx, courseId: string, authorId: string) =>
  tx
    .insertInto("courseWriters")
    .values((e) => ({
      courseId,
      authorId,
      number: e
        .selectFrom("courseVersions")
        .where("courseId", "=", courseId)
        .select(sql<number>`coalesce(max(number), 0) + 1`.as("next"))
        .$asScalar()
        .$notNull(),
    }))
    .onConflict((conflict) => conflict.columns(["courseId", "number", "authorId"]).doUpdateSet({ lastAt: sql`now()` }))
    .execute();

/**
 * What was written while a version was published may be in it or not: its authors count for both. `since`: when the
 * lessons of the version were read.
 */
export const carryWriters = (tx: Tx, courseId: string, number: number, since: string) =>
  tx
    .insertInto("courseWriters")
    .columns(["courseId", "number", "authorId", "firstAt", "lastAt"])
    .expression((e) =>
      e
        .selectFrom("courseWriters")
        .where("courseId", "=", courseId)
        .where("number", "=", number)
        .where("lastAt", ">=", since)
        .select(["courseId", sql<number>`number + 1`.as("number"), "authorId", "lastAt as firstAt", "lastAt"]),
    )
    .onConflict((conflict) => conflict.columns(["courseId", "number", "authorId"]).doNothing())
    .execute();

type Update = { authorId: string | null; writtenAt: string; origin: string };
/** `isKnown` without an author: the author was erased. Otherwise `writtenAt` is the latest time possible. */
export type BlockAuthor = { authorId: string | null; isKnown: boolean; writtenAt: string };

/** The last author of each block, by what is stored and by the updates since. */
export async function findBlockAuthors(db: Db, lessonId: string, updates: Update[], traces: Record<string, number>) {
  const stored = await db.selectFrom("lessonBlockAuthors").where("lessonId", "=", lessonId).selectAll().execute();
  const kept = new Map(stored.map((one) => [one.blockId, one]));
  const authors = new Map<string, BlockAuthor>();
  for (const [blockId, index] of Object.entries(traces)) {
    const update = updates[index];
    if (!update) continue;
    const { authorId, writtenAt, origin } = update;
    const earlier = origin === "merged" ? kept.get(blockId) : undefined;
    authors.set(blockId, earlier ?? { authorId, isKnown: origin === "author", writtenAt });
  }
  return authors;
}

/** Keeps the authors of blocks whose updates are merged. */
export async function keepBlockAuthors(tx: Tx, lessonId: string, updates: Update[], traces: Record<string, number>) {
  const authors = await findBlockAuthors(tx, lessonId, updates, traces);
  await tx.deleteFrom("lessonBlockAuthors").where("lessonId", "=", lessonId).execute();
  // Anything can stand in an update.
  const rows = [...authors]
    .filter(([id]) => blockId.safeParse(id).success)
    .slice(0, MAX_BLOCKS)
    .map(([id, { authorId, isKnown, writtenAt }]) => ({ lessonId, blockId: id, authorId, isKnown, writtenAt }));
  if (rows.length > 0)
    await tx
      .insertInto("lessonBlockAuthors")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
