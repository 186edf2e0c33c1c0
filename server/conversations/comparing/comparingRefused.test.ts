import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { createComparer } from "#test/comparisons.ts";
import { deleteOldConversations } from "#server/conversations/jobs.ts";
import { answerComparisons } from "#shared/conversations/answerComparisons.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { connect } from "#test/providers/connect.ts";
import { startTalks } from "#test/talks.ts";

// Why an earlier question is not asked again, and who may ask it

const errors: string[] = [];
const talks = await startTalks((line) => {
  if (JSON.parse(line).level >= 50) errors.push(line);
});
const { server, createBot, talk, admin, provider, connector, handbook, ask, ended } = talks;
const { app, as, make, db } = server;
const { compare, publish, questionOf } = createComparer(talks);
const { company, learner } = await make.classroom();
const QUESTION = "How many days of paid holiday do I have?";
const settings = { connectorId: connector.id, documentIds: [handbook.documentId] };

test("says why nothing is asked: archived or unpublished chatbots", async () => {
  const bot = await createBot(admin, settings);
  const chat = await talk(learner, bot);
  await ask(chat, QUESTION);
  const questionId = await questionOf(chat, QUESTION);
  const setStatus = (status: "published" | "paused" | "archived") =>
    as(admin)(chatbots.setStatus, { params: { id: bot.id }, body: { status } });
  await setStatus("paused");
  expect((await compare(questionId)).end?.answer.state).toBe("done");
  const count = provider.chats().length;
  await setStatus("archived");
  const archived = await compare(questionId);
  expect(archived.notAsked).toMatchObject({ reason: "archived" });
  expect(archived.begin).toMatchObject({ version: null, recorded: { state: "done" } });
  const draft = await as(admin)(chatbots.create, { body: { name: "Draft", settings: botSettings.parse(settings) } });
  const id = randomUUID();
  const start = { id, chatbotId: draft.body.id, channel: "preview" as const };
  expect((await as(admin)(conversations.start, { body: start })).status).toBe(200);
  const turnId = randomUUID();
  const sent = await as(admin)(conversations.send, { params: { id }, body: { id: turnId, text: "What is true?" } });
  const answered = () => as(admin)(conversations.get, { params: { id } });
  await ended({ read: async () => (await answered()).body }, sent.body.answer.id);
  const unpublished = await compare(turnId);
  expect(unpublished.notAsked).toMatchObject({ reason: "unpublished" });
  expect(unpublished.begin?.recorded?.version).toBeNull();
  expect(provider.chats()).toHaveLength(count + 1);
});

test("reports a failing connector, a fallback, and a used-up budget", async () => {
  const failing = await connect(as(admin), provider, { name: "Own connector" });
  const bot = await createBot(admin, { connectorId: failing.id });
  const chat = await talk(learner, bot);
  await ask(chat, "Tell me something.");
  const questionId = await questionOf(chat, "Tell me something.");
  provider.next({ status: 500 });
  expect((await compare(questionId)).end?.answer).toMatchObject({ state: "failed", code: "provider_down", text: "" });
  await publish(bot, { documentIds: [handbook.documentId] });
  const quoted = await talk(learner, bot);
  await ask(quoted, QUESTION);
  provider.next({ status: 500 });
  expect((await compare(await questionOf(quoted, QUESTION))).end?.answer).toMatchObject({
    state: "done",
    insteadOf: "Own connector",
    model: "quotation",
  });
  await publish(bot, { documentIds: [] });
  await as(admin)(connectors.setCompanyBudget, { body: { companyId: company.id, monthlyBudget: 0 } });
  const spent = await compare(questionId);
  expect(spent.end?.answer).toMatchObject({ state: "limited", code: "budget" });
  expect(spent.end?.answer.text).toContain("limit for this month");
  await as(admin)(connectors.setCompanyBudget, { body: { companyId: company.id, monthlyBudget: null } });
});

test("what was refused is not sent to a model again", async () => {
  const bot = await createBot(admin, { ...settings, blockedPhrases: ["Project Ether"], blockedText: "Ask legal." });
  const chat = await talk(learner, bot);
  const blocked = await ask(chat, "What is Project Ether?");
  const care = await ask(chat, "I want to kill myself.", blocked.id);
  expect(care.state).toBe("care");
  provider.next({ text: ["No."], finish: "refused" });
  const moderated = await ask(chat, "Say something foul.", care.id);
  expect(moderated.state).toBe("refused");
  const last = await ask(chat, "What about the takeover?", moderated.id);
  expect(last.state).toBe("done");
  await publish(bot, { blockedPhrases: ["takeover"], blockedText: "Ask legal." });
  const count = provider.chats().length;
  const reasonOf = async (text: string) => (await compare(await questionOf(chat, text))).notAsked;
  expect(await reasonOf("What is Project Ether?")).toMatchObject({ reason: "blocked", text: "Ask legal." });
  expect(await reasonOf("I want to kill myself.")).toMatchObject({ reason: "care" });
  expect(await reasonOf("Say something foul.")).toMatchObject({ reason: "moderated" });
  expect(await reasonOf("What about the takeover?")).toMatchObject({ reason: "blocked" });
  expect(provider.chats()).toHaveLength(count);
});

test("names are masked where the company asks for it, also that of the learner", async () => {
  const masked = await make.company(admin, { maskNames: true });
  const person = await make.learner(masked.accessCode);
  await db.updateTable("users").set({ name: "Ottilie Brandvold" }).where("id", "=", person.user.id).execute();
  const bot = await createBot(admin, { connectorId: connector.id });
  const chat = await talk(person, bot);
  const text = "I am Ottilie, and Ottilie Brandvold is my name.";
  await ask(chat, text);
  provider.always({ obeys: true });
  const { end } = await compare(await questionOf(chat, text));
  provider.always({});
  const told = provider.chats().at(-1)?.asked?.text ?? "";
  expect(told).toContain("is my name");
  expect(told).not.toContain("Ottilie");
  expect(told).not.toContain("Brandvold");
  expect(end?.answer.text).toContain("Ottilie Brandvold");
});

test("refuses learners, erased and deleted questions, and answers as questions", async () => {
  const bot = await createBot(admin, settings);
  const chat = await talk(learner, bot);
  const answer = await ask(chat, QUESTION);
  const questionId = await questionOf(chat, QUESTION);
  expect((await compare(questionId, null)).status).toBe(401);
  expect((await compare(questionId, learner)).status).toBe(403);
  expect((await compare(answer.id)).status).toBe(404);
  expect((await compare(questionId, admin, { answerId: questionId })).status).toBe(404);
  expect((await compare(questionId, admin, { answerId: answer.id })).begin?.recorded?.text).toBe(answer.text);
  await db
    .updateTable("conversations")
    .set({ lastAt: "2020-01-01T00:00:00Z" })
    .where("id", "=", chat.conversation.id)
    .execute();
  await deleteOldConversations.work(server.services, {});
  expect((await compare(questionId)).status).toBe(404);
  const leaver = await make.learner(company.accessCode);
  const erased = await talk(leaver, bot);
  await ask(erased, QUESTION);
  const erasedId = await questionOf(erased, QUESTION);
  expect((await compare(erasedId)).status).toBe(200);
  expect((await as(admin)(privacy.erase, { body: { userId: leaver.user.id } })).status).toBe(200);
  expect((await compare(erasedId)).status).toBe(404);
});

test("an admin who leaves ends the call, and too many comparisons are refused", async () => {
  const bot = await createBot(admin, settings);
  const chat = await talk(learner, bot);
  await ask(chat, QUESTION);
  const questionId = await questionOf(chat, QUESTION);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  provider.next({ text: Array.from({ length: 200 }, () => "word "), delay: 20 });
  const leaving = new AbortController();
  const path = answerComparisons.compare.path.replace(":id", questionId);
  const headers = { authorization: `Bearer ${admin.token}`, "content-type": "application/json" };
  const reply = await fetch(`${url}${path}`, { method: "POST", headers, body: "{}", signal: leaving.signal });
  const reader = reply.body?.getReader();
  let read = "";
  while (!read.includes('"type":"text"')) read += new TextDecoder().decode((await reader?.read())?.value);
  leaving.abort();
  await vi.waitFor(() => expect(provider.chats().at(-1)?.isAborted).toBe(true), 15_000);
  expect(errors.filter((line) => line.includes("core.internal"))).toEqual([]);
  const other = await make.admin();
  const statuses = [];
  for (let asked = 0; asked < 21; asked++) statuses.push((await compare(questionId, other)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
});
