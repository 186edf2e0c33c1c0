import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { createCourse } from "#server/courses/versions.ts";
import { addLesson, emptyLesson, findDraft } from "#server/lessons/drafts/service.ts";
import { readDrafts } from "#server/lessons/drafts/updates.ts";
import { missingParts } from "#shared/courses/completion.ts";
import type { drafts } from "#shared/lessons/drafts.ts";
import { newId, withOtherIds } from "#shared/lessons/editing/nodeJson.ts";
import { lessonsOf, type Outline } from "#shared/lessons/outline.ts";
import { walkObjects } from "#shared/lessons/walk.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Copies a draft as a new course: its lessons with ids of their own, conditions between them, quizzes, files, and how
 * the course is completed. Packages among the lessons are left out and counted.
 */
export async function copyDraft(ctx: Ctx<User>, courseId: string, { title }: BodyOf<typeof drafts.copy>) {
  const { outline: original, language } = await findDraft(ctx.db, courseId);
  const written = lessonsOf(original).filter(({ packageId }) => packageId === undefined);
  // Read before the transaction, which must not wait for a thread.
  const read = await readDrafts(
    ctx.db,
    written.map(({ id }) => id),
  );
  await refuseUnreadable(
    ctx.db,
    written.map(({ id }) => id).filter((id) => read.get(id) === null),
  );
  // All at once: a block can be shown by an answer in another lesson.
  const nodes = withOtherIds(
    written.map(({ id }) => read.get(id) ?? emptyLesson()),
    newId,
  );
  const ids = new Map(written.map(({ id }) => [id, randomUUID()]));
  const outline = copyOutline(original, ids);
  return inTransaction(ctx.db, async (tx) => {
    const course = await createCourse(tx, ctx.user, { title, kind: "lessons" });
    await tx
      .insertInto("courseDrafts")
      .values({ courseId: course.id, language, outline: JSON.stringify(outline) })
      .execute();
    for (const [n, { id }] of written.entries())
      await addLesson(tx, ctx.user, course.id, { id: ids.get(id)!, nodes: nodes[n]! });
    await copyFiles(tx, ids);
    await copySettings(tx, courseId, course.id, ids);
    await record(tx, ctx, { action: "lessonDrafts.copy", courseId: course.id, details: { from: courseId } });
    return { id: course.id, packages: lessonsOf(original).length - written.length };
  });
}

/** A lesson without text has no nodes either. */
async function refuseUnreadable(db: Db, ids: string[]) {
  const broken = await db
    .selectFrom("lessonDrafts")
    .where(isOneOf("id", ids))
    .where("bytes", ">", 0)
    .select("id")
    .executeTakeFirst();
  if (broken) throw conflict("lessonDrafts.unreadable");
}

const copyOutline = ({ modules }: Outline, ids: ReadonlyMap<string, string>): Outline => ({
  modules: modules.map((module) => ({
    ...module,
    id: randomUUID(),
    lessons: module.lessons.flatMap((lesson) => {
      const id = ids.get(lesson.id);
      return id ? [{ ...lesson, id }] : [];
    }),
  })),
});

const copyFiles = (tx: Tx, ids: ReadonlyMap<string, string>) =>
  sql`
    insert into lesson_files (lesson_id, file_id)
    select copies.id, lesson_files.file_id
    from unnest(${[...ids.keys()]}::uuid[], ${[...ids.values()]}::uuid[]) copies (of, id)
    join lesson_files on lesson_files.lesson_id = copies.of`.execute(tx);

/**
 * What the course says besides its lessons. A completion rule names parts by the ids of lessons; one that asks for a
 * package is left behind.
 */
async function copySettings(tx: Tx, from: string, to: string, ids: ReadonlyMap<string, string>) {
  const { completionRule, ...texts } = await tx
    .selectFrom("courses")
    .where("id", "=", from)
    .select(["summary", "minutes", "completionRule"])
    .executeTakeFirstOrThrow();
  const isWhole = missingParts(completionRule, new Set(ids.keys())).length === 0;
  const own = structuredClone(completionRule);
  walkObjects(own, (object) => {
    if (typeof object["sco"] === "string") object["sco"] = ids.get(object["sco"]) ?? object["sco"];
  });
  await tx
    .updateTable("courses")
    .set({ ...texts, ...(isWhole && { completionRule: JSON.stringify(own) }) })
    .where("id", "=", to)
    .execute();
}
