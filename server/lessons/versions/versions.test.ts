import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT, nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { drafts, MAX_UPDATES } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import { lessonVersions } from "#shared/lessons/versions/versions.ts";
import { everyBlock } from "#test/everyBlock.ts";
import { choiceQuestion, paragraph } from "#test/lessons.ts";
import { start } from "#test/start.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";

const server = await start();
const { as, make, db } = server;
const ingrid = await make.admin();
const per = await make.admin();
const { createCourse, authorOf, change, publish } = lessonAuthors(server, ingrid);
const compare = async (id: string, query: { from: number | "draft"; to?: number | "draft" }) =>
  (await as(ingrid)(lessonVersions.compare, { params: { id }, query })).body;
const compareLesson = async (
  id: string,
  lesson: string,
  query: { from: number; to?: number | "draft" } = { from: 1 },
) => (await as(ingrid)(lessonVersions.compareLesson, { params: { id }, query: { ...query, lesson } })).body;

test("nothing has changed right after publishing", async () => {
  const { id, lessonId } = await createCourse([paragraph("Two hooks, always.")]);
  await publish(id);
  const { lessons, modules } = await compare(id, { from: 1 });
  expect(lessons.map(({ state, isMoved }) => [state, isMoved])).toEqual([["same", false]]);
  expect(modules).toEqual([]);
  const { blocks, settings } = await compareLesson(id, lessonId);
  expect(blocks.map(({ state, changes }) => [state, changes])).toEqual([["same", []]]);
  expect(settings).toEqual([]);
});

test("the changed words of a text are marked, and blocks are new, gone or moved", async () => {
  const [kept, gone, moved] = [paragraph("Climb at most 2 m."), paragraph("Old."), paragraph("Moved.")];
  const { id, lessonId } = await createCourse([moved, kept, gone]);
  await publish(id);
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => {
    const fragment = doc.getXmlFragment(FRAGMENT);
    const text = (fragment.get(1) as Y.XmlElement).get(0) as Y.XmlText;
    text.delete(14, 1);
    text.insert(14, "3");
    fragment.delete(2, 1);
    fragment.delete(0, 1);
    const [again] = documentToNodes({ schema: 1, language: "en", blocks: [moved, paragraph("New.")] }).content!;
    const added = new Y.Doc();
    const update = nodesToUpdate({ type: "doc", content: [again!] });
    Y.applyUpdate(added, update);
    fragment.push([(added.getXmlFragment(FRAGMENT).get(0) as Y.XmlElement).clone()]);
  });
  const { blocks } = await compareLesson(id, lessonId);
  expect(blocks.map(({ id: block, state, isMoved }) => [block, state, isMoved])).toEqual([
    [kept.id, "changed", false],
    [gone.id, "removed", false],
    [moved.id, "same", true],
  ]);
  expect(blocks[0]?.changes).toMatchObject([
    {
      field: "text",
      words: [
        { text: "Climb at most ", is: "same" },
        { text: "2", is: "removed" },
        { text: "3", is: "added" },
        { text: " m.", is: "same" },
      ],
    },
  ]);
  expect((await compare(id, { from: 1 })).lessons[0]).toMatchObject({ changed: 1, removed: 1, moved: 1, added: 0 });
});

test("another right answer is called out, also in the overview", async () => {
  const { block, wrong } = choiceQuestion("Which one holds?");
  const { id, lessonId } = await createCourse([block]);
  await publish(id);
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => {
    const question = doc.getXmlFragment(FRAGMENT).get(0) as Y.XmlElement;
    for (const choice of question.toArray() as Y.XmlElement[])
      if (choice.nodeName === "choice") choice.setAttribute("isRight", (choice.getAttribute("id") === wrong) as never);
  });
  expect((await compare(id, { from: 1 })).lessons[0]).toMatchObject({ state: "changed", answers: 1 });
  expect((await compareLesson(id, lessonId)).blocks[0]).toMatchObject({
    isAnswerChanged: true,
    changes: [{ field: "rightAnswer", from: "An anchor ring", to: "A handrail" }],
  });
});

test("lessons are new, gone, moved and renamed, and a quiz has other settings", async () => {
  const { id, lessonId, moduleId } = await createCourse([paragraph("First")]);
  const [second, third] = [randomUUID(), randomUUID()];
  await change(id, { kind: "addLesson", id: second, title: "Hooks", moduleId, at: 1 });
  await change(id, { kind: "changeQuiz", id: second, settings: { passPercent: 80 } });
  await authorOf(ingrid, second).then((one) =>
    one.replace(documentToNodes({ schema: 1, language: "en", blocks: [choiceQuestion("Which?").block] })),
  );
  await publish(id);
  await change(id, { kind: "moveLesson", id: second, moduleId, at: 0 });
  await change(id, { kind: "changeLesson", id: second, title: "Two hooks" });
  await change(id, { kind: "changeQuiz", id: second, settings: { passPercent: 60 } });
  await change(id, { kind: "addLesson", id: third, title: "New", moduleId, at: 2 });
  await change(id, { kind: "removeLesson", id: lessonId });
  const { lessons } = await compare(id, { from: 1 });
  expect(lessons.map(({ titles, state }) => [titles, state])).toEqual(
    expect.arrayContaining([
      [{ from: "Hooks", to: "Two hooks" }, "changed"],
      [{ from: "Lesson", to: null }, "removed"],
      [{ from: null, to: "New" }, "added"],
    ]),
  );
  const { settings } = await compareLesson(id, second);
  expect(settings).toMatchObject([{ field: "lessonTitle" }, { field: "passPercent", from: 80, to: 60 }]);
});

test("every kind of block can be compared, and what is new is shown with its texts", async () => {
  const { id, lessonId } = await createCourse([paragraph("First", { id: "the-first-one" })]);
  await publish(id);
  await authorOf(ingrid, lessonId).then((one) => one.replace(documentToNodes(everyBlock())));
  const { blocks } = await compareLesson(id, lessonId);
  expect(blocks.filter(({ state }) => state === "added")).toHaveLength(everyBlock().blocks.length);
  expect(blocks.filter(({ state, changes }) => state === "added" && changes.length === 0).length).toBeLessThan(4);
});

test("a lesson that cannot be read is named on its side", async () => {
  const { id, lessonId } = await createCourse([paragraph("First")]);
  await publish(id);
  await db
    .updateTable("lessonContents")
    .set({ document: JSON.stringify({ schema: 9, blocks: [{ kind: "constructor", id: 7 }] }) })
    .where("sco", "=", lessonId)
    .execute();
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => {
    let parent: Y.XmlFragment = doc.getXmlFragment(FRAGMENT);
    for (let depth = 0; depth < 100; depth++) {
      const child = new Y.XmlElement("callout");
      parent.insert(0, [child]);
      parent = child;
    }
  });
  expect((await compare(id, { from: 1 })).lessons[0]?.unreadable).toEqual(["from", "to"]);
  expect(await compareLesson(id, lessonId)).toMatchObject({ unreadable: ["from", "to"], blocks: [] });
});

test("a large lesson with other words everywhere is compared", async () => {
  const words = (n: number, seed: string) => Array.from({ length: n }, (_, at) => `${seed}${at}`).join(" ");
  const blocks = Array.from({ length: 300 }, (_, n) => paragraph(words(300, `a${n}x`)));
  const { id, lessonId } = await createCourse(blocks);
  await publish(id);
  const changed = documentToNodes({ schema: 1, language: "en", blocks });
  const rewrite = (node: NodeJson): NodeJson => ({
    ...node,
    ...(node.text && { text: node.text.replaceAll("a", "b") }),
    ...(node.content && { content: node.content.map(rewrite) }),
  });
  await authorOf(ingrid, lessonId).then((one) => one.replace(rewrite(changed)));
  const compared = await compareLesson(id, lessonId);
  expect(compared.blocks.map(({ state }) => state)).toEqual(blocks.map(() => "changed"));
  expect(compared.blocks.at(-1)?.changes[0]?.words?.map(({ is }) => is)).toEqual(["removed", "added"]);
});

test("each block says who wrote in it last, also after its updates were merged", async () => {
  const [one, two] = [paragraph("By Ingrid."), paragraph("By both.")];
  const { id, lessonId } = await createCourse([paragraph("Empty")]);
  await publish(id);
  await authorOf(ingrid, lessonId).then((author) =>
    author.replace(documentToNodes({ schema: 1, language: "en", blocks: [one, two] })),
  );
  const colleague = await authorOf(per, lessonId);
  const type = (text: string) =>
    colleague.write((doc) => {
      const block = doc.getXmlFragment(FRAGMENT).get(1) as Y.XmlElement;
      (block.get(0) as Y.XmlText).insert(0, text);
    });
  await type("More. ");
  const writers = async () =>
    (await compareLesson(id, lessonId)).blocks
      .filter(({ state }) => state === "added")
      .map(({ writtenBy }) => writtenBy?.name);
  expect(await writers()).toEqual([ingrid.user.name, per.user.name]);
  for (let n = 0; n <= MAX_UPDATES; n++) await type("x");
  await as(ingrid)(drafts.updates, { params: { id: lessonId } });
  expect(await db.selectFrom("lessonUpdates").where("lessonId", "=", lessonId).select("origin").execute()).toEqual([
    { origin: "merged" },
  ]);
  expect(await writers()).toEqual([ingrid.user.name, per.user.name]);
  const { body } = await as(ingrid)(lessonVersions.history, { params: { id } });
  expect(body.writers.map(({ name }) => name)).toEqual([ingrid.user.name, per.user.name]);
  expect(body.versions).toMatchObject([{ number: 1, isLive: true, by: ingrid.user.name }]);
});

test("of updates without an author only the latest day is told", async () => {
  const { id, lessonId } = await createCourse([paragraph("Empty")]);
  await publish(id);
  await authorOf(ingrid, lessonId).then((one) =>
    one.replace(documentToNodes({ schema: 1, language: "en", blocks: [paragraph("Old")] })),
  );
  await db
    .updateTable("lessonUpdates")
    .set({ origin: "unknown", authorId: null })
    .where("lessonId", "=", lessonId)
    .execute();
  const { blocks } = await compareLesson(id, lessonId);
  expect(blocks.find(({ state }) => state === "added")?.writtenBy).toMatchObject({ name: null, isKnown: false });
});

test("learners and guests compare, restore and undo nothing", async () => {
  const { learner } = await make.classroom();
  const { id, lessonId } = await createCourse([paragraph("First")]);
  await publish(id);
  for (const who of [as(learner), as(null)]) {
    const params = { id };
    expect((await who(lessonVersions.history, { params })).status).toBeGreaterThanOrEqual(401);
    expect((await who(lessonVersions.compare, { params, query: { from: 1 } })).status).toBeGreaterThanOrEqual(401);
    expect(
      (await who(lessonVersions.compareLesson, { params, query: { from: 1, lesson: lessonId } })).status,
    ).toBeGreaterThanOrEqual(401);
    expect((await who(lessonVersions.restore, { params, body: { number: 1 } })).status).toBeGreaterThanOrEqual(401);
    expect((await who(lessonVersions.undo, { params })).status).toBeGreaterThanOrEqual(401);
  }
  expect((await as(ingrid)(lessonVersions.compare, { params: { id }, query: { from: 7 } })).status).toBe(404);
});
