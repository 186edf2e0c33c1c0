import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { leaseRun } from "#server/analysis/runs/runWorker.ts";
import { takeOver } from "#server/takeOver.ts";
import { createAnalysisMaker } from "#test/analyses.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, admin, provider, connector } = await startTalks();
const { make, db, services } = server;

test("a start of the built-in database ends at once what a killed process had begun", async () => {
  const { learner } = await make.classroom();
  const chat = await talk(learner, await createBot(admin, { connectorId: connector.id }));
  provider.next({ hangs: true });
  const { answer } = (await chat.send("Hello?", null, randomUUID())).body;
  const running = () => db.selectFrom("aiUsage").where("status", "=", "running").selectAll().execute();
  await vi.waitFor(async () => expect(await running()).toHaveLength(1), 5000);
  const [call] = await running();
  const { plant, startRun } = await createAnalysisMaker(server, provider);
  const run = await startRun(await plant(["The gloves are too big."]));
  expect(await leaseRun(services)).toBe(run.id);
  expect(await leaseRun(services)).toBeNull();

  await takeOver(services);

  expect((await chat.read()).turns.find(({ id }) => id === answer.id)?.state).toBe("cut");
  expect(await running()).toEqual([]);
  const usage = await db.selectFrom("aiUsage").where("id", "=", call!.id).selectAll().executeTakeFirstOrThrow();
  expect(usage).toMatchObject({ status: "lost", costMicros: call!.reservedMicros, isEstimated: true });
  const budgets = await db.selectFrom("aiBudgets").select("reservedMicros").execute();
  expect(budgets.every(({ reservedMicros }) => Number(reservedMicros) === 0)).toBe(true);
  expect(await leaseRun(services)).toBe(run.id);
});
