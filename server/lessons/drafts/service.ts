import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { ENROLMENT_SCOPE } from "#server/courses/enrolments.ts";
import { createCourse } from "#server/courses/versions.ts";
import { listDraftPackages } from "#server/lessons/drafts/packages.ts";
import { appendUpdate, readDrafts } from "#server/lessons/drafts/updates.ts";
import { isColleague, shownName } from "#server/lessons/names.ts";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { type CourseDraft, type drafts, PRESENCE_SECONDS } from "#shared/lessons/drafts.ts";
import { newId, type NodeJson, withNewIds } from "#shared/lessons/editing/nodeJson.ts";
import { changeOutline, lessonsOf, type Outline, type OutlineChange } from "#shared/lessons/outline.ts";
import texts from "#shared/locales/en/lessonDrafts.json" with { type: "json" };
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** A lesson without text, ready for its first word. */
export const emptyLesson = (): NodeJson => ({
  type: "doc",
  content: [{ type: "paragraph", attrs: { id: newId(), textId: newId() } }],
});

/** Creates a course that is written here: a draft with one module and one empty lesson. */
export async function createDraft(ctx: Ctx<User>, { title, language }: BodyOf<typeof drafts.create>) {
  const lesson = { id: randomUUID(), title: texts.firstLesson, minutes: null };
  const outline: Outline = { modules: [{ id: randomUUID(), title: "", lessons: [lesson] }] };
  const id = await inTransaction(ctx.db, async (tx) => {
    const course = await createCourse(tx, ctx.user, { title, kind: "lessons" });
    await tx
      .insertInto("courseDrafts")
      .values({ courseId: course.id, language, outline: JSON.stringify(outline) })
      .execute();
    await addLesson(tx, ctx.user, course.id, { id: lesson.id, nodes: emptyLesson() });
    await record(tx, ctx, { action: "lessonDrafts.create", courseId: course.id });
    return course.id;
  });
  return getDraft(ctx, id);
}

/** Adds a lesson with its text; it still needs a place in the contents. */
export async function addLesson(
  tx: Tx,
  { id: authorId }: User,
  courseId: string,
  { id, nodes }: { id: string; nodes: NodeJson },
) {
  const added = await tx
    .insertInto("lessonDrafts")
    .values({ id, courseId })
    .onConflict((conflicting) => conflicting.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!added) throw badField("id", "lessonDrafts.outlineExists");
  await appendUpdate(tx, { id, content: nodesToUpdate(nodes), authorId });
}

export const findDraft = (db: Db, id: string) =>
  db
    .selectFrom("courseDrafts")
    .innerJoin("courses", "courses.id", "courseDrafts.courseId")
    .leftJoin("courseVersions as live", "live.id", "courses.liveVersionId")
    .where("courseDrafts.courseId", "=", id)
    .select([
      "courses.id",
      "courses.title",
      "courseDrafts.language",
      "courseDrafts.outline",
      "courseDrafts.version",
      "courses.liveVersionId",
      "live.number as liveNumber",
    ])
    .executeTakeFirstOrThrow(notFound);

export async function getDraft(ctx: Ctx<User>, id: string): Promise<CourseDraft> {
  const { outline, ...draft } = await findDraft(ctx.db, id);
  const lessons = await ctx.db
    .selectFrom("lessonDrafts")
    .where("courseId", "=", id)
    .select(["id", "updates"])
    .execute();
  const numbers = await ctx.db
    .selectFrom("courseVersions")
    .where("courseId", "=", id)
    .select((e) => e.fn.max("number").as("last"))
    .executeTakeFirstOrThrow();
  const { inProgress } = await ctx.db
    .selectFrom("enrolments")
    .where("courseId", "=", id)
    .where("status", "in", ["in_progress", "failed"])
    .where(inScope(ctx.user, ENROLMENT_SCOPE))
    .select((e) => sql<number>`${e.fn.countAll()}::int`.as("inProgress"))
    .executeTakeFirstOrThrow();
  return {
    ...draft,
    modules: outline.modules,
    updates: Object.fromEntries(lessons.map(({ id: lessonId, updates }) => [lessonId, updates])),
    nextNumber: (numbers.last ?? 0) + 1,
    inProgress,
    packages: (await listDraftPackages(ctx.db, id)).map(({ shown }) => shown),
    present: await listPresent(ctx, id),
  };
}

const listPresent = ({ db, user }: Ctx<User>, courseId: string) =>
  db
    .selectFrom("lessonAuthors")
    .innerJoin("lessonDrafts", "lessonDrafts.id", "lessonAuthors.lessonId")
    .innerJoin("users", "users.id", "lessonAuthors.userId")
    .where("lessonDrafts.courseId", "=", courseId)
    .where("lessonAuthors.userId", "!=", user.id)
    .where(isColleague(user))
    .where("seenAt", ">", sql<string>`now() - make_interval(secs => ${PRESENCE_SECONDS})`)
    .orderBy("users.name")
    .orderBy("users.id")
    .limit(50)
    .select(["users.id", shownName(user).$notNull().as("name"), "lessonAuthors.lessonId"])
    .execute();

/** Stores that an author has opened or left a lesson, and tells the others if that is news. */
export async function enterLesson({ db, user }: Ctx<User>, id: string, { isLeaving }: { isLeaving: boolean }) {
  const lesson = await db
    .selectFrom("lessonDrafts")
    .where("id", "=", id)
    .select("courseId")
    .executeTakeFirstOrThrow(notFound);
  await inTransaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom("lessonAuthors")
      .where("userId", "=", user.id)
      .where("lessonId", "in", (e) =>
        e.selectFrom("lessonDrafts").where("courseId", "=", lesson.courseId).select("lessonDrafts.id"),
      )
      .returning(["lessonId", sql<boolean>`seen_at > now() - make_interval(secs => ${PRESENCE_SECONDS})`.as("isShown")])
      .execute();
    if (!isLeaving) await tx.insertInto("lessonAuthors").values({ lessonId: id, userId: user.id }).execute();
    const isKnown = removed.some(({ lessonId, isShown }) => lessonId === id && isShown);
    if (isLeaving || !isKnown) await announceChange(tx, { domain: "lessonDrafts" });
  });
}

/** Changes the table of contents under its lock, so that changes of two authors both happen. */
export async function changeDraft(ctx: Ctx<User>, id: string, change: OutlineChange) {
  // Read before the transaction, which must not wait for a thread.
  const copies = copiesOf(change);
  const copied = await readCopied(
    ctx.db,
    id,
    copies.map(({ of }) => of),
  );
  await inTransaction(ctx.db, async (tx) => {
    const { outline, version } = await tx
      .selectFrom("courseDrafts")
      .where("courseId", "=", id)
      .select(["outline", "version"])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const changed = changeOutline(outline, change);
    if (typeof changed === "string") throw conflict(OUTLINE_ERRORS[changed]);
    if (change.kind === "addLesson") await addLesson(tx, ctx.user, id, { id: change.id, nodes: emptyLesson() });
    const placed = new Set(lessonsOf(changed).map((lesson) => lesson.id));
    for (const { id: copy, of } of copies)
      if (copied.has(of) && placed.has(copy))
        await addLesson(tx, ctx.user, id, { id: copy, nodes: withNewIds(copied.get(of) ?? emptyLesson()) });
    await checkOwn(tx, id, changed);
    await tx
      .updateTable("courseDrafts")
      .set({ outline: JSON.stringify(changed), version: version + 1 })
      .where("courseId", "=", id)
      .execute();
    await record(tx, ctx, { action: "lessonDrafts.change", courseId: id, details: { fields: [change.kind] } });
    await announceChange(tx, { domain: "lessonDrafts" });
  });
  return getDraft(ctx, id);
}

/** Why a change of the contents is refused. */
export const OUTLINE_ERRORS = {
  missing: "lessonDrafts.outlineMissing",
  exists: "lessonDrafts.outlineExists",
  tooMany: "lessonDrafts.outlineTooMany",
  last: "lessonDrafts.lastModule",
} as const;

/** The outline names only lessons and packages of its course: a restored one may be of another. */
export async function checkOwn(tx: Tx, courseId: string, outline: Outline) {
  const lessons = await tx.selectFrom("lessonDrafts").where("courseId", "=", courseId).select("id").execute();
  const packages = await tx.selectFrom("packages").where("courseId", "=", courseId).select("id").execute();
  const ids = new Set([...lessons, ...packages].map(({ id }) => id));
  if (lessonsOf(outline).some(({ id, packageId }) => !ids.has(packageId ?? id))) throw notFound();
}

/** The lessons that a change copies, with the ids of their copies. */
function copiesOf(change: OutlineChange): { id: string; of: string }[] {
  if (change.kind === "copyLesson") return [change];
  return change.kind === "copyModule" ? change.lessons : [];
}

/** The texts of lessons, null if one cannot be read; without packages, and what is not of this course. */
async function readCopied(db: Db, courseId: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, NodeJson | null>();
  const lessons = await db
    .selectFrom("lessonDrafts")
    .where(isOneOf("lessonDrafts.id", ids))
    .where("courseId", "=", courseId)
    .select("lessonDrafts.id")
    .execute();
  return readDrafts(
    db,
    lessons.map(({ id }) => id),
  );
}
