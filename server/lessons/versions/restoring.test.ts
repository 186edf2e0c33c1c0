import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { FRAGMENT } from "#server/lessons/drafts/yNodes.ts";
import { audit } from "#shared/audit/audit.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import type { RestoreInput } from "#shared/lessons/versions/versions.ts";
import { lessonVersions } from "#shared/lessons/versions/versions.ts";
import { listMedia } from "#shared/lessons/walk.ts";
import { everyBlock } from "#test/everyBlock.ts";
import { paragraph } from "#test/lessons.ts";
import { lessonAuthors } from "#test/lessonAuthors.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const ingrid = await make.admin();
const per = await make.admin();
const { createCourse, authorOf, change, publish } = lessonAuthors(server, ingrid);
const restore = (id: string, body: RestoreInput) => as(ingrid)(lessonVersions.restore, { params: { id }, body });
const undo = (id: string) => as(ingrid)(lessonVersions.undo, { params: { id } });
const draftOf = async (id: string) => (await as(ingrid)(drafts.get, { params: { id } })).body;
const textOf = ({ text = "", content = [] }: NodeJson): string => text + content.map(textOf).join("");
const blocksOf = async (lessonId: string) => {
  const { nodes } = await authorOf(ingrid, lessonId);
  return (nodes().content ?? []).map((block) => [String(block.attrs?.["id"]), textOf(block)]);
};
const textAt = (doc: Y.Doc, at: number) => (doc.getXmlFragment(FRAGMENT).get(at) as Y.XmlElement).get(0) as Y.XmlText;

test("a paragraph comes back with its words and its id", async () => {
  const [one, two] = [paragraph("Two hooks, always."), paragraph("Look up.")];
  const { id, lessonId } = await createCourse([one, two]);
  await publish(id);
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => textAt(doc, 0).insert(0, "Sometimes not: "));
  expect((await restore(id, { number: 1, lessonId, blockId: one.id })).body).toMatchObject({
    number: 1,
    scope: "block",
    title: "Lesson",
    by: ingrid.user.name,
  });
  expect(await blocksOf(lessonId)).toEqual([
    [one.id, "Two hooks, always."],
    [two.id, "Look up."],
  ]);
});

test("who writes in the same paragraph during a restore keeps every word", async () => {
  const [one, two] = [paragraph("Two hooks, always."), paragraph("Look up.")];
  const { id, lessonId } = await createCourse([one, two]);
  await publish(id);
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => textAt(doc, 0).insert(0, "Sometimes not: "));
  const colleague = await authorOf(per, lessonId);
  const [inSame, inOther] = [
    colleague.edit((doc) => textAt(doc, 0).insert(textAt(doc, 0).length, " Both of them.")),
    colleague.edit((doc) => textAt(doc, 1).insert(8, " And down.")),
  ];
  const { body: seen } = await as(ingrid)(lessonVersions.compareLesson, {
    params: { id },
    query: { from: 1, lesson: lessonId },
  });
  await Promise.all([
    restore(id, { number: 1, lessonId, blockId: one.id, seen: { [lessonId]: seen.updates! } }).then(({ status }) =>
      expect(status).toBe(200),
    ),
    colleague.send(inSame),
  ]);
  await colleague.send(inOther);
  const expected = [
    [one.id, "Two hooks, always. Both of them."],
    [two.id, "Look up. And down."],
  ];
  expect(await blocksOf(lessonId)).toEqual(expected);
  await colleague.pull();
  expect((colleague.nodes().content ?? []).map(textOf)).toEqual(expected.map(([, text]) => text));
});

test("a removed block returns to its place, with new ids where those are taken", async () => {
  const [one, two, three] = [paragraph("One"), paragraph("Two"), paragraph("Three")];
  const { id, lessonId, moduleId } = await createCourse([one, two, three]);
  await publish(id);
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => doc.getXmlFragment(FRAGMENT).delete(1, 1));
  const removed = await restore(id, { number: 1, lessonId, blockId: two.id });
  expect(removed.status).toBe(200);
  expect(await blocksOf(lessonId)).toEqual(
    [one, two, three].map(({ id: block }, n) => [block, ["One", "Two", "Three"][n]]),
  );
  // It was moved to another lesson.
  await author.pull();
  await author.write((doc) => doc.getXmlFragment(FRAGMENT).delete(1, 1));
  const second = randomUUID();
  await change(id, { kind: "addLesson", id: second, title: "Second", moduleId, at: 1 });
  await (await authorOf(ingrid, second)).replace(documentToNodes({ schema: 1, language: "en", blocks: [two] }));
  await restore(id, { number: 1, lessonId, blockId: two.id });
  const blocks = await blocksOf(lessonId);
  expect(blocks.map(([, text]) => text)).toEqual(["One", "Two", "Three"]);
  expect(blocks[1]?.[0]).not.toBe(two.id);
});

test("every kind of block comes back as it was published", async () => {
  // Their files are not stored.
  const all = everyBlock().blocks.filter((block) => listMedia(block).length === 0);
  const { id, lessonId } = await createCourse(all);
  await publish(id);
  await (await authorOf(ingrid, lessonId)).replace(documentToNodes({ schema: 1, language: "en", blocks: [] }));
  expect((await restore(id, { number: 1, lessonId })).status).toBe(200);
  const { body } = await as(ingrid)(lessonVersions.compareLesson, {
    params: { id },
    query: { from: 1, lesson: lessonId },
  });
  expect(body.blocks.map(({ state }) => state)).toEqual(all.map(() => "same"));
});

test("a removed lesson comes back to its place, with its text and quiz", async () => {
  const { id, lessonId, moduleId } = await createCourse([paragraph("First")]);
  const second = randomUUID();
  await change(id, { kind: "addLesson", id: second, title: "Second", moduleId, at: 1 });
  await publish(id);
  await (await authorOf(ingrid, lessonId)).write((doc) => doc.getXmlFragment(FRAGMENT).delete(0, 1));
  await change(id, { kind: "removeLesson", id: lessonId });
  const { body } = await restore(id, { number: 1, lessonId });
  expect((await draftOf(id)).modules[0]?.lessons.map(({ title }) => title)).toEqual(["Lesson", "Second"]);
  expect((await blocksOf(lessonId)).map(([, text]) => text)).toEqual(["First"]);
  expect((await undo(body.id)).body).toEqual({ kept: 0, isOutlineKept: false });
  expect((await draftOf(id)).modules[0]?.lessons.map(({ title }) => title)).toEqual(["Second"]);
});

test("a whole version comes back, and undoing it keeps what was written since", async () => {
  const [one, two] = [paragraph("One"), paragraph("Two")];
  const { id, lessonId, moduleId } = await createCourse([one, two]);
  await publish(id);
  const added = randomUUID();
  await change(id, { kind: "renameModule", id: moduleId, title: "On the tower" });
  await change(id, { kind: "addLesson", id: added, title: "Added", moduleId, at: 1 });
  await change(id, { kind: "changeLesson", id: lessonId, title: "Renamed" });
  const author = await authorOf(ingrid, lessonId);
  await author.write((doc) => {
    textAt(doc, 0).insert(3, " and a half");
    textAt(doc, 1).insert(3, " and a half");
  });
  const { outlineVersion } = (await as(ingrid)(lessonVersions.compare, { params: { id }, query: { from: 1 } })).body;
  const late = { number: 1, outlineVersion: outlineVersion - 1 };
  expect(await restore(id, late)).toMatchObject({ status: 409, code: "lessonVersions.contentsChanged" });
  const { body } = await restore(id, { number: 1, outlineVersion });
  expect(
    (await draftOf(id)).modules.map(({ title, lessons }) => [title, lessons.map((lesson) => lesson.title)]),
  ).toEqual([["", ["Lesson"]]]);
  expect((await blocksOf(lessonId)).map(([, text]) => text)).toEqual(["One", "Two"]);
  const colleague = await authorOf(per, lessonId);
  await colleague.write((doc) => textAt(doc, 1).insert(3, ", three"));
  expect((await undo(body.id)).body).toEqual({ kept: 1, isOutlineKept: false });
  expect((await blocksOf(lessonId)).map(([, text]) => text)).toEqual(["One and a half", "Two, three"]);
  const { modules } = await draftOf(id);
  expect(modules.map(({ title, lessons }) => [title, lessons.map((lesson) => lesson.title)])).toEqual([
    ["On the tower", ["Renamed", "Added"]],
  ]);
  expect(await undo(body.id)).toMatchObject({ status: 409, code: "lessonVersions.alreadyUndone" });
  const { items } = (await as(ingrid)(audit.list, { query: {} })).body;
  expect(items.slice(0, 2).map(({ action }) => action)).toEqual(["lessonVersions.undo", "lessonVersions.restore"]);
});

test("two admins who restore the same block at once get it once", async () => {
  const [one, two] = [paragraph("One"), paragraph("Two")];
  const { id, lessonId } = await createCourse([one, two]);
  await publish(id);
  await (await authorOf(ingrid, lessonId)).write((doc) => doc.getXmlFragment(FRAGMENT).delete(1, 1));
  const body = { number: 1, lessonId, blockId: two.id };
  const both = await Promise.all([
    as(ingrid)(lessonVersions.restore, { params: { id }, body }),
    as(per)(lessonVersions.restore, { params: { id }, body }),
  ]);
  expect(both.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0);
  expect((await blocksOf(lessonId)).map(([, text]) => text)).toEqual(["One", "Two"]);
});

test("nothing is restored that the version does not have", async () => {
  const { id, lessonId } = await createCourse([paragraph("One")]);
  const other = await createCourse([paragraph("Other")]);
  await publish(id);
  await publish(other.id);
  expect((await restore(id, { number: 2 })).status).toBe(404);
  expect((await restore(id, { number: 1, lessonId: other.lessonId })).status).toBe(404);
  expect((await restore(id, { number: 1, lessonId, blockId: "nothing-here" })).status).toBe(404);
  await change(id, {
    kind: "addLesson",
    id: randomUUID(),
    title: "B",
    moduleId: (await draftOf(id)).modules[0]!.id,
    at: 1,
  });
  await change(id, { kind: "removeLesson", id: lessonId });
  expect((await restore(id, { number: 1, lessonId, blockId: "nothing-here" })).code).toBe(
    "lessonVersions.lessonMissing",
  );
});
