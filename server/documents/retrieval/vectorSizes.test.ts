import { expect, test } from "vitest";
import { embed } from "#server/connectors/embeddings.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { retrieve } from "#server/documents/retrieval/retrieve.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { documents } from "#shared/documents/documents.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Vectors that do not belong together are refused: another length, numbers that are none, too few, too many

const { as, make, services, db } = await start();
const boss = as(await make.admin());
const provider = await startProvider("openai");
const connector = await connect(boss, provider, { embeds: true });
const text = "# Gates\n\nThe north gate closes at eight.\n\n# Canteen\n\nLunch is served at noon.";
const { id } = (await boss(documents.addText, { body: { title: "Rules", text, companyIds: [] } })).body;
await runPipeline(services);
await embedPassages(services);

const reply = (vectors: (text: string, at: number) => object | null) => (texts: string[]) =>
  JSON.stringify({ data: texts.map(vectors).filter(Boolean) });
const vector = (...embedding: unknown[]) => ({ embedding });
const sizesOf = () =>
  db
    .selectFrom("passageVectors")
    .select("size")
    .distinct()
    .execute()
    .then((rows) => rows.map(({ size }) => size));
const embedTwo = () => embed(services, { connectorId: connector.id, texts: ["one", "two"], companyId: null });
const search = { question: "When does the gate close?", documentIds: [id], limit: 5 };

const eight = [1, 2, 3, 4, 5, 6, 7, 8];
test.each<[string, (texts: string[]) => string]>([
  ["numbers that are not finite", reply(() => vector(...eight.slice(1), 1e39))],
  ["texts in place of numbers", reply(() => vector(...eight.slice(1), "NaN"))],
  ["missing numbers", reply(() => vector(...eight.slice(1), null))],
  ["only zeros", reply(() => vector(...eight.map(() => 0)))],
  ["empty vectors", reply(() => vector())],
  ["too few vectors", reply((_, at) => (at === 0 ? vector(...eight) : null))],
  ["too many vectors", (texts) => reply(() => vector(...eight))([...texts, "more"])],
  ["vectors of different lengths", reply((_, at) => vector(...eight.slice(at)))],
  ["an index twice", reply(() => ({ index: 0, ...vector(...eight) }))],
  ["indices beyond the texts", reply((_, at) => ({ index: at + 1, ...vector(...eight) }))],
  ["JSON with NaN", () => '{"data":[{"embedding":[NaN]},{"embedding":[NaN]}]}'],
])("refuses a reply with %s", async (_, embeddings) => {
  provider.next({ embeddings });
  await expect(embedTwo()).rejects.toMatchObject({ code: "bad_reply" });
  await db.updateTable("connectors").set({ failures: 0, pausedUntil: null }).where("id", "=", connector.id).execute();
});

test("sorts vectors by their indices", async () => {
  const unsorted = (texts: string[]) =>
    JSON.stringify({
      data: texts.map((_, index) => ({ index, ...vector(...eight.map((n) => n + index)) })).toReversed(),
    });
  provider.next({ embeddings: unsorted });
  expect((await embedTwo())?.vectors.map(([first]) => first)).toEqual([1, 2]);
});

test("vectors of another length are refused, and both lengths are named", async () => {
  provider.always({ size: 12 });
  const [passage] = await retrieve(services, search);
  // Words answer, although the question has no vector that could be compared.
  expect(passage?.ranks).toEqual({ words: 1, meaning: null });
  expect(passage?.evidence).toHaveLength(1);
  await expect(embedTwo()).rejects.toMatchObject({ code: "vector_size" });
  const { body } = await boss(connectors.get, { params: { id: connector.id } });
  expect(body.state).toBe("failing");
  expect(body.lastErrorCode).toBe("vector_size");
  expect(body.vectorSizes).toEqual({ "stand-in-vectors": { stored: 8, sent: 12 } });
  await embedPassages(services);
  expect(await sizesOf()).toEqual([8]);
});

test("a provider that returns to the stored length works again by itself", async () => {
  provider.always({});
  expect((await retrieve(services, search))[0]?.ranks.meaning).not.toBeNull();
  const { body } = await boss(connectors.get, { params: { id: connector.id } });
  expect(body.vectorSizes).toEqual({ "stand-in-vectors": { stored: 8, sent: null } });
  expect(body.state).toBe("active");
});

test("a test of the connector accepts another length, and all passages get new vectors", async () => {
  provider.always({ size: 12 });
  await boss(connectors.test, { params: { id: connector.id }, body: {} });
  expect((await boss(documents.get, { params: { id } })).body.vectors).toEqual({ made: 0, of: 2 });
  expect((await retrieve(services, search))[0]?.ranks).toEqual({ words: 1, meaning: null });
  await embedPassages(services);
  expect(await sizesOf()).toEqual([12]);
  expect((await retrieve(services, search))[0]?.ranks.meaning).not.toBeNull();
});

test("two models of one connector may have vectors of different lengths", async () => {
  const models = [{ id: "long", use: "embedding" as const, prices: [] }, ...connector.models];
  const { version } = (await boss(connectors.get, { params: { id: connector.id } })).body;
  await boss(connectors.update, { params: { id: connector.id }, body: { version, models } });
  provider.always({ size: 20 });
  await embedPassages(services);
  expect(new Set(await sizesOf())).toEqual(new Set([12, 20]));
  expect((await retrieve(services, search))[0]?.ranks.meaning).not.toBeNull();
});
