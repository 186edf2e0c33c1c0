import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { analysis } from "#shared/analysis/analysis.ts";
import { audit } from "#shared/audit/audit.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { conversationReplays } from "#shared/reports/replays.ts";
import { variables } from "#shared/variables/variables.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, visit, admin, provider, connector, ask } = await startTalks();
const { app, as, make, db } = server;
const boss = as(admin);
const { conversationReplay, conversationTurns, conversationValues, revealConversationValues } = conversationReplays;
const at = (id: string) => ({ params: { id } });
const define = async (key: string, privacyOf: "personal" | "sensitive") =>
  (await boss(variables.create, { body: { key, label: key, type: "text", privacy: privacyOf } })).body.id;
const [team, worry] = [await define("team_of_replay", "personal"), await define("worry_of_replay", "sensitive")];

/** A conversation in which a learner has named a team and a worry, and the model has answered once. */
async function createTalk() {
  const { learner, company } = await make.classroom();
  const bot = await createBot(admin, { connectorId: connector.id, writeVariableIds: [team, worry] });
  const said = (key: string, value: string) => ({ key, value, confidence: 0.9 });
  provider.always({
    structured: JSON.stringify({ values: [said("team_of_replay", "Night"), said("worry_of_replay", "He shouts")] }),
  });
  provider.next({ text: ["Thank you, ", "noted."] });
  const chat = await talk(learner, bot);
  const answer = await ask(chat, "I am of the night team, and worried.");
  const question = { id: answer.parentId as string };
  const { id } = chat.conversation;
  const stored = () => db.selectFrom("variableValues").where("userId", "=", learner.user.id).select("id").execute();
  await vi.waitFor(async () => expect(await stored()).toHaveLength(2), 20_000);
  return { learner, company, bot, chat, id, question, answer };
}

test("tells each turn of a conversation with its times, what gave it and what it set", async () => {
  const { id, learner, company, bot, chat, question, answer } = await createTalk();
  const edited = await chat.send("I am of the day team.", null);
  await vi.waitFor(async () => expect((await chat.read()).turns.at(-1)?.finishedAt).not.toBeNull(), 20_000);
  await chat.caller(conversations.rate, { params: { id: answer.id }, body: { rating: "down", reason: "wrong" } });

  const head = (await boss(conversationReplay, at(id))).body;
  expect(head).toMatchObject({
    id,
    chatbot: bot.name,
    person: { id: learner.user.id, name: learner.user.name },
    company: company.name,
    channel: "page",
    version: 1,
    sessionId: null,
  });
  expect(head.variables.map(({ key, start }) => [key, start])).toEqual([
    ["team_of_replay", null],
    ["worry_of_replay", null],
  ]);
  const { items, total } = (await boss(conversationTurns, at(id))).body;
  expect(total).toBe(4);
  expect(items.map(({ number, role, parentId }) => [number, role, parentId])).toEqual([
    [1, "user", null],
    [2, "assistant", question.id],
    [3, "user", null],
    [4, "assistant", edited.body.question.id],
  ]);
  expect(items[0]).toMatchObject({ facts: null, button: null, rating: null });
  expect(items[1]).toMatchObject({
    text: "Thank you, noted.",
    rating: "down",
    ratingReason: "wrong",
    facts: {
      version: 1,
      connector: connector.name,
      model: expect.any(String) as string,
      firstMs: expect.any(Number) as number,
    },
  });
  const { createdAt = "", firstAt, finishedAt } = items[1] ?? {};
  expect([createdAt, firstAt, finishedAt]).toEqual([createdAt, firstAt, finishedAt].toSorted());
  expect(items.map((item) => Object.hasOwn(item.facts ?? {}, "text"))).toEqual([false, false, false, false]);
  const second = (await boss(conversationTurns, { ...at(id), query: { page: 2, size: 1 } })).body;
  expect(second).toMatchObject({ total: 4, items: [{ number: 2 }] });
});

const readValues = async (id: string) => (await boss(conversationValues, at(id))).body.values;

test("shows the values of a conversation as captured, masked ones without their value", async () => {
  const { id, question } = await createTalk();
  const values = await readValues(id);
  expect(values.map(({ variableId, value, turnId }) => [variableId, value, turnId])).toEqual([
    [team, "Night", question.id],
    [worry, null, question.id],
  ]);
  expect(JSON.stringify([values, (await boss(conversationReplay, at(id))).body])).not.toContain("shouts");
  const params = { valueId: String(values[0]?.id) as never };
  await boss(rawData.removeValue, { params });
  expect((await readValues(id)).map(({ variableId }) => variableId)).toEqual([worry]);
});

test("shows a masked value only for a reason, which the learner sees", async () => {
  const { id, learner } = await createTalk();
  const body = { variableId: worry, reason: "safety" as const };
  const shown = await boss(revealConversationValues, { ...at(id), body });
  expect(shown.body.values.map(({ value }) => value)).toEqual(["He shouts"]);
  expect((await boss(revealConversationValues, { ...at(id), body: { ...body, variableId: team } })).status).toBe(404);
  const mine = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body.items;
  expect(mine.find(({ action }) => action === "reports.reveal")?.details).toEqual({
    variable: "worry_of_replay",
    reason: "safety",
  });
});

test("raw data says which conversation set a value, and when in it", async () => {
  const { id, company } = await createTalk();
  const [value] = (await boss(rawData.list, { query: { variableId: team, companyId: company.id } })).body.items;
  expect(value).toMatchObject({ sessionId: null, conversationId: id, t: expect.any(Number) as number });
  expect(value?.t).toBeGreaterThanOrEqual(0);
});

test("opening a replay is recorded once, and the learner sees who did", async () => {
  const { id, learner } = await createTalk();
  await boss(conversationReplay, at(id));
  await boss(conversationReplay, at(id));
  const { items } = (await as(learner)(audit.mine, { query: { kind: "administration" } })).body;
  expect(items.filter(({ action }) => action === "conversations.replay")).toHaveLength(1);
  const { readers } = (await as(learner)(analysis.review, at(id))).body;
  expect(readers.map(({ name }) => name)).toEqual([admin.user.name || admin.user.email]);
});

test("a visitor's conversation is replayed; opening it is recorded without a person", async () => {
  const bot = await createBot(admin, { connectorId: connector.id, access: "public" });
  const token = await visit(bot);
  const chat = await talk(token, bot);
  provider.next({ text: ["Good day."] });
  await ask(chat, "Good day?");
  const { id } = chat.conversation;
  expect((await boss(conversationReplay, at(id))).body).toMatchObject({ person: null, company: null, variables: [] });
  const entries = await db
    .selectFrom("auditEntries")
    .where("action", "=", "conversations.replay")
    .where("personId", "is", null)
    .select("details")
    .execute();
  expect(entries.map(({ details }) => details)).toContainEqual({ conversation: id });
});

test("only admins in scope open a replay, unless it was deleted or its person erased", async () => {
  const { id, learner, chat } = await createTalk();
  const addresses = [conversationReplay, conversationTurns, conversationValues];
  const statuses = async (who: Parameters<typeof as>[0], of: string) =>
    Promise.all(addresses.map(async (contract) => (await as(who)(contract, at(of))).status));
  expect(await statuses(admin, id)).toEqual([200, 200, 200]);
  expect(await statuses(learner, id)).toEqual([403, 403, 403]);
  expect((await app.inject(`/api/reports/conversations/${id}/replay`)).statusCode).toBe(401);
  const other = await make.classroom();
  await limitToCompany(db, other.admin, other.company.id);
  expect(await statuses(other.admin, id)).toEqual([404, 404, 404]);
  expect(await statuses(admin, randomUUID())).toEqual([404, 404, 404]);
  await chat.caller(conversations.remove, at(id));
  expect(await statuses(admin, id)).toEqual([404, 404, 404]);

  const second = await createTalk();
  expect(await statuses(admin, second.id)).toEqual([200, 200, 200]);
  expect((await boss(privacy.erase, { body: { userId: second.learner.user.id } })).status).toBe(200);
  expect(await statuses(admin, second.id)).toEqual([404, 404, 404]);
});
