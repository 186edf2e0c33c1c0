import { expect, test } from "vitest";
import { addReadDocument } from "#server/documents/retrieval/addReadDocument.ts";
import { retrieve } from "#server/documents/retrieval/retrieve.ts";
import { embedPassages } from "#server/documents/retrieval/vectors.ts";
import { readPlainText } from "#server/documents/parsing/plainText.ts";
import { connect } from "#test/providers/connect.ts";
import { conceptEmbeddings } from "#test/providers/concepts.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Passages found by meaning alone answer without a language model

const { services, as, make } = await start();
const provider = await startProvider("openai");
provider.always({ embeddings: conceptEmbeddings });
await connect(as(await make.admin()), provider, { embeds: true });

async function addText(title: string, text: string) {
  const { documentId } = await addReadDocument(services.db, { title, language: "en", ...readPlainText(text) });
  return documentId;
}
const handbook = [
  await addText("Absence", "Employees have 28 days of annual leave. Requests are made two weeks ahead."),
  await addText("Safety", "Report every accident to the shift lead at once. Helmets are worn in the plant."),
  await addText("Money", "Travel costs are paid back within ten days. Keep every receipt."),
  await addText("Rates", "The fee for class 2 is 40 euros. The fee for class 5 is 90 euros."),
];
await embedPassages(services);

const asked = () => provider.requests.filter(({ path }) => path.includes("embeddings")).length;
/** The sentences that are quoted for a question, the best one first. */
async function quotesFor(question: string, documentIds = handbook) {
  const passages = await retrieve(services, { question, documentIds, limit: 6 });
  return passages.flatMap(({ text, evidence }) => evidence.map(({ start: from, end }) => text.slice(from, end)));
}

test.each([
  ["Wie viele Tage Urlaub gibt es?", "Employees have 28 days of annual leave."],
  ["¿Cuántos días de vacaciones hay?", "Employees have 28 days of annual leave."],
  ["休暇は何日ですか", "Employees have 28 days of annual leave."],
  ["Wem melde ich einen Unfall?", "Report every accident to the shift lead at once."],
  ["Wann werden Reise und Kosten erstattet?", "Travel costs are paid back within ten days."],
  ["¿Dónde hace falta un casco en la fábrica?", "Helmets are worn in the plant."],
])("quotes a sentence without a word of the question: %s", async (question, sentence) =>
  expect(await quotesFor(question)).toEqual([sentence]),
);

test.each([
  "Wie hoch ist der Eiffelturm?",
  "¿Quién ganó el campeonato de ajedrez?",
  "チェスの世界選手権で優勝したのは誰ですか",
])("quotes nothing for what no passage answers in any language: %s", async (question) =>
  expect(await quotesFor(question)).toEqual([]),
);

test("a number that the nearest passage lacks is not answered with another one", async () => {
  expect((await quotesFor("Gebühr Klasse 5"))[0]).toContain("90 euros");
  expect(await quotesFor("Gebühr Klasse 77")).toEqual([]);
});

test("a single passage can answer in other words, and be refused", async () => {
  const [leave = ""] = handbook;
  expect(await quotesFor("Wie viele Tage Urlaub gibt es?", [leave])).toEqual([
    "Employees have 28 days of annual leave.",
  ]);
  expect(await quotesFor("Wem melde ich einen Unfall?", [leave])).toEqual([]);
});

test("sentences are compared only where words do not answer, and once", async () => {
  const costOf = async (question: string) => {
    const before = asked();
    await quotesFor(question);
    return asked() - before;
  };
  expect(await costOf("When are travel costs paid back?")).toBe(1);
  const [added] = [await addText("Dogs", "Holidays for factory dogs are a joke.")];
  await embedPassages(services);
  const before = asked();
  await quotesFor("Urlaub im Werk?", [added]);
  expect(asked() - before).toBe(2);
  await quotesFor("Urlaub im Werk?", [added]);
  expect(asked() - before).toBe(3);
});

test("words alone decide while the provider fails in the middle of a question", async () => {
  const added = await addText("Cars", "The factory has a price for every journey of a car.");
  await embedPassages(services);
  provider.next({ embeddings: conceptEmbeddings }, { status: 500 });
  expect(await quotesFor("Reise ab Werk: Preis?", [added])).toEqual([]);
  expect(await quotesFor("Reise ab Werk: Preis?", [added])).toHaveLength(1);
});

test("a model that finds everything alike answers nothing by meaning", async () => {
  const flat = (texts: string[]) =>
    JSON.stringify({ data: texts.map((text, index) => ({ index, embedding: [1, 1, 1, text.length / 1e4] })) });
  const other = await start();
  const lazy = await startProvider("openai");
  lazy.always({ embeddings: flat });
  await connect(other.as(await other.make.admin()), lazy, { embeds: true });
  const text = readPlainText("Employees have 28 days of annual leave. Helmets are worn in the plant.");
  const { documentId } = await addReadDocument(other.services.db, { title: "x", language: "en", ...text });
  await embedPassages(other.services);
  const search = { question: "Wie viele Tage Urlaub gibt es?", documentIds: [documentId], limit: 5 };
  const [passage] = await retrieve(other.services, search);
  expect(passage?.ranks.meaning).toBe(1);
  expect(passage?.evidence).toEqual([]);
  await lazy.stop();
});
