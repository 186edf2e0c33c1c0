import { expect, test } from "vitest";
import { connectors } from "#shared/connectors/connectors.ts";
import { documents } from "#shared/documents/documents.ts";
import { connect } from "#test/providers/connect.ts";
import { conceptEmbeddings } from "#test/providers/concepts.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Vectors are made as soon as a version is live, by the jobs of the server

const { as, make, runJobs, db } = await start();
const boss = as(await make.admin());
const provider = await startProvider("openai");
provider.always({ embeddings: conceptEmbeddings });
const text = "# Absence\n\nEmployees have 28 days of annual leave.\n\n# Dress\n\nHelmets are worn in the plant.";

const readVectors = async (id: string) => (await boss(documents.get, { params: { id } })).body.vectors;
const add = async (title: string, body = text) =>
  (await boss(documents.addText, { body: { title, text: body, companyIds: [] } })).body.id;

test("a document says nothing of vectors without an embedding model", async () => {
  expect(await readVectors(await add("Before"))).toBeNull();
});

test("a new document has vectors within seconds, and answers a question in other words", async () => {
  const connector = await connect(boss, provider, { embeds: true });
  const jobs = await runJobs();
  const id = await add("Rules");
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  const question = "Wie viele Tage Urlaub gibt es?";
  // Answered by quoting: the model of the connection is not the one for chat.
  await db.updateTable("connectors").set({ isDefault: false }).where("id", "=", connector.id).execute();
  const { body } = await boss(documents.ask, { params: { id }, body: { question } });
  expect(body.isRefused).toBe(false);
  expect(body.parts.map(({ text }) => text).join("")).toContain("28 days of annual leave");
  await jobs.stop();
});

test("what becomes live while vectors are made gets its own in the same run", async () => {
  const jobs = await runJobs();
  provider.next({ embeddings: conceptEmbeddings, firstDelay: 500 });
  const ids = await Promise.all(["One", "Two", "Three"].map((title) => add(title, `# ${title}\n\nText of ${title}.`)));
  for (const id of ids) await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 1, of: 1 });
  await jobs.stop();
});

test("documents from before a connection have vectors once its test has passed", async () => {
  const all = (await boss(connectors.list, { query: {} })).body.items.filter(({ kind }) => kind !== "builtin");
  for (const { id } of all) await boss(connectors.setStatus, { params: { id }, body: { status: "archived" } });
  const jobs = await runJobs();
  const id = await add("Earlier");
  await expect.poll(async () => (await boss(documents.get, { params: { id } })).body.live?.state).toBe("ready");
  expect(await readVectors(id)).toBeNull();
  await connect(boss, provider, { embeds: true });
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  await jobs.stop();
});

test("a connection with another model gives all documents its vectors", async () => {
  const id = (await boss(documents.list, { query: {} })).body.items[0]?.id ?? "";
  const connector = (await boss(connectors.list, { query: {} })).body.items.find(({ kind }) => kind !== "builtin");
  const of = (await readVectors(id))?.of;
  const jobs = await runJobs();
  const models = [{ id: "other-vectors", use: "embedding" as const, prices: [] }];
  const { id: connectorId = "", version = 0 } = connector ?? {};
  await boss(connectors.update, { params: { id: connectorId }, body: { version, models } });
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: of, of });
  expect(
    await db.selectFrom("passageVectors").where("model", "=", "other-vectors").select("size").execute(),
  ).not.toEqual([]);
  await jobs.stop();
});

test("a connection that is turned off leaves its work to the next one at once", async () => {
  const first = (await boss(connectors.list, { query: {} })).body.items.find(({ kind }) => kind !== "builtin");
  await connect(boss, provider, { embeds: true, name: "Second" });
  const jobs = await runJobs();
  const id = await add("Two connections");
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  await boss(connectors.setStatus, { params: { id: first?.id ?? "" }, body: { status: "disabled" } });
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  await jobs.stop();
});

test("a restored document has the vectors of the model in use at once", async () => {
  const jobs = await runJobs();
  const id = await add("Archived");
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  await boss(documents.archive, { params: { id } });
  await db.deleteFrom("passageVectors").execute();
  await boss(documents.restore, { params: { id } });
  await expect.poll(() => readVectors(id), { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  await jobs.stop();
});

test("a provider that fails leaves a document ready, and says that vectors are missing", async () => {
  const jobs = await runJobs();
  provider.always({ status: 500 });
  const id = await add("Later", "# Later\n\nOnly words find this.");
  await expect.poll(async () => (await boss(documents.get, { params: { id } })).body.live?.state).toBe("ready");
  expect(await readVectors(id)).toEqual({ made: 0, of: 1 });
  await jobs.stop();
  const { items } = (await boss(connectors.list, { query: {} })).body;
  expect(items.map(({ state }) => state)).toContain("failing");
});
