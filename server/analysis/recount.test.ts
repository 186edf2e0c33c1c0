import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { recountConversations } from "#server/analysis/recount.ts";
import { addTalks, numbers } from "#test/randomTalks.ts";
import { createBotMaker } from "#test/bots.ts";
import { start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

// The stored figures of conversations follow from their turns

const server = await start();
const { db, make } = server;
const { createBot } = createBotMaker(server);
const admin = await make.admin();
const bot = await createBot(admin);
const { learner, course } = await make.classroom();
await addTalks(db, 5, [bot.id], [learner], [], [course.id]);

const readStored = async (id: string) =>
  db.selectFrom("conversationFigures").where("conversationId", "=", id).selectAll().executeTakeFirst();
const addConversation = async () => {
  const id = randomUUID();
  await db
    .insertInto("conversations")
    .values({ id, chatbotId: bot.id, userId: learner.user.id, companyId: learner.user.companyId, questions: 1 })
    .execute();
  await addExchange(db, {
    conversationId: id,
    number: 1,
    question: { text: "Where is the form?" },
    answer: { state: "done", connector: "Stand-in", model: "m1", tokensIn: 3, tokensOut: 4, costMicros: 9 },
  });
  return id;
};

test("every change of a turn is counted, and the recount finds nothing", async () => {
  const id = await addConversation();
  expect(await readStored(id)).toMatchObject({ questions: 1, answers: 1, tokens: 7, costMicros: 9, ratings: 0 });
  const ofAnswer = db.updateTable("turns").where("conversationId", "=", id).where("role", "=", "assistant");
  await ofAnswer.set({ rating: "up" }).execute();
  expect(await readStored(id)).toMatchObject({ ratings: 1, thumbsUp: 1 });
  await ofAnswer.set({ state: "refused", rating: null }).execute();
  expect(await readStored(id)).toMatchObject({ ratings: 0, refused: 1, refusedIds: [expect.any(String)] });
  const early = "2026-01-02T03:04:05.000Z";
  await db.updateTable("conversations").set({ startedAt: early }).where("id", "=", id).execute();
  expect(await readStored(id)).toMatchObject({ startedAt: early });
  await db.deleteFrom("turns").where("conversationId", "=", id).where("role", "=", "assistant").execute();
  expect(await readStored(id)).toMatchObject({ questions: 1, answers: 0, tokens: 0, refusedIds: [] });
  const calls = await db.selectFrom("conversationCalls").where("conversationId", "=", id).selectAll().execute();
  expect(calls).toEqual([]);
  expect(await recountConversations(db)).toEqual([]);
});

test("turns of one conversation that change at the same time are all counted", async () => {
  const id = await addConversation();
  for (let number = 3; number < 13; number += 2)
    await addExchange(db, {
      conversationId: id,
      number,
      question: { text: "And where is the other one?" },
      answer: { state: "done" },
    });
  const turns = await db
    .selectFrom("turns")
    .where("conversationId", "=", id)
    .where("role", "=", "assistant")
    .select("id")
    .execute();
  await Promise.all(
    turns.map((turn) => db.updateTable("turns").set({ rating: "up" }).where("id", "=", turn.id).execute()),
  );
  expect(await readStored(id)).toMatchObject({ answers: turns.length, ratings: turns.length, thumbsUp: turns.length });
});

test.each([3, 19])("simultaneous random changes leave figures that follow from the turns (seed %i)", async (seed) => {
  const next = numbers(seed);
  const below = (n: number) => Math.floor(next() * n);
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) ids.push(await addConversation());
  const anyId = () => ids[below(ids.length)] as string;
  const anyAnswer = () =>
    sql`(
        select id
        from turns
        where role = 'assistant'
          and conversation_id = ${anyId()}
        order by md5(id::text || ${below(99)})
        limit 1
      )`;
  const states = ["waiting", "streaming", "done", "refused"] as const;
  let number = 10;
  const changes = [
    () =>
      addExchange(db, {
        conversationId: anyId(),
        number: (number += 2),
        question: { text: "And then?" },
        answer: { state: states[below(4)] ?? "done", connector: "Stand-in", model: `m${below(3)}`, costMicros: 5 },
      }),
    () =>
      sql`
          update turns
          set state = ${["done", "failed", "refused", "cut"][below(4)]},
            finished_at = now()
          where id = ${anyAnswer()}`.execute(db),
    () => sql`update turns set rating = ${[null, "up", "down"][below(3)]} where id = ${anyAnswer()}`.execute(db),
    () => sql`delete from turns where id = ${anyAnswer()}`.execute(db),
    () => sql`update conversations set started_at = started_at - interval '1 minute' where id = ${anyId()}`.execute(db),
    async () => {
      if (ids.length > 6) await sql`delete from conversations where id = ${ids.pop()}`.execute(db);
    },
  ];
  const errors: string[] = [];
  const change = async () => {
    for (let count = 0; count < 80; count++)
      await changes[below(changes.length)]?.().catch((error: Error) => errors.push(error.message));
  };
  await Promise.all(Array.from({ length: 6 }, change));
  // Nothing fails but changes of a conversation that was just deleted.
  expect(errors.filter((message) => !message.includes("turns_conversation_id_fkey"))).toEqual([]);
  expect(await recountConversations(db)).toEqual([]);
});

test("deleting conversations and erasing people leaves no figures", async () => {
  const id = await addConversation();
  await db.deleteFrom("conversations").where("id", "=", id).execute();
  expect(await readStored(id)).toBeUndefined();
  const { learner: other } = await make.classroom();
  await addTalks(db, 8, [bot.id], [other], [], []);
  await db.deleteFrom("users").where("id", "=", other.user.id).execute();
  const { rows } = await sql`select conversation_id from conversation_figures
    union all select conversation_id from conversation_calls except select id from conversations`.execute(db);
  expect(rows).toEqual([]);
});

test("the recount finds and repairs what does not follow from the turns", async () => {
  const [wrong, missing] = [await addConversation(), await addConversation()];
  const before = await readStored(wrong);
  await db.updateTable("conversationFigures").set({ answers: 40 }).where("conversationId", "=", wrong).execute();
  await db.deleteFrom("conversationCalls").where("conversationId", "=", missing).execute();
  const gone = randomUUID();
  await db
    .insertInto("conversationFigures")
    .values({ conversationId: gone, startedAt: sql<string>`now()` })
    .execute();
  const found = await recountConversations(db);
  expect(found.map(({ id }) => id).toSorted()).toEqual([wrong, missing, gone].toSorted());
  expect(await readStored(wrong)).toEqual(before);
  expect(await readStored(gone)).toBeUndefined();
  expect(await recountConversations(db)).toEqual([]);
});
