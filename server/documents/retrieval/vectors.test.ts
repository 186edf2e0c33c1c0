import { expect, test } from "vitest";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { retrieve } from "#server/documents/retrieval/retrieve.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { documents } from "#shared/documents/documents.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const { services, as, make, db } = await start();
const admin = await make.admin();
const text = "# Gates\n\nThe north gate closes at eight.\n\n# Canteen\n\nLunch is served at noon.";
const { id } = (await as(admin)(documents.addText, { body: { title: "Rules", text } })).body;
await runPipeline(services);
const search = { question: "When does the gate close?", documentIds: [id], limit: 5 };
const provider = await startProvider("openai");
await connect(as(admin), provider, { embeds: true });

test("words alone answer until all passages have vectors", async () => {
  const before = await retrieve(services, search);
  expect(before.map(({ ranks }) => ranks)).toEqual([{ words: 1, meaning: null }]);
});

test("two servers never embed the same passages", async () => {
  const asked = () => provider.requests.filter(({ path }) => path.includes("embeddings")).length;
  const before = asked();
  provider.next({ hangs: true });
  const stopping = new AbortController();
  const first = embedPassages(services, stopping.signal);
  await expect.poll(asked).toBe(before + 1);
  await embedPassages(services);
  expect(asked()).toBe(before + 1);
  stopping.abort();
  await first.catch(() => {});
  expect(await db.selectFrom("passageVectors").select("passageId").execute()).toEqual([]);
});

test("passages are ranked by words and meaning once all have vectors", async () => {
  await embedPassages(services);
  const found = await retrieve(services, search);
  expect(found).toHaveLength(2);
  expect(found.every(({ ranks }) => ranks.meaning !== null)).toBe(true);
  expect(found[0]?.text).toContain("north gate");
  const stored = await db.selectFrom("passageVectors").select(["model", "size"]).execute();
  expect(new Set(stored.map(({ model }) => model))).toEqual(new Set(["stand-in-vectors"]));
});

test("a version that is split anew keeps the vectors of the passages that say the same", async () => {
  await as(admin)(documents.indexAgain, { params: { id, number: 1 } as never });
  await runPipeline(services);
  expect((await retrieve(services, search))[0]?.ranks.meaning).not.toBeNull();
  expect(await db.selectFrom("passageVectors").select("passageId").execute()).toHaveLength(2);
});

test("a new version is found by words alone until its passages have vectors", async () => {
  const body = { title: "Rules", text: text.replace("eight", "nine"), documentId: id };
  await as(admin)(documents.addText, { body });
  await runPipeline(services);
  expect((await retrieve(services, search))[0]?.ranks.meaning).toBeNull();
  await embedPassages(services);
  expect((await retrieve(services, search))[0]?.ranks.meaning).not.toBeNull();
});

test("words alone answer while the provider is down", async () => {
  await provider.stop();
  const found = await retrieve(services, search);
  expect(found.map(({ ranks }) => ranks)).toEqual([{ words: 1, meaning: null }]);
});
