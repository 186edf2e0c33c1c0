import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { textsOf } from "#shared/lessons/blockTexts.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { courses } from "#shared/courses/courses.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { listLessons } from "#shared/lessons/lessonProblems.ts";
import { plainText } from "#shared/lessons/richText.ts";
import { multipart } from "#test/client.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { choiceQuestion, newId, paragraph, words } from "#test/lessons.ts";
import { start } from "#test/start.ts";

// A course that is written here, copied as a new one

const server = await start();
const { app, as, make, db } = server;
const admin = await make.admin();
const call = as(admin);
const { createCourse, authorOf, change, publish } = lessonAuthors(server, admin);
const nodesOf = (blocks: LessonBlock[]) => documentToNodes({ schema: 1, language: "en", blocks });

async function storeImage(lessonId: string): Promise<LessonBlock> {
  const name = "harness.png";
  const path = `lessons/${randomUUID()}/${name}`;
  const { headers, body } = multipart({ metadata: { purpose: "lesson" } }, Buffer.from("a picture"));
  await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    payload: body,
    headers: { authorization: `Bearer ${admin.token}`, ...headers },
  });
  const { body: file } = await call(drafts.addFile, { params: { id: lessonId }, body: { path, name } });
  const { fileId, type, bytes } = file;
  return {
    kind: "image",
    id: newId("block"),
    file: { fileId, name, type, bytes },
    alt: "A harness",
    isDecorative: false,
    caption: words("Front loop"),
    width: "text",
  };
}

/** A question in the first lesson, and in the second a picture and a text that its wrong answer shows. */
async function original() {
  const { block: question, id: block } = choiceQuestion("Which one holds?");
  const { id, lessonId, moduleId } = await createCourse([question]);
  const second = randomUUID();
  await change(id, { kind: "addLesson", id: second, title: "Harness", moduleId, at: 1 });
  const hint = paragraph("Read the label again.", {
    showWhen: { match: "all", tests: [{ kind: "answer", block, is: "wrong" }] },
  } as Partial<LessonBlock>);
  await (await authorOf(admin, second)).replace(nodesOf([await storeImage(second), hint]));
  await publish(id);
  const rule = JSON.stringify({ kind: "part", sco: second, title: "Harness", is: "done" });
  await sql`update courses set completion_rule = ${rule}, summary = 'Ropes', minutes = 20 where id = ${id}`.execute(db);
  return { id, lessonId, second };
}
const lessonsOf = async (id: string) => listLessons((await call(drafts.preview, { params: { id } })).body);
const copy = (id: string, title: string) => call(drafts.copy, { params: { id }, body: { title } });

test("a copy has the texts, files, conditions and the rule with ids of its own", async () => {
  const { id } = await original();
  const { body: made, status } = await copy(id, "Working at heights, north");
  expect([status, made.packages]).toEqual([200, 0]);
  const [before, after] = [await lessonsOf(id), await lessonsOf(made.id)];
  const textsIn = (list: typeof before) =>
    list.map((one) => [one.title, ...one.document.blocks.flatMap(textsOf).map(plainText)]);
  expect(textsIn(after)).toEqual(textsIn(before));
  const idsIn = (list: typeof before) =>
    list.flatMap((one) => [one.id, ...one.document.blocks.map((block) => block.id)]);
  expect(idsIn(after).filter((one) => idsIn(before).includes(one))).toEqual([]);
  const question = after[0]!.document.blocks[0]!.id;
  expect(after[1]!.document.blocks[1]).toMatchObject({ showWhen: { tests: [{ kind: "answer", block: question }] } });
  const { body: course } = await call(courses.get, { params: { id: made.id } });
  expect(course).toMatchObject({ title: "Working at heights, north", summary: "Ropes", minutes: 20, learners: 0 });
  expect(course.completionRule).toEqual({ kind: "part", sco: after[1]!.id, title: "Harness", is: "done" });
  expect(course.versions).toEqual([]);
  expect((await call(drafts.publish, { params: { id: made.id } })).body).toEqual({ number: 1 });
});

test("what is changed in a copy leaves the original as it is", async () => {
  const { id, lessonId } = await original();
  const { body: made } = await copy(id, "Second");
  const [first] = await lessonsOf(made.id);
  await (await authorOf(admin, first!.id)).replace(nodesOf([paragraph("Other words")]));
  expect((await lessonsOf(id)).find((one) => one.id === lessonId)?.document.blocks).toHaveLength(1);
  expect((await lessonsOf(id))[0]?.document.blocks[0]?.kind).toBe("question");
});

test("a course with a lesson that cannot be read is not copied", async () => {
  const { id, second } = await original();
  await sql`update lesson_updates set content = '\\x00ff00ff' where lesson_id = ${second}`.execute(db);
  expect(await copy(id, "Broken")).toMatchObject({ status: 409, code: "lessonDrafts.unreadable" });
});

test("only a course that is written here is copied, by who may write courses", async () => {
  const { id } = await original();
  const { company, learner } = await make.classroom();
  expect((await copy(randomUUID(), "None")).status).toBe(404);
  expect((await as(learner)(drafts.copy, { params: { id }, body: { title: "Mine" } })).status).toBe(403);
  expect((await copy(id, " ")).status).toBe(422);
  expect(company.id).not.toBe("");
});
