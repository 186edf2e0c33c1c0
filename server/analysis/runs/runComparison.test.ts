import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { differenceOf } from "#server/analysis/runs/runComparison.ts";
import { wilson } from "#server/analysis/intervals.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { createAnalysisMaker } from "#test/analyses.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

// The comparison of two analyses

const server = await start();
const provider = await startProvider("openai");
afterAll(() => provider.stop());
const { db } = server;
const { boss, plant, addConversations, startRun, work, read, say } = await createAnalysisMaker(server, provider);

/** An analysis of `read` conversations with statements that quote given numbers of them. */
async function analyse(read: number, statements: Record<string, number>) {
  const run = await startRun(await plant(Array.from({ length: read }, () => "It is late.")));
  for (let from = 0; from < read; from += 15)
    say(
      Object.entries(statements).map(([text, count], at) => ({
        known: from === 0 ? null : at + 1,
        text,
        detail: "",
        quotes: Array.from({ length: Math.max(0, Math.min(15, count - from)) }, (_, place) => ({
          conversation: place + 1,
          turn: 1,
          quote: "It is late",
        })),
      })),
    );
  await work();
  return run.id;
}

test("says which statements are new, gone, grown, shrunk, or not clearly changed", async () => {
  const before = await analyse(60, {
    "The shift plan arrives late.": 12,
    "Gloves are too small.": 50,
    "The canteen is closed on Sundays.": 30,
    "Parking costs money.": 15,
  });
  const now = await analyse(60, {
    "Shift plans arriving late.": 55,
    "Gloves are too small.": 11,
    "The canteen is closed on Sundays.": 32,
    "Nobody answers the telephone.": 20,
  });
  const compare = (id: string, other: string) => boss(analysisRuns.compare, { params: { id }, query: { with: other } });
  const { body } = await compare(now, before);
  expect([body.before.id, body.now.id, body.now.read]).toEqual([before, now, 60]);
  const rows = Object.fromEntries(body.items.map((item) => [item.text, item]));
  expect(rows["Shift plans arriving late."]).toMatchObject({
    change: "grown",
    textBefore: "The shift plan arrives late.",
    before: { conversations: 12 },
    now: { conversations: 55 },
  });
  expect(rows["Gloves are too small."]).toMatchObject({ change: "shrunk", textBefore: null });
  expect(rows["The canteen is closed on Sundays."]).toMatchObject({ change: "same" });
  expect(rows["Nobody answers the telephone."]).toMatchObject({ change: "new", before: null, difference: null });
  expect(rows["Parking costs money."]).toMatchObject({ change: "gone", now: null, difference: null });
  expect(body.items).toHaveLength(5);
  // The order of the two analyses does not matter.
  expect((await compare(before, now)).body).toEqual(body);
  expect((await boss(analysisRuns.compare, { params: { id: now } })).body).toEqual(body);
  const counted = await startRun(await plant(["One"]), { kind: "counts", connectorId: null });
  await work();
  expect((await compare(now, counted.id)).code).toBe("analysis.notComparable");
  expect((await compare(now, now)).code).toBe("analysis.notComparable");
});

test("an analysis that has read nothing yet is not compared", async () => {
  const texts = Array.from({ length: 12 }, () => "Where is the shift plan for this week?");
  const chatbotId = await plant(texts);
  const counted = await startRun(chatbotId, { kind: "counts", connectorId: null });
  await work();
  const waiting = await startRun(chatbotId, { kind: "counts", connectorId: null });
  const reply = await boss(analysisRuns.compare, { params: { id: counted.id }, query: { with: waiting.id } });
  expect(reply).toMatchObject({ status: 409, code: "analysis.notComparable" });
  await work();
  const { body } = await boss(analysisRuns.compare, { params: { id: counted.id }, query: { with: waiting.id } });
  expect(body.items.map(({ change }) => change)).toEqual(["same"]);
  // Conversations that an update adds count once they have been read.
  await addConversations(chatbotId, texts, () => false);
  await boss(analysisRuns.update, { params: { id: waiting.id } });
  const between = await boss(analysisRuns.compare, { params: { id: counted.id }, query: { with: waiting.id } });
  expect(between.body).toMatchObject({ now: { read: 12 }, items: [{ now: { conversations: 12 } }] });
  await work();
  const after = await boss(analysisRuns.compare, { params: { id: counted.id }, query: { with: waiting.id } });
  expect(after.body).toMatchObject({ now: { read: 24 }, items: [{ now: { conversations: 24 } }] });
});

test("shares are of the conversations that still exist", async () => {
  const run = { id: await analyse(40, { "Gloves are too small.": 20 }) };
  const other = { id: await analyse(40, { "Gloves are too small.": 20 }) };
  const { rows } = await sql<{
    id: string;
  }>`select c.id from analysis_runs r, unnest(r.conversation_ids) with ordinality one(id, place)
    join conversations c on c.id = one.id where r.id = ${run.id} order by place desc limit 15`.execute(db);
  const ids = rows.map(({ id }) => id);
  await db.deleteFrom("conversations").where("id", "in", ids).execute();
  const result = await read(run.id);
  expect(result).toMatchObject({ read: 40, remaining: 25, statements: [{ conversations: 20 }] });
  expect(result.statements[0]).toMatchObject(wilson(20, 25));
  const { body } = await boss(analysisRuns.compare, { params: { id: run.id }, query: { with: other.id } });
  expect(body).toMatchObject({ before: { read: 25 }, now: { read: 40 } });
});

test("the interval of a difference is that of Newcombe", () => {
  // Newcombe's example: 56 of 70 and 48 of 80, a difference of 20 points, 95 % interval 5.2 to 33.4.
  const { points, low, high } = differenceOf(
    { share: 48 / 80, ...wilson(48, 80) },
    { share: 56 / 70, ...wilson(56, 70) },
  );
  expect([points, low, high].map((value) => Math.round(value * 1000) / 1000)).toEqual([0.2, 0.052, 0.334]);
});
