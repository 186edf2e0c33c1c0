import { expect, test } from "vitest";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { documents } from "#shared/documents/documents.ts";
import { createDocumentMaker } from "#test/documents.ts";
import { makers } from "#test/documentFiles.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, services, db } = server;
const { upload } = createDocumentMaker(server);
const admin = await make.admin();

const PASSAGES = 1500;
/** A handbook that takes a while to index. */
const handbook = makers.md!(
  Array.from({ length: PASSAGES }, (_, at) => ({
    heading: `Rule ${at}`,
    paragraphs: [`Rule ${at} says: ${"gate ladder harness forklift ".repeat(30)}${at}.`],
  })),
);
const versionOf = (documentId: string) =>
  db.selectFrom("documentVersions").where("documentId", "=", documentId).selectAll().executeTakeFirst();

test.each([
  ["for the first time", false],
  ["again", true],
])("a document that is indexed %s can be deleted meanwhile", { timeout: 120_000 }, async (_, isAgain) => {
  const { id } = await upload(admin, "handbook.md", handbook);
  if (isAgain) {
    await runPipeline(services);
    await as(admin)(documents.indexAgain, { params: { id, number: 1 } as never });
  }
  const working = runPipeline(services);
  await expect.poll(async () => (await versionOf(id))?.done, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
  expect((await as(admin)(documents.remove, { params: { id } })).status).toBe(204);
  await working;
  expect(await versionOf(id)).toBeUndefined();
  const left = await db.selectFrom("passages").select("id").execute();
  expect(left).toEqual([]);
});
