import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { meanOf } from "#server/analysis/intervals.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import { analysisRuns, type Sample } from "#shared/analysis/analysisRuns.ts";
import { createAnalysisMaker, filter } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// Which conversations an analysis reads, its estimate, and how its people did in their course

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { db, make } = server;
const { boss, company, connector, plant, startRun, work, read, say } = await createAnalysisMaker(server, provider);

const chosenBy = async (id: string) =>
  (await db.selectFrom("analysisRuns").where("id", "=", id).select("conversationIds").executeTakeFirstOrThrow())
    .conversationIds;

test("reads all, the newest, or a random sample that its seed repeats", async () => {
  const chatbotId = await plant(Array.from({ length: 30 }, (_, at) => `Question ${at}`));
  const rows = await db.selectFrom("conversations").where("chatbotId", "=", chatbotId).select("id").execute();
  for (const [at, { id }] of rows.entries()) {
    const startedAt = new Date(Date.now() - at * 60_000).toISOString();
    await db.updateTable("conversations").set({ startedAt }).where("id", "=", id).execute();
  }
  const choose = async (sample: Sample) => {
    const run = await startRun(chatbotId, { kind: "counts", connectorId: null, sample });
    expect(run.sample).toEqual(sample);
    return chosenBy(run.id);
  };
  const all = await choose({ kind: "all" });
  expect(all).toEqual(rows.map(({ id }) => id));
  expect(await choose({ kind: "newest", count: 7 })).toEqual(all.slice(0, 7));
  const seven = await choose({ kind: "random", count: 7, seed: 42 });
  expect(new Set(seven).size).toBe(7);
  expect(await choose({ kind: "random", count: 7, seed: 42 })).toEqual(seven);
  expect(await choose({ kind: "random", count: 7, seed: 43 })).not.toEqual(seven);
  expect(seven).not.toEqual(all.slice(0, 7));
  await work();

  // A random sample is offered no newer conversations: it would not be random with them.
  const random = await startRun(chatbotId, {
    kind: "counts",
    connectorId: null,
    sample: { kind: "random", count: 2, seed: 1 },
  });
  await work();
  await db
    .insertInto("conversations")
    .values({ id: randomUUID(), chatbotId, companyId: company.id, visitor: "v", questions: 1 })
    .execute();
  expect((await read(random.id)).newer).toBe(0);
});

test("estimates cost by the model's prices and time by its last calls, or says neither", async () => {
  const chatbotId = await plant(Array.from({ length: 40 }, () => "x".repeat(400)));
  const estimate = async (input: object) =>
    (await boss(analysisRuns.estimate, { body: { filter: { ...filter, chatbotId }, ...input } })).body;
  const call = { connectorId: connector.id, model: "stand-in-large", expiresAt: new Date().toISOString() };
  await db.deleteFrom("aiUsage").execute();
  // 40 times 400 characters and “An answer.” in three calls; the stand-in charges 1 for input and 2 for
  // output.
  const tokens = (40 * (400 + 10)) / 4;
  expect(await estimate({})).toEqual({ conversations: 40, tokens, costMicros: null, ms: null });
  expect(await estimate({ connectorId: connector.id })).toEqual({
    conversations: 40,
    tokens,
    costMicros: tokens + 3 * 300 + 3 * 4000 * 2,
    ms: null,
  });
  await db
    .insertInto("aiUsage")
    .values([
      { ...call, purpose: "chat", status: "done", totalMs: 90_000, outputTokens: 5 },
      { ...call, purpose: "analysis", status: "done", totalMs: 10_000, outputTokens: 100 },
      { ...call, purpose: "analysis", status: "done", totalMs: 20_000, outputTokens: 300 },
    ])
    .execute();
  expect(await estimate({ connectorId: connector.id })).toMatchObject({
    costMicros: tokens + 3 * 300 + 3 * 200 * 2,
    ms: 45_000,
  });
  expect(await estimate({ connectorId: connector.id, sample: { kind: "newest", count: 10 } })).toMatchObject({
    conversations: 10,
    ms: 15_000,
  });
  const { models } = await db
    .selectFrom("connectors")
    .where("id", "=", connector.id)
    .select("models")
    .executeTakeFirstOrThrow();
  const set = (list: typeof models) =>
    db
      .updateTable("connectors")
      .set({ models: JSON.stringify(list) })
      .where("id", "=", connector.id)
      .execute();
  await set(models.map((model) => ({ ...model, prices: [] })));
  expect(await estimate({ connectorId: connector.id })).toMatchObject({ costMicros: null, ms: 45_000 });
  await set(models);
});

test("joins a statement to completion, score and retries of its people, with intervals", async () => {
  const chatbotId = await plant(
    Array.from({ length: 2 * MIN_GROUP }, (_, at) => (at < MIN_GROUP ? "It is late." : "Fine.")),
  );
  const courseId = (await make.course(await make.admin())).id;
  const { liveVersionId } = await db
    .selectFrom("courses")
    .where("id", "=", courseId)
    .select("liveVersionId")
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom("conversations")
    .innerJoin("turns", "turns.conversationId", "conversations.id")
    .where("chatbotId", "=", chatbotId)
    .where("turns.role", "=", "user")
    .select(["conversations.id", "userId", "turns.text"])
    .execute();
  await db.updateTable("conversations").set({ courseId }).where("chatbotId", "=", chatbotId).execute();
  const scores = { "It is late.": [] as number[], "Fine.": [] as number[] };
  for (const [at, { userId, text }] of rows.entries()) {
    const scorePercent = (at * 7) % 100;
    scores[text as "Fine."].push(scorePercent);
    const { id: enrolmentId } = await db
      .insertInto("enrolments")
      .values({ userId, companyId: company.id, courseId, source: "manual", scorePercent })
      .returning("id")
      .executeTakeFirstOrThrow();
    const attempt = { enrolmentId, userId, companyId: company.id, courseId, versionId: liveVersionId! };
    const tries = text === "Fine." ? [1] : [1, 2];
    await db
      .insertInto("attempts")
      .values(tries.map((no) => ({ ...attempt, no })))
      .execute();
  }
  const run = await startRun(chatbotId);
  const order = await chosenBy(run.id);
  const late = rows.filter(({ text }) => text !== "Fine.").map(({ id }) => order.indexOf(id));
  for (const from of [0, 15]) {
    const quotes = late
      .filter((at) => at >= from && at < from + 15)
      .map((at) => ({ conversation: at - from + 1, turn: 1, quote: "It is late" }));
    say(quotes.length === 0 ? [] : [{ known: from === 0 ? null : 1, text: "Late.", detail: "", quotes }]);
  }
  await work();
  const [found] = (await read(run.id)).statements;
  for (const [shown, own, retried] of [
    [found?.theirs, scores["It is late."], MIN_GROUP],
    [found?.others, scores["Fine."], 0],
  ] as const) {
    expect(shown).toMatchObject({ people: MIN_GROUP, completed: 0, retried: { people: retried } });
    const expected = meanOf(own);
    expect(shown?.score?.mean).toBeCloseTo(expected.mean, 4);
    expect(shown?.score?.low).toBeCloseTo(expected.low, 4);
  }
  const { mean, low, high } = meanOf([60, 70, 80, 90]);
  expect([mean, low, high].map((value) => Math.round(value * 100) / 100)).toEqual([75, 62.35, 87.65]);
});
