import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test, vi } from "vitest";
import { leaseRun, runAnalyses, runBatch } from "#server/analysis/runs/runWorker.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import { analysisRuns, MAX_CONVERSATIONS } from "#shared/analysis/analysisRuns.ts";
import { audit } from "#shared/audit/audit.ts";
import { createAnalysisMaker } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { make, db, services } = server;
const maker = await createAnalysisMaker(server, provider);
const { boss, company, plant, addConversations, startRun, work, takeJob, read, say } = maker;

test("answers received before a cancellation are kept, so that resuming pays only once", async () => {
  const chatbotId = await plant(Array.from({ length: 20 }, (_, at) => `Question ${at}: the gloves are too big.`));
  const run = await startRun(chatbotId);
  const params = { id: run.id };
  const quotes = [{ conversation: 1, turn: 1, quote: "gloves are too big" }];
  const structured = JSON.stringify({ statements: [{ known: null, text: "Gloves do not fit.", detail: "", quotes }] });
  const callsBefore = provider.chats().length;
  provider.next({ structured, firstDelay: 400, usage: { input: 800, output: 30 } });
  const working = work();
  await vi.waitFor(() => expect(provider.chats().length).toBe(callsBefore + 1), 5000);
  await boss(analysisRuns.cancel, { params });
  await working;
  expect(await read(run.id)).toMatchObject({ state: "cancelled", read: 15, quotes: 1, spentMicros: 860 });
  expect(provider.chats().length).toBe(callsBefore + 1);
  say([]);
  await boss(analysisRuns.resume, { params });
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", read: 20, quotes: 1 });
  expect(provider.chats().length).toBe(callsBefore + 2);
});

test("an analysis that goes on while the model still answers asks it nothing again", async () => {
  const chatbotId = await plant(["The gloves are too big."]);
  const run = await startRun(chatbotId);
  const params = { id: run.id };
  const callsBefore = provider.chats().length;
  provider.next({ structured: JSON.stringify({ statements: [] }), firstDelay: 600 });
  const working = work();
  await vi.waitFor(() => expect(provider.chats().length).toBe(callsBefore + 1), 5000);
  await boss(analysisRuns.cancel, { params });
  await boss(analysisRuns.resume, { params });
  await Promise.all([working, runAnalyses.work(services, {})]);
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", read: 1 });
  expect(provider.chats().length).toBe(callsBefore + 1);
});

test("a learner who is erased while the model answers loses only their own quote", async () => {
  const chatbotId = await plant(["My son Ole is ill.", "The gloves are too big."]);
  const run = await startRun(chatbotId);
  const callsBefore = provider.chats().length;
  const structured = (told: string) => {
    const sent = JSON.parse(told.slice(told.lastIndexOf('\n[{"number"'))) as { turns: { text: string }[] }[];
    const of = (text: string) => sent.findIndex(({ turns }) => turns.some((turn) => turn.text.includes(text))) + 1;
    const quotes = [
      { conversation: of("Ole"), turn: 1, quote: "My son Ole is ill." },
      { conversation: of("gloves"), turn: 1, quote: "The gloves are too big." },
    ];
    const say = (text: string, own = quotes) => ({ known: null, text, detail: "", quotes: own });
    return JSON.stringify({ statements: [say("Both."), say("Ole is ill.", quotes.slice(0, 1))] });
  };
  provider.next({ structured, firstDelay: 600 });
  const working = work();
  await vi.waitFor(() => expect(provider.chats().length).toBe(callsBefore + 1), 5000);
  await sql`
    delete from users
    where id in (
      select conversations.user_id
      from conversations
      join turns on turns.conversation_id = conversations.id
      where conversations.chatbot_id = ${chatbotId}
        and turns.text like '%Ole%'
    )`.execute(db);
  await working;
  expect(await read(run.id)).toMatchObject({ state: "done", read: 2, quotes: 1, dropped: 1 });
  expect(provider.chats().length).toBe(callsBefore + 1);
});

test("characters that no database stores do not stop an analysis", async () => {
  const run = await startRun(await plant(["The gloves are too big."]));
  const quotes = [{ conversation: 1, turn: 1, quote: "gloves are too big" }];
  say([{ known: null, text: `Gloves\u0000 ${"x".repeat(292)}😀 and more`, detail: "\u0000\ud83d", quotes }]);
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", read: 1, quotes: 1 });
  const stored = db.selectFrom("analysisStatements").where("runId", "=", run.id).select(["text", "detail"]);
  expect(await stored.execute()).toEqual([{ text: `Gloves ${"x".repeat(292)}`, detail: "\ufffd" }]);
});

test("no other server takes over while a slow model answers", async () => {
  const chatbotId = await plant(["The gloves are too big."]);
  const run = await startRun(chatbotId);
  const callsBefore = provider.chats().length;
  provider.next({ structured: JSON.stringify({ statements: [] }), firstDelay: 1500 });
  const working = runBatch(services, (await leaseRun(services, 1))!, 1);
  await vi.waitFor(() => expect(provider.chats().length).toBe(callsBefore + 1), 5000);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(await leaseRun(services)).toBeNull();
  await working;
  expect(await read(run.id)).toMatchObject({ state: "done", read: 1 });
});

test("two servers that read the same conversations store one answer", async () => {
  const chatbotId = await plant(["The gloves are too big.", "The helmets are too small."]);
  const run = await startRun(chatbotId);
  const order = (text: string, quote: string) => ({
    structured: JSON.stringify({
      statements: [
        {
          known: null,
          text,
          detail: "",
          quotes: [1, 2].map((conversation) => ({ conversation, turn: 1, quote })),
        },
      ],
    }),
    firstDelay: 400,
  });
  const callsBefore = provider.chats().length;
  provider.next(order("Gloves.", "gloves are"), order("Helmets.", "helmets are"));
  const first = work();
  await vi.waitFor(() => expect(provider.chats().length).toBe(callsBefore + 1), 5000);
  // The lease ends before the model has answered.
  const past = new Date(Date.now() - 1000).toISOString();
  await db.updateTable("analysisRuns").set({ leasedUntil: past }).where("id", "=", run.id).execute();
  await Promise.all([first, work()]);
  expect(await read(run.id)).toMatchObject({ state: "done", read: 2, quotes: 1 });
});

test("300 conversations whose server dies three times are each read once", async () => {
  const chatbotId = await plant(Array.from({ length: 300 }, (_, at) => `Question ${at}.`));
  const run = await startRun(chatbotId);
  const before = provider.chats().length;
  provider.always({ structured: JSON.stringify({ statements: [] }) });
  for (const batches of [3, 6, 7]) {
    for (let done = 0; done < batches; done++) await runAnalyses.work(services, {});
    // Killed with the lease of the next batch, before the call of the model: another server takes over when it ends.
    const past = new Date(Date.now() - 1000).toISOString();
    await db.updateTable("analysisRuns").set({ leasedUntil: past }).where("id", "=", run.id).execute();
  }
  await work();
  provider.always({});
  const result = await read(run.id);
  const calls = provider.chats().slice(before);
  expect(result).toMatchObject({ state: "done", read: 300 });
  expect(calls).toHaveLength(300 / 15);
  // Every question was in exactly one call, and every call was billed once.
  const told = calls.flatMap((one) => one.asked?.text.match(/Question \d+\./g) ?? []);
  expect([told.length, new Set(told).size]).toEqual([300, 300]);
  const billed = await db
    .selectFrom("aiUsage")
    .where("purpose", "=", "analysis")
    .orderBy("at", "desc")
    .limit(calls.length)
    .select(["costMicros", "status"])
    .execute();
  expect(billed.every(({ status }) => status === "done")).toBe(true);
  expect(result.spentMicros).toBe(billed.reduce((sum, { costMicros }) => sum + Number(costMicros), 0));
});

test("a job reads one batch, so that other jobs get their turn", async () => {
  const chatbotId = await plant(Array.from({ length: 20 }, (_, at) => `Question ${at}`));
  const run = await startRun(chatbotId);
  await takeJob();
  say([]);
  say([]);
  await runAnalyses.work(services, {});
  expect(await read(run.id)).toMatchObject({ state: "running", read: 15 });
  expect(await takeJob()).toBe(true);
  await work();
  expect(await read(run.id)).toMatchObject({ state: "done", read: 20 });
});

test("long conversations are cut, and a model reads fewer of them at once", async () => {
  const chatbotId = await plant(Array.from({ length: 6 }, () => "x".repeat(5000)));
  const { rows } = await sql<{ id: string }>`select id from conversations where chatbot_id = ${chatbotId}`.execute(db);
  for (const { id: conversationId } of rows)
    await db
      .insertInto("turns")
      .values(
        Array.from({ length: 30 }, (_, at) => ({
          id: randomUUID(),
          conversationId,
          number: at + 3,
          role: "user" as const,
          state: "stored" as const,
          text: "y".repeat(5000),
        })),
      )
      .execute();
  const run = await startRun(chatbotId);
  const callsBefore = provider.chats().length;
  provider.always({ structured: JSON.stringify({ statements: [] }) });
  await work();
  provider.always({});
  const sizes = provider
    .chats()
    .slice(callsBefore)
    .map((one) => one.asked?.text.length ?? 0);
  expect(Math.max(...sizes)).toBeLessThan(65_000);
  expect(sizes.length).toBe(2);
  expect(await read(run.id)).toMatchObject({ state: "done", read: 6 });
});

test("phrases of few people do not take the places of those of many", async () => {
  const lone = await make.learner(company.accessCode);
  const many = Array.from({ length: MIN_GROUP }, () => "Forklift training dates");
  const words = Array.from({ length: 60 }, (_, at) => `lone${at}`).join(" ");
  const chatbotId = await plant(many);
  await addConversations(
    chatbotId,
    Array.from({ length: MIN_GROUP + 5 }, () => words),
    () => false,
    lone.user.id,
  );
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  expect((await read(run.id)).counts.phrases).toEqual([
    { text: "forklift training dates", conversations: MIN_GROUP, people: MIN_GROUP },
  ]);
});

test("many different phrases are counted in a short time", async () => {
  const text = Array.from({ length: 15_000 }, (_, at) => `word${at}`).join(" ");
  const chatbotId = await plant(Array.from({ length: MIN_GROUP }, () => text));
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  // Processor time: other work on the machine does not count.
  const { user } = process.cpuUsage();
  expect((await read(run.id)).counts.phrases).toHaveLength(20);
  expect(process.cpuUsage().user - user).toBeLessThan(10_000_000);
});

test("an update keeps its start, reads later questions once, and has a limit", async () => {
  const chatbotId = await plant(["One"]);
  const addAt = async (startedAt: Date, lastAt: Date) => {
    const times = { startedAt: startedAt.toISOString(), lastAt: lastAt.toISOString() };
    const values = { id: randomUUID(), chatbotId, companyId: company.id, visitor: "v", questions: 1, ...times };
    await db.insertInto("conversations").values(values).execute();
    await addExchange(db, {
      conversationId: values.id,
      number: 1,
      question: { text: "Later" },
      answer: { state: "done", text: "An answer." },
    });
  };
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  // A conversation that was opened before the analysis, with its first question after it.
  await addAt(new Date(Date.now() - 3_600_000), new Date());
  expect((await read(run.id)).newer).toBe(1);
  const update = () => boss(analysisRuns.update, { params: { id: run.id } });
  await Promise.all([update(), update()]);
  await work();
  const updated = await read(run.id);
  expect(updated).toMatchObject({ createdAt: run.createdAt, conversations: 2, newer: 0, state: "done" });
  await update();
  expect((await read(run.id)).conversations).toBe(2);
  await work();
  await addAt(new Date(), new Date());
  await db
    .updateTable("analysisRuns")
    .set({ conversationIds: Array.from({ length: MAX_CONVERSATIONS }, () => randomUUID()) })
    .where("id", "=", run.id)
    .execute();
  expect(await update()).toMatchObject({ status: 409, code: "analysis.full" });
});

test("what admins do with an analysis is in the audit log", async () => {
  const chatbotId = await plant(["One"]);
  const run = await startRun(chatbotId, { kind: "counts", connectorId: null });
  const params = { id: run.id };
  await boss(analysisRuns.cancel, { params });
  await boss(analysisRuns.cancel, { params });
  await boss(analysisRuns.resume, { params });
  await work();
  await boss(analysisRuns.update, { params });
  await work();
  await boss(analysisRuns.remove, { params });
  const { items } = (await boss(audit.list, { query: { size: 100 } })).body;
  const actions = items.map(({ action }) => action).filter((action) => action.startsWith("analysis."));
  expect(actions.slice(0, 5)).toEqual(
    ["remove", "update", "resume", "cancel", "create"].map((verb) => `analysis.${verb}`),
  );
});
