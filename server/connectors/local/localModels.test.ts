import { join } from "node:path";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { embed } from "#server/connectors/embeddings.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { documents } from "#shared/documents/documents.ts";
import {
  float32,
  idOf,
  localInput,
  rowsOf,
  safetensors,
  WORD_COUNT,
  writeLocalModel,
} from "#test/providers/localModel.ts";
import { start } from "#test/start.ts";

// An embedding model whose files an operator has put on the server

const { as, make, runJobs, services, db } = await start();
const { dataDir } = services.config;
const admin = await make.admin();
const boss = as(admin);
const connect = async (model: string) => {
  const { id } = (await boss(connectors.create, { body: localInput(model) })).body;
  return (await boss(connectors.test, { params: { id }, body: {} })).body;
};
const vectorsOf = async (connectorId: string, texts: string[]) =>
  (await embed(services, { connectorId, texts, companyId: null }))?.vectors.map((vector) => [...vector]) ?? [];

test("lists no model before there is a folder, and the models of the folder after", async () => {
  expect((await boss(connectors.localModels)).body).toEqual({ items: [] });
  writeLocalModel(dataDir, "concepts");
  expect((await boss(connectors.localModels)).body).toEqual({ items: [{ name: "concepts", size: 24, code: null }] });
});

test("only admins list models", async () => {
  const { accessCode } = await make.company(admin);
  expect((await as(await make.learner(accessCode))(connectors.localModels)).status).toBe(403);
  expect((await as(null)(connectors.localModels)).status).toBe(401);
});

test("documents get vectors, and a question that shares no word is answered, free", async () => {
  const text = "# Absence\n\nEmployees have 28 days of annual leave.\n\n# Dress\n\nHelmets are worn in the plant.";
  const { id } = (await boss(documents.addText, { body: { title: "Rules", text, companyIds: [] } })).body;
  const jobs = await runJobs();
  const readState = async () => (await boss(documents.get, { params: { id } })).body.live?.state;
  await expect.poll(readState, { timeout: 8000 }).toBe("ready");
  const connector = await connect("concepts");
  expect(connector).toMatchObject({ state: "active", isDefault: false, keyHint: null, baseUrl: "" });
  expect(connector.lastTest).toMatchObject({ code: null, embeddings: "works", chat: "untried" });
  const readVectors = async () => (await boss(documents.get, { params: { id } })).body.vectors;
  await expect.poll(readVectors, { timeout: 8000 }).toEqual({ made: 2, of: 2 });
  await jobs.stop();
  const question = "Wie viele Tage Urlaub gibt es?";
  const { body } = await boss(documents.ask, { params: { id }, body: { question } });
  expect(body.isRefused).toBe(false);
  expect(body.parts.map((part) => part.text).join("")).toContain("28 days of annual leave");
  const calls = await db.selectFrom("aiUsage").where("connectorId", "=", connector.id).selectAll().execute();
  expect(new Set(calls.map(({ status, costMicros }) => `${status} ${costMicros}`))).toEqual(new Set(["done 0"]));
});

test("vectors are made although the budget of the academy is used up", async () => {
  const { body } = await boss(connectors.spending);
  const { currency, limitText } = body;
  await boss(connectors.setSpending, { body: { currency, limitText, monthlyBudget: 0 } });
  const { id } = await connect("concepts");
  expect(await vectorsOf(id, ["Urlaub"])).toHaveLength(1);
  await boss(connectors.setSpending, { body: { currency, limitText, monthlyBudget: null } });
});

test("many texts at once have the vectors that each has alone", async () => {
  writeLocalModel(dataDir, "other");
  const [first, second] = [await connect("concepts"), await connect("other")];
  const texts = Array.from({ length: 100 }, (_, at) => `${["Urlaub", "Helm", "accident", "★"][at % 4]} ${at}`);
  const alone = await vectorsOf(first.id, texts);
  const made = await Promise.all([first, second, first, second].map(({ id }) => vectorsOf(id, texts)));
  for (const vectors of made) expect(vectors).toEqual(alone);
});

test("a vector is the weighted mean of its tokens, whose rows of 16 bits are shared", async () => {
  const half = (numbers: number[]) => new Uint8Array(Float16Array.from(numbers).buffer);
  const mapping = new Int32Array(WORD_COUNT);
  mapping[idOf("helm")] = 1;
  const weights = Array.from({ length: WORD_COUNT }, (_, id) => (id === idOf("helm") ? 3 : 1));
  writeLocalModel(dataDir, "shared-rows", {
    "config.json": { normalize: false },
    "model.safetensors": safetensors({
      embeddings: { dtype: "F16", shape: [2, 3], bytes: half([1, 0, 0.5, 0, 2, -0.5]) },
      weights: float32([WORD_COUNT], weights),
      mapping: { dtype: "I32", shape: [WORD_COUNT], bytes: new Uint8Array(mapping.buffer) },
    }),
  });
  const { id } = await connect("shared-rows");
  expect(await vectorsOf(id, ["Urlaub, Helm!", "Urlaub"])).toEqual([
    [0.5, 3, -0.5],
    [1, 0, 0.5],
  ]);
});

test("vectors have the length one where the model says so, and long texts are cut", async () => {
  const { id } = await connect("concepts");
  const [long, short] = await vectorsOf(id, [`${"Urlaub ".repeat(512)}${"Helm ".repeat(5000)}`, "Urlaub"]);
  expect(Math.hypot(...(long ?? []))).toBeCloseTo(1, 5);
  for (const [at, value] of (long ?? []).entries()) expect(value).toBeCloseTo(short?.[at] ?? Number.NaN, 5);
});

test("a text without a known word has a vector that is near no other", async () => {
  const { id } = await connect("concepts");
  const [one = [], other = [], same] = await vectorsOf(id, ["★ ★", "unbekannt", "★ ★"]);
  expect(same).toEqual(one);
  expect(Math.abs(one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0))).toBeLessThan(0.6);
});

test("replaced files are read again, and another length is refused until the next test", async () => {
  const connector = await connect("other");
  writeLocalModel(dataDir, "other", {}, 30);
  await expect(vectorsOf(connector.id, ["Urlaub"])).rejects.toMatchObject({ code: "vector_size" });
  const { body } = await boss(connectors.test, { params: { id: connector.id }, body: {} });
  expect(body.vectorSizes).toEqual({ other: { stored: 30, sent: null } });
  expect((await vectorsOf(connector.id, ["Urlaub"]))[0]).toHaveLength(30);
});

test("a table of Sentence Transformers is read as well", async () => {
  const table = safetensors({ "embedding.weight": float32([WORD_COUNT, 8], rowsOf(8)) });
  writeLocalModel(dataDir, "sentence-transformers", { "model.safetensors": table });
  expect((await connect("sentence-transformers")).state).toBe("active");
});

test("a removed folder fails the next call, and the search still answers by words", async () => {
  const { id } = await connect("concepts");
  rmSync(join(dataDir, "models", "concepts"), { recursive: true });
  await expect(vectorsOf(id, ["Urlaub"])).rejects.toMatchObject({ code: "model_missing" });
  const { items } = (await boss(documents.list, { query: {} })).body;
  const question = "How many days of annual leave do employees have?";
  const { body } = await boss(documents.ask, { params: { id: items[0]?.id ?? "" }, body: { question } });
  expect(body.isRefused).toBe(false);
});

test.each([
  ["an address", { baseUrl: "https://example.com" }, "baseUrl"],
  ["a key", { apiKey: "secret" }, "apiKey"],
  ["the default", { isDefault: true }, "isDefault"],
  ["no model", { models: [] }, "models"],
  ["a model for chat", { models: [{ id: "other", use: "chat" as const, prices: [] }] }, "models"],
])("refuses a local connection with %s", async (_, changed, path) => {
  const reply = await boss(connectors.create, { body: { ...localInput("other"), ...changed } });
  expect(reply.status).toBe(422);
  expect((reply.body as unknown as { issues: { path: string }[] }).issues[0]?.path).toBe(path);
});

test("a provider needs an address", async () => {
  const reply = await boss(connectors.create, { body: { ...localInput("x"), kind: "openai" } });
  expect(reply.status).toBe(422);
});
