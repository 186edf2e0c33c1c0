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

test("a provider that fails leaves a document ready, and says that vectors are missing", async () => {
  const jobs = await runJobs();
  provider.always({ status: 500 });
  const id = await add("Later", "# Later\n\nOnly words find this.");
  await expect.poll(async () => (await boss(documents.get, { params: { id } })).body.live?.state).toBe("ready");
  expect(await readVectors(id)).toEqual({ made: 0, of: 1 });
  await jobs.stop();
  const { items } = (await boss(connectors.list, { query: {} })).body;
  expect(items.map(({ kind }) => kind)).toEqual(["builtin", "openai"]);
});
