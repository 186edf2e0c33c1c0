import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { groupQuestions } from "#server/analysis/counts.ts";
import { wilson } from "#server/analysis/intervals.ts";
import { readWords } from "#server/analysis/readWords.ts";
import { findQuote } from "#server/analysis/quotes.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import { analysisRuns, type RunInput } from "#shared/analysis/analysisRuns.ts";
import { BUILTIN_ID } from "#shared/connectors/connectors.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { createAnalysisMaker, filter } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { db } = server;
const maker = await createAnalysisMaker(server, provider);
const { boss, company, connector, plant, addConversations, startRun, work, read, say } = maker;

/** The messages in the conversations of a run, in the order in which the model reads them. */
async function readSaid(runId: string) {
  const { rows } = await sql<{
    text: string;
  }>`select t.text from analysis_runs r, unnest(r.conversation_ids) with ordinality one(id, place)
    join turns t on t.conversation_id = one.id and t.role = 'user' where r.id = ${runId} order by place`.execute(db);
  return rows.map(({ text }) => text);
}

test("keeps themes with true quotes of enough people; drops and hides the others", async () => {
  const texts = Array.from({ length: MIN_GROUP + 2 }, (_, at) => `Sorry to bother you, but shift ${at} is late.`);
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
  expect((await boss(notifications.list)).body.items[0]).toMatchObject({
    kind: "analysisFinished",
    params: { count: 1, conversations: 12 },
  });
});

test("an analysis without a statement notifies nobody", async () => {
  const chatbotId = await plant(Array.from({ length: MIN_GROUP }, (_, at) => `Nothing in common ${at}`));
  const before = (await boss(notifications.list)).body.total;
  const run = await startRun(chatbotId);
  say([]);
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", statements: [] });
  expect((await boss(notifications.list)).body.total).toBe(before);
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
  const callsBefore = provider.chats().length;
  expect(callsBefore - before).toBe(2);
  say([]);
  say([]);
  await boss(analysisRuns.resume, { params: { id: run.id } });
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", read: 40 });
  expect(provider.chats().length - callsBefore).toBe(2);
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
  const chatbotId = await plant(Array.from({ length: MIN_GROUP }, () => "The gloves are too big."));
  const run = await startRun(chatbotId);
  const quotes = Array.from({ length: MIN_GROUP }, (_, at) => ({
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

test("without a model: counts phrases of enough people and unanswered questions", async () => {
  const texts = [
    ...Array.from({ length: 12 }, (_, at) => `Where is the shift plan for week ${at}?`),
    "Which gloves for the loading bay?",
    "what gloves do I need in the loading bay",
    "Can I do the course in Polish?",
  ];
  const chatbotId = await plant(texts, (at) => at >= 12);
  const callsBefore = provider.chats().length;
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  const { counts, statements, model } = await read(run.id);
  expect([statements, model, provider.chats().length]).toEqual([[], null, callsBefore]);
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

test("some kinds need a question or a connection; newer conversations are offered", async () => {
  const chatbotId = await plant(["One"]);
  const create = (input: object) =>
    boss(analysisRuns.create, { body: { title: "x", kind: "themes", filter, ...input } as RunInput });
  expect((await create({})).body).toMatchObject({ issues: [{ path: "connectorId" }] });
  expect((await create({ kind: "question", connectorId: connector.id })).body).toMatchObject({
    issues: [{ path: "question" }],
  });
  // A connection that does not exist, and the built-in one, which has no model.
  for (const connectorId of [randomUUID(), BUILTIN_ID])
    expect(await create({ connectorId })).toMatchObject({
      status: 422,
      body: { issues: [{ path: "connectorId", code: "analysis.connectorMissing" }] },
    });
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  const conversationId = randomUUID();
  await db
    .insertInto("conversations")
    .values({ id: conversationId, chatbotId, companyId: company.id, visitor: "v", questions: 1 })
    .execute();
  await addExchange(db, {
    conversationId: conversationId,
    number: 1,
    question: { text: "Later" },
    answer: { state: "done", text: "An answer." },
  });
  expect((await read(run.id)).newer).toBe(1);
  await boss(analysisRuns.update, { params: { id: run.id } });
  await work();
  expect(await read(run.id)).toMatchObject({ newer: 0, conversations: 2, read: 2, state: "done" });
});

test("days of an analysis are in order, and its zone has a name", async () => {
  const issueOf = ({ body }: { body: unknown }) => (body as { issues?: object[] }).issues?.[0];
  const refuse = async (input: object) => {
    const body = { title: "x", kind: "counts" as const, filter, ...input } as RunInput;
    return [issueOf(await boss(analysisRuns.create, { body })), issueOf(await boss(analysisRuns.estimate, { body }))];
  };
  const reversed = { path: "filter.to", code: "analysis.daysReversed" };
  expect(await refuse({ filter: { from: filter.to, to: filter.from } })).toMatchObject([reversed, reversed]);
  const zone = { path: "filter.zone", code: "companies.badTimezone" };
  expect(await refuse({ filter: { ...filter, zone: "+02:00" } })).toMatchObject([zone, zone]);
});

test("an erasure removes themes of this learner only, and their numbers are not reused", async () => {
  const chatbotId = await plant(["My son Ole is ill.", "The gloves are too big."]);
  const run = await startRun(chatbotId);
  const { rows } = await sql<{ id: string; text: string }>`select c.user_id as id, t.text from turns t
    join conversations c on c.id = t.conversation_id where c.chatbot_id = ${chatbotId} and t.role = 'user'`.execute(db);
  const said = await readSaid(run.id);
  const quoteOf = (text: string) => ({ conversation: said.indexOf(text) + 1, turn: 1, quote: text });
  const ill = { known: null, text: "The son Ole is ill.", detail: "", quotes: [quoteOf("My son Ole is ill.")] };
  const big = { known: null, text: "Gloves do not fit.", detail: "", quotes: [quoteOf("The gloves are too big.")] };
  say([ill, big]);
  await work();
  await db
    .deleteFrom("users")
    .where("id", "=", rows.find(({ text }) => text.includes("Ole"))?.id ?? "")
    .execute();
  const statements = () =>
    db.selectFrom("analysisStatements").where("runId", "=", run.id).select(["number", "text"]).execute();
  expect(await statements()).toEqual([{ number: 2, text: "Gloves do not fit." }]);
  await addConversations(chatbotId, ["The helmets are too small."], () => false);
  await boss(analysisRuns.update, { params: { id: run.id } });
  say([
    { known: null, text: "Helmets.", detail: "", quotes: [{ conversation: 1, turn: 1, quote: "helmets are too" }] },
    { known: 2, text: "Same.", detail: "", quotes: [{ conversation: 1, turn: 1, quote: "too small" }] },
    { known: 1, text: "Of a deleted one.", detail: "", quotes: [{ conversation: 1, turn: 1, quote: "The helmets" }] },
  ]);
  await work();
  // Statements derive from messages of people: for the model they are data, not instructions.
  const asked = provider.chats().at(-1)?.body as { messages: { role: string; content: string }[] } | undefined;
  expect(
    asked?.messages.filter(({ content }) => content.includes("Gloves do not fit.")).map(({ role }) => role),
  ).toEqual(["user"]);
  expect((await statements()).map(({ text }) => text).toSorted()).toEqual(
    ["Gloves do not fit.", "Helmets.", "Of a deleted one."].toSorted(),
  );
});

test("quotes match word for word, similar questions group, intervals are Wilson's", async () => {
  expect(findQuote("I said: hello there.", "“hello there”")).toEqual({ starts: 8, ends: 19 });
  expect(findQuote("I said hello.", "hello there")).toBeNull();
  // A part of a word may mean something else, and function words mean nothing.
  expect(findQuote("I cannot swap shifts.", "I can")).toBeNull();
  expect(findQuote("Managers can’t swap shifts.", "Managers can")).toBeNull();
  expect(findQuote("Discontented, not content.", "content")).toEqual({ starts: 18, ends: 25 });
  expect(findQuote("What is the plan of the week?", "of the")).toBeNull();
  expect(findQuote("What is the plan of the week?", "e p")).toBeNull();
  expect(findQuote("Why not?", "Why not?")).toEqual({ starts: 0, ends: 8 });
  expect(findQuote("休暇は何日ありますか", "休暇は何日")).toEqual({ starts: 0, ends: 5 });
  const asked = ["Where is my shift plan?", "my shift plans, where", "Parking?"];
  expect(groupQuestions(asked, await readWords(db, asked)).map(({ times }) => times)).toEqual([2, 1]);
  const { low, high } = wilson(8, 10);
  expect([low, high].map((value) => Math.round(value * 1000))).toEqual([490, 943]);
});
