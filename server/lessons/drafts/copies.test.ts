import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { textsOf } from "#shared/lessons/blockTexts.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { listLessons } from "#shared/lessons/lessonProblems.ts";
import type { OutlineChange } from "#shared/lessons/outline.ts";
import { plainText } from "#shared/lessons/richText.ts";
import { paragraph } from "#test/lessons.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();
const call = as(await make.admin());
const change = (id: string, body: OutlineChange) => call(drafts.change, { params: { id }, body });

/** A course with one module of a lesson with this text. */
async function write(text: string) {
  const { body } = await call(drafts.create, { body: { title: "Working at heights", language: "en" } });
  const [module] = body.modules;
  const [empty] = module!.lessons;
  const lessonId = randomUUID();
  await change(body.id, { kind: "addLesson", id: lessonId, title: "Hooks", moduleId: module!.id, at: 1 });
  await change(body.id, { kind: "removeLesson", id: empty!.id });
  const nodes = documentToNodes({ schema: 1, language: "en", blocks: [paragraph(text)] });
  const update = Buffer.from(nodesToUpdate(nodes)).toString("base64");
  await call(drafts.write, { params: { id: lessonId }, body: { key: randomUUID(), update } });
  return { id: body.id, moduleId: module!.id, lessonId };
}

test("a copied module has copies of its lessons with their texts and ids of their own", async () => {
  const { id, moduleId, lessonId } = await write("Both hooks");
  const [copy, lessonCopy] = [randomUUID(), randomUUID()];
  const body = { kind: "copyModule" as const, id: copy, of: moduleId, title: "Copy" };
  const { body: draft } = await change(id, { ...body, lessons: [{ id: lessonCopy, of: lessonId }] });
  expect(draft.modules.map((module) => [module.id, module.lessons.map((one) => one.id)])).toEqual([
    [moduleId, [lessonId]],
    [copy, [lessonCopy]],
  ]);
  const { body: preview } = await call(drafts.preview, { params: { id } });
  const blocks = listLessons(preview).map(({ document }) => document.blocks);
  const textIn = (list: (typeof blocks)[number]) => list.flatMap(textsOf).map(plainText);
  expect(blocks.map(textIn).map((texts) => texts.join(""))).toEqual(["Both hooks", "Both hooks"]);
  const ids = blocks.flat().map((block) => block.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a copied module takes no lessons of other courses", async () => {
  const { id, moduleId } = await write("Ours");
  const foreign = await write("Theirs");
  const lessons = [{ id: randomUUID(), of: foreign.lessonId }];
  const { body } = await change(id, { kind: "copyModule", id: randomUUID(), of: moduleId, title: "", lessons });
  expect(body.modules[1]?.lessons).toEqual([]);
});
