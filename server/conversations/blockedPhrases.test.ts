import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { runAnalyses } from "#server/analysis/runs/runWorker.ts";
import { markRefusedMessages } from "#server/conversations/refusedMessages.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { startTalks } from "#test/talks.ts";

// Messages with a blocked phrase reach no model

const { server, createBot, talk, admin, provider, connector, ask, ended } = await startTalks();
const { as, make, db } = server;
const { learner } = await make.classroom();
const blockedText = "Ask legal about the merger.";
const bot = await createBot(admin, {
  connectorId: connector.id,
  blockedPhrases: ["Project Äther", "merger*", "秘密计划", "합병", "AI技術"],
  blockedText,
  limits: { perAddress: 1000, perPerson: 1000 },
});
const told = () => provider.chats().map(({ asked }) => asked?.text ?? "");

test("a message with a blocked phrase gets the admin's text, and no model reads it", async () => {
  const refused = [
    "What is Project Äther?",
    "what is PROJECT   ATHER",
    "Tell me about project-äther, now",
    "Pro\u200Bject \u00C4ther",
    "Do the mergers help?",
    "请告诉我秘密计划的内容",
    "합병은 언제인가요?",
    "我们的AI技術是什么",
  ];
  for (const text of refused) {
    const before = provider.chats().length;
    expect(await ask(await talk(learner, bot), text), text).toMatchObject({ state: "blocked", text: blockedText });
    expect(provider.chats()).toHaveLength(before);
  }
});

test("words that only contain a phrase, and all other messages, are answered", async () => {
  for (const text of [
    "How does a submerger dive?",
    "Is my project about the ether?",
    "Emerge!",
    "计划是什么",
    "합치다",
  ])
    expect((await ask(await talk(learner, bot), text)).state, text).toBe("done");
});

test("a refused message stays away from the model with later messages, too", async () => {
  const chat = await talk(learner, bot);
  const first = await ask(chat, "My name is Lea.");
  const blocked = await ask(chat, "What is Project Äther about in Tromsø?", first.id);
  expect((await ask(chat, "And why?", blocked.id)).state).toBe("done");
  expect(told().at(-1)).toContain("My name is Lea.");
  expect(told().join("\n")).not.toContain("Tromsø");
});

test("feedback and analyses read no refused message", async () => {
  const rubric = [{ id: "kind", name: "Kind", description: "Greets people" }];
  const phrases = { blockedPhrases: ["Project Äther"], blockedText };
  const coach = await createBot(admin, { connectorId: connector.id, rubric, ...phrases });
  const chat = await talk(learner, coach);
  const first = await ask(chat, "Say hello to Lea.");
  await ask(chat, "What is Project Äther about in Bodø?", first.id);
  const params = { id: chat.conversation.id };
  provider.next({ structured: JSON.stringify({ summary: "Polite.", scores: [], wentWell: [], tryNext: [] }) });
  expect((await as(learner)(analysis.giveFeedback, { params })).status).toBe(200);
  expect(told().at(-1)).toContain("Say hello to Lea.");
  const filter = { from: "2020-01-01", to: "2020-12-31", chatbotId: coach.id };
  const today = new Date().toISOString().slice(0, 10);
  const body = { title: "Themes", kind: "themes" as const, connectorId: connector.id };
  provider.next({ structured: JSON.stringify({ statements: [] }) });
  await as(admin)(analysisRuns.create, { body: { ...body, filter: { ...filter, from: today, to: today } } });
  await runAnalyses.work(server.services, {});
  expect(told().at(-1)).toContain("Say hello to Lea.");
  expect(told().join("\n")).not.toContain("Bodø");
});

test("no model reads a refused message whose answer was about a limit or about care", async () => {
  const short = await createBot(admin, {
    connectorId: connector.id,
    blockedPhrases: ["merger"],
    blockedText,
    limits: { perAddress: 1000, perPerson: 2 },
  });
  const chat = await talk(learner, short);
  const care = await ask(chat, "The merger in Narvik makes me want to kill myself.");
  expect(care.state).toBe("care");
  const first = await ask(chat, "Hello", care.id);
  await ask(chat, "Go on", first.id);
  const limited = await ask(chat, "Tell me about the merger in Narvik.", first.id);
  expect(limited.state).toBe("limited");
  await db.deleteFrom("throttles").execute();
  const body = { id: randomUUID() };
  await chat.caller(conversations.regenerate, { params: { id: limited.id }, body });
  expect(await ended(chat, body.id)).toMatchObject({ state: "blocked", text: blockedText });
  expect((await ask(chat, "And then?", limited.id)).state).toBe("done");
  expect(told().join("\n")).not.toContain("Narvik");
});

test("a message is not answered again after its phrase was blocked", async () => {
  const open = await createBot(admin, { connectorId: connector.id });
  const chat = await talk(learner, open);
  const first = await ask(chat, "What about the takeover?");
  expect(first.state).toBe("done");
  const params = { id: open.id };
  const settings = { ...open.settings, blockedPhrases: ["takeover"], blockedText };
  const changed = await as(admin)(chatbots.update, { params, body: { ...open, settings } });
  await as(admin)(chatbots.publish, { params, body: { version: changed.body.version } });
  const before = provider.chats().length;
  expect((await ask(chat, "And what follows?", first.id)).state).toBe("done");
  expect(told().slice(before).join("\n")).not.toContain("takeover");
  const body = { id: randomUUID() };
  await chat.caller(conversations.regenerate, { params: { id: first.id }, body });
  expect(await ended(chat, body.id)).toMatchObject({ state: "blocked", text: blockedText });
  expect(provider.chats()).toHaveLength(before + 1);
});

test("an answer to a refused message is not written again by a model", async () => {
  const chat = await talk(learner, bot);
  const blocked = await ask(chat, "merger");
  const body = { id: randomUUID() };
  expect((await chat.caller(conversations.regenerate, { params: { id: blocked.id }, body })).status).toBe(404);
});

test("feedback skips messages with a phrase blocked later, even before they are marked", async () => {
  const rubric = [{ id: "kind", name: "Kind", description: "Greets people" }];
  const coach = await createBot(admin, { connectorId: connector.id, rubric });
  const chat = await talk(learner, coach);
  const first = await ask(chat, "Say hello to Lea.");
  await ask(chat, "What about the spin-off in Alta?", first.id);
  const params = { id: coach.id };
  const settings = { ...coach.settings, blockedPhrases: ["spin-off"] };
  const changed = await as(admin)(chatbots.update, { params, body: { ...coach, settings } });
  await as(admin)(chatbots.publish, { params, body: { version: changed.body.version } });
  const before = provider.chats().length;
  provider.next({ structured: JSON.stringify({ summary: "Polite.", scores: [], wentWell: [], tryNext: [] }) });
  const given = await as(learner)(analysis.giveFeedback, { params: { id: chat.conversation.id } });
  expect(given.status).toBe(200);
  const read = told().slice(before).join("\n");
  expect(read).toContain("Say hello to Lea.");
  expect(read).not.toContain("Alta");
});

test("messages from before a phrase was refused are left out of analyses, too", async () => {
  const open = await createBot(admin, { connectorId: connector.id });
  const [said, other] = [await talk(learner, open), await talk(learner, open)];
  await ask(said, "What about the buyout in Alta?");
  await ask(other, "Hello from Vardø");
  const params = { id: open.id };
  const settings = { ...open.settings, blockedPhrases: ["buyout"] };
  const changed = await as(admin)(chatbots.update, { params, body: { ...open, settings } });
  await as(admin)(chatbots.publish, { params, body: { version: changed.body.version } });
  await markRefusedMessages.work(server.services, {});
  const today = new Date().toISOString().slice(0, 10);
  const filter = { from: today, to: today, chatbotId: open.id };
  const before = provider.chats().length;
  provider.next({ structured: JSON.stringify({ statements: [] }) });
  const body = { title: "Themes", kind: "themes" as const, connectorId: connector.id, filter };
  await as(admin)(analysisRuns.create, { body });
  await runAnalyses.work(server.services, {});
  const read = told().slice(before).join("\n");
  expect(read).toContain("Vardø");
  expect(read).not.toContain("Alta");
});

test("without a text of the admin, people read that the chatbot does not talk about it", async () => {
  const plain = await createBot(admin, { connectorId: connector.id, blockedPhrases: ["merger"] });
  expect((await ask(await talk(learner, plain), "A merger?")).text).toContain("does not talk about that");
});

test("a phrase needs a letter or digit", async () => {
  const body = { name: "Bad", settings: { ...botSettings.parse({}), blockedPhrases: ["merger", " * "] } };
  const reply = await as(admin)(chatbots.create, { body });
  expect([reply.status, reply.body]).toMatchObject([422, { issues: [{ code: "chatbots.badPhrase" }] }]);
});
