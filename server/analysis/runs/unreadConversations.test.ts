import { afterAll, expect, test } from "vitest";
import { createAnalysisMaker } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { db } = server;
const { plant, startRun, work, read } = await createAnalysisMaker(server, provider);

test("a conversation whose answers cannot be read is passed over", async () => {
  const chatbotId = await plant(Array.from({ length: 20 }, (_, at) => `Question ${at}: the gloves are too big.`));
  const run = await startRun(chatbotId);
  const structured = (told: string) =>
    told.includes("Question 7:") ? "This is not what you asked for." : JSON.stringify({ statements: [] });
  provider.always({ structured });
  const since = new Date().toISOString();
  await work();
  provider.always({});
  const result = await read(run.id);
  expect(result).toMatchObject({ state: "done", read: 20, unread: 1, remaining: 19, code: null });
  const { text } = await db
    .selectFrom("turns")
    .where("conversationId", "=", result.passedOver[0]?.id ?? "")
    .where("role", "=", "user")
    .select("text")
    .executeTakeFirstOrThrow();
  expect([text, result.passedOver.length]).toEqual(["Question 7: the gloves are too big.", 1]);
  const { spent } = await db
    .selectFrom("aiUsage")
    .where("purpose", "=", "analysis")
    .where("at", ">=", since)
    .select(({ fn }) => fn.sum<number>("costMicros").as("spent"))
    .executeTakeFirstOrThrow();
  expect(result.spentMicros).toBe(Number(spent));
});

test("an analysis ends after a few conversations that cannot be read", async () => {
  const chatbotId = await plant(Array.from({ length: 20 }, (_, at) => `Question ${at}: the gloves are too big.`));
  const run = await startRun(chatbotId);
  const before = provider.chats().length;
  provider.always({ structured: "No." });
  await work();
  provider.always({});
  expect(await read(run.id)).toMatchObject({ state: "failed", code: "bad_structure", unread: 3 });
  expect(provider.chats().length - before).toBeLessThan(10);
});
