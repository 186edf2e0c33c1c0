import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import { drafts, MAX_UPDATES } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { lessonVersions, type RestoreInput } from "#shared/lessons/versions/versions.ts";
import { paragraph } from "#test/lessons.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { start } from "#test/start.ts";

// A restore of what has changed since its author has seen the comparison

const server = await start();
const { as, make } = server;
const ingrid = await make.admin();
const per = await make.admin();
const { createCourse, authorOf, publish } = lessonAuthors(server, ingrid);
const restore = (id: string, body: RestoreInput) => as(ingrid)(lessonVersions.restore, { params: { id }, body });
const seenOf = async (id: string, lessonId: string) => {
  const query = { from: 1, lesson: lessonId };
  const { body } = await as(ingrid)(lessonVersions.compareLesson, { params: { id }, query });
  return { [lessonId]: body.updates! };
};
const textAt = (doc: Y.Doc, at: number) => (doc.getXmlFragment(FRAGMENT).get(at) as Y.XmlElement).get(0) as Y.XmlText;
const CHANGED = { status: 409, code: "lessonVersions.changedMeanwhile" };

test("updates that were merged since cannot be told apart, so nothing is restored", async () => {
  const [one, two] = [paragraph("Two hooks, always."), paragraph("Look up.")];
  const { id, lessonId } = await createCourse([one, two]);
  await publish(id);
  const author = await authorOf(per, lessonId);
  await author.write((doc) => textAt(doc, 0).insert(0, "Sometimes not: "));
  const seen = await seenOf(id, lessonId);
  for (let n = 0; n <= MAX_UPDATES; n++) await author.write((doc) => textAt(doc, 1).insert(0, "x"));
  await as(per)(drafts.updates, { params: { id: lessonId } });
  for (const what of [{ lessonId, blockId: one.id }, { lessonId }, {}])
    expect(await restore(id, { number: 1, ...what, seen })).toMatchObject(CHANGED);
  const reader = await authorOf(ingrid, lessonId);
  expect(reader.words()).toBe(author.words());
  const { body } = await as(ingrid)(lessonVersions.history, { params: { id } });
  expect(body.restores).toEqual([]);
  const now = await seenOf(id, lessonId);
  expect((await restore(id, { number: 1, lessonId, blockId: one.id, seen: now })).status).toBe(200);
});

test("a block that a colleague has brought back is not added again", async () => {
  const [one, two] = [paragraph("One"), paragraph("Two")];
  const { id, lessonId } = await createCourse([one, two]);
  await publish(id);
  const colleague = await authorOf(per, lessonId);
  await colleague.write((doc) => doc.getXmlFragment(FRAGMENT).delete(1, 1));
  const seen = await seenOf(id, lessonId);
  await colleague.replace(documentToNodes({ schema: 1, language: "en", blocks: [one, two] }));
  const before = colleague.words();
  for (const what of [{ lessonId, blockId: two.id }, { lessonId }])
    expect(await restore(id, { number: 1, ...what, seen })).toMatchObject(CHANGED);
  expect((await authorOf(ingrid, lessonId)).words()).toBe(before);
});
