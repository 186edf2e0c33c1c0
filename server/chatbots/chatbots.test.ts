import { afterAll, expect, test, vi } from "vitest";
import { botSettings, type BotSettingsInput } from "#shared/chatbots/botSettings.ts";
import { botQuestions } from "#shared/chatbots/botQuestions.ts";
import { type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { events as eventContracts } from "#shared/events/events.ts";
import { createBotMaker } from "#test/bots.ts";
import { createEventMaker } from "#test/events.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { documents } from "#shared/documents/documents.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const { createBot, talk, visit, addDocument } = createBotMaker(server);
const events = createEventMaker(server);
const admin = await make.admin();
const boss = as(admin);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const connector = await connect(boss, provider);
const handbook = await addDocument(
  "Handbook",
  [
    "# Holidays",
    "Every employee has thirty days of paid holiday a year.",
    "# Sick leave",
    "Tell your manager before nine.",
  ].join("\n\n"),
);

const draft = async (settings: BotSettingsInput) =>
  (await boss(chatbots.create, { body: { name: "Draft", settings: botSettings.parse(settings) } })).body;
const problemsOf = async (settings: BotSettingsInput) =>
  (await boss(chatbots.check, { params: { id: (await draft(settings)).id } })).body.items;
const step = (id: string, ...to: string[]) => ({
  id,
  says: `This is ${id}.`,
  choices: to.map((next) => ({ label: `To ${next}`, to: next })),
});

test("names what keeps a draft from being published", async () => {
  expect(await problemsOf({ access: "course" })).toEqual(["noCourse"]);
  expect(await problemsOf({ access: "course", courseIds: [connector.id] })).toEqual(["noCourse"]);
  expect(await problemsOf({ answerPolicy: "documentsOnly" })).toEqual(["noDocuments"]);
  expect(await problemsOf({ documentIds: [connector.id] })).toEqual(["documentNotReady"]);
  expect(await problemsOf({ pedagogy: "scene" })).toEqual(["sceneEmpty"]);
  expect(await problemsOf({ pedagogy: "scene", scene: [step("a", "nowhere")] })).toEqual(["sceneBroken"]);
  expect(await problemsOf({ pedagogy: "scene", scene: [step("a", "b"), step("b", "a")] })).toEqual(["sceneEndless"]);
  expect(await problemsOf({ pedagogy: "scene", scene: [step("a", "b"), step("b")] })).toEqual([]);
});

test("says before publishing what a chatbot cannot do without a language model", async () => {
  const warningsOf = async (settings: BotSettingsInput) =>
    (await boss(chatbots.check, { params: { id: (await draft(settings)).id } })).body.warnings;
  expect(await warningsOf({})).toEqual(["nothingToQuote"]);
  expect(await warningsOf({ documentIds: [handbook.documentId] })).toEqual([]);
  expect(await warningsOf({ documentIds: [handbook.documentId], pedagogy: "rolePlay" })).toEqual(["needsModel"]);
  expect(await warningsOf({ connectorId: connector.id, pedagogy: "rolePlay" })).toEqual([]);
  expect(await warningsOf({ pedagogy: "scene", scene: [step("a")] })).toEqual([]);
});

const price = [{ input: 1, output: 2, validFrom: "2020-01-01" }];
const chat = (id: string, prices: typeof price = []) => ({ id, use: "chat" as const, prices });

test("a chatbot needs a connection that is in use, and a model of it", async () => {
  const off = await connect(boss, provider);
  await boss(connectors.setStatus, { params: { id: off.id }, body: { status: "disabled" } });
  expect(await problemsOf({ connectorId: off.id })).toEqual(["connectorOff"]);
  await boss(connectors.setStatus, { params: { id: off.id }, body: { status: "archived" } });
  expect(await problemsOf({ connectorId: off.id })).toEqual(["connectorOff"]);
  const { name, kind, baseUrl } = { name: "New", kind: "openai" as const, baseUrl: provider.url };
  const untested = await boss(connectors.create, { body: { name, kind, baseUrl, models: [chat("a")] } });
  expect(await problemsOf({ connectorId: untested.body.id })).toEqual(["connectorOff"]);
  expect(await problemsOf({ connectorId: connector.id, model: "gone" })).toEqual(["noModel"]);
  expect(await problemsOf({ connectorId: connector.id })).toEqual([]);
  expect(await problemsOf({ pedagogy: "scene", scene: [step("a")], connectorId: off.id })).toEqual([]);
});

test("a chatbot without a connection of its own depends on the default one", async () => {
  const { id } = await connect(boss, provider, { isDefault: true, models: [chat("free"), chat("paid", price)] });
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ access: "public" })).toEqual(["unpricedPublic"]);
  expect(await problemsOf({ access: "public", connectorId: id, model: "paid" })).toEqual([]);
  await boss(connectors.setStatus, { params: { id }, body: { status: "disabled" } });
  expect(await problemsOf({})).toEqual(["connectorOff"]);
  await boss(connectors.setStatus, { params: { id }, body: { status: "archived" } });
  expect(await problemsOf({})).toEqual([]);
});

test("a default connection that was never tested keeps no chatbot from being published", async () => {
  const body = {
    name: "Untested",
    kind: "openai" as const,
    baseUrl: provider.url,
    models: [chat("a")],
    isDefault: true,
  };
  const { id } = (await boss(connectors.create, { body })).body;
  expect(await problemsOf({ access: "public" })).toEqual([]);
  const made = await draft({ documentIds: [handbook.documentId] });
  const published = await boss(chatbots.publish, { params: { id: made.id }, body: { version: made.version } });
  expect(published.status).toBe(200);
  // As in the chat, where the built-in connection answers.
  const { send, read } = await talk((await make.classroom()).learner, made);
  await send("How many days of paid holiday does an employee have?");
  await vi.waitFor(async () => expect((await read()).turns.at(-1)).toMatchObject({ state: "done" }), 15_000);
  expect(await problemsOf({ connectorId: id })).toEqual(["connectorOff"]);
  await boss(connectors.setStatus, { params: { id }, body: { status: "archived" } });
});

test("a public chatbot has no documents that only some companies may have quoted", async () => {
  const { company } = await make.classroom();
  const { documentId } = await addDocument("Alarm", "# Alarm\n\nThe alarm code of the warehouse is 4711.");
  expect(await problemsOf({ access: "public", documentIds: [documentId] })).toEqual([]);
  const bot = await createBot(admin, { access: "public", documentIds: [documentId] });
  const ask = async () => {
    const { send, read } = await talk(await visit(bot), bot);
    await send("What is the alarm code of the warehouse?");
    await vi.waitFor(async () => expect((await read()).turns.at(-1)?.state).toMatch(/done|refused/), 15_000);
    return (await read()).turns.at(-1);
  };
  expect((await ask())?.state).toBe("done");
  await boss(documents.update, { params: { id: documentId }, body: { companyIds: [company.id], version: 1 } });
  expect((await ask())?.state).toBe("refused");
  expect(await problemsOf({ access: "public", documentIds: [documentId] })).toEqual(["documentNotPublic"]);
  expect(await problemsOf({ access: "signedIn", documentIds: [documentId] })).toEqual([]);
});

test("publishes no draft with problems, and says which", async () => {
  const bot = await draft({ access: "course" });
  const refused = await boss(chatbots.publish, { params: { id: bot.id }, body: { version: bot.version } });
  expect(refused).toMatchObject({
    status: 409,
    body: { details: { problems: ["noCourse"] } },
  });
});

test.each(["a", "É", "a*", " ж ", "ａ", "x\u0304", "7", "あ", "ㅋ", "ก", "-b-"])(
  "the phrase %s alone would refuse almost every message, and is refused itself",
  async (phrase) => {
    const settings = { ...botSettings.parse({}), blockedPhrases: ["merger", phrase] };
    const refused = await boss(chatbots.create, { body: { name: "Strict", settings } });
    const issue = { code: "chatbots.shortPhrase", path: "settings.blockedPhrases.1" };
    expect([refused.status, refused.body]).toMatchObject([422, { issues: [issue] }]);
    const { id, version } = await draft({});
    const change = await boss(chatbots.update, { params: { id }, body: { version, name: "Strict", settings } });
    expect([change.status, change.body]).toMatchObject([422, { issues: [issue] }]);
  },
);

test("blocked phrases of one character that is a word are accepted, and stay readable", async () => {
  const made = await draft({ blockedPhrases: ["死", "IT", "ab*", "a b", "C4"] });
  expect(made.settings.blockedPhrases).toHaveLength(5);
  const settings = JSON.stringify({ ...made.settings, blockedPhrases: ["a"] });
  await server.db.updateTable("chatbots").set({ settings }).where("id", "=", made.id).execute();
  expect((await boss(chatbots.get, { params: { id: made.id } })).body.settings.blockedPhrases).toEqual(["a"]);
});

test("a draft that somebody else has changed is not overwritten", async () => {
  const bot = await draft({});
  const save = (name: string) =>
    boss(chatbots.update, { params: { id: bot.id }, body: { version: bot.version, name, settings: bot.settings } });
  const replies = await Promise.all([save("One"), save("Two")]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const refused = replies.find(({ status }) => status === 409)?.body as unknown as { details: { current: Chatbot } };
  expect(refused.details.current.version).toBe(bot.version + 1);
});

test("keeps published versions, and restores one as the draft", async () => {
  const first = await createBot(admin, { persona: "Calm" });
  const params = { id: first.id };
  const changed = (
    await boss(chatbots.update, {
      params,
      body: { version: first.version, name: first.name, settings: { ...first.settings, persona: "Strict" } },
    })
  ).body;
  expect(changed).toMatchObject({ isChanged: true, live: { number: 1 } });
  const second = (await boss(chatbots.publish, { params, body: { version: changed.version, note: "Stricter" } })).body;
  expect(second).toMatchObject({ isChanged: false, live: { number: 2 } });
  const { items } = (await boss(chatbots.versions, { params })).body;
  expect(items.map(({ number, note, settings }) => [number, note, settings.persona])).toEqual([
    [2, "Stricter", "Strict"],
    [1, "", "Calm"],
  ]);
  const restored = await boss(chatbots.restore, {
    params,
    body: { versionId: items[1]?.id as string, version: second.version },
  });
  expect(restored.body).toMatchObject({ isChanged: true, settings: { persona: "Calm" }, live: { number: 2 } });
});

test("an export comes back as a draft without rows of the other academy", async () => {
  const bot = await createBot(admin, {
    persona: "Calm",
    connectorId: connector.id,
    documentIds: [handbook.documentId],
    pedagogy: "hints",
  });
  const file = (await boss(chatbots.export, { params: { id: bot.id } })).body;
  const imported = await boss(chatbots.import, { body: file });
  expect(imported.body).toMatchObject({
    name: bot.name,
    status: "draft",
    settings: { persona: "Calm", pedagogy: "hints", connectorId: null, documentIds: [] },
  });
  const broken = await boss(chatbots.import, { body: { ...file, settings: { hints: 99 } } });
  expect(broken.status).toBe(422);
});

test("a paused chatbot is closed to learners until it goes on", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin);
  const open = async () => (await as(learner)(chatbots.open, { params: { id: bot.id } })).status;
  const setStatus = (status: "published" | "paused") =>
    boss(chatbots.setStatus, { params: { id: bot.id }, body: { status } });
  await setStatus("paused");
  expect(await open()).toBe(404);
  await setStatus("published");
  expect(await open()).toBe(200);
});

test("a public chatbot of an event knows its date, place and programme", async () => {
  const bot = await createBot(admin, { access: "public", connectorId: connector.id });
  const event = await events.createPublished(admin, { chatbotId: bot.id });
  const page = await as(null)(eventContracts.show, { params: { slug: event.slug } });
  expect(page.body.event?.chatbotId).toBe(bot.id);
  const other = await events.createPublished(admin);
  const ask = async (eventId: string) => {
    const caller = as(null, { [VISITOR_HEADER]: await visit(bot) });
    const id = crypto.randomUUID();
    await caller(conversations.start, { body: { id, chatbotId: bot.id, eventId, channel: "event" } });
    await caller(conversations.send, {
      params: { id },
      body: { id: crypto.randomUUID(), text: "When does it begin?" },
    });
    await vi.waitFor(
      async () => expect((await caller(conversations.get, { params: { id } })).body.turns.at(-1)?.state).toBe("done"),
      15_000,
    );
    return provider.chats().at(-1)?.asked?.text ?? "";
  };
  const told = await ask(event.id);
  expect(told).toContain(`Event: ${event.title}`);
  expect(told).toContain(`Place: ${event.venue.name}`);
  expect(await ask(other.id)).not.toContain("Event: ");
  const closed = await createBot(admin);
  const refused = await as(admin)(eventContracts.update, {
    params: { id: event.id },
    body: { version: event.version, chatbotId: closed.id },
  });
  expect(refused.status).toBe(422);
  await boss(chatbots.setStatus, { params: { id: bot.id }, body: { status: "paused" } });
  expect((await as(null)(eventContracts.show, { params: { slug: event.slug } })).body.event?.chatbotId).toBeNull();
});

test("test questions check sources, facts and refusals of draft and live version", async () => {
  const bot = await createBot(admin, { documentIds: [handbook.documentId] });
  const params = { id: bot.id };
  const add = async (input: object) =>
    (await boss(botQuestions.add, { params, body: { question: "How many days of paid holiday do I have?", ...input } }))
      .body;
  const run = async (questionId: string, of: "draft" | "live" = "live") =>
    (await boss(botQuestions.run, { params: { ...params, questionId }, body: { of } })).body.results;
  const good = await add({ documentIds: [handbook.documentId], facts: ["THIRTY days"] });
  expect(await run(good.id)).toMatchObject([{ of: "live", passed: true, passedBefore: null, missing: [] }]);
  const bad = await add({ facts: ["forty days"] });
  expect(await run(bad.id)).toMatchObject([{ passed: false, missing: ["forty days"] }]);
  const off = await add({ question: "What colour is the moon of Endor?", expectsRefusal: true });
  expect(await run(off.id)).toMatchObject([{ passed: true }]);
  await boss(chatbots.update, {
    params,
    body: { version: bot.version, name: bot.name, settings: { ...bot.settings, documentIds: [] } },
  });
  expect(await run(good.id, "draft")).toMatchObject([
    { of: "draft", passed: false, missing: ["Handbook", "THIRTY days"] },
    { of: "live", passed: true },
  ]);
  expect((await run(good.id))[1]).toMatchObject({ passedBefore: true });
  await boss(botQuestions.remove, { params: { ...params, questionId: bad.id } });
  expect((await boss(botQuestions.list, { params })).body.items).toHaveLength(2);
});
