import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { groupQuestions, wilson } from "#server/analysis/counting.ts";
import { readStems } from "#server/analysis/stems.ts";
import { findQuote } from "#server/analysis/runWorker.ts";
import { analysisRuns, MIN_PEOPLE, type RunInput } from "#shared/analysisRuns.ts";
import { notifications } from "#shared/notifications.ts";
import { createAnalysisMaker, filter } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { db } = server;
const { boss, company, connector, plant, startRun, work, read, say } = await createAnalysisMaker(server, provider);

test("keeps statements whose quotes were said, of enough people; drops and hides the others", async () => {
  const texts = Array.from({ length: MIN_PEOPLE + 2 }, (_, at) => `Sorry to bother you, but shift ${at} is late.`);
  const chatbotId = await plant(texts);
  const run = await startRun(chatbotId);
  say([
    {
      known: null,
      text: "They apologise first.",
      detail: "",
      quotes: Array.from({ length: 12 }, (_, at) => ({ conversation: at + 1, turn: 1, quote: "Sorry to bother you" })),
    },
    { known: null, text: "They are rude.", detail: "", quotes: [{ conversation: 1, turn: 1, quote: "You idiot" }] },
    { known: null, text: "One is late.", detail: "", quotes: [{ conversation: 1, turn: 1, quote: "is late" }] },
    { known: null, text: "The bot said so.", detail: "", quotes: [{ conversation: 1, turn: 2, quote: "An answer" }] },
    { known: null, text: "Another company.", detail: "", quotes: [{ conversation: 99, turn: 1, quote: "Sorry" }] },
  ]);
  await work();
  const result = await read(run.id);
  expect(result).toMatchObject({ state: "done", read: 12, hidden: 1, dropped: 3 });
  expect(result.statements).toMatchObject([{ text: "They apologise first.", conversations: 12, people: 12, high: 1 }]);
  expect(result.statements[0]?.low).toBeCloseTo(0.7575, 3);
  for (const { quote, pseudonym } of result.statements[0]?.quotes ?? []) {
    expect(quote).toBe("Sorry to bother you");
    expect(pseudonym).toMatch(/^[0-9A-F]{4}$/);
  }
  expect((await boss(notifications.list)).body.items[0]).toMatchObject({ kind: "analysisFinished" });
});

test("a failure in the middle goes on where it was, and pays for nothing twice", async () => {
  const chatbotId = await plant(Array.from({ length: 40 }, (_, at) => `Question ${at}`));
  const run = await startRun(chatbotId);
  const before = provider.chats().length;
  say([]);
  provider.next({ status: 500 });
  await work();
  expect(await read(run.id)).toMatchObject({ state: "failed", read: 15 });
  await db.updateTable("connectors").set({ failures: 0, pausedUntil: null }).execute();
  const asked = provider.chats().length;
  expect(asked - before).toBe(2);
  say([]);
  say([]);
  await boss(analysisRuns.resume, { params: { id: run.id } });
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", read: 40 });
  expect(provider.chats().length - asked).toBe(2);
});

test("a run whose server has died is taken over", async () => {
  const chatbotId = await plant(["One question"]);
  const run = await startRun(chatbotId);
  const past = new Date(Date.now() - 1000).toISOString();
  await db.updateTable("analysisRuns").set({ state: "running", leasedUntil: past }).where("id", "=", run.id).execute();
  say([]);
  await work();
  expect((await read(run.id)).state).toBe("done");
});

test("erasing learners takes their quotes and what nobody else said", async () => {
  const chatbotId = await plant(Array.from({ length: MIN_PEOPLE }, () => "The gloves are too big."));
  const run = await startRun(chatbotId);
  const quotes = Array.from({ length: MIN_PEOPLE }, (_, at) => ({
    conversation: at + 1,
    turn: 1,
    quote: "gloves are too big",
  }));
  say([{ known: null, text: "Gloves do not fit.", detail: "", quotes }]);
  await work();
  expect((await read(run.id)).statements).toHaveLength(1);
  await db.deleteFrom("conversations").where("chatbotId", "=", chatbotId).execute();
  expect(await read(run.id)).toMatchObject({
    statements: [],
    hidden: 0,
    quotes: 0,
    counts: { messages: 0, unanswered: [] },
  });
});

test("without a model it counts: phrases of enough people, and questions without an answer", async () => {
  const texts = [
    ...Array.from({ length: 12 }, (_, at) => `Where is the shift plan for week ${at}?`),
    "Which gloves for the loading bay?",
    "what gloves do I need in the loading bay",
    "Can I do the course in Polish?",
  ];
  const chatbotId = await plant(texts, (at) => at >= 12);
  const asked = provider.chats().length;
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  const { counts, statements, model } = await read(run.id);
  expect([statements, model, provider.chats().length]).toEqual([[], null, asked]);
  expect(counts.unanswered.map(({ times }) => times)).toEqual([2, 1]);
  expect(counts.phrases.map(({ text }) => text)).toEqual(
    expect.arrayContaining([expect.stringContaining("shift plan")]),
  );
});

test.each([
  ["misconceptions", "State the misconceptions"],
  ["tone", "State how people write"],
] as const)("an analysis of %s asks the model for it", async (kind, task) => {
  const run = await startRun(await plant(["The lamp is red, so it is off."]), { kind });
  say([]);
  await work();
  expect((await read(run.id)).kind).toBe(kind);
  expect(provider.chats().at(-1)?.asked?.text).toContain(task);
});

test("a run needs a question or a connection where its kind does; newer conversations are offered", async () => {
  const chatbotId = await plant(["One"]);
  const create = (input: object) =>
    boss(analysisRuns.create, { body: { title: "x", kind: "themes", filter, ...input } as RunInput });
  expect((await create({})).body).toMatchObject({ issues: [{ path: "connectorId" }] });
  expect((await create({ kind: "question", connectorId: connector.id })).body).toMatchObject({
    issues: [{ path: "question" }],
  });
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  await db
    .insertInto("conversations")
    .values({ id: randomUUID(), chatbotId, companyId: company.id, visitor: "v", questions: 1 })
    .execute();
  expect((await read(run.id)).newer).toBe(1);
  await boss(analysisRuns.update, { params: { id: run.id } });
  await work();
  expect(await read(run.id)).toMatchObject({ newer: 0, conversations: 2, read: 2, state: "done" });
});

test("quotes are found word for word, similar questions together, intervals as Wilson gives them", async () => {
  expect(findQuote("I said: hello there.", "“hello there”")).toEqual({ starts: 8, ends: 19 });
  expect(findQuote("I said hello.", "hello there")).toBeNull();
  const asked = ["Where is my shift plan?", "my shift plans, where", "Parking?"];
  expect(groupQuestions(asked, await readStems(db, asked)).map(({ times }) => times)).toEqual([2, 1]);
  const { low, high } = wilson(8, 10);
  expect([low, high].map((value) => Math.round(value * 1000))).toEqual([490, 943]);
});
