import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { afterDays } from "#server/analysis/filter.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { createBotMaker } from "#test/bots.ts";
import { addTalks } from "#test/randomTalks.ts";
import { start } from "#test/start.ts";

// Figures of days and hours around changes of the clock, and of the period before, against a plain recomputation

const server = await start();
const { as, make, db } = server;
const { createBot } = createBotMaker(server);
const admin = await make.admin();
const { learner, company } = await make.classroom();

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MOST_QUESTIONS = 12;
/** A percentile, interpolated as in PostgreSQL and spreadsheets. */
function percentile(values: number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]] as [number, number];
  return sorted.length === 0 ? null : low + (high - low) * (place - Math.floor(place));
}
const countBy = <T>(list: T[], keyOf: (one: T) => string) =>
  Object.fromEntries([...Map.groupBy(list, keyOf)].map(([key, all]) => [key, all.length]));

test.each([
  ["Europe/Berlin", "2026-03-29"],
  ["America/St_Johns", "2026-11-01"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Africa/Casablanca", "2026-02-15"],
])("in %s around %s", async (zone, change) => {
  const bot = await createBot(admin);
  const until = Date.parse(`${afterDays(change, 10)}T12:00:00Z`);
  const talks = await addTalks(db, 23, [bot.id], [learner], [], [], until);
  // Messages every twenty minutes in the night of the change, in one conversation of that day.
  const night = Array.from({ length: 90 }, (_, at) => Date.parse(`${change}T00:00:00Z`) - 43_200_000 + at * 1_200_000);
  const conversationId = randomUUID();
  await db
    .insertInto("conversations")
    .values({
      id: conversationId,
      chatbotId: bot.id,
      userId: learner.user.id,
      companyId: company.id,
      questions: night.length,
      startedAt: new Date(night[0] as number).toISOString(),
    })
    .execute();
  await db
    .insertInto("turns")
    .values(
      night.map((at, place) => ({
        id: randomUUID(),
        conversationId,
        number: place + 1,
        role: "user" as const,
        state: "stored" as const,
        text: "Hello",
        createdAt: new Date(at).toISOString(),
      })),
    )
    .execute();
  const formatter = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  });
  const weekdays = new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "short" });
  const dayOf = (at: number) => formatter.format(at).slice(0, 10);
  const cellOf = (at: number) =>
    `${WEEKDAYS.indexOf(weekdays.format(at)) + 1} ${Number(formatter.format(at).slice(11, 13))}`;

  const [from, to] = [afterDays(change, -6), afterDays(change, 5)];
  const beforeFrom = afterDays(from, -12);
  const { body } = await as(admin)(analysis.analytics, { query: { from, to, zone, chatbotId: bot.id } });
  const counted = talks
    .filter(({ isPreview, answers }) => !isPreview && answers.length > 0)
    .map(({ at, answers, outcome }) => ({
      at,
      outcome,
      asked: answers.map((_, index) => at + index * 10_000),
      waits: answers.map(({ wait }) => wait),
    }));
  const all = [...counted, { at: night[0] as number, outcome: null, asked: night, waits: [] as number[] }];
  const within = (first: string, last: string) => all.filter(({ at }) => dayOf(at) >= first && dayOf(at) <= last);
  const [now, before] = [within(from, to), within(beforeFrom, afterDays(from, -1))];
  expect(body.beforeFrom).toBe(beforeFrom);
  for (const [figures, own] of [
    [body.now, now],
    [body.before, before],
  ] as const) {
    const waits = own.flatMap((talk) => talk.waits);
    expect(figures).toMatchObject({
      conversations: own.length,
      questions: own.flatMap(({ asked }) => asked).length,
      firstWordMs: expect.closeTo(percentile(waits, 0.5) ?? 0, 2),
      slowFirstWordMs: expect.closeTo(percentile(waits, 0.95) ?? 0, 2),
      totalMs: expect.closeTo(2 * (percentile(waits, 0.5) ?? 0), 2),
      slowTotalMs: expect.closeTo(2 * (percentile(waits, 0.95) ?? 0), 2),
      meanQuestions: expect.closeTo(own.flatMap(({ asked }) => asked).length / own.length, 6),
    });
  }
  const [byDay, byDayBefore] = [now, before].map((own) => countBy(own, ({ at }) => dayOf(at)));
  expect(body.days).toEqual(
    Array.from({ length: 12 }, (_, at) => ({
      day: afterDays(from, at),
      count: byDay?.[afterDays(from, at)] ?? 0,
      before: byDayBefore?.[afterDays(beforeFrom, at)] ?? 0,
    })),
  );
  expect(Object.fromEntries(body.hours.map(({ weekday, hour, count }) => [`${weekday} ${hour}`, count]))).toEqual(
    countBy(
      now.flatMap(({ asked }) => asked),
      cellOf,
    ),
  );
  expect(Object.fromEntries(body.leaving.map(({ questions, conversations }) => [questions, conversations]))).toEqual(
    countBy(
      now.filter(({ outcome }) => outcome === null),
      ({ asked }) => String(Math.min(asked.length, MOST_QUESTIONS)),
    ),
  );
});

test("documents are counted once for each answer that quotes them, even when deleted", async () => {
  const bot = await createBot(admin);
  const documents = ["Handbook", "Plan"].map((title) => ({ documentId: randomUUID(), title }));
  const expected = new Map<string, number>();
  for (let count = 0; count < 9; count++) {
    const conversationId = randomUUID();
    await db
      .insertInto("conversations")
      .values({ id: conversationId, chatbotId: bot.id, userId: learner.user.id, companyId: company.id, questions: 1 })
      .execute();
    const cited = documents.filter((_, place) => (count + place) % 3 > 0);
    for (const { documentId } of cited) expected.set(documentId, (expected.get(documentId) ?? 0) + 1);
    // Two cited passages of a document count once.
    const sources = JSON.stringify([...cited, ...cited]);
    await sql`insert into turns (id, conversation_id, number, role, state, text, sources)
      values (${randomUUID()}, ${conversationId}, 1, 'assistant', 'done', 'See there.', ${sources}::jsonb)`.execute(db);
  }
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { body } = await as(admin)(analysis.analytics, {
    query: { from: day(-1), to: day(1), chatbotId: bot.id },
  });
  expect(new Map(body.documents.map(({ id, answers }) => [id, answers]))).toEqual(expected);
  expect(body.documents.map(({ title }) => title).toSorted()).toEqual(["Handbook", "Plan"]);
});
