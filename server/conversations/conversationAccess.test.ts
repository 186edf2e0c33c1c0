import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations, VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import { courses } from "#shared/courses/courses.ts";
import { startTalks } from "#test/talks.ts";
import type { Person } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const { server, createBot, talk, visit, admin, provider, connector, handbook, ask } = await startTalks();
const { as, make, db } = server;
const { define } = createValueMaker(server);

test("a visitor talks to public chatbots only, with a token for that chatbot", async () => {
  const open = await createBot(admin, { access: "public", documentIds: [handbook.documentId] });
  const inside = await createBot(admin, { access: "signedIn", documentIds: [handbook.documentId] });
  const token = await visit(open);
  const chat = await talk(token, open);
  expect((await ask(chat, "When do I tell my manager that I am ill?")).text).toContain("before nine");
  expect((await as(null)(conversations.visit, { body: { chatbotId: inside.id } })).status).toBe(404);
  const start = { id: randomUUID(), chatbotId: inside.id };
  const withToken = as(null, { [VISITOR_HEADER]: token });
  expect((await withToken(conversations.start, { body: start })).status).toBe(404);
  const forged = as(null, { [VISITOR_HEADER]: `${token}x` });
  expect((await forged(conversations.mine)).code).toBe("conversations.visitorExpired");
  expect((await as(null)(conversations.mine)).status).toBe(401);
  const stranger = as(null, { [VISITOR_HEADER]: await visit(open) });
  expect((await stranger(conversations.get, { params: { id: chat.conversation.id } })).status).toBe(404);
});

test("a chatbot of a course answers its learners, but no other company or course", async () => {
  const { learner, course, company } = await make.classroom();
  const { learner: stranger } = await make.classroom();
  const bot = await createBot(admin, { access: "course", courseIds: [course.id], documentIds: [handbook.documentId] });
  const open = (who: Person, courseId?: string) =>
    as(who)(chatbots.open, { params: { id: bot.id }, query: courseId ? { courseId } : {} });
  expect((await open(learner, course.id)).body).toMatchObject({ name: bot.name, usesModel: expect.any(Boolean) });
  for (const reply of [await open(learner), await open(stranger, course.id)]) expect(reply.status).toBe(404);
  const mine = (who: Person) => as(who)(chatbots.mine, { query: { courseId: course.id } });
  expect((await mine(learner)).body.items.map(({ id }) => id)).toEqual([bot.id]);
  expect((await mine(stranger)).body.items).toEqual([]);
  await as(admin)(courses.withdraw, { params: { id: course.id }, body: { companyIds: [company.id] } as never });
  await as(admin)(chatbots.setStatus, { params: { id: bot.id }, body: { status: "paused" } });
  expect((await open(learner, course.id)).status).toBe(404);
});

test("plays a scene without a model, sets a variable by a choice, and ends", async () => {
  const { learner, course, company } = await make.classroom();
  const opening = await define(admin, {
    key: "opening_used",
    type: "text",
    courses: [{ courseId: course.id, access: "both" }],
  });
  const scene = [
    {
      id: "start",
      says: "You wanted to see me?",
      choices: [
        {
          label: "Say what I saw",
          to: "good",
          words: ["saw", "noticed"],
          sets: { variableId: opening.id, value: "facts" },
        },
        { label: "Blame", to: "bad", words: ["always", "never"] },
      ],
    },
    { id: "good", says: "I see. Let us plan.", reachesGoal: true },
    { id: "bad", says: "That is unfair." },
  ];
  const bot = await createBot(admin, { access: "course", courseIds: [course.id], pedagogy: "scene", scene });
  const chat = await talk(learner, bot, course.id);
  const [first] = chat.conversation.turns;
  expect(first).toMatchObject({ text: "You wanted to see me?", options: ["Say what I saw", "Blame"] });
  const unclear = await ask(chat, "Hmm", first?.id ?? null);
  expect(unclear.options).toEqual(["Say what I saw", "Blame"]);
  const end = await ask(chat, "I noticed that two forms are missing.", unclear.id);
  expect(end).toMatchObject({ state: "done", text: "I see. Let us plan.", options: [] });
  expect(await chat.read()).toMatchObject({ outcome: "goal" });
  expect((await chat.send("More", end.id)).code).toBe("conversations.ended");
  const values = await db.selectFrom("variableValues").where("variableId", "=", opening.id).selectAll().execute();
  expect(values).toMatchObject([{ value: "facts", source: "chat", userId: learner.user.id, companyId: company.id }]);
});

test("a message about self-harm gets the admin's text, without a model", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { connectorId: connector.id, careText: "Call 116 123." });
  const chat = await talk(learner, bot);
  const before = provider.chats().length;
  expect(await ask(chat, "Honestly, I want to kill myself.")).toMatchObject({ state: "care", text: "Call 116 123." });
  expect(provider.chats()).toHaveLength(before);
  expect((await ask(chat, "This deadline kills me and the killer whale is black.")).state).toBe("done");
});

test("a learner deletes and sees only their own conversations", async () => {
  const { learner, company } = await make.classroom();
  const other = await make.learner(company.accessCode);
  const bot = await createBot(admin, { documentIds: [handbook.documentId] });
  const chat = await talk(learner, bot);
  const answer = await ask(chat, "How many days of holiday?");
  const theirs = as(other);
  const params = { id: chat.conversation.id };
  expect((await theirs(conversations.get, { params })).status).toBe(404);
  expect((await theirs(conversations.remove, { params })).status).toBe(404);
  expect((await theirs(conversations.rate, { params: { id: answer.id }, body: { rating: "up" } })).status).toBe(404);
  expect((await theirs(conversations.transcript, { params })).status).toBe(403);
  expect((await as(learner)(conversations.mine)).body.total).toBe(1);
  await as(learner)(conversations.remove, { params });
  expect((await as(learner)(conversations.mine)).body.total).toBe(0);
});
