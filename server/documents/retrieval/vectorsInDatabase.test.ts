import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { Services } from "#server/core/services.ts";
import { retrieve, type Search } from "#server/documents/retrieval/retrieve.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { MAX_IN_PROCESS } from "#server/documents/retrieval/vectorsInDatabase.ts";
import { startWithPgvector } from "#test/pgvector.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";
import { addEmbeddedDocument, addEmbedder } from "#test/vectorLibrary.ts";

// The same library in the embedded PostgreSQL and in one with the extension `vector`

const SIZE = 8;
const provider = await startProvider("openai");
const lines: string[] = [];
const { services, stop } = await startWithPgvector((line) => lines.push(line));
const { db } = services;
const embedded = (await start({}, (line) => lines.push(line))).services;
afterAll(async () => {
  await stop();
  await provider.stop();
});

/**
 * Two companies, both with more passages than are compared in process, and each with some that the other may not see.
 */
async function fillLibrary({ db }: Services) {
  const addCompany = (name: string) =>
    db
      .insertInto("companies")
      .values({ name, slug: name, accessCode: name })
      .returning("id")
      .executeTakeFirstOrThrow()
      .then(({ id }) => id);
  const embedder = await addEmbedder(db, provider, SIZE);
  const alpha = await addCompany("alpha");
  const beta = await addCompany("beta");
  const add = (title: string, passages: number, companyIds?: string[]) =>
    addEmbeddedDocument(db, embedder, { title, passages, size: SIZE, ...(companyIds && { companyIds }) });
  await add("Shared", MAX_IN_PROCESS + 100);
  const alphaOnly = await add("Alpha", 900, [alpha]);
  const betaOnly = await add("Beta", 900, [beta]);
  return { alpha, beta, alphaOnly, betaOnly, add };
}
const library = await fillLibrary(services);
const embeddedLibrary = await fillLibrary(embedded);

const QUESTIONS = ["When does the gate close?", "Who approves holidays, and how long before?", "¿Dónde está?"];
/** Title and number of the passages that are nearest in meaning, best first. */
async function rank(on: Services, search: Omit<Search, "question" | "limit"> = {}, question = QUESTIONS[0] as string) {
  const found = await retrieve(on, { ...search, question, limit: 100 });
  expect(found.map(({ ranks }) => ranks.meaning)).toEqual(found.map((_, at) => at + 1));
  return found.map(({ title, number }) => `${title} ${number}`);
}
async function rankAll(on: Services, { alpha, beta }: { alpha: string; beta: string }) {
  const scopes = [{ companyId: alpha }, { companyId: beta }, { isPublic: true }, {}];
  const ranked: string[][] = [];
  for (const question of QUESTIONS) for (const scope of scopes) ranked.push(await rank(on, scope, question));
  return ranked;
}
const inProcess = await rankAll(services, library);

const readCopied = async () => {
  const { rows } = await sql<{ title: string; copied: number }>`
    select documents.title, count(*)::int as copied
    from derived.passage_vectors copy
    join documents on documents.live_version_id = copy.version_id
    group by documents.title
    order by documents.title`.execute(db);
  return Object.fromEntries(rows.map(({ title, copied }) => [title, copied]));
};
/** Minus one in every dimension. */
const OPPOSITE = `[${Array(SIZE).fill(-1).join(",")}]`;
/**
 * Reverses the copy of the vector nearest to the first question, so that PostgreSQL, which ranks the copy, does not
 * find it.
 */
async function turnNearest() {
  const [best] = await retrieve(services, { question: QUESTIONS[0] as string, isPublic: true, limit: 1 });
  await sql`update derived.passage_vectors set vector = vector * ${OPPOSITE}::vector
    where passage_id = ${best?.id}`.execute(db);
  return `${best?.title} ${best?.number}`;
}

test("without the extension, vectors are compared in process", async () => {
  lines.length = 0;
  await embedPassages(embedded);
  expect(await rankAll(embedded, embeddedLibrary)).toEqual(inProcess);
  expect(lines.filter((line) => line.includes("rank vectors"))).toEqual([]);
});

test("without permission for the extension, logs once and compares vectors in process", async () => {
  lines.length = 0;
  await sql`create role limited`.execute(db);
  await sql`grant all on all tables in schema public to limited`.execute(db);
  await sql`set role limited`.execute(db);
  await embedPassages(services);
  await embedPassages(services);
  expect(await rank(services, { companyId: library.alpha })).toEqual(inProcess[0]);
  await sql`reset role`.execute(db);
  expect(lines.filter((line) => line.includes("rank vectors"))).toHaveLength(1);
});

test("with the extension, PostgreSQL ranks a company's passages as the process does", async () => {
  await embedPassages(services);
  expect(await readCopied()).toEqual({ Alpha: 900, Beta: 900, Shared: MAX_IN_PROCESS + 100 });
  expect(await rankAll(services, library)).toEqual(inProcess);
  const [alphas = [], betas = [], guests = []] = inProcess;
  const titles = (ranked: string[]) => new Set(ranked.map((name) => name.split(" ")[0]));
  expect([alphas, betas, guests].map(titles)).toEqual([
    new Set(["Shared", "Alpha"]),
    new Set(["Shared", "Beta"]),
    new Set(["Shared"]),
  ]);
});

test("PostgreSQL ranks only searches in more passages than are compared in process", async () => {
  const many = { companyId: library.alpha };
  const few = { documentIds: [library.alphaOnly] };
  const before = [await rank(services, many), await rank(services, few)];
  const turned = await turnNearest();
  expect(before[0]).toContain(turned);
  expect(await rank(services, many)).not.toContain(turned);
  await sql`update derived.passage_vectors set vector = vector * ${OPPOSITE}::vector
    where version_id = (select live_version_id from documents where id = ${library.alphaOnly})`.execute(db);
  expect(await rank(services, few)).toEqual(before[1]);
});

test("a document that PostgreSQL has no copy of yet is found", async () => {
  const turned = inProcess[2]?.[0];
  await library.add("Later", 900, [library.alpha]);
  const found = await rank(services, { companyId: library.alpha });
  expect(found.some((name) => name.startsWith("Later"))).toBe(true);
  // People who may not see it are answered from the copy.
  expect(found).toContain(turned);
  expect(await rank(services, { companyId: library.beta })).not.toContain(turned);
  await embedPassages(services);
  expect(await readCopied()).toMatchObject({ Later: 900 });
  expect(await rank(services, { companyId: library.alpha })).not.toContain(turned);
});

test("documents that are removed or archived leave no copy", async () => {
  await db.updateTable("documents").set({ status: "archived" }).where("id", "=", library.betaOnly).execute();
  await db.deleteFrom("documents").where("id", "=", library.alphaOnly).execute();
  expect((await rank(services, { companyId: library.beta })).filter((name) => name.startsWith("Beta"))).toEqual([]);
  await embedPassages(services);
  expect(await readCopied()).toEqual({ Later: 900, Shared: MAX_IN_PROCESS + 100 });
});

test("when the extension is dropped, vectors are compared in process until it is back", async () => {
  await sql`drop extension vector cascade`.execute(db);
  expect(await rank(services, { isPublic: true })).toEqual(inProcess[2]);
  await embedPassages(services);
  expect(await readCopied()).toEqual({ Later: 900, Shared: MAX_IN_PROCESS + 100 });
  expect(await rank(services, { isPublic: true })).toEqual(inProcess[2]);
});

test("vectors of a model that is not in use any more leave no copy", async () => {
  provider.always({ status: 500 });
  const models = JSON.stringify([{ id: "another", use: "embedding", prices: [] }]);
  await db.updateTable("connectors").set({ models }).where("name", "=", "Vectors").execute();
  await embedPassages(services);
  expect(await readCopied()).toEqual({});
});
