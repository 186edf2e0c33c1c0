import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT, nodesToUpdate, readNodes } from "#server/lessons/drafts/yNodes.ts";
import { courses } from "#shared/courses/courses.ts";
import { drafts, MAX_UPDATES } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { newId } from "#shared/lessons/editing/nodeJson.ts";
import type { OutlineChange } from "#shared/lessons/outline.ts";
import { listLessons } from "#shared/lessons/lessonProblems.ts";
import { plainText } from "#shared/lessons/richText.ts";
import { everyBlock } from "#test/everyBlock.ts";
import { quizCourse } from "#test/quizzes.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const other = await server.startAnother();
const admin = await make.admin();
const call = as(admin);

const create = async () => {
  const { body, status } = await call(drafts.create, { body: { title: "Working at heights", language: "en" } });
  expect(status).toBe(200);
  const [first] = body.modules;
  return { ...body, moduleId: first!.id, lessonId: first!.lessons[0]!.id };
};
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const write = (id: string, update: Uint8Array, key = randomUUID()) =>
  call(drafts.write, { params: { id }, body: { key, update: base64(update) } });
const change = (id: string, body: OutlineChange) => call(drafts.change, { params: { id }, body });

/** An author with a document of their own. */
async function author(lessonId: string) {
  const doc = new Y.Doc();
  let since = 0;
  const pull = async () => {
    const { body } = await call(drafts.updates, { params: { id: lessonId }, query: { since } });
    for (const update of body.updates) Y.applyUpdate(doc, Buffer.from(update, "base64"), "server");
    since = body.until;
    return body;
  };
  await pull();
  const type = (text: string) => {
    const updates: Uint8Array[] = [];
    const keep = (update: Uint8Array) => updates.push(update);
    doc.on("update", keep);
    const block = new Y.XmlElement("paragraph");
    block.setAttribute("id", newId());
    block.setAttribute("textId", newId());
    block.insert(0, [new Y.XmlText(text)]);
    doc.getXmlFragment(FRAGMENT).push([block]);
    doc.off("update", keep);
    return Y.mergeUpdates(updates);
  };
  const words = () => JSON.stringify(readNodes(doc, { depth: 12, nodes: 1000 }));
  return { doc, pull, type, words };
}

test("a course that is written here starts as a draft with one empty lesson", async () => {
  const draft = await create();
  expect(draft).toMatchObject({ title: "Working at heights", language: "en", liveNumber: null, nextNumber: 1 });
  expect(draft.updates).toEqual({ [draft.lessonId]: 1 });
  const { body: course } = await call(courses.get, { params: { id: draft.id } });
  expect(course).toMatchObject({ kind: "lessons", status: "draft", versions: [] });
});

test("two authors write at once, and none loses a word", async () => {
  const { lessonId } = await create();
  const [one, two] = [await author(lessonId), await author(lessonId)];
  const [first, second] = [one.type("Check it on the ground."), two.type("In daylight.")];
  expect((await Promise.all([write(lessonId, first), write(lessonId, second)])).map(({ status }) => status)).toEqual([
    200, 200,
  ]);
  await one.pull();
  await two.pull();
  for (const { words } of [one, two])
    expect(words()).toMatch(/Check it on the ground.*In daylight|In daylight.*Check it/);
  expect(one.words()).toBe(two.words());
});

test("an update that is sent again is stored once", async () => {
  const { lessonId } = await create();
  const one = await author(lessonId);
  const [key, update] = [randomUUID(), one.type("Once")];
  const numbers = [await write(lessonId, update, key), await write(lessonId, update, key)].map(
    ({ body }) => body.number,
  );
  expect(numbers).toEqual([2, 2]);
});

test("another update under the same key is stored as well", async () => {
  const { lessonId } = await create();
  const [one, two] = [await author(lessonId), await author(lessonId)];
  const [key, first, more] = [randomUUID(), one.type("Before the reply was lost"), one.type("After it")];
  await write(lessonId, first, key);
  await write(lessonId, Y.mergeUpdates([first, more]), key);
  await two.pull();
  expect(two.words()).toMatch(/Before the reply was lost.*After it/);
});

test("updates that nobody can read are refused and change nothing", async () => {
  const { id, lessonId } = await create();
  const { status, code } = await write(lessonId, new Uint8Array([9, 9, 255, 255, 255, 255, 255, 3]));
  expect([status, code]).toEqual([422, "core.invalid"]);
  expect(
    (await call(drafts.write, { params: { id: lessonId }, body: { key: randomUUID(), update: "<>" } })).status,
  ).toBe(422);
  const large = new Y.Doc();
  large.getText("x").insert(0, "x".repeat(2.2 * 1024 ** 2));
  expect((await write(lessonId, Y.encodeStateAsUpdate(large))).status).toBe(413);
  expect((await call(drafts.get, { params: { id } })).body.updates).toEqual({ [lessonId]: 1 });
});

test("a full lesson takes no more updates, and keeps what it has", async () => {
  const { lessonId } = await create();
  await db
    .updateTable("lessonDrafts")
    .set({ bytes: 8 * 1024 ** 2 })
    .where("id", "=", lessonId)
    .execute();
  const one = await author(lessonId);
  expect(await write(lessonId, one.type("More"))).toMatchObject({ status: 409, code: "lessonDrafts.lessonFull" });
});

test("many updates are merged by a reader, and nobody misses one", async () => {
  const { lessonId } = await create();
  const [one, late] = [await author(lessonId), await author(lessonId)];
  for (let n = 0; n <= MAX_UPDATES; n++) expect((await write(lessonId, one.type(`word ${n}.`))).status).toBe(200);
  // Readers at the same time: one of them merges.
  const readers = await Promise.all([author(lessonId), author(lessonId)]);
  const stored = await db.selectFrom("lessonUpdates").where("lessonId", "=", lessonId).select("number").execute();
  expect(stored).toEqual([{ number: MAX_UPDATES + 2 }]);
  await write(lessonId, one.type("after."));
  await late.pull();
  for (const reader of [...readers, late]) {
    await reader.pull();
    expect(reader.words()).toBe(one.words());
  }
});

test("another server has what one has acknowledged", async () => {
  const { lessonId } = await create();
  const one = await author(lessonId);
  await write(lessonId, one.type("Acknowledged"));
  const reply = await other.app.inject({
    url: `/api/lesson-drafts/${lessonId}/updates`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const doc = new Y.Doc();
  for (const update of reply.json().updates) Y.applyUpdate(doc, Buffer.from(update, "base64"));
  expect(JSON.stringify(readNodes(doc, { depth: 12, nodes: 1000 }))).toContain("Acknowledged");
});

test("modules and lessons are added, renamed, moved, removed and brought back", async () => {
  const { id, moduleId, lessonId } = await create();
  const [second, lesson, copy] = [randomUUID(), randomUUID(), randomUUID()];
  await write(lessonId, (await author(lessonId)).type("The text of the first"));
  await change(id, { kind: "addModule", id: second, title: "On the tower", at: 1 });
  await change(id, { kind: "addLesson", id: lesson, title: "Hooks", moduleId: second, at: 0 });
  await change(id, { kind: "copyLesson", id: copy, of: lessonId, title: "First lesson (copy)" });
  await change(id, { kind: "changeLesson", id: lesson, title: "Two hooks", minutes: 4 });
  await change(id, { kind: "moveLesson", id: copy, moduleId: second, at: 0 });
  const moved = (await change(id, { kind: "moveModule", id: second, at: 0 })).body;
  expect(moved.modules.map(({ title, lessons }) => [title, lessons.map((one) => one.title)])).toEqual([
    ["On the tower", ["First lesson (copy)", "Two hooks"]],
    ["", ["First lesson"]],
  ]);
  expect((await author(copy)).words()).toContain("The text of the first");
  const removed = moved.modules[0]!;
  await change(id, { kind: "removeModule", id: second });
  expect((await change(id, { kind: "removeModule", id: moduleId })).code).toBe("lessonDrafts.lastModule");
  const back = (await change(id, { kind: "restoreModule", module: removed, at: 0 })).body;
  expect(back.modules).toEqual(moved.modules);
  expect((await author(copy)).words()).toContain("The text of the first");
  expect((await change(id, { kind: "removeLesson", id: randomUUID() })).code).toBe("lessonDrafts.outlineMissing");
});

test("a lesson of another course cannot be brought into this one", async () => {
  const [mine, theirs] = [await create(), await create()];
  const lesson = { id: theirs.lessonId, title: "Theirs", minutes: null };
  const { status } = await change(mine.id, { kind: "restoreLesson", lesson, moduleId: mine.moduleId, at: 0 });
  expect(status).toBe(404);
});

test("a draft is published, and the review says what has changed since", async () => {
  const draft = await create();
  const params = { id: draft.id };
  const lesson = randomUUID();
  await change(draft.id, { kind: "addLesson", id: lesson, title: "Second", moduleId: draft.moduleId, at: 1 });
  const one = await author(lesson);
  await write(lesson, one.type("Two hooks, always."));
  expect((await call(drafts.publish, { params })).body).toEqual({ number: 1 });
  const { body: unchanged } = await call(drafts.review, { params });
  expect(unchanged).toMatchObject({ added: [], removed: [], changed: [], unchanged: 2 });
  await write(lesson, one.type("And look up."));
  await change(draft.id, { kind: "removeLesson", id: draft.lessonId });
  const { body: review } = await call(drafts.review, { params });
  expect(review).toMatchObject({ added: [], removed: [{ title: "First lesson" }], changed: [{ title: "Second" }] });
  expect((await call(drafts.publish, { params })).body).toEqual({ number: 2 });
  const { body: course } = await call(courses.get, { params });
  expect(course.versions.map(({ number, live }) => [number, live])).toEqual([
    [2, true],
    [1, false],
  ]);
  const { body: preview } = await call(drafts.preview, { params });
  expect(
    listLessons(preview)[0]?.document.blocks.map((block) => "text" in block && plainText(block.text as never)),
  ).toEqual(["", "Two hooks, always.", "And look up."]);
});

test("only a question without a right answer stops publishing", async () => {
  const draft = await create();
  const params = { id: draft.id };
  const document = everyBlock();
  for (const block of document.blocks) {
    if (block.kind === "image") block.alt = "";
    if (block.kind === "table") block.hasHead = false;
    if (block.kind === "heading") block.level = 4;
    if (block.kind === "question" && block.question.kind === "multiple")
      for (const choice of block.question.choices) choice.isRight = false;
  }
  const lessonId = randomUUID();
  await change(draft.id, { kind: "addLesson", id: lessonId, title: "Everything", moduleId: draft.moduleId, at: 1 });
  await write(lessonId, nodesToUpdate(documentToNodes(document)));
  const { body: review } = await call(drafts.review, { params });
  const codes = review.problems.filter((one) => one.lessonId === lessonId).map(({ code, blocks }) => [code, blocks]);
  expect(codes).toContainEqual(["noRightAnswer", true]);
  for (const code of ["alternativeText", "tableHead", "headingOrder", "unknownVariable"])
    expect(codes).toContainEqual([code, false]);
  expect(codes.filter(([, blocks]) => blocks)).toHaveLength(1);
  expect(await call(drafts.publish, { params })).toMatchObject({ status: 409, code: "lessonDrafts.notReady" });
});

test("a lesson becomes a quiz, and what is wrong with it stops publishing", async () => {
  const { id, lessonId } = await create();
  const pool = { key: "pool-0001", title: "Hooking on", draw: 3 };
  await change(id, { kind: "changeQuiz", id: lessonId, settings: {} });
  await Promise.all([
    change(id, { kind: "changeQuiz", id: lessonId, settings: { passPercent: 70 } }),
    change(id, { kind: "changeQuiz", id: lessonId, settings: { minutes: 1 } }),
    change(id, { kind: "setPool", id: lessonId, pool }),
  ]);
  const lessonOf = async () => (await call(drafts.get, { params: { id } })).body.modules[0]!.lessons[0]!;
  expect((await lessonOf()).quiz).toMatchObject({ passPercent: 70, minutes: 1, attempts: 3, pools: [pool] });
  const codes = async () => {
    const { problems } = (await call(drafts.review, { params: { id } })).body;
    return problems.filter(({ code }) => code !== "empty").map(({ code, blocks }) => `${code} ${blocks}`);
  };
  expect(await codes()).toEqual(["quizNoQuestions true"]);
  const asked = quizCourse({}, { always: 7 }).document;
  const [first, ...rest] = asked.blocks;
  await write(
    lessonId,
    nodesToUpdate(documentToNodes({ ...asked, blocks: [{ ...first!, pool: pool.key } as never, ...rest] })),
  );
  expect(await codes()).toEqual(["poolTooSmall true", "timeShort false"]);
  expect((await call(drafts.publish, { params: { id } })).status).toBe(409);
  await change(id, { kind: "setPool", id: lessonId, pool: { ...pool, draw: 1 } });
  expect((await call(drafts.publish, { params: { id } })).status).toBe(200);
  const { body } = await call(drafts.preview, { params: { id } });
  expect(body.modules[0]!.lessons[0]).toMatchObject({ document: { quiz: { passPercent: 70, pools: [{ draw: 1 }] } } });
  await change(id, { kind: "changeQuiz", id: lessonId, settings: null });
  expect((await lessonOf()).quiz).toBeUndefined();
});

test("a lesson that cannot be read is named and stops publishing", async () => {
  const draft = await create();
  const params = { id: draft.id };
  const doc = new Y.Doc();
  let parent: Y.XmlFragment = doc.getXmlFragment(FRAGMENT);
  for (let depth = 0; depth < 100; depth++) {
    const child = new Y.XmlElement("callout");
    parent.insert(0, [child]);
    parent = child;
  }
  await write(draft.lessonId, Y.encodeStateAsUpdate(doc));
  const { body } = await call(drafts.review, { params });
  expect(body.problems).toMatchObject([{ code: "broken", lessonId: draft.lessonId, blocks: true }]);
});

test("authors see who else is in the course, until they leave", async () => {
  const { id, lessonId } = await create();
  const colleague = await make.admin();
  await as(colleague)(drafts.enter, { params: { id: lessonId }, body: {} });
  expect((await call(drafts.get, { params: { id } })).body.present).toMatchObject([
    { id: colleague.user.id, lessonId },
  ]);
  await as(colleague)(drafts.enter, { params: { id: lessonId }, body: { isLeaving: true } });
  expect((await call(drafts.get, { params: { id } })).body.present).toEqual([]);
});

test("learners and guests get nothing of a draft", async () => {
  const { learner } = await make.classroom();
  const { id, lessonId } = await create();
  for (const who of [as(learner), as(null)]) {
    expect((await who(drafts.get, { params: { id } })).status).toBeGreaterThanOrEqual(401);
    expect((await who(drafts.updates, { params: { id: lessonId } })).status).toBeGreaterThanOrEqual(401);
  }
});
