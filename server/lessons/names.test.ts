import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import { lessonComments, mentionOf } from "#shared/lessons/comments/comments.ts";
import { lessonVersions } from "#shared/lessons/versions/versions.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { paragraph } from "#test/lessons.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { type Person, start } from "#test/start.ts";

// Authors of other companies have no name, and nobody is named by email

const server = await start();
const { as, make, db } = server;
const academy = await make.admin();
const [one, two] = [await make.admin(), await make.admin()];
for (const person of [one, two]) {
  const { id } = await make.company(academy);
  await limitToCompany(db, person, id);
}
await db.updateTable("users").set({ name: "" }).where("id", "=", academy.user.id).execute();
const STRANGER = "a colleague of another company";
const NAMELESS = "a colleague without a name";
const { createCourse, authorOf, publish } = lessonAuthors(server, academy);
const comment = async (by: Person, lessonId: string, text: string, threadId?: string) => {
  const id = randomUUID();
  const body = { id, text, ...(threadId && { threadId }) };
  return { id, status: (await as(by)(lessonComments.add, { params: { id: lessonId }, body })).status };
};
/** Statements that wait for a row which another transaction has locked. */
const waiting = () =>
  sql`
    select pid
    from pg_stat_activity
    where datname = current_database()
      and wait_event_type = 'Lock'`.execute(db);
const noEmails = (value: unknown) => {
  for (const { user } of [academy, one, two]) expect(JSON.stringify(value)).not.toContain(user.email);
};

test("who wrote in a lesson is named within the academy and one's own company", async () => {
  const block = paragraph("Two hooks.");
  const { id, lessonId } = await createCourse([block]);
  await publish(id);
  await (
    await authorOf(two, lessonId)
  ).write((doc) => ((doc.getXmlFragment(FRAGMENT).get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, "Always: "));
  await as(two)(lessonVersions.restore, { params: { id }, body: { number: 1, lessonId } });
  await (
    await authorOf(two, lessonId)
  ).write((doc) => ((doc.getXmlFragment(FRAGMENT).get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, "Always: "));
  const names = async (by: Person) => {
    const { body } = await as(by)(lessonVersions.history, { params: { id } });
    const query = { from: 1, lesson: lessonId };
    const { body: lesson } = await as(by)(lessonVersions.compareLesson, { params: { id }, query });
    noEmails([body, lesson]);
    return [body.versions[0]?.by, body.writers[0]?.name, body.restores[0]?.by, lesson.blocks[0]?.writtenBy?.name];
  };
  const { name } = two.user;
  expect(await names(academy)).toEqual([NAMELESS, name, name, name]);
  expect(await names(two)).toEqual([NAMELESS, name, name, name]);
  expect(await names(one)).toEqual([NAMELESS, STRANGER, STRANGER, STRANGER]);
});

test("comments, answers and mentions name nobody of another company", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const { id } = await comment(two, lessonId, `${mentionOf(two.user.id)} look`);
  await as(two)(lessonComments.resolve, { params: { id }, body: { isResolved: true } });
  const listOf = async (by: Person) => (await as(by)(lessonComments.list, { params: { id: lessonId } })).body;
  const [own, foreign] = [await listOf(two), await listOf(one)];
  expect(own.threads[0]).toMatchObject({ resolvedBy: two.user.name, comments: [{ author: two.user.name }] });
  expect(own.mentioned).toEqual({ [two.user.id]: two.user.name });
  expect(foreign.threads[0]).toMatchObject({ resolvedBy: STRANGER, comments: [{ author: STRANGER }] });
  expect(foreign.mentioned).toEqual({ [two.user.id]: STRANGER });
  expect(foreign.people.map((person) => person.id)).toEqual([one.user.id]);
  noEmails([own, foreign]);
  expect((await comment(one, lessonId, "Yes.", id)).status).toBe(200);
  const { items } = (await as(two)(notifications.list, { query: {} })).body;
  expect(items[0]).toMatchObject({ kind: "commentAnswer", params: { name: STRANGER } });
  expect((await comment(one, lessonId, mentionOf(two.user.id))).status).toBe(422);
});

test("an edit keeps the mention of a person who has left", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const left = await make.admin();
  const text = `${mentionOf(left.user.id)}, is this right?`;
  const { id } = await comment(academy, lessonId, text);
  await db.updateTable("users").set({ status: "suspended" }).where("id", "=", left.user.id).execute();
  for (const body of [{ text: `${text} Still?` }, { text }])
    expect((await as(academy)(lessonComments.edit, { params: { id }, body })).status).toBe(200);
  const { mentioned, people } = (await as(academy)(lessonComments.list, { params: { id: lessonId } })).body;
  expect(people.map((person) => person.id)).not.toContain(left.user.id);
  expect(mentioned).toEqual({ [left.user.id]: left.user.name });
});

test("an answer to a thread that is being deleted is refused", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const { id } = await comment(academy, lessonId, "First");
  let answer: ReturnType<typeof comment> | undefined;
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("lessonComments").where("id", "=", id).execute();
    answer = comment(one, lessonId, "Second", id);
    // The answer waits for the row that is deleted here.
    for (;;) {
      const { rows } = await waiting();
      if (rows.length > 0) break;
    }
  });
  expect((await answer!).status).toBe(404);
});

test("a comment that mentions an erased person is still edited", async () => {
  const gone = await make.admin();
  const { lessonId } = await createCourse([paragraph("Two hooks.")]);
  const text = `${mentionOf(gone.user.id)}, is this right?`;
  const { id } = await comment(academy, lessonId, text);
  expect((await as(academy)(privacy.erase, { body: { userId: gone.user.id } })).status).toBe(200);
  const edit = (changed: string) => as(academy)(lessonComments.edit, { params: { id }, body: { text: changed } });
  expect((await edit(`${text} It is.`)).status).toBe(200);
  expect((await edit(`${text} It is. ${mentionOf(randomUUID())}`)).status).toBe(422);
});
