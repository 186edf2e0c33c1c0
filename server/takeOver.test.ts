import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { leaseRun } from "#server/analysis/runs/runWorker.ts";
import { takeOver } from "#server/takeOver.ts";
import { createAnalysisMaker } from "#test/analyses.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, admin, provider, connector } = await startTalks();
const { make, db, services } = server;

const RESERVED = 2266;

/** Makes an answer and its call what a process leaves that is killed while it writes. */
async function leaveUnfinished(turnId: string, callId: string) {
  await sql`
    update turns
    set state = 'streaming', finished_at = null, leased_until = now() + interval '30 seconds'
    where id = ${turnId}`.execute(db);
  await sql`
    update ai_usage
    set status = 'running', reserved_micros = ${RESERVED}, cost_micros = null, expires_at = now() + interval '1 hour'
    where id = ${callId}`.execute(db);
  await sql`
    update ai_budgets
    set reserved_micros = reserved_micros + ${RESERVED}
    where id in (select unnest(budget_ids) from ai_usage where id = ${callId})`.execute(db);
}

test("a start of the built-in database ends at once what a killed process had begun", async () => {
  const { learner } = await make.classroom();
  const chat = await talk(learner, await createBot(admin, { connectorId: connector.id }));
  const { answer } = (await chat.send("Hello?", null, randomUUID())).body;
  const stateOf = async () => (await chat.read()).turns.find(({ id }) => id === answer.id)?.state;
  await expect.poll(stateOf, { timeout: 10_000 }).toBe("done");
  const call = await db.selectFrom("aiUsage").where("status", "=", "done").selectAll().executeTakeFirstOrThrow();
  await leaveUnfinished(answer.id, call.id);
  const running = () => db.selectFrom("aiUsage").where("status", "=", "running").selectAll().execute();
  expect(await running()).toHaveLength(1);
  const { plant, startRun } = await createAnalysisMaker(server, provider);
  const run = await startRun(await plant(["The gloves are too big."]));
  expect(await leaseRun(services)).toBe(run.id);
  expect(await leaseRun(services)).toBeNull();

  await sql`
    update graphile_worker._private_jobs
    set locked_by = 'killed', locked_at = now()`.execute(db);

  await takeOver(services);

  const { rows: locked } = await sql`
    select
    from graphile_worker._private_jobs
    where locked_by is not null`.execute(db);
  expect(locked).toEqual([]);

  expect(await stateOf()).toBe("cut");
  expect(await running()).toEqual([]);
  const usage = await db.selectFrom("aiUsage").where("id", "=", call.id).selectAll().executeTakeFirstOrThrow();
  expect(usage).toMatchObject({ status: "lost", costMicros: RESERVED, isEstimated: true });
  const budgets = await db.selectFrom("aiBudgets").select("reservedMicros").execute();
  expect(budgets.every(({ reservedMicros }) => Number(reservedMicros) === 0)).toBe(true);
  expect(await leaseRun(services)).toBe(run.id);
});
