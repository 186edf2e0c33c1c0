import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { isColleague, shownName } from "#server/lessons/names.ts";
import { notifyCommented } from "#server/lessons/comments/notifying.ts";
import {
  type CommentThread,
  type lessonComments,
  listMentions,
  MAX_COMMENTS,
  MAX_MENTIONS,
} from "#shared/lessons/comments/comments.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const MAX_PEOPLE = 500;

/** The threads of a lesson, oldest first, and the people who can be mentioned. */
export async function listComments(ctx: Ctx<User>, lessonId: string) {
  await findLesson(ctx.db, lessonId);
  const rows = await ctx.db
    .selectFrom("lessonComments as comment")
    .leftJoin("users as author", "author.id", "comment.authorId")
    .leftJoin("users as resolver", "resolver.id", "comment.resolvedBy")
    .where("comment.lessonId", "=", lessonId)
    .orderBy("comment.createdAt")
    .orderBy("comment.id")
    .limit(MAX_COMMENTS)
    .select([
      "comment.id",
      "comment.threadId",
      "comment.blockId",
      "comment.about",
      "comment.text",
      "comment.authorId",
      "comment.createdAt",
      "comment.editedAt",
      "comment.resolvedAt",
      shownName(ctx.user, "author").as("author"),
      shownName(ctx.user, "resolver").as("resolvedBy"),
    ])
    .execute();
  const threads = new Map<string, CommentThread>();
  for (const { id, threadId, blockId, about, resolvedAt, resolvedBy, author, ...row } of rows) {
    const { text, authorId, createdAt, editedAt } = row;
    const thread = threads.get(threadId) ?? { id: threadId, blockId, about, resolvedAt, resolvedBy, comments: [] };
    thread.comments.push({ id, text, authorId, author, isOwn: authorId === ctx.user.id, createdAt, editedAt });
    threads.set(threadId, thread);
  }
  const people = await selectColleagues(ctx).where("users.name", "!=", "").execute();
  return { threads: [...threads.values()], people, mentioned: await listMentioned(ctx, lessonId) };
}

/** The names of who is mentioned in a lesson, also of those who may not be mentioned any more. */
async function listMentioned({ db, user }: Ctx<User>, lessonId: string) {
  const rows = await db
    .selectFrom("commentMentions")
    .innerJoin("lessonComments", "lessonComments.id", "commentMentions.commentId")
    .innerJoin("users", "users.id", "commentMentions.userId")
    .where("lessonComments.lessonId", "=", lessonId)
    .groupBy("users.id")
    .orderBy("users.id")
    .limit(MAX_PEOPLE)
    .select(["users.id", shownName(user).$notNull().as("name")])
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

const findLesson = (db: Db, id: string) =>
  db.selectFrom("lessonDrafts").where("id", "=", id).select(["id", "courseId"]).executeTakeFirstOrThrow(notFound);

/** Who may edit courses: active admins of the academy, and of one's own company. */
const selectColleagues = ({ db, user }: Pick<Ctx<User>, "db" | "user">) =>
  db
    .selectFrom("users")
    .where("users.role", "=", "admin")
    .where("users.status", "=", "active")
    .where(isColleague(user))
    .orderBy("users.name")
    .orderBy("users.id")
    .limit(MAX_PEOPLE)
    .select(["users.id", "users.name"]);

export async function addComment(ctx: Ctx<User>, lessonId: string, body: BodyOf<typeof lessonComments.add>) {
  const { id, threadId = id, blockId = null, about, text } = body;
  return inTransaction(ctx.db, async (tx) => {
    const { courseId } = await tx
      .selectFrom("lessonDrafts")
      .where("id", "=", lessonId)
      .select("courseId")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const known = await tx.selectFrom("lessonComments").where("id", "=", id).select("authorId").executeTakeFirst();
    if (known) {
      if (known.authorId === ctx.user.id) return { id };
      throw badField("id", "lessonComments.exists");
    }
    const { count } = await tx
      .selectFrom("lessonComments")
      .where("lessonId", "=", lessonId)
      .select(sql<number>`count(*)::int`.as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_COMMENTS) throw conflict("lessonComments.tooMany");
    const thread = threadId === id ? null : await findThread(tx, threadId, lessonId);
    await tx
      .insertInto("lessonComments")
      .values({
        id,
        threadId,
        lessonId,
        blockId: thread ? thread.blockId : blockId,
        about: thread ? thread.about : about,
        text,
        authorId: ctx.user.id,
      })
      .execute();
    const mentioned = await storeMentions(tx, ctx, id, text);
    // An answer opens a thread again.
    if (thread?.resolvedAt) await setResolved(tx, ctx, threadId, false);
    await notifyCommented(tx, ctx, { id, threadId, lessonId, courseId, mentioned, text });
    await record(tx, ctx, { action: "lessonComments.add", courseId });
    await announceChange(tx, { domain: "lessonComments" });
    return { id };
  });
}

const findThread = (tx: Tx, id: string, lessonId: string) =>
  tx
    .selectFrom("lessonComments")
    .where("id", "=", id)
    .where("threadId", "=", id)
    .where("lessonId", "=", lessonId)
    .select(["blockId", "about", "resolvedAt"])
    // Not deleted before the answer is stored.
    .forKeyShare()
    .executeTakeFirstOrThrow(notFound);

/**
 * Stores who is mentioned; 422 unless all of them may edit the course, or stood in `textBefore`, such as people whose
 * accounts were erased. Returns who was not mentioned before.
 */
async function storeMentions(tx: Tx, ctx: Ctx<User>, commentId: string, text: string, textBefore = "") {
  const ids = listMentions(text);
  const before = await tx
    .deleteFrom("commentMentions")
    .where("commentId", "=", commentId)
    .returning("userId")
    .execute();
  if (ids.length === 0) return [];
  if (ids.length > MAX_MENTIONS) throw badField("text", "lessonComments.tooManyMentions");
  const found = await selectColleagues({ ...ctx, db: tx })
    .where(isOneOf("users.id", ids))
    .execute();
  const known = new Set(before.map(({ userId }) => userId));
  const named = new Set([...known, ...listMentions(textBefore)]);
  const added = ids.filter((id) => !named.has(id));
  const allowed = new Set(found.map(({ id }) => id));
  // Who was mentioned before stays, also after leaving the team or the company.
  if (added.some((id) => !allowed.has(id))) throw badField("text", "lessonComments.notMentionable");
  const stored = ids.filter((id) => known.has(id) || allowed.has(id));
  if (stored.length > 0)
    await tx
      .insertInto("commentMentions")
      .values(stored.map((userId) => ({ commentId, userId })))
      .execute();
  return added;
}

/** One's own comment, locked; 403 for that of another author. */
async function lockOwn(tx: Tx, { user }: Ctx<User>, id: string) {
  const comment = await lockComment(tx, id);
  if (comment.authorId !== user.id) throw new Problem(403, "lessonComments.notOwn");
  return comment;
}
const lockComment = (tx: Tx, id: string) =>
  tx
    .selectFrom("lessonComments")
    .innerJoin("lessonDrafts", "lessonDrafts.id", "lessonComments.lessonId")
    .where("lessonComments.id", "=", id)
    .select([
      "lessonComments.id",
      "lessonComments.threadId",
      "lessonComments.lessonId",
      "lessonComments.authorId",
      "lessonComments.text",
      "lessonDrafts.courseId",
    ])
    .forUpdate("lessonComments")
    .executeTakeFirstOrThrow(notFound);

export async function editComment(ctx: Ctx<User>, id: string, { text }: BodyOf<typeof lessonComments.edit>) {
  return inTransaction(ctx.db, async (tx) => {
    const { threadId, lessonId, courseId, text: textBefore } = await lockOwn(tx, ctx, id);
    await tx
      .updateTable("lessonComments")
      .set({ text, editedAt: sql`now()` })
      .where("id", "=", id)
      .execute();
    const mentioned = await storeMentions(tx, ctx, id, text, textBefore);
    if (mentioned.length > 0)
      await notifyCommented(tx, ctx, { id, threadId, lessonId, courseId, mentioned, text, isEdited: true });
    await record(tx, ctx, { action: "lessonComments.edit", courseId });
    await announceChange(tx, { domain: "lessonComments" });
    return { id };
  });
}

/** The first comment of a thread with answers of others keeps its place, without its words. */
export async function removeComment(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const { threadId, courseId } = await lockOwn(tx, ctx, id);
    const answer = await tx
      .selectFrom("lessonComments")
      .where("threadId", "=", id)
      .where("id", "!=", id)
      .select("id")
      .executeTakeFirst();
    if (threadId === id && answer) {
      await tx.updateTable("lessonComments").set({ text: "" }).where("id", "=", id).execute();
      await tx.deleteFrom("commentMentions").where("commentId", "=", id).execute();
    } else await tx.deleteFrom("lessonComments").where("id", "=", id).execute();
    await record(tx, ctx, { action: "lessonComments.remove", courseId });
    await announceChange(tx, { domain: "lessonComments" });
  });
}

export async function resolveThread(ctx: Ctx<User>, id: string, { isResolved }: { isResolved: boolean }) {
  return inTransaction(ctx.db, async (tx) => {
    const { threadId, courseId } = await lockComment(tx, id);
    await setResolved(tx, ctx, threadId, isResolved);
    await record(tx, ctx, {
      action: "lessonComments.resolve",
      courseId,
      details: { to: isResolved ? "resolved" : "open" },
    });
    await announceChange(tx, { domain: "lessonComments" });
    return { id: threadId };
  });
}

const setResolved = (tx: Tx, { user }: Ctx<User>, threadId: string, isResolved: boolean) =>
  tx
    .updateTable("lessonComments")
    .set(isResolved ? { resolvedAt: sql`now()`, resolvedBy: user.id } : { resolvedAt: null, resolvedBy: null })
    .where("id", "=", threadId)
    .execute();
