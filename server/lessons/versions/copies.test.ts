import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { lessonComments } from "#shared/lessons/comments/comments.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { listLessons } from "#shared/lessons/lessonProblems.ts";
import { lessonVersions, type RestoreInput } from "#shared/lessons/versions/versions.ts";
import { choiceQuestion, paragraph } from "#test/lessons.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { start } from "#test/start.ts";

// Blocks that were copied from one lesson into another, with their ids

const server = await start();
const { as, make } = server;
const ingrid = await make.admin();
const per = await make.admin();
const { createCourse, authorOf, change, publish } = lessonAuthors(server, ingrid);
const nodesOf = (blocks: LessonBlock[]) => documentToNodes({ schema: 1, language: "en", blocks });
const restore = (id: string, body: RestoreInput) => as(ingrid)(lessonVersions.restore, { params: { id }, body });
const compare = async (id: string, lesson: string, from = 1) =>
  (await as(ingrid)(lessonVersions.compareLesson, { params: { id }, query: { from, lesson } })).body.blocks;

/** A question and a text that is shown after its right answer. */
function dependent() {
  const { block, id, right } = choiceQuestion("Which one holds?");
  const answer = { kind: "answer" as const, block: id, is: "chosen" as const, choice: right };
  const hint = paragraph("An anchor ring carries 12 kN.", {
    showWhen: { match: "all", tests: [answer, { match: "any", tests: [{ kind: "answer", block: id, is: "right" }] }] },
  } as Partial<LessonBlock>);
  return { question: block, right, hint };
}

async function copied() {
  const { question, right, hint } = dependent();
  const { id, lessonId, moduleId } = await createCourse([question, hint]);
  const second = randomUUID();
  await change(id, { kind: "addLesson", id: second, title: "Second", moduleId, at: 1 });
  await (await authorOf(per, second)).replace(nodesOf([question, hint]));
  return { id, lessonId, second, moduleId, question, right, hint };
}
const previewOf = async (id: string) =>
  listLessons((await as(ingrid)(drafts.preview, { params: { id } })).body).map(({ document }) => document.blocks);

test("nothing differs after publishing a copied block, and it is restored once", async () => {
  const { id, second, hint } = await copied();
  const comment = { id: randomUUID(), text: "Right?", blockId: hint.id, about: "" };
  await as(ingrid)(lessonComments.add, { params: { id: second }, body: comment });
  await publish(id);
  const blocks = await compare(id, second);
  expect(blocks.map(({ state }) => state)).toEqual(["same", "same"]);
  const copy = blocks[1]!.id;
  expect(copy).not.toBe(hint.id);
  const { threads } = (await as(ingrid)(lessonComments.list, { params: { id: second } })).body;
  expect(threads[0]?.blockId).toBe(copy);
  await (
    await authorOf(per, second)
  ).write((doc) => {
    const block = doc.getXmlFragment(FRAGMENT).get(1) as Y.XmlElement;
    (block.get(0) as Y.XmlText).insert(0, "Perhaps ");
  });
  expect((await restore(id, { number: 1, lessonId: second, blockId: copy })).status).toBe(200);
  expect((await compare(id, second)).map(({ state }) => state)).toEqual(["same", "same"]);
  const { writers } = (await as(ingrid)(lessonVersions.history, { params: { id } })).body.versions[0]!;
  expect(writers.map(({ name }) => name)).toEqual([ingrid.user.name, per.user.name]);
});

test("a copied block keeps its id when its lesson is moved before the original", async () => {
  const { id, second, moduleId } = await copied();
  await publish(id);
  await change(id, { kind: "moveLesson", id: second, moduleId, at: 0 });
  await publish(id);
  expect((await compare(id, second)).map(({ state }) => state)).toEqual(["same", "same"]);
});

test("conditions name the copied question in its lesson, not the original", async () => {
  const { id, second, lessonId, moduleId } = await copied();
  await change(id, { kind: "copyLesson", id: randomUUID(), of: second, title: "Copy" });
  await change(id, { kind: "moveLesson", id: lessonId, moduleId, at: 2 });
  const lessons = await previewOf(id);
  expect(lessons).toHaveLength(3);
  for (const [question, hint] of lessons) {
    const choices = question?.kind === "question" && "choices" in question.question ? question.question.choices : [];
    const answer = { block: question!.id, choice: choices.find((one) => "isRight" in one && one.isRight)?.id };
    expect(hint?.showWhen?.tests).toMatchObject([answer, { tests: [{ block: answer.block }] }]);
  }
});

test("a restored lesson whose ids are taken depends on its own questions", async () => {
  const { question, hint } = dependent();
  const { id, lessonId, moduleId } = await createCourse([question, hint]);
  await publish(id);
  const second = randomUUID();
  await change(id, { kind: "addLesson", id: second, title: "Second", moduleId, at: 1 });
  await (await authorOf(ingrid, lessonId)).replace(nodesOf([paragraph("Moved")]));
  await (await authorOf(ingrid, second)).replace(nodesOf([question, hint]));
  expect((await restore(id, { number: 1, lessonId })).status).toBe(200);
  const [restored, moved] = await previewOf(id);
  expect(moved?.[0]?.id).toBe(question.id);
  expect(restored?.[0]?.id).not.toBe(question.id);
  expect(restored?.[1]?.showWhen?.tests[0]).toMatchObject({ block: restored?.[0]?.id });
});

test("restoring one block changes nothing else in the lesson", async () => {
  const [one, two] = [paragraph("One"), paragraph("Two")];
  const { id, lessonId } = await createCourse([one, two]);
  await publish(id);
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => {
    const fragment = doc.getXmlFragment(FRAGMENT);
    (fragment.get(0) as Y.XmlElement).setAttribute("id", two.id);
    (fragment.get(1) as Y.XmlElement).setAttribute("id", one.id);
    // An empty text, which reading the lesson leaves out.
    fragment.insert(1, [new Y.XmlText()]);
  });
  const [first, odd] = author.doc.getXmlFragment(FRAGMENT).toArray();
  expect((await restore(id, { number: 1, lessonId, blockId: two.id })).status).toBe(200);
  await author.pull();
  const fragment = author.doc.getXmlFragment(FRAGMENT);
  expect(fragment.toArray().slice(0, 2)).toEqual([first, odd]);
  expect(fragment.length).toBe(3);
});
