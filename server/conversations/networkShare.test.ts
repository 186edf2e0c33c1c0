import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { conversations, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { startTalks } from "#test/talks.ts";

// Visitors of one network cannot use up the daily limit of a public chatbot

const { server, createBot, visit, talk, ask, admin, handbook, ended } = await startTalks();
const { as, make } = server;
const PER_DAY = 12;
const SHARE = PER_DAY / 4;

const createOpenBot = () =>
  createBot(admin, {
    access: "public",
    documentIds: [handbook.documentId],
    limits: { perPerson: 1000, perAddress: 1000, perDay: PER_DAY, perConversation: 1000, text: "Enough for today." },
  });
type Bot = Awaited<ReturnType<typeof createOpenBot>>;

/** The states of the answers to `count` messages from a network, each of a new visitor. */
async function statesFrom(network: string, bot: Bot, count: number) {
  const states: string[] = [];
  for (let at = 0; at < count; at++) {
    const caller = as(null, { [VISITOR_HEADER]: await visit(bot), "x-forwarded-for": network });
    const { id } = (await caller(conversations.start, { body: { id: randomUUID(), chatbotId: bot.id } })).body;
    const read = async () => (await caller(conversations.get, { params: { id } })).body;
    const body = { id: randomUUID(), text: `How many days of holiday ${at}?` };
    const sent = await caller(conversations.send, { params: { id }, body });
    expect(sent.status).toBe(200);
    states.push((await ended({ read }, sent.body.answer.id)).state);
  }
  return states;
}
const limited = (states: string[]) => states.filter((state) => state === "limited").length;

test("a network gets a quarter of the answers of a day, however many visitors it has", async () => {
  const bot = await createOpenBot();
  expect(limited(await statesFrom("203.0.113.7", bot, SHARE + 3))).toBe(3);
  // Another address of the same network, and another network.
  expect(limited(await statesFrom("203.0.113.99", bot, 1))).toBe(1);
  expect(limited(await statesFrom("198.51.100.7", bot, SHARE))).toBe(0);
  // Refused messages do not count towards the total.
  expect(limited(await statesFrom("192.0.2.7", bot, SHARE))).toBe(0);
});

test("learners of that network still get answers", async () => {
  const bot = await createOpenBot();
  const { learner } = await make.classroom();
  // Visitors and learners of these tests share the network of this machine.
  await statesFrom("127.0.0.1", bot, SHARE + 1);
  const chat = await talk(learner, bot);
  for (let at = 0; at < SHARE + 1; at++) expect((await ask(chat, `How many days ${at}?`)).state).not.toBe("limited");
});
