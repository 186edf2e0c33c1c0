import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_ANSWER_CHARS } from "#server/connectors/tokens.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, admin, provider, connector, ask } = await startTalks();
const { app, make, db } = server;
const bot = await createBot(admin, { connectorId: connector.id });
const { learner } = await make.classroom();

function* endless(piece: string) {
  for (;;) yield piece;
}
/** Counts responses of the server until `work` has ended. */
async function answersDuring(work: Promise<unknown>) {
  let answers = 0;
  const state = { hasEnded: false };
  void work.catch(() => {}).finally(() => (state.hasEnded = true));
  while (!state.hasEnded) {
    expect((await app.inject({ url: "/api/health" })).statusCode).toBe(200);
    answers++;
    await sleep(5);
  }
  return answers;
}

test.each([
  ["words", "word ", 5000],
  ["a script without spaces", "学习", 2500],
  ["one word that never ends", "x", 8000],
])("an endless answer of %s ends at its limit of tokens, and the call with it", async (_, piece, maxChars) => {
  const chat = await talk(learner, bot);
  provider.next({ text: endless(piece) });
  const asking = ask(chat, "Tell me everything.");
  const answers = await answersDuring(asking);
  const answer = await asking;
  expect(answer).toMatchObject({ state: "done", code: "length" });
  expect(answer.text.length).toBeGreaterThan(100);
  expect(answer.text.length).toBeLessThanOrEqual(maxChars * 1.25);
  expect(answers).toBeGreaterThan(1);
  const seen = provider.chats().at(-1);
  await seen?.closed;
  expect(seen?.isAborted).toBe(true);
  const usage = await db
    .selectFrom("aiUsage")
    .where("chatbotId", "=", bot.id)
    .orderBy("at", "desc")
    .limit(1)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(usage).toMatchObject({ status: "length", isEstimated: true });
});

test("no answer is longer than 40,000 characters, whatever its limit of tokens is", async () => {
  const limits = { ...bot.settings.limits, outputTokens: 8000 };
  const wide = await createBot(admin, { connectorId: connector.id, limits });
  const chat = await talk(learner, wide);
  provider.next({ text: ["x".repeat(200_000), "z"] });
  const answer = await ask(chat, "Tell me everything.");
  expect(answer.text).toBe("x".repeat(MAX_ANSWER_CHARS));
});

test("an answer that is paid for is stored once the database is there again", async () => {
  const chat = await talk(learner, bot);
  provider.next({ text: ["One, ", "two, ", "three."], delay: 200 });
  const { body } = await chat.send("Count to three.");
  const lock = await server.services.pool.connect();
  await lock.query("begin");
  await lock.query("select from turns where id = $1 for update", [body.answer.id]);
  const seen = provider.chats().at(-1);
  await expect.poll(() => provider.chats().at(-1)?.pieces, { timeout: 10_000 }).toBe(3);
  await seen?.closed;
  await server.services.pool.query(
    `select pg_terminate_backend(pid)
     from pg_stat_activity
     where datname = current_database()
       and pid <> pg_backend_pid()`,
  );
  lock.release(true);
  await expect
    .poll(async () => (await chat.read()).turns.find(({ id }) => id === body.answer.id), { timeout: 20_000 })
    .toMatchObject({ state: "done", text: "One, two, three." });
});
