import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { lessonVersions } from "#shared/lessons/versions/versions.ts";
import { lessonComments, MAX_COMMENTS, mentionOf } from "#shared/lessons/comments/comments.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { paragraph } from "#test/lessons.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const ingrid = await make.admin();
const per = await make.admin();
const { createCourse } = lessonAuthors(server, per);
const listOf = async (person: Person, id: string) => (await as(person)(lessonComments.list, { params: { id } })).body;
const add = async (person: Person, lessonId: string, body: { text: string; threadId?: string; blockId?: string }) => {
  const id = randomUUID();
  const { status, code } = await as(person)(lessonComments.add, { params: { id: lessonId }, body: { id, ...body } });
  return { id, status, code };
};
const newsOf = async (person: Person) =>
  (await as(person)(notifications.list, { query: {} })).body.items.map(({ kind, params }) => [kind, params["name"]]);

test("a mention and an answer notify, and resolving is seen by all", async () => {
  const block = paragraph("Climb at most 2 m.");
  const { lessonId } = await createCourse([block]);
  const question = `${mentionOf(ingrid.user.id)}, is this still 2 m?`;
  const { id } = await add(per, lessonId, { text: question, blockId: block.id });
  expect((await newsOf(ingrid))[0]).toEqual(["commentMention", per.user.name]);
  const mails = await db.selectFrom("mails").where("userId", "=", ingrid.user.id).selectAll().execute();
  expect(mails.map(({ reason }) => reason)).toContain("notifications.commentMention");
  expect(JSON.stringify(mails)).not.toContain("still 2 m");
  await add(ingrid, lessonId, { text: "Yes.", threadId: id });
  expect((await newsOf(per))[0]).toEqual(["commentAnswer", ingrid.user.name]);
  const resolve = { params: { id }, body: { isResolved: true } };
  expect((await as(ingrid)(lessonComments.resolve, resolve)).status).toBe(200);
  expect((await listOf(per, lessonId)).threads).toMatchObject([
    {
      id,
      blockId: block.id,
      resolvedBy: ingrid.user.name,
      comments: [
        { text: question, author: per.user.name, isOwn: true },
        { text: "Yes.", author: ingrid.user.name, isOwn: false },
      ],
    },
  ]);
  // An answer opens it again.
  await add(per, lessonId, { text: "And the ladder?", threadId: id });
  expect((await listOf(per, lessonId)).threads[0]?.resolvedAt).toBeNull();
});

test("only own comments are changed and deleted, and answers of others stay", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const { id } = await add(per, lessonId, { text: "First" });
  const { id: answer } = await add(ingrid, lessonId, { text: "Second", threadId: id });
  const edit = { params: { id }, body: { text: "Mine" } };
  expect(await as(ingrid)(lessonComments.edit, edit)).toMatchObject({ status: 403, code: "lessonComments.notOwn" });
  expect((await as(ingrid)(lessonComments.remove, { params: { id } })).status).toBe(403);
  expect((await as(per)(lessonComments.edit, edit)).status).toBe(200);
  expect((await as(per)(lessonComments.remove, { params: { id } })).status).toBe(204);
  const texts = async () => (await listOf(per, lessonId)).threads[0]?.comments.map(({ text }) => text);
  expect(await texts()).toEqual(["", "Second"]);
  await as(ingrid)(lessonComments.remove, { params: { id: answer } });
  expect(await texts()).toEqual([""]);
});

test("an edit notifies only who is mentioned anew", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const third = await make.admin();
  const { id } = await add(per, lessonId, { text: `${mentionOf(ingrid.user.id)} look` });
  const before = (await newsOf(ingrid)).length;
  const text = `${mentionOf(ingrid.user.id)} ${mentionOf(third.user.id)} look`;
  await as(per)(lessonComments.edit, { params: { id }, body: { text } });
  expect(await newsOf(ingrid)).toHaveLength(before);
  expect((await newsOf(third))[0]).toEqual(["commentMention", per.user.name]);
});

test("a comment that is sent again is stored once, and limits hold", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const id = randomUUID();
  const sent = { params: { id: lessonId }, body: { id, text: "Once" } };
  await as(per)(lessonComments.add, sent);
  expect((await as(per)(lessonComments.add, sent)).status).toBe(200);
  expect((await listOf(per, lessonId)).threads).toHaveLength(1);
  expect((await add(per, lessonId, { text: "x".repeat(4001) })).status).toBe(422);
  const rows = Array.from({ length: MAX_COMMENTS - 1 }, () => ({ id: randomUUID(), threadId: id, lessonId }));
  await db
    .insertInto("lessonComments")
    .values(rows.map((row) => ({ ...row, about: "", text: "x" })))
    .execute();
  expect(await add(per, lessonId, { text: "More" })).toMatchObject({ status: 409, code: "lessonComments.tooMany" });
});

test("learners read no comments, and are not mentioned", async () => {
  const { learner } = await make.classroom();
  const { lessonId } = await createCourse([paragraph("Text")]);
  const { id } = await add(per, lessonId, { text: "Secret" });
  for (const who of [as(learner), as(null)]) {
    const params = { id };
    expect((await who(lessonComments.list, { params: { id: lessonId } })).status).toBeGreaterThanOrEqual(401);
    expect(
      (await who(lessonComments.add, { params: { id: lessonId }, body: { id: randomUUID(), text: "x" } })).status,
    ).toBeGreaterThanOrEqual(401);
    expect((await who(lessonComments.edit, { params, body: { text: "x" } })).status).toBeGreaterThanOrEqual(401);
    expect((await who(lessonComments.remove, { params })).status).toBeGreaterThanOrEqual(401);
    expect((await who(lessonComments.resolve, { params, body: { isResolved: true } })).status).toBeGreaterThanOrEqual(
      401,
    );
  }
  expect(await add(per, lessonId, { text: mentionOf(learner.user.id) })).toMatchObject({
    status: 422,
    code: "core.invalid",
  });
});

test("a thread of another lesson takes no answer", async () => {
  const [one, two] = [await createCourse([paragraph("A")]), await createCourse([paragraph("B")])];
  const { id } = await add(per, one.lessonId, { text: "Here" });
  expect((await add(per, two.lessonId, { text: "There", threadId: id })).status).toBe(404);
});

test("an erased author loses words and name, and stays counted as a writer", async () => {
  const gone = await make.admin();
  const { lessonId, id } = await createCourse([paragraph("Text")]);
  const { authorOf } = lessonAuthors(server, gone);
  await (await authorOf(gone, lessonId)).write((doc) => doc.getXmlFragment("lesson").delete(0, 1));
  const { id: first } = await add(gone, lessonId, { text: "My private words" });
  await add(ingrid, lessonId, { text: "An answer", threadId: first });
  const erased = await as(per)(privacy.erase, { body: { userId: gone.user.id } });
  expect(erased.status).toBe(200);
  const { threads } = await listOf(per, lessonId);
  expect(threads[0]?.comments).toMatchObject([{ text: "", author: null }, { text: "An answer" }]);
  const { body } = await as(per)(lessonVersions.history, { params: { id } });
  expect(body.writers.map(({ name }) => name)).toEqual([per.user.name, null]);
});
