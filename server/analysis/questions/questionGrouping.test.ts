import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import { documents } from "#shared/documents/documents.ts";
import { createDocumentMaker } from "#test/documents.ts";
import { createQuestionMaker } from "#test/questions.ts";
import { start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

// How groups of unanswered questions come about, and what stays when more are asked

const server = await start();
const { as, make, db } = server;
const { createBot, ask, group, list } = createQuestionMaker(server);
const admin = await make.admin();
const boss = as(admin);
const { learner, company } = await make.classroom();
const jobs = await server.runJobs();
afterAll(() => jobs.stop());

const { settled } = createDocumentMaker(server);
async function createTutor() {
  const text = "## Gloves\n\nUp to 1,000 volts, wear gloves of class 0.";
  const { id } = (await boss(documents.addText, { body: { title: "Handbook", text } })).body;
  await settled(admin, id);
  return createBot(admin, { access: "signedIn", documentIds: [id], answerPolicy: "documentsOnly" });
}

/** Conversations of a learner, stored as rows, in each of which a question found no answer. */
async function addRefused(chatbotId: string, texts: string[]) {
  for (const text of texts) {
    const { id: conversationId } = await db
      .insertInto("conversations")
      .values({ id: randomUUID(), chatbotId, userId: learner.user.id, companyId: company.id, questions: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
    const answer = { state: "refused" as const, text: "There is no answer." };
    await addExchange(db, { conversationId, number: 1, question: { text }, answer });
  }
}

test("a group keeps its id when it grows; its title is the most typical question", async () => {
  const bot = await createTutor();
  await addRefused(bot.id, ["Hello, I lost my locker key yesterday, what now?"]);
  await group();
  const [first] = await list(admin, { chatbotId: bot.id });
  expect(first).toMatchObject({ question: "Hello, I lost my locker key yesterday, what now?", times: 1 });
  await addRefused(bot.id, [
    "Lost my locker key",
    "I have lost the key of my locker!",
    "Who replaces a lost locker key?",
  ]);
  await group();
  const found = await list(admin, { chatbotId: bot.id });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ id: first!.id, times: 4 });
  expect(found[0]!.question).not.toContain("yesterday");
  const { asked } = (await boss(questionClusters.get, { params: { id: first!.id } })).body;
  expect(asked).toHaveLength(4);
});

test("questions that share only courtesies and frequent words are different groups", async () => {
  const bot = await createTutor();
  await addRefused(bot.id, [
    "Hello, please can you help me? Where is the ladder?",
    "Hello, please can you help me? When is payday?",
    "Hallo, könnten Sie mir bitte helfen? Wo ist der Gabelstapler?",
    "Hallo, könnten Sie mir bitte helfen? Wann kommt der Betriebsarzt?",
  ]);
  await group();
  expect(await list(admin, { chatbotId: bot.id })).toHaveLength(4);
});

test("the same words are one group, whatever else is asked", async () => {
  const bot = await createTutor();
  const asked = ["Where is the shower?", "Shower room where?", "Is there a shower?", "shower", "Where is the shower"];
  await addRefused(bot.id, [...asked, ...asked]);
  await group();
  const times = (await list(admin, { chatbotId: bot.id })).map((one) => one.times);
  expect(times.reduce((sum, one) => sum + one, 0)).toBe(10);
  expect(times.every((one) => one % 2 === 0)).toBe(true);
});

test("groups of earlier rules are made anew, except those that people work with", async () => {
  const bot = await createTutor();
  const texts = ["Where do I get a locker?", "How do I get lockers?", "Who empties the bins?", "Who is emptying bins?"];
  await addRefused(bot.id, texts);
  const { rows: turns } = await server.services.pool.query(
    `select answer.id as turn_id, question.id as question_id, answer.conversation_id, question.text
     from turns answer
     join turns question on question.id = answer.parent_id
     join conversations on conversations.id = answer.conversation_id
     where conversations.chatbot_id = $1`,
    [bot.id],
  );
  const ids = new Map<string, string>();
  for (const { text, turn_id: turnId, question_id: questionId, conversation_id: conversationId } of turns) {
    const { id } = await db
      .insertInto("questionClusters")
      .values({ chatbotId: bot.id, rules: 1, ...(text === texts[2] && { ownerId: admin.user.id }) })
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.set(text, id);
    const askedAt = new Date().toISOString();
    await db
      .insertInto("clusteredQuestions")
      .values({ turnId, questionId, conversationId, clusterId: id, askedAt })
      .execute();
  }
  await group();
  const found = await list(admin, { chatbotId: bot.id });
  expect(found.map(({ times }) => times)).toEqual([2, 2]);
  expect(found.find(({ owner }) => owner)?.id).toBe(ids.get(texts[2]!));
});

test("thousands of questions are grouped in a short time", async () => {
  const bot = await createTutor();
  const nouns = Array.from({ length: 400 }, (_, at) => `thing${at}`);
  const conversationId = (
    await db
      .insertInto("conversations")
      .values({ id: randomUUID(), chatbotId: bot.id, userId: learner.user.id, companyId: company.id, questions: 1 })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
  await server.services.pool.query(
    `with asked as (
       insert into turns (id, conversation_id, number, role, text, state)
       select gen_random_uuid(), $1, 2 * n, 'user', text, 'stored'
       from unnest($2::text[]) with ordinality asked (text, n)
       returning id, number
     )
     insert into turns (id, conversation_id, parent_id, number, role, text, state)
     select gen_random_uuid(), $1, id, number + 1, 'assistant', 'No.', 'refused'
     from asked`,
    [
      conversationId,
      Array.from({ length: 5000 }, (_, at) => `Where is the ${nouns[at % 400]} of hall ${nouns[(at * 7) % 399]}?`),
    ],
  );
  const { user } = process.cpuUsage();
  await group();
  const seconds = (process.cpuUsage().user - user) / 1_000_000;
  expect(seconds).toBeLessThan(20);
  const found = await list(admin, { chatbotId: bot.id });
  expect(found[0]!.times).toBeGreaterThan(1);
});

test("questions asked through the chat are grouped in one run of the job", async () => {
  const bot = await createTutor();
  await ask(learner, bot, "Is the sauna open on Mondays?", "On Mondays, is the sauna open?");
  await group();
  expect(await list(admin, { chatbotId: bot.id })).toMatchObject([{ times: 2, people: 1 }]);
});
