import { expect, test } from "vitest";
import * as Y from "yjs";
import { readLessons } from "#server/lessons/drafts/reading.ts";
import { FRAGMENT, nodesToUpdate, readNodes } from "#server/lessons/drafts/yNodes.ts";
import { lessonBlock } from "#shared/lessons/blocks.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { withNewIds } from "#shared/lessons/editing/nodeJson.ts";
import { nodesToDocument } from "#shared/lessons/editing/nodesToDocument.ts";
import { lessonDocument } from "#shared/lessons/lessonDocument.ts";
import { everyBlock } from "#test/everyBlock.ts";

const bounds = { depth: 12, nodes: 50_000 };
const docOf = (update: Uint8Array) => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  return doc;
};

const kinds = everyBlock().blocks.map(
  (block) => [block.kind === "question" ? block.question.kind : block.kind, block] as const,
);

test("the sample has every kind of block", () => {
  const all = lessonBlock.options.map(({ shape }) => shape.kind.value);
  expect(new Set(everyBlock().blocks.map(({ kind }) => kind))).toEqual(new Set(all));
});

test.for(kinds)("%s comes back from the editor as it was", ([, block]) => {
  const document = lessonDocument.parse({ schema: 1, language: "en", blocks: [block] });
  const nodes = readNodes(docOf(nodesToUpdate(documentToNodes(document))), bounds);
  expect(nodesToDocument(nodes, "en")).toEqual({ document, unfinished: [] });
});

test("a copy has the same texts and no id of the original", () => {
  const document = everyBlock();
  const copy = nodesToDocument(withNewIds(documentToNodes(document)), "en");
  expect(copy.unfinished).toEqual([]);
  const idsOf = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"(?:id|rightId)":"([^"]+)"/g)].map(([, id]) => id);
  const old = new Set(idsOf(document));
  expect(idsOf(copy.document)).toHaveLength(idsOf(document).length);
  expect(idsOf(copy.document).filter((id) => old.has(id))).toEqual([]);
});

test("blocks that are not finished are named and left out", () => {
  const doc = {
    type: "doc",
    content: [
      { type: "image", attrs: { id: "image-0001", file: null } },
      { type: "question", attrs: { id: "question-1", kind: "single" }, content: [{ type: "richText" }] },
      { type: "iframe", attrs: { id: "iframe-001", src: "https://evil.example" } },
      { type: "paragraph", attrs: { id: "paragraph-1" }, content: [{ type: "text", text: "Kept" }] },
      { type: "constructor" },
    ],
  };
  const { document, unfinished } = nodesToDocument(doc, "en");
  expect(document.blocks).toMatchObject([{ kind: "paragraph", id: "paragraph-1" }]);
  expect(unfinished.map(({ node, fields }) => [node, fields])).toEqual([
    ["image", ["file", "width"]],
    ["question", ["choices"]],
    ["iframe", ["kind"]],
    ["constructor", ["kind"]],
  ]);
});

test("a link to a script is dropped, and its text is kept", () => {
  const marks = [{ type: "link", attrs: { href: "javascript:alert(1)" } }];
  const doc = {
    type: "doc",
    content: [{ type: "paragraph", attrs: { id: "paragraph-1" }, content: [{ type: "text", text: "here", marks }] }],
  };
  expect(JSON.stringify(nodesToDocument(doc, "en").document.blocks)).toContain('{"kind":"text","text":"here"}');
});

test("a document that nests too deep or is too large is named, and others are read", async () => {
  const deep = new Y.Doc();
  let parent: Y.XmlFragment = deep.getXmlFragment(FRAGMENT);
  for (let depth = 0; depth < 2000; depth++) {
    const child = new Y.XmlElement("callout");
    parent.insert(0, [child]);
    parent = child;
  }
  const wide = new Y.Doc();
  const many = Array.from({ length: 60_000 }, () => new Y.XmlElement("paragraph"));
  wide.getXmlFragment(FRAGMENT).insert(0, many);
  const good = nodesToUpdate(documentToNodes(everyBlock()));
  const replies = await readLessons([
    { id: "deep", updates: [Y.encodeStateAsUpdate(deep)] },
    { id: "wide", updates: [Y.encodeStateAsUpdate(wide)] },
    { id: "garbage", updates: [new Uint8Array([1, 255, 255, 255, 255, 15, 7, 7])] },
    { id: "good", updates: [good] },
  ]);
  expect(["deep", "wide", "garbage"].map((id) => replies.get(id)?.nodes ?? null)).toEqual([null, null, null]);
  expect(replies.get("good")?.nodes?.content).toHaveLength(everyBlock().blocks.length);
});

test("what two authors delete and write at once leaves every word of the others", () => {
  const document = everyBlock();
  const start = nodesToUpdate(documentToNodes(document));
  const [one, two] = [docOf(start), docOf(start)];
  const find = (doc: Y.Doc, name: string) =>
    doc
      .getXmlFragment(FRAGMENT)
      .toArray()
      .find((node): node is Y.XmlElement => node instanceof Y.XmlElement && node.nodeName === name)!;
  // Each deletes another choice of the same question, and writes into a third text.
  const first = find(one, "question");
  first.delete(1, 1);
  const second = find(two, "question");
  second.delete(2, 1);
  ((second.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, "Now: ");
  ((first.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(6, " Say.");
  Y.applyUpdate(one, Y.encodeStateAsUpdate(two));
  const { document: merged, unfinished } = nodesToDocument(readNodes(one, bounds), "en");
  expect(unfinished).toMatchObject([{ node: "question", fields: ["choices"] }]);
  expect(merged.blocks).toHaveLength(document.blocks.length - 1);
  expect(JSON.stringify(readNodes(one, bounds))).toContain("Now: Where? Say.");
});
