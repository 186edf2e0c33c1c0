import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { connectors } from "#shared/connectors/connectors.ts";
import { createBotMaker } from "#test/bots.ts";
import { connect } from "#test/providers/connect.ts";
import { conceptEmbeddings } from "#test/providers/concepts.ts";
import { startProvider } from "#test/providers/provider.ts";
import { createQuestionMaker } from "#test/questions.ts";
import { start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

// Unanswered questions in other words or languages, where an embedding model is connected

const server = await start();
const { as, make, db } = server;
const { group, list } = createQuestionMaker(server);
const admin = await make.admin();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
provider.always({ embeddings: conceptEmbeddings });
const connector = await connect(as(admin), provider, { embeds: true });
const { learner, company } = await make.classroom();

async function addRefused(texts: string[], companyId = company.id) {
  const { id: chatbotId } = await createBotMaker(server).createBot(admin);
  const ids: string[] = [];
  for (const text of texts) {
    const id = randomUUID();
    await db
      .insertInto("conversations")
      .values({ id, chatbotId, userId: learner.user.id, companyId, questions: 1 })
      .execute();
    const answer = { state: "refused" as const, text: "There is no answer." };
    await addExchange(db, { conversationId: id, number: 1, question: { text }, answer });
    ids.push(id);
  }
  return { chatbotId, ids };
}
const vectorCalls = () => provider.requests.filter(({ path }) => path.includes("embeddings")).length;
const subjects = ["the piano", "a lighthouse", "the volcano", "some origami", "the zebra", "a trumpet"];
const unrelated = subjects.map((subject) => `What about ${subject}?`);

test("questions without a common word are one group by meaning, others are not", async () => {
  const same = ["How many days of annual leave?", "Wie viele Tage Urlaub?", "¿Cuántos días de vacaciones?"];
  const { chatbotId } = await addRefused([...same, ...unrelated]);
  await group();
  const found = await list(admin, { chatbotId });
  expect(found.map(({ times }) => times)).toEqual([3, ...unrelated.map(() => 1)]);
  const calls = vectorCalls();
  await group();
  expect(vectorCalls()).toBe(calls);
});

test("a vector is deleted with its question", async () => {
  const { ids } = await addRefused(["Where is the helmet?"]);
  await group();
  const count = async () => {
    const { rows } = await server.services.pool.query(
      "select count(*)::int as n from question_vectors join turns on turns.id = question_id where conversation_id = $1",
      [ids[0]],
    );
    return rows[0].n as number;
  };
  expect(await count()).toBe(1);
  const all = async () =>
    (await server.services.pool.query("select count(*)::int as n from question_vectors")).rows[0].n;
  const before = await all();
  await db.deleteFrom("conversations").where("id", "=", ids[0]!).execute();
  expect(await all()).toBe(before - 1);
});

test("questions of companies that may not use the model keep no others from it", async () => {
  const allowed = await make.company(admin);
  const { ids } = await addRefused(["Where are the ropes?"], allowed.id);
  await db
    .updateTable("connectors")
    .set({ companyIds: [allowed.id] })
    .where("id", "=", connector.id)
    .execute();
  // More and newer than one run of the job embeds.
  await addRefused(Array.from({ length: 260 }, (_, at) => `Where is tool ${at}?`));
  await group();
  await db.updateTable("connectors").set({ companyIds: [] }).where("id", "=", connector.id).execute();
  const { rows } = await server.services.pool.query(
    "select from question_vectors join turns on turns.id = question_id where conversation_id = $1",
    [ids[0]],
  );
  expect(rows).toHaveLength(1);
});

test("without an answer of the model, questions are grouped by words", async () => {
  provider.always({ status: 500 });
  const { chatbotId } = await addRefused(["Who cleans the windows?", "Who is cleaning windows?", ...unrelated]);
  await group();
  expect((await list(admin, { chatbotId })).map(({ times }) => times)).toEqual([2, ...unrelated.map(() => 1)]);
  await as(admin)(connectors.remove, { params: { id: connector.id } });
  const later = await addRefused(["Who waters the plants?", "Who is watering the plants?"]);
  await group();
  expect(await list(admin, { chatbotId: later.chatbotId })).toMatchObject([{ times: 2 }]);
});
