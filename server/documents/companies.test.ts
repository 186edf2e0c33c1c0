import { expect, test } from "vitest";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { retrieve } from "#server/documents/retrieval/retrieve.ts";
import { documents } from "#shared/documents/documents.ts";
import { start } from "#test/start.ts";

const { services, as, make } = await start();
const alpha = await make.classroom();
const beta = await make.classroom();
const { admin } = alpha;

const addFor = async (companyIds: string[], text: string, courseIds: string[] = []) => {
  const { body } = await as(admin)(documents.addText, { body: { title: "Rules", text, companyIds } });
  await as(admin)(documents.update, { params: { id: body.id }, body: { courseIds, version: body.version } });
  await runPipeline(services);
  return body.id;
};
const ownDocument = await addFor([alpha.company.id], "The alarm code of the warehouse is changed monthly.", [
  alpha.course.id,
]);
const foreign = await addFor([beta.company.id], "The alarm code of the warehouse is changed weekly.", [beta.course.id]);
const shared = await addFor([], "The alarm code of the warehouse is never written down.");
const question = "How often is the alarm code of the warehouse changed?";

test("only documents that a company may have quoted are found for it", async () => {
  const found = await retrieve(services, { question, companyId: alpha.company.id, limit: 20 });
  expect(new Set(found.map(({ documentId }) => documentId))).toEqual(new Set([ownDocument, shared]));
});

test("a document is only for the companies that were chosen when it was added", async () => {
  const add = async (companyIds?: string[]) => {
    const body = { title: "Rules", text: "Wear gloves.", ...(companyIds && { companyIds }) };
    return (await as(admin)(documents.addText, { body })).body;
  };
  expect((await add([alpha.company.id, alpha.company.id])).companies).toMatchObject([{ id: alpha.company.id }]);
  expect((await add()).companies).toEqual([]);
  const later = { title: "Rules", text: "Wear thick gloves.", documentId: ownDocument };
  expect((await as(admin)(documents.addText, { body: later })).body.companies).toMatchObject([
    { id: alpha.company.id },
  ]);
  await runPipeline(services);
});

test("naming a document of another company does not open it", async () => {
  const found = await retrieve(services, { question, companyId: alpha.company.id, documentIds: [foreign], limit: 20 });
  expect(found).toEqual([]);
});

test("what other companies' documents say does not change the score of one's own", async () => {
  const search = { question, companyId: alpha.company.id, limit: 20 };
  const before = await retrieve(services, search);
  await addFor([beta.company.id], "Alarm code warehouse. ".repeat(20));
  expect((await retrieve(services, search)).map(({ score }) => score)).toEqual(before.map(({ score }) => score));
});

test("an archived document is not found", async () => {
  const id = await addFor([alpha.company.id], "Badgers dig under the fence of the warehouse.");
  const search = { question: "badgers", companyId: alpha.company.id, limit: 5 };
  expect(await retrieve(services, search)).toHaveLength(1);
  await as(admin)(documents.archive, { params: { id } });
  expect(await retrieve(services, search)).toEqual([]);
});

test("learners have no access to the library", async () => {
  expect((await as(alpha.learner)(documents.list)).status).toBe(403);
  expect((await as(alpha.learner)(documents.ask, { params: { id: ownDocument }, body: { question } })).status).toBe(
    403,
  );
});
