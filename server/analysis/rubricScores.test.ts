import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { weightedKappa } from "#server/analysis/kappa.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { type CriterionScore, MIN_SCORED } from "#shared/analysis/reviews.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { createBotMaker } from "#test/bots.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const { createBot } = createBotMaker(server);
const admin = await make.admin();
const boss = as(admin);
const { learner } = await make.classroom();
const rubric = [
  { id: "facts", name: "Starts with facts", description: "" },
  { id: "next-step", name: "Agrees on a next step", description: "" },
];
const both = (facts: number, nextStep: number): CriterionScore[] => [
  { id: "facts", value: facts },
  { id: "next-step", value: nextStep },
];

/** Inserts a conversation of the live version to which a model gave these scores. */
async function addConversation(chatbotId: string, scores: CriterionScore[] | null, userId = learner.user.id) {
  const id = randomUUID();
  await sql`
    insert into conversations (id, chatbot_id, version_id, user_id, company_id, questions)
    select ${id}, id, live_version_id, ${userId}, ${learner.user.companyId}, 1
    from chatbots
    where id = ${chatbotId}`.execute(db);
  if (scores)
    await db
      .insertInto("conversationFeedback")
      .values({
        conversationId: id,
        model: "m1",
        content: JSON.stringify({
          summary: "The model says so.",
          scores: scores.map((score) => ({ ...score, name: score.id, turnIds: [] })),
          wentWell: [],
          tryNext: [],
          dropped: 0,
        }),
      })
      .execute();
  return id;
}
const read = async (id: string, who: Person = admin) => (await as(who)(analysis.review, { params: { id } })).body;
const score = (id: string, scores: CriterionScore[], who: Person = admin) =>
  as(who)(analysis.score, { params: { id }, body: { scores } });
const agreementOf = async (chatbotId: string) =>
  (await boss(analysis.agreement)).body.items.filter((one) => one.chatbotId === chatbotId);

test("an admin sees the scores of the model only after their own, which stay", async () => {
  const bot = await createBot(admin, { rubric });
  const id = await addConversation(bot.id, both(4, 2));
  const before = await read(id);
  expect(before).toMatchObject({ feedback: null, scoring: { criteria: rubric, own: null, isFeedbackHidden: true } });
  expect(JSON.stringify(before)).not.toContain("The model says so");
  const { body: after } = await score(id, both(3, 2));
  expect(after).toMatchObject({ scoring: { own: both(3, 2), isFeedbackHidden: false } });
  expect(after.feedback?.scores.map(({ value }) => value)).toEqual([4, 2]);
  expect(await score(id, both(4, 2))).toMatchObject({ status: 409, body: { code: "analysis.alreadyScored" } });
  const colleague = await make.admin();
  expect((await read(id, colleague)).feedback).toBeNull();
});

test("a learner sees their feedback at once, and cannot score", async () => {
  const bot = await createBot(admin, { rubric });
  const id = await addConversation(bot.id, both(4, 2));
  expect(await read(id, learner)).toMatchObject({ scoring: null, feedback: { summary: "The model says so." } });
  expect((await score(id, both(5, 5), learner)).status).toBe(403);
  const ownConversation = await addConversation(bot.id, both(4, 2), admin.user.id);
  expect(await score(ownConversation, both(5, 5))).toMatchObject({
    status: 409,
    body: { code: "analysis.notScorable" },
  });
});

test("who reads the feedback first cannot score afterwards, and counts nowhere", async () => {
  const bot = await createBot(admin, { rubric });
  const id = await addConversation(bot.id, both(4, 2));
  const { body } = await boss(analysis.skipScoring, { params: { id } });
  expect(body).toMatchObject({ feedback: { summary: "The model says so." }, scoring: { own: [] } });
  expect((await score(id, both(4, 2))).status).toBe(409);
  expect((await agreementOf(bot.id))[0]?.criteria.map(({ n }) => n)).toEqual([0, 0]);
});

test("each criterion has one score from 1 to 5", async () => {
  const bot = await createBot(admin, { rubric });
  const id = await addConversation(bot.id, both(4, 2));
  const wrong = [
    [{ id: "facts", value: 3 }],
    [...both(3, 3), { id: "made-up", value: 3 }],
    [
      { id: "facts", value: 3 },
      { id: "facts", value: 4 },
    ],
    both(3, 6),
    both(0, 1),
  ];
  for (const scores of wrong) expect((await score(id, scores)).status).toBe(422);
});

const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
/** Kappa from the contingency table, as textbooks define it. */
function recompute(pairs: [number, number][]) {
  const levels = [1, 2, 3, 4, 5];
  const share = (is: (pair: [number, number]) => boolean) => pairs.filter(is).length / pairs.length;
  let [observed, expected] = [0, 0];
  for (const i of levels)
    for (const j of levels) {
      const weight = (i - j) ** 2 / 16;
      observed += weight * share(([a, b]) => a === i && b === j);
      expected += weight * share(([a]) => a === i) * share(([, b]) => b === j);
    }
  return expected === 0 ? null : 1 - observed / expected;
}

test("weighted kappa equals a plain recomputation on random pairs", () => {
  const next = numbers(3);
  for (let run = 0; run < 500; run++) {
    const pairs = Array.from({ length: 1 + Math.floor(next() * 40) }, (): [number, number] => {
      const first = 1 + Math.floor(next() * 5);
      return [first, next() < 0.5 ? first : 1 + Math.floor(next() * 5)];
    });
    const [kappa, plain] = [weightedKappa(pairs), recompute(pairs)];
    if (plain === null || kappa === null) expect(kappa).toBe(plain);
    else expect(kappa).toBeCloseTo(plain, 9);
  }
  expect(weightedKappa([])).toBeNull();
  expect(
    weightedKappa([
      [3, 3],
      [3, 3],
    ]),
  ).toBeNull();
  expect(
    weightedKappa([
      [1, 1],
      [5, 5],
    ]),
  ).toBe(1);
  expect(
    weightedKappa([
      [1, 5],
      [5, 1],
    ]),
  ).toBe(-1);
});

test.each([2, 9])("agreement equals a plain recomputation, averages from 20 on (seed %i)", async (seed) => {
  const next = numbers(seed);
  const pick = () => 1 + Math.floor(next() * 5);
  const bot = await createBot(admin, { rubric });
  const scored: { model: CriterionScore[]; person: CriterionScore[] | null }[] = [];
  for (let at = 0; at < MIN_SCORED + 4; at++) {
    const model = next() < 0.8 ? both(pick(), pick()) : [{ id: "facts", value: pick() }];
    const person = at < MIN_SCORED ? both(pick(), pick()) : null;
    const id = await addConversation(bot.id, model);
    if (person) await score(id, person);
    scored.push({ model, person });
  }
  const [row] = await agreementOf(bot.id);
  expect(row).toMatchObject({ conversations: scored.length, fromVersion: 1, toVersion: 1, next: expect.any(String) });
  for (const [at, { id }] of rubric.entries()) {
    const valueOf = (scores: CriterionScore[] | null) => scores?.find((one) => one.id === id)?.value;
    const modelScores = scored.flatMap(({ model }) => valueOf(model) ?? []);
    const pairs = scored.flatMap(({ model, person }): [number, number][] => {
      const [a, b] = [valueOf(model), valueOf(person)];
      return a && b ? [[a, b]] : [];
    });
    const criterion = row!.criteria[at]!;
    expect(criterion.n).toBe(pairs.length);
    expect(criterion.kappa).toBeCloseTo(recompute(pairs)!, 9);
    if (pairs.length < MIN_SCORED) expect(criterion.average).toBeNull();
    else expect(criterion.average).toBeCloseTo(modelScores.reduce((a, b) => a + b, 0) / modelScores.length, 9);
  }
  expect(row!.criteria[0]!.average).not.toBeNull();
});

test("the first person's score counts, and a sample leads to unscored conversations", async () => {
  const bot = await createBot(admin, { rubric });
  const ids = [await addConversation(bot.id, both(4, 2)), await addConversation(bot.id, both(1, 5))];
  const colleague = await make.admin();
  await score(ids[0]!, both(4, 2), colleague);
  await score(ids[0]!, both(1, 1));
  await score(ids[1]!, both(1, 5), colleague);
  const [row] = await agreementOf(bot.id);
  expect(row?.criteria).toMatchObject([
    { n: 2, kappa: 1 },
    { n: 2, kappa: 1 },
  ]);
  expect(row?.next).toBe(ids[1]);
});

test("criteria that were reworded are counted apart from those before", async () => {
  const bot = await createBot(admin, { rubric });
  await score(await addConversation(bot.id, both(4, 2)), both(4, 2));
  const { body: read } = await boss(chatbots.get, { params: { id: bot.id } });
  const reworded = [{ ...rubric[0]!, description: "1 never, 5 always" }, rubric[1]!];
  const changed = await boss(chatbots.update, {
    params: { id: bot.id },
    body: { name: read.name, settings: { ...read.settings, rubric: reworded }, version: read.version },
  });
  await boss(chatbots.publish, { params: { id: bot.id }, body: { version: changed.body.version } });
  await score(await addConversation(bot.id, both(1, 1)), both(5, 5));
  expect(await agreementOf(bot.id)).toMatchObject([
    { toVersion: 2, conversations: 1, criteria: [{ n: 1 }, { n: 1 }] },
    { toVersion: 1, conversations: 1, criteria: [{ n: 1 }, { n: 1 }] },
  ]);
});
