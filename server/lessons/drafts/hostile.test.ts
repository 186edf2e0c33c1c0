import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import { drafts, MAX_UPDATES } from "#shared/lessons/drafts.ts";
import { paragraph } from "#test/lessons.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { start } from "#test/start.ts";

// Updates that Yjs decodes, with content that no editor writes

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const { createCourse, authorOf, change } = lessonAuthors(server, admin);

const block = (id: unknown) => {
  const element = new Y.XmlElement("paragraph");
  element.setAttribute("id", id as string);
  return element;
};

test("no id of a block keeps a lesson with many updates from opening", async () => {
  const { lessonId } = await createCourse([paragraph("Text")]);
  const author = await authorOf(admin, lessonId);
  const many = Array.from({ length: 5000 }, (_, n) => block(`block-${n}`));
  const odd = ["nul \u0000 inside", "", "__proto__", "\ud800", "x".repeat(5000), 7].map(block);
  await author.write((doc) => doc.getXmlFragment(FRAGMENT).push([...odd, ...many]));
  for (let n = 0; n <= MAX_UPDATES; n++)
    await author.write((doc) => doc.getXmlFragment(FRAGMENT).push([block(`late-${n}`)]));
  expect((await as(admin)(drafts.updates, { params: { id: lessonId } })).status).toBe(200);
  const rows = await db.selectFrom("lessonUpdates").where("lessonId", "=", lessonId).select("origin").execute();
  expect(rows).toEqual([{ origin: "merged" }]);
  expect((await authorOf(admin, lessonId)).doc.getXmlFragment(FRAGMENT).length).toBe(
    author.doc.getXmlFragment(FRAGMENT).length,
  );
});

test("a lesson with a document in place of a value is named, and the others are read", async () => {
  const { id, lessonId, moduleId } = await createCourse([paragraph("Text")]);
  const second = randomUUID();
  await change(id, { kind: "addLesson", id: second, title: "Second", moduleId, at: 1 });
  await (
    await authorOf(admin, lessonId)
  ).write((doc) => doc.getXmlFragment(FRAGMENT).push([block(new Y.XmlElement("paragraph")), block(new Y.Map())]));
  const { body } = await as(admin)(drafts.review, { params: { id } });
  expect(body.problems.filter(({ code }) => code === "broken").map((one) => one.lessonId)).toEqual([lessonId]);
  expect(body.added.map((one) => one.id)).toEqual([second]);
});
