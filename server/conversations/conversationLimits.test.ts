import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deleteOldConversations } from "#server/conversations/jobs.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { nameCarer } from "#test/care.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, visit, admin, provider, connector, handbook, ended, ask } = await startTalks();
const { app, as, make, db, services } = server;
const wide = { perPerson: 1000, perAddress: 1000, perDay: 1000, perConversation: 1000, text: "Enough for today." };

test("limits hold under 100 parallel messages, and say so in the words of the chatbot", async () => {
  const { learner } = await make.classroom();
  const limits = {
    perPerson: 5,
    perAddress: 1000,
    perDay: 1000,
    perConversation: 1000,
    inputChars: 100,
    text: "Enough for today.",
  };
  const bot = await createBot(admin, { documentIds: [handbook.documentId], limits });
  const chats = await Promise.all(Array.from({ length: 20 }, () => talk(learner, bot)));
  const talkAt = (at: number) => chats[at % chats.length] as (typeof chats)[0];
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, at) => talkAt(at).send(`How many days of holiday ${at}?`)),
  );
  const sent = replies.filter(({ status }) => status === 200).map(({ body }) => body.answer);
  expect(sent.filter(({ state }) => state !== "limited").length).toBe(5);
  expect(sent.find(({ state }) => state === "limited")?.text).toBe("Enough for today.");
  const long = await talkAt(0).send("x".repeat(101));
  expect([long.status, long.body]).toMatchObject([422, { issues: [{ path: "text" }] }]);
});

test("a network starts at most 60 conversations without an account in ten minutes", async () => {
  const open = await createBot(admin, { access: "public", documentIds: [handbook.documentId] });
  const visitor = as(null, { [VISITOR_HEADER]: await visit(open) });
  const statuses = await Promise.all(
    Array.from({ length: 70 }, async () => {
      const body = { id: randomUUID(), chatbotId: open.id };
      return (await visitor(conversations.start, { body })).status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test("a message that is sent eight times at once counts once", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { documentIds: [handbook.documentId], limits: { ...wide, perPerson: 2 } });
  const chat = await talk(learner, bot);
  const id = randomUUID();
  const replies = await Promise.all(Array.from({ length: 8 }, () => chat.send("How many days of holiday?", null, id)));
  const first = await ended(chat, replies[0]?.body.answer.id as string);
  expect((await ask(chat, "And when I am ill, whom do I tell?", first.id)).state).not.toBe("limited");
});

test("an answer that is written again counts against the limits as a message does", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, {
    connectorId: connector.id,
    limits: { ...wide, perPerson: 2, perConversation: 1 },
  });
  const chat = await talk(learner, bot);
  const first = await ask(chat, "Hello");
  const again = async () => {
    const id = randomUUID();
    const reply = await chat.caller(conversations.regenerate, { params: { id: first.id }, body: { id } });
    expect(reply.status).toBe(200);
    return ended(chat, id);
  };
  const before = provider.chats().length;
  expect((await again()).state).toBe("done");
  expect(await again()).toMatchObject({ state: "limited", text: "Enough for today." });
  expect(provider.chats()).toHaveLength(before + 1);
});

test("regenerating does not replace care texts, or answers of an ended conversation", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: connector.id });
  const chat = await talk(learner, bot);
  const care = await ask(chat, "I want to kill myself.");
  const again = async (id: string) => {
    const body = { id: randomUUID() };
    return chat.caller(conversations.regenerate, { params: { id }, body });
  };
  expect((await again(care.id)).status).toBe(404);
  const answer = await ask(chat, "Hello", care.id);
  await db
    .updateTable("conversations")
    .set({ endedAt: new Date().toISOString() })
    .where("id", "=", chat.conversation.id)
    .execute();
  expect((await again(answer.id)).code).toBe("conversations.ended");
});

test("beyond the limits, a message about self-harm still gets care, and one alert", async () => {
  const { learner, company } = await make.classroom();
  await nameCarer(as, admin, company.id);
  const bot = await createBot(admin, { careText: "Call 116 123.", limits: { ...wide, perPerson: 1 } });
  const chat = await talk(learner, bot);
  await ask(chat, "Hello");
  expect((await ask(chat, "Hello?")).state).toBe("limited");
  expect(await ask(chat, "I want to kill myself.")).toMatchObject({
    state: "care",
    text: expect.stringContaining("Call 116 123.") as string,
  });
  for (let more = 0; more < 3; more++) await ask(chat, "I want to kill myself.");
  const alerts = await db
    .selectFrom("notifications")
    .where("link", "like", `%${chat.conversation.id}`)
    .selectAll()
    .execute();
  expect(alerts.filter(({ userId }) => userId === admin.user.id)).toHaveLength(1);
});

test("a message that reaches one limit does not count against the others", async () => {
  const { learner, company } = await make.classroom();
  const colleague = await make.learner(company.accessCode);
  const bot = await createBot(admin, { connectorId: connector.id, limits: { ...wide, perPerson: 1, perAddress: 2 } });
  const chat = await talk(learner, bot);
  expect((await ask(chat, "Hello")).state).toBe("done");
  for (let more = 0; more < 3; more++) expect((await ask(chat, "Hello?")).state).toBe("limited");
  expect((await ask(await talk(colleague, bot), "Hello")).state).toBe("done");
});

test("a learner causes at most twenty alerts in ten minutes, counted per person", async () => {
  const { learner, company } = await make.classroom();
  await nameCarer(as, admin, company.id);
  const colleague = await make.learner(company.accessCode);
  const bot = await createBot(admin, { limits: wide });
  const alertsOf = async (who: typeof learner, count: number) => {
    const chats = await Promise.all(Array.from({ length: count }, () => talk(who, bot)));
    for (const chat of chats) await chat.send("I want to kill myself.");
    const links = chats.map(({ conversation }) => `/reports/chatbots?conversation=${conversation.id}`);
    const told = await db
      .selectFrom("notifications")
      .where("userId", "=", admin.user.id)
      .where("link", "in", links)
      .select("id")
      .execute();
    return told.length;
  };
  expect(await alertsOf(learner, 22)).toBe(20);
  expect(await alertsOf(colleague, 1)).toBe(1);
});

test("conversations are deleted after the published period, not after the draft's", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { documentIds: [handbook.documentId], retentionDays: 100 });
  const edit = async (retentionDays: number) => {
    const { body } = await as(admin)(chatbots.get, { params: { id: bot.id } });
    const { version, name, settings } = body;
    const reply = await as(admin)(chatbots.update, {
      params: { id: bot.id },
      body: { version, name, settings: { ...settings, retentionDays } },
    });
    expect(reply.status).toBe(200);
  };
  const chat = await talk(learner, bot);
  const age = (days: number) =>
    db
      .updateTable("conversations")
      .set({ lastAt: new Date(Date.now() - days * 86_400_000).toISOString() })
      .where("id", "=", chat.conversation.id)
      .execute();
  await age(50);
  await edit(7);
  await deleteOldConversations.work(services, {});
  expect((await as(learner)(conversations.mine, { query: { chatbotId: bot.id } })).status).toBe(200);
  expect((await chat.caller(conversations.get, { params: { id: chat.conversation.id } })).status).toBe(200);
  await edit(1000);
  await age(101);
  await deleteOldConversations.work(services, {});
  expect((await chat.caller(conversations.get, { params: { id: chat.conversation.id } })).status).toBe(404);
});

test("a person follows at most six answers at once; the oldest of them ends", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: connector.id });
  const chat = await talk(learner, bot);
  provider.next({ text: ["One, ", "two."], delay: 25_000 });
  const { answer } = (await chat.send("Talk")).body;
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const open = () =>
    fetch(`${url}/api/turns/${answer.id}/stream?from=0`, { headers: { authorization: `Bearer ${learner.token}` } });
  const first = await open();
  const rest: Response[] = [];
  for (let more = 0; more < 6; more++) rest.push(await open());
  expect(await first.text()).not.toContain('"type":"end"');
  await chat.caller(conversations.stop, { params: { id: answer.id } });
  for (const reply of rest) expect(await reply.text()).toContain('"type":"end"');
});

test("a conversation takes exactly as many questions as the chatbot allows", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: connector.id, limits: { ...wide, perConversation: 2 } });
  const chat = await talk(learner, bot);
  expect((await ask(chat, "One")).state).toBe("done");
  expect((await ask(chat, "Two")).state).toBe("done");
  expect(await ask(chat, "Three")).toMatchObject({ state: "limited", text: "Enough for today." });
});
