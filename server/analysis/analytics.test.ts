import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { analysis } from "#shared/analysis.ts";
import { createBotMaker } from "#test/bots.ts";
import { type Person, start } from "#test/start.ts";
import { addExchange } from "#test/turns.ts";

// The figures of conversations

const server = await start();
const { as, make, db } = server;
const { createBot } = createBotMaker(server);
const admin = await make.admin();

const DAY_MS = 86_400_000;
/** A generator of numbers from 0 to 1, the same ones for the same seed. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const zone = "Pacific/Chatham";
const dayOf = (at: number) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(at);

type Said = {
  state: string;
  rating: "up" | "down" | null;
  cost: number | null;
  wait: number;
  giveAway: "hint" | "full" | null;
};
type Talk = {
  at: number;
  bot: string;
  user: string;
  isPreview: boolean;
  outcome: "goal" | "ended" | null;
  answers: Said[];
};

/** Conversations at random times of forty days, stored as rows. */
async function fill(seed: number, bots: string[], people: Person[]): Promise<Talk[]> {
  const next = numbers(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T;
  const talks: Talk[] = [];
  for (let count = 0; count < 60; count++) {
    const at = Date.now() - Math.floor(next() * 40 * DAY_MS);
    const person = pick(people);
    const made: Talk = {
      at,
      bot: pick(bots),
      user: person.user.id,
      isPreview: next() < 0.1,
      outcome: pick([null, null, "goal", "ended"] as const),
      answers: Array.from({ length: Math.floor(next() * 5) }, () => ({
        state: pick(["done", "done", "refused", "cut", "failed", "limited"]),
        rating: pick([null, null, "up", "down"] as const),
        cost: pick([null, 0, 120, 4000]),
        wait: 100 + Math.floor(next() * 4000),
        giveAway: pick([null, "hint", "full"] as const),
      })),
    };
    talks.push(made);
    const id = randomUUID();
    const time = (ms: number) => new Date(at + ms).toISOString();
    await db
      .insertInto("conversations")
      .values({
        id,
        chatbotId: made.bot,
        userId: made.user,
        companyId: person.user.companyId,
        isPreview: made.isPreview,
        startedAt: time(0),
        lastAt: time(60_000),
        outcome: made.outcome,
        endedAt: made.outcome && time(60_000),
        questions: made.answers.length,
      })
      .execute();
    for (const [index, { state, rating, cost, wait, giveAway }] of made.answers.entries()) {
      const createdAt = time(index * 10_000);
      await addExchange(db, {
        conversationId: id,
        number: 2 * index + 1,
        question: { createdAt, text: `Question ${state}!` },
        answer: {
          createdAt,
          state: state as "done",
          rating,
          giveAway,
          connector: "Stand-in",
          model: "m1",
          usageId: randomUUID(),
          tokensIn: 10,
          tokensOut: 5,
          costMicros: cost,
          firstAt: new Date(at + index * 10_000 + wait).toISOString(),
          finishedAt: new Date(at + index * 10_000 + wait * 2).toISOString(),
        },
      });
    }
  }
  return talks;
}

const median = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

test.each([1, 7, 42])("every figure equals a plain recomputation (seed %i)", async (seed) => {
  const { learner, company } = await make.classroom();
  const people = [learner, await make.learner(company.accessCode), await make.learner(company.accessCode)];
  const bots = [(await createBot(admin)).id, (await createBot(admin)).id];
  const talks = await fill(seed, bots, people);
  const [to, from] = [dayOf(Date.now()), dayOf(Date.now() - 19 * DAY_MS)];
  const query = { from, to, zone, companyId: company.id };
  const { body } = await as(admin)(analysis.analytics, { query });
  const counted = talks.filter((talk) => {
    const day = dayOf(talk.at);
    return !talk.isPreview && talk.answers.length > 0 && day >= from && day <= to;
  });
  const answers = counted.flatMap((talk) => talk.answers);
  const answered = answers.filter(({ state }) => ["done", "refused", "cut"].includes(state));
  const guided = answered.filter(({ state, giveAway }) => state !== "refused" && giveAway !== null);
  const rated = answers.filter(({ rating }) => rating !== null);
  const ended = counted.filter(({ outcome }) => outcome !== null);
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  expect(body.now).toMatchObject({
    conversations: counted.length,
    people: new Set(counted.map(({ user }) => user)).size,
    questions: answers.length,
    ended: ended.length,
    goal: share(ended.filter(({ outcome }) => outcome === "goal").length, ended.length),
    ratings: rated.length,
    thumbsUp: share(rated.filter(({ rating }) => rating === "up").length, rated.length),
    answers: answered.length,
    noAnswer: share(answers.filter(({ state }) => state === "refused").length, answered.length),
    fullSolutions: share(guided.filter(({ giveAway }) => giveAway === "full").length, guided.length),
    tokens: answers.length * 15,
    costMicros: answers.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    unpriced: answers.filter(({ cost }) => cost === null).length,
  });
  expect(body.now.firstWordMs).toBeCloseTo(median(answers.map(({ wait }) => wait)) ?? 0, 3);
  expect(body.days.map(({ day }) => day)).toHaveLength(20);
  for (const { day, count } of body.days)
    expect([day, count]).toEqual([day, counted.filter(({ at }) => dayOf(at) === day).length]);
  expect(body.hours.reduce((sum, { count }) => sum + count, 0)).toBe(answers.length);
  for (const bot of body.chatbots) expect(bot.conversations).toBe(counted.filter((talk) => talk.bot === bot.id).length);
  const refused = answers.filter(({ state }) => state === "refused").length;
  expect(body.unansweredTotal).toBe(refused);
  expect(body.unanswered.reduce((sum, { times }) => sum + times, 0)).toBe(refused);
});

test("periods are bounded and in order", async () => {
  const read = (from: string, to: string) => as(admin)(analysis.analytics, { query: { from, to } });
  expect((await read("2026-03-02", "2026-03-01")).body).toMatchObject({
    issues: [{ path: "to", code: "analysis.daysReversed" }],
  });
  expect((await read("2020-01-01", "2026-03-01")).body).toMatchObject({ issues: [{ code: "analysis.tooLong" }] });
  expect((await read("2026-03-01", "2026-03-01")).body.now).toMatchObject({ conversations: 0, goal: null });
});
