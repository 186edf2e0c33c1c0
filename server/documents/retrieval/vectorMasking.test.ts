import { expect, test, vi } from "vitest";
import { NamingClient } from "#server/core/database/statements.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { retrieve } from "#server/documents/retrieval/retrieve.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { documents } from "#shared/documents/documents.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Texts sent for embedding do not name people of companies that mask names.

const { services, as, make } = await start();
const admin = await make.admin();
const [alpha, beta, open] = await Promise.all([
  make.company(admin, { maskNames: true }),
  make.company(admin, { maskNames: true }),
  make.company(admin),
]);
await make.learner(alpha.accessCode, "Lea Berg");
await make.learner(beta.accessCode, "Søren Ågård");
await make.learner(open.accessCode, "Odo Plain");
const provider = await startProvider("openai");
await connect(as(admin), provider, { embeds: true });
/** The texts sent to the provider for embedding, in the order of the requests. */
const sentTexts = () =>
  provider.requests
    .filter(({ path }) => path.includes("embeddings"))
    .flatMap(({ body }) => (body as { input: string[] }).input);

async function embedText(title: string, companyIds: string[]) {
  const text = `${title}: Lea Berg, Søren Ågård and Odo Plain wrote to lea@mail.example.`;
  const { body } = await as(admin)(documents.addText, { body: { title, text, companyIds } });
  await runPipeline(services);
  const before = sentTexts().length;
  await embedPassages(services);
  return { id: body.id, sent: sentTexts().slice(before).join("\n") };
}
const codeOf = (text: string) => /(Person\w{6}),/.exec(text)?.[1];

test("passages name nobody of the companies that may have them quoted and mask names", async () => {
  const ofAlpha = await embedText("Alpha", [alpha.id]);
  expect(ofAlpha.sent).toMatch(/Alpha: Person\w{6}, Søren Ågård and Odo Plain wrote to Email\w{6}/);
  const ofBoth = await embedText("Both", [alpha.id, beta.id]);
  expect(ofBoth.sent).toMatch(/Both: Person\w{6}, Person\w{6} and Odo Plain wrote to Email\w{6}/);
  const ofAll = await embedText("All", []);
  expect(ofAll.sent).toMatch(/All: Person\w{6}, Person\w{6} and Odo Plain wrote to Email\w{6}/);
  const ofOpen = await embedText("Open", [open.id]);
  expect(ofOpen.sent).toContain("Open: Lea Berg, Søren Ågård and Odo Plain wrote to lea@mail.example");
  expect(codeOf(ofAll.sent)).toBeDefined();
  expect(new Set([ofAlpha, ofBoth, ofAll].map(({ sent }) => codeOf(sent))).size).toBe(1);
});

/** Unrelated texts are sent as well, once for each model. */
const isQuestion = (text: string) => text.includes("What did");

test("a question names a person as the passages do, whichever person asks", async () => {
  const passage = await embedText("Asked", [alpha.id]);
  for (const companyId of [alpha.id, null]) {
    const question = `What did Lea Berg, of ${companyId ? "Alpha" : "nowhere"}, write?`;
    await retrieve(services, { question, documentIds: [passage.id], companyId, limit: 5 });
    expect(sentTexts().findLast(isQuestion)).toContain(`What did ${codeOf(passage.sent)}, of`);
  }
});

test("a guest's question is not masked, without reading the names of all companies", async () => {
  const { id } = await embedText("Public", []);
  // The cached names of all companies do not include this one.
  await make.company(admin, { maskNames: true });
  const querySpy = vi.spyOn(NamingClient.prototype, "query");
  const question = "What did Lea Berg, lea@mail.example, write?";
  await retrieve(services, { question, documentIds: [id], isPublic: true, limit: 5 });
  const reads = querySpy.mock.calls.filter(([query]) =>
    JSON.stringify(query).includes('"users\\" where \\"company_id'),
  );
  querySpy.mockRestore();
  expect(reads).toEqual([]);
  expect(sentTexts().findLast(isQuestion)).toMatch(/What did Lea Berg, Email\w{6}, write/);
});

test("passages for different companies are stored with their own vectors", async () => {
  const texts = ["first", "second", "third"];
  const ids: string[] = [];
  for (const [at, companyIds] of [[alpha.id], [open.id], []].entries()) {
    const body = { title: "Mixed", text: `The ${texts[at]} rule of Lea Berg.`, companyIds };
    ids.push((await as(admin)(documents.addText, { body })).body.id);
  }
  await runPipeline(services);
  await embedPassages(services);
  for (const [at, id] of ids.entries()) {
    const found = await retrieve(services, { question: `What is the ${texts[at]} rule?`, documentIds: [id], limit: 1 });
    expect(found[0]?.ranks.meaning).toBe(1);
  }
});
