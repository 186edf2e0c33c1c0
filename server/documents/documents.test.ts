import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { connectors } from "#shared/connectors/connectors.ts";
import { documents } from "#shared/documents/documents.ts";
import { createDocumentMaker } from "#test/documents.ts";
import { makeBomb, makePdf, makers, type Section } from "#test/documentFiles.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const { upload, settled } = createDocumentMaker(server);
const admin = await make.admin();
const jobs = await server.runJobs();
afterAll(() => jobs.stop());

const manual: Section[] = [
  {
    heading: "Locking",
    paragraphs: [
      "Every worker fits their own lock and keeps the key. Nobody else may open it, not even the control room.",
    ],
  },
  {
    heading: "Proof of zero energy",
    paragraphs: ["A lock prevents switching on. Wait five minutes after switching off a converter."],
  },
];

test.each(Object.keys(makers))("reads, indexes and finds a document of type %s", async (type) => {
  const { id } = await upload(admin, `manual.${type}`, makers[type]!(manual));
  const { latest, live } = await settled(admin, id);
  expect(latest).toMatchObject({ state: "ready", code: null, language: "en" });
  expect(live?.passages).toBeGreaterThan(0);
  const { body } = await as(admin)(documents.ask, {
    params: { id },
    body: { question: "Who keeps the key of the lock?" },
  });
  expect(body.passages[0]?.text).toContain("keeps the key");
  expect(body.isRefused).toBe(false);
  if (["pdf", "docx", "pptx", "odt", "html", "md"].includes(type)) expect(body.passages[0]?.heading).toBe("Locking");
  if (["pdf", "pptx"].includes(type)) expect(body.passages[0]?.page).toBe(1);
});

test.each([
  ["scan.pdf", makePdf(manual, { scanned: true }), "noText"],
  ["secret.pdf", makePdf(manual, { encrypted: true }), "encrypted"],
  ["broken.pdf", Buffer.from("%PDF-1.4 and nothing else"), "damaged"],
  ["bomb.docx", makeBomb(), "archiveBomb"],
  ["program.exe", Buffer.from(Array.from({ length: 4000 }, (_, at) => at % 7)), "unknownFormat"],
  ["old.doc", Buffer.from("d0cf11e0a1b11ae1".padEnd(4000, "0"), "hex"), "oldFormat"],
])("%s fails with its reason", async (name, bytes, code) => {
  const { id } = await upload(admin, name, bytes);
  expect((await settled(admin, id)).latest).toMatchObject({ state: "failed", code, passages: 0 });
});

test("answers from a document of one sentence, whatever else the question says", async () => {
  const body = { title: "Leave", text: "Every employee has thirty days of paid holiday a year." };
  const params = { id: (await as(admin)(documents.addText, { body })).body.id };
  await settled(admin, params.id);
  const ask = (question: string) => as(admin)(documents.ask, { params, body: { question } });
  expect((await ask("How many days of paid holiday do I have?")).body.isRefused).toBe(false);
  expect((await ask("How many days does the train to Peru need?")).body.isRefused).toBe(true);
});

test("refuses a question that the document does not answer", async () => {
  const { id } = await upload(admin, "manual.md", makers.md!(manual));
  await settled(admin, id);
  const { body } = await as(admin)(documents.ask, {
    params: { id },
    body: { question: "What does the canteen serve on Fridays?" },
  });
  expect(body.isRefused).toBe(true);
});

test("a question that the language model does not answer fails with the reason", async () => {
  const provider = await startProvider("openai");
  const { id: connectorId } = await connect(as(admin), provider, { isDefault: true });
  const { id } = await upload(admin, "manual.md", makers.md!(manual));
  await settled(admin, id);
  provider.always({ status: 500 });
  const ask = async (question: string) => as(admin)(documents.ask, { params: { id }, body: { question } });
  expect((await ask("Who keeps the key of the lock?")).body.connector).toBe("Built-in");
  expect(await ask("What colour is the moon of Endor?")).toMatchObject({
    status: 409,
    code: "documents.askFailed",
    body: { error: expect.stringMatching(/^No answer: [A-Z]/), details: { code: "provider_down" } },
  });
  const status = { params: { id: connectorId }, body: { status: "archived" as const } };
  await as(admin)(connectors.setStatus, status);
  await provider.stop();
});

test("quotes are offsets of the text of the version", async () => {
  const { id } = await upload(admin, "manual.docx", makers.docx!(manual));
  await settled(admin, id);
  const { body } = await as(admin)(documents.ask, {
    params: { id },
    body: { question: "How long to wait after switching off a converter?" },
  });
  const quote = body.parts.find((part) => part.quote)?.quote;
  const passage = body.passages[(quote?.passage ?? 0) - 1]!;
  const { text } = (await as(admin)(documents.text, { params: { id, number: "1" } as never })).body;
  expect(text.slice(passage.charFrom, passage.charTo)).toBe(passage.text);
  expect(text.slice(passage.charFrom + quote!.start, passage.charFrom + quote!.end)).toContain("five minutes");
});

test("a new version that loses an answer is held until somebody decides", async () => {
  const { id } = await upload(admin, "rules.md", makers.md!(manual));
  await settled(admin, id);
  const saved = await as(admin)(documents.addTestQuestion, {
    params: { id },
    body: { question: "Who keeps the key?", expected: "keeps the key" },
  });
  expect(saved.body.results).toMatchObject([{ version: 1, rank: 1 }]);
  await upload(admin, "rules.md", makers.md!([manual[1]!]), id);
  const held = await settled(admin, id);
  expect([held.latest.state, held.live?.number]).toEqual(["held", 1]);
  const published = (await as(admin)(documents.publish, { params: { id, number: 2 } as never })).body;
  expect([published.live?.number, published.versions[1]?.state]).toEqual([2, "replaced"]);
});

test("a repeated request with the same file adds nothing", async () => {
  const first = await upload(admin, "once.txt", makers.txt!(manual));
  const path = first.latest.filePath as string;
  const again = (await as(admin)(documents.create, { body: { path, name: "once.txt" } })).body;
  expect([again.id, again.versions.length]).toEqual([first.id, 1]);
});

test("a renamed document is found by its new title", async () => {
  const { id, version } = await upload(admin, "untitled.md", makers.md!(manual));
  await settled(admin, id);
  await as(admin)(documents.update, { params: { id }, body: { title: "Zirconium procedure", version } });
  await expect
    .poll(
      async () =>
        (await as(admin)(documents.ask, { params: { id }, body: { question: "zirconium" } })).body.passages.length,
    )
    .toBeGreaterThan(0);
});

test("reads a web page through the guarded fetch, and says when its address is refused", async () => {
  const site = createServer((_, reply) => {
    reply.setHeader("content-type", "text/html");
    reply.end(makers.html!(manual));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  const { port } = site.address() as AddressInfo;
  const page = await as(admin)(documents.addPage, { body: { url: `http://127.0.0.1:${port}/manual` } });
  expect((await settled(admin, page.body.id)).latest).toMatchObject({ state: "ready", kind: "html" });
  const internal = await as(admin)(documents.addPage, { body: { url: "https://169.254.169.254/latest" } });
  expect((await settled(admin, internal.body.id)).latest).toMatchObject({ state: "failed", code: "refusedAddress" });
  site.close();
});

test("deletes a document with its passages, postings and files", async () => {
  const { id, latest } = await upload(admin, "gone.md", makers.md!(manual));
  await settled(admin, id);
  expect((await as(admin)(documents.remove, { params: { id } })).status).toBe(204);
  const postings = await server.db
    .selectFrom("passageTerms")
    .where("versionId", "=", latest.id)
    .select("term")
    .execute();
  expect(postings).toEqual([]);
  const file = await server.db
    .selectFrom("files")
    .where("fullPath", "=", latest.filePath)
    .select("deletedAt")
    .executeTakeFirst();
  expect(file?.deletedAt).not.toBeNull();
});
