import { afterAll, expect, test } from "vitest";
import { groupQuestions } from "#server/analysis/counts.ts";
import { readWords } from "#server/analysis/readWords.ts";
import { documents } from "#shared/documents/documents.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import { createDocumentMaker } from "#test/documents.ts";
import { createQuestionMaker } from "#test/questions.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const { createBot, ask, group, list, dump } = createQuestionMaker(server);
const { settled } = createDocumentMaker(server);
const admin = await make.admin();
const boss = as(admin);
const { learner, company } = await make.classroom();

const gloves = "## Gloves\n\nUp to 1,000 volts, wear gloves of class 0. They are tested every six months.";
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
/** A chatbot with its own handbook. */
async function createTutor() {
  const { id: handbook } = (await boss(documents.addText, { body: { title: "Handbook", text: gloves } })).body;
  await settled(admin, handbook);
  return { ...(await createBot(admin, { documentIds: [handbook], answerPolicy: "documentsOnly" })), handbook };
}
const canteen = ["Is the canteen open on Sundays?", "On Sundays, is the canteen open?", "is the CANTEEN open sundays"];

/** A chatbot whose only group is about the canteen. */
async function refuse(who: Person = learner) {
  const bot = await createTutor();
  const chats = await ask(who, bot, ...canteen);
  await group();
  const [cluster] = await list(admin, { chatbotId: bot.id });
  return { bot, handbook: bot.handbook, chats, id: cluster!.id };
}

test("the same question in other words is one group, counted once per question", async () => {
  const bot = await createTutor();
  await ask(learner, bot, ...canteen, "Where do I park my bicycle?", "Which gloves up to 1,000 volts?");
  await ask(await make.learner(company.accessCode), bot, "Canteen open on Sundays?");
  await group();
  await group();
  expect(await list(admin, { chatbotId: bot.id })).toMatchObject([
    { question: canteen[0], times: 4, people: 2, status: "open", owner: null },
    { question: "Where do I park my bicycle?", times: 1, people: 1 },
  ]);
});

test("grouping does not depend on batches: one at a time gives the same groups", async () => {
  const [together, single] = [await createTutor(), await createTutor()];
  const texts = [...canteen, "Who repairs the coffee machine?", "The coffee machine, who repairs it?"];
  await ask(learner, together, ...texts);
  await group();
  for (const text of texts) {
    await ask(learner, single, text);
    await group();
  }
  const shape = async (chatbotId: string) =>
    (await list(admin, { chatbotId })).map(({ question, times }) => ({ question, times }));
  expect(await shape(single.id)).toEqual(await shape(together.id));
});

test.each([
  ["How many days of parental leave?", "parental leave: how many days", true],
  ["Is the canteen open on Sundays?", "Is the workshop open on Sundays?", false],
  ["Canteen?", "Does the canteen sell bread without gluten on public holidays?", false],
  ["Good morning, can you help me? Which visa do I need?", "Good morning, can you help me? My screen is black.", false],
  ["Hola, quisiera saber dónde aparco la bicicleta", "¿Dónde se aparcan las bicicletas?", true],
  ["Dove trovo il mio contratto?", "Dove si trovano i contratti?", true],
  ["Where do I park my bicycle?", "Parking for bicycles?", true],
  ["Wo finde ich meine Gehaltsabrechnung?", "Wo sind die Gehaltsabrechnungen zu finden?", true],
  ["Who is the manager?", "Where is the bicycle shed?", false],
  ["食堂は日曜日に開いていますか", "駐車場はどこですか", false],
])("“%s” and “%s” are the same: %s", async (one, other, isSame) => {
  const asked = [one, other];
  expect(groupQuestions(asked, await readWords(db, asked)).length === 1).toBe(isSame);
});

test("a written answer becomes a section, a version and a passing test question", async () => {
  const { handbook, id } = await refuse();
  const question = "Is the canteen open on Sundays?";
  const text = "The canteen is closed on Sundays and holidays. **Vending machines** stand in hall 2.";
  const reply = await boss(questionClusters.answer, {
    params: { id },
    body: { question, answer: { kind: "section", documentId: handbook, text } },
  });
  expect(reply.body).toMatchObject({ status: "answered", answer: { documentId: handbook, isUsed: true } });
  const { live } = await settled(admin, handbook);
  expect(live?.number).toBe(reply.body.answer?.version);
  const { items } = (await boss(documents.testQuestions, { params: { id: handbook } })).body;
  expect(items.at(-1)).toMatchObject({ question, expected: "The canteen is closed on Sundays and holidays." });
  expect((await boss(questionClusters.get, { params: { id } })).body.answer?.testRank).toBe(1);
  // Passages of the earlier text are still found.
  const asked = await boss(documents.ask, { params: { id: handbook }, body: { question: "gloves up to 1,000 volts" } });
  expect(asked.body.passages[0]?.text).toContain("class 0");
});

test("two answers one after the other are both in the document", async () => {
  const { handbook, id } = await refuse();
  const answer = (text: string) =>
    boss(questionClusters.answer, {
      params: { id },
      body: { question: "Canteen?", answer: { kind: "section", documentId: handbook, text } },
    });
  await answer("The first answer about the canteen.");
  await answer("The second answer about the canteen.");
  const { live } = await settled(admin, handbook);
  const { text } = (await boss(documents.text, { params: { id: handbook, number: live!.number } })).body;
  expect(text).toContain("The first answer");
  expect(text).toContain("The second answer");
});

test("a picked passage becomes what the test question expects", async () => {
  const { handbook, id } = await refuse();
  const passage = (await boss(documents.passages, { params: { id: handbook } })).body.items.find(({ text }) =>
    text.includes("class 0"),
  );
  const pick = (passageId: string) =>
    boss(questionClusters.answer, {
      params: { id },
      body: {
        question: "Which gloves up to 1,000 volts?",
        answer: { kind: "passage", documentId: handbook, passageId },
      },
    });
  expect((await pick("999999999999")).status).toBe(404);
  expect((await pick(passage!.id)).body).toMatchObject({ status: "answered", answer: { testRank: 1 } });
});

test("a new document is created for an answer, and the chatbot is said not to use it", async () => {
  const { id } = await refuse();
  const body = { question: "Canteen?", answer: { kind: "document" as const, title: "Canteen", text: "It is closed." } };
  const { body: answered } = await boss(questionClusters.answer, { params: { id }, body });
  expect(answered.answer).toMatchObject({ title: "Canteen", isUsed: false });
});

test("a file cannot have a section, and an empty answer is none", async () => {
  const { handbook, id } = await refuse();
  const { upload } = createDocumentMaker(server);
  const file = await upload(admin, "rules.md", Buffer.from(gloves));
  const write = (documentId: string, text: string) =>
    boss(questionClusters.answer, {
      params: { id },
      body: { question: "Canteen?", answer: { kind: "section", documentId, text } },
    });
  expect(await write(file.id, "Closed.")).toMatchObject({ status: 409, body: { code: "documents.notText" } });
  expect(await write(handbook, "***")).toMatchObject({ status: 422, body: { code: "documents.noText" } });
});

test("refused again after its answer is live, a group is seen again and says so", async () => {
  const { bot, handbook, id } = await refuse();
  const passage = (await boss(documents.passages, { params: { id: handbook } })).body.items[0];
  await boss(questionClusters.answer, {
    params: { id },
    body: { question: "Canteen?", answer: { kind: "passage", documentId: handbook, passageId: passage!.id } },
  });
  await group();
  expect(await list(admin, { chatbotId: bot.id })).toEqual([]);
  await ask(learner, bot, "Is the canteen closed on Sundays or open?");
  await group();
  const [again] = await list(admin, { chatbotId: bot.id });
  expect(again).toMatchObject({ id, status: "open", times: 4 });
  expect(again?.reopenedAt).not.toBeNull();
  const { items } = (await boss(notifications.list)).body;
  expect(items[0]).toMatchObject({ kind: "questionAskedAgain", params: { name: expect.any(String) } });
  expect(JSON.stringify(items)).not.toContain("canteen");
});

test("a dismissed group stays dismissed when it is asked again", async () => {
  const { bot, id } = await refuse();
  await boss(questionClusters.update, { params: { id }, body: { status: "dismissed" } });
  await ask(learner, bot, canteen[0]!);
  await group();
  expect(await list(admin, { chatbotId: bot.id })).toEqual([]);
  expect(await list(admin, { chatbotId: bot.id, status: "dismissed" })).toMatchObject([{ id, times: 4 }]);
  const reopened = await boss(questionClusters.update, { params: { id }, body: { status: "open" } });
  expect(reopened.body.status).toBe("open");
});

test("an owner is an admin, is told, and makes the group assigned", async () => {
  const { bot, id } = await refuse();
  const other = await make.admin();
  const assign = (ownerId: string | null) => boss(questionClusters.update, { params: { id }, body: { ownerId } });
  expect((await assign(learner.user.id)).status).toBe(404);
  expect((await assign(other.user.id)).body).toMatchObject({ status: "assigned", owner: { id: other.user.id } });
  expect((await as(other)(notifications.list)).body.items[0]).toMatchObject({ kind: "questionAssigned" });
  expect(await list(admin, { chatbotId: bot.id })).toHaveLength(1);
  expect((await assign(null)).body.status).toBe("open");
});

test("an erasure removes the questions of a learner, and groups that only they asked", async () => {
  const leaving = await make.learner(company.accessCode, "Lea Leaving");
  const bot = await createTutor();
  await ask(leaving, bot, "Where is the xylophone of Lea stored?", canteen[0]!);
  await ask(learner, bot, canteen[1]!);
  await group();
  expect(await dump()).not.toMatch(/xylophone|canteen|Lea/);
  expect(await list(admin, { chatbotId: bot.id })).toHaveLength(2);
  const erased = await boss(privacy.erase, { body: { userId: leaving.user.id } });
  expect(erased.status).toBe(200);
  expect(await list(admin, { chatbotId: bot.id })).toMatchObject([{ question: canteen[1], times: 1 }]);
  await group();
  const all = await list(admin, { chatbotId: bot.id, status: "all" });
  expect(JSON.stringify(all)).not.toContain("xylophone");
  expect(all).toHaveLength(1);
});

test("nobody who asked is named, and previews do not count", async () => {
  const { bot, handbook, id } = await refuse();
  const { body } = await boss(questionClusters.get, { params: { id } });
  expect(body.asked).toHaveLength(3);
  expect(JSON.stringify(body)).not.toContain(learner.user.id);
  expect(JSON.stringify(body)).not.toContain(learner.user.email);
  expect((await as(learner)(questionClusters.get, { params: { id } })).status).toBe(403);
  expect(body.documents).toEqual([{ id: handbook, title: "Handbook", isText: true }]);
  expect(bot.id).toBe(body.chatbotId);
});
