import { sql } from "kysely";
import { expect, test } from "vitest";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { takeVersion } from "#server/documents/pipeline/leases.ts";
import { runStage } from "#server/documents/pipeline/stages.ts";
import { documents, stages, type VersionState } from "#shared/documents.ts";
import { createDocumentMaker } from "#test/documents.ts";
import { makers } from "#test/documentFiles.ts";
import { isLong } from "#test/long.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, services, db } = server;
const { upload } = createDocumentMaker(server);
const admin = await make.admin();
const sections = [{ heading: "Gates", paragraphs: ["The north gate closes at eight.", "The south gate stays open all night."] }];

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
  // The dead server has come to this stage, and says nothing any more.
  for (let state: VersionState = "waiting"; state !== stage && state !== "ready"; state = (await stateOf(id)).state)
    await runStage(services, version!);
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
    // Every tenth file is cut off, as by a broken copy.
    const isCut = at % 10 === 9;
    ids.push((await upload(admin, `rule-${at}.${type}`, isCut ? bytes.slice(0, bytes.length / 3) : bytes)).id);
  }
  await runPipeline(services);
  const ends = await Promise.all(ids.map(stateOf));
  expect(ends.filter(({ state, code }) => !(state === "ready" || (state === "failed" && code)))).toEqual([]);
  expect(ends.filter(({ state }) => state === "ready").length).toBeGreaterThanOrEqual(MANY * 0.9);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
});
