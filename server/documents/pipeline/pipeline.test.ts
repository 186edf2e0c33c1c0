import { sql } from "kysely";
import { expect, test } from "vitest";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { takeVersion } from "#server/documents/pipeline/leases.ts";
import { runStage } from "#server/documents/pipeline/stages.ts";
import { stages, type VersionState } from "#shared/documents/documentVersions.ts";
import { documents } from "#shared/documents/documents.ts";
import { createDocumentMaker } from "#test/documents.ts";
import { makers } from "#test/documentFiles.ts";
import { isLong } from "#test/long.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, services, db } = server;
const { upload } = createDocumentMaker(server);
const admin = await make.admin();
const sections = [
  { heading: "Gates", paragraphs: ["The north gate closes at eight.", "The south gate stays open all night."] },
];

const stateOf = async (id: string) => (await as(admin)(documents.get, { params: { id } })).body.latest;
/** The server that had the lease is gone. */
const expireLease = (id: string) =>
  db
    .updateTable("documentVersions")
    .set({ leasedUntil: sql`now() - interval '1 second'` })
    .where("id", "=", id)
    .execute();

test.each([...stages])("a document whose server dies while %s is finished by the next one", async (stage) => {
  const { id, latest } = await upload(admin, "gates.md", makers.md!(sections));
  const version = await takeVersion(db);
  expect(version?.id).toBe(latest.id);
  // The server reaches this stage and then dies.
  for (let state: VersionState = "waiting"; state !== stage && state !== "ready"; state = (await stateOf(id)).state)
    // Reading begins within the stage before it.
    if (stage === "reading" && state === "checking") await version!.update({ state: "reading" });
    else await runStage(services, version!);
  version?.release();
  expect((await stateOf(id)).state).toBe(stage);
  await expireLease(latest.id);
  await runPipeline(services);
  expect(await stateOf(id)).toMatchObject({ state: "ready", passages: 1 });
  await expect(version?.update({ done: 1 })).rejects.toThrow();
});

test("a version that is taken three times without an end has failed", async () => {
  const { id, latest } = await upload(admin, "gates.md", makers.md!(sections));
  for (let tries = 0; tries < 3; tries++) {
    const version = await takeVersion(db);
    expect(version?.id).toBe(latest.id);
    version?.release();
    await expireLease(latest.id);
  }
  await runPipeline(services);
  expect(await stateOf(id)).toMatchObject({ state: "failed", code: "crashed" });
  await as(admin)(documents.indexAgain, { params: { id, number: 1 } as never });
  await runPipeline(services);
  expect((await stateOf(id)).state).toBe("ready");
});

test("two servers never work on the same version", async () => {
  await upload(admin, "gates.md", makers.md!(sections));
  const taken = await Promise.all([takeVersion(db), takeVersion(db), takeVersion(db)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  for (const version of taken) version?.release();
  await expireLease(taken.find(Boolean)!.id);
  await runPipeline(services);
});

const ask = async (id: string, question: string) =>
  (await as(admin)(documents.ask, { params: { id }, body: { question } })).body.passages.map(({ text }) => text);

test("a document is found by its earlier passages while it is indexed again", async () => {
  const { id } = await upload(admin, "gates.md", makers.md!(sections));
  await runPipeline(services);
  const gate = "When does the north gate close?";
  const expected = [expect.stringContaining("closes at eight")];
  expect(await ask(id, gate)).toEqual(expected);
  await as(admin)(documents.indexAgain, { params: { id, number: 1 } as never });
  const version = await takeVersion(db);
  const states: VersionState[] = [];
  do {
    states.push((await stateOf(id)).state);
    expect(await ask(id, gate), states.at(-1)).toEqual(expected);
  } while (await runStage(services, version!));
  version?.release();
  expect(states[0]).toBe("splitting");
  expect((await stateOf(id)).state).toBe("ready");
  expect(await ask(id, gate)).toEqual(expected);
});

test("passages stay as they were if indexing again breaks off", async () => {
  const { id, latest } = await upload(admin, "gates.md", makers.md!(sections));
  await runPipeline(services);
  await as(admin)(documents.indexAgain, { params: { id, number: 1 } as never });
  const version = await takeVersion(db);
  await expireLease(latest.id);
  const next = await takeVersion(db);
  await expect(runStage(services, version!)).rejects.toThrow();
  expect(await ask(id, "When does the north gate close?")).toHaveLength(1);
  version?.release();
  next?.release();
  await expireLease(latest.id);
  await runPipeline(services);
});

test("a document without a chosen language is indexed in the detected one", async () => {
  const { id, version } = await upload(admin, "gates.md", makers.md!(sections));
  await runPipeline(services);
  expect((await stateOf(id)).language).toBe("en");
  const choose = async (language: string | null, at: number) => {
    const reply = await as(admin)(documents.update, { params: { id }, body: { language, version: at } });
    await runPipeline(services);
    return reply.body.version;
  };
  const next = await choose("de", version);
  expect((await stateOf(id)).language).toBe("de");
  await choose(null, next);
  expect((await stateOf(id)).language).toBe("en");
});

const MANY = isLong ? 300 : 45;
test(`${MANY} documents of mixed types end ready or failed with a reason`, { timeout: 600_000 }, async () => {
  const types = Object.keys(makers);
  const before = process.memoryUsage().rss;
  const ids: string[] = [];
  for (let at = 0; at < MANY; at++) {
    const type = types[at % types.length] as string;
    const bytes = makers[type]!([
      { heading: `Rule ${at}`, paragraphs: [`Rule number ${at} says that door ${at * 7} is closed at night.`] },
    ]);
    // Every tenth file is truncated.
    const isCut = at % 10 === 9;
    ids.push((await upload(admin, `rule-${at}.${type}`, isCut ? bytes.slice(0, bytes.length / 3) : bytes)).id);
  }
  await runPipeline(services);
  const ends = await Promise.all(ids.map(stateOf));
  expect(ends.filter(({ state, code }) => !(state === "ready" || (state === "failed" && code)))).toEqual([]);
  expect(ends.filter(({ state }) => state === "ready").length).toBeGreaterThanOrEqual(MANY * 0.9);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
});
