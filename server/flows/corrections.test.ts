import { sql } from "kysely";
import { expect, test } from "vitest";
import { flows } from "#shared/flows/flows.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { createFlowMaker } from "#test/flows.ts";
import { type Person, start } from "#test/start.ts";

// Which corrections, deletions and restorations a flow passes on of values from before it began, and of its backfill

const server = await start();
const { as, db } = server;
const { createGroup, setValues, define, connect, correct, currentOf, passed, moveServer, pause, storedOf, flowOf } =
  createFlowMaker(server);

/** A variable with values that a course sets. */
async function createSource(key: string, values: number[], input: { writeMode?: "sum"; scope?: "company" } = {}) {
  const group = await createGroup(1);
  const { admin, course, sessions } = group;
  const one = await define(admin, { key, courses: [{ courseId: course.id, access: "both" }], ...input });
  const add = async (...added: number[]) => {
    await setValues(
      sessions[0],
      added.map((value): [string, number] => [key, value]),
    );
    await passed();
  };
  await add(...values);
  return { ...group, one, add };
}
async function remove(admin: Person, variableId: string, value: number) {
  const found = (await storedOf(admin, variableId)).find((row) => row.value === value && !row.corrected);
  return (await as(admin)(rawData.removeValue, { params: found?.params as never })).body;
}
const restore = (admin: Person, id: string) => as(admin)(rawData.restore, { params: { id } });

test("passes on no correction of a value older than the flow, also over several flows", async () => {
  const { admin, one, add } = await createSource("old_one", []);
  const [two, three] = [await define(admin, { key: "old_two" }), await define(admin, { key: "old_three" })];
  const sum = await define(admin, { key: "old_sum", writeMode: "sum" });
  await connect(admin, one.id, two.id);
  await add(4);
  await connect(admin, two.id, three.id);
  await connect(admin, one.id, sum.id);
  await correct(admin, one.id, 4, 9);
  await passed();
  expect(await currentOf(admin, two.id)).toEqual([9]);
  expect(await currentOf(admin, three.id)).toEqual([]);
  expect(await currentOf(admin, sum.id)).toEqual([]);
  await add(1);
  await correct(admin, one.id, 1, 2);
  await correct(admin, one.id, 9, 8);
  await passed();
  expect(await currentOf(admin, three.id)).toEqual([2]);
  expect(await currentOf(admin, sum.id)).toEqual([2]);
});

test("values older than a flow stay so after a move to lower transaction numbers", async () => {
  const { admin, one, add } = await createSource("move_old", [4]);
  const sum = await define(admin, { key: "move_old_sum", writeMode: "sum" });
  await connect(admin, one.id, sum.id);
  await add(1);
  await moveServer();
  await correct(admin, one.id, 4, 9);
  await correct(admin, one.id, 1, 2);
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([2]);
});

test("passes on no correction of a value that came while the flow was paused", async () => {
  const { admin, one, add } = await createSource("gap_one", []);
  const sum = await define(admin, { key: "gap_sum", writeMode: "sum" });
  const flow = (await connect(admin, one.id, sum.id)).body;
  await add(1);
  const paused = await pause(admin, flow);
  await add(20);
  await pause(admin, paused, true);
  await correct(admin, one.id, 20, 30);
  await correct(admin, one.id, 1, 2);
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([2]);
});

test("a backfilled sum follows corrections, deletions and restored values", async () => {
  const { admin, one, add } = await createSource("sum_one", [2, 3, 100], { writeMode: "sum" });
  const [sum, further] = [
    await define(admin, { key: "sum_two", writeMode: "sum" }),
    await define(admin, { key: "sum_three", writeMode: "sum" }),
  ];
  const early = await remove(admin, one.id, 100);
  await connect(admin, sum.id, further.id);
  await connect(admin, one.id, sum.id, { includesCurrent: true });
  await passed();
  const currents = async () =>
    (await Promise.all([one, sum, further].map(({ id }) => currentOf(admin, id)))).map(([value]) => value);
  expect(await currents()).toEqual([5, 5, 5]);
  await add(7);
  expect(await currents()).toEqual([12, 12, 12]);
  await correct(admin, one.id, 2, 4);
  await passed();
  expect(await currents()).toEqual([14, 14, 14]);
  const removed = await remove(admin, one.id, 3);
  await passed();
  expect(await currents()).toEqual([11, 11, 11]);
  await restore(admin, removed.id);
  await passed();
  expect(await currents()).toEqual([14, 14, 14]);
  await correct(admin, one.id, 4, 1);
  await restore(admin, early.id);
  await passed();
  expect(await currents()).toEqual([111, 111, 111]);
  expect((await flowOf(admin, one.id)).refused).toBe(0);
});

test("a sum of a company is passed on with what erased people have added to it", async () => {
  const { admin, one, learners } = await createSource("erased_one", [2, 3], { writeMode: "sum", scope: "company" });
  const sum = await define(admin, { key: "erased_two", writeMode: "sum", scope: "company" });
  await as(admin)(privacy.erase, { body: { userId: learners[0]?.user.id as string } });
  expect(await currentOf(admin, one.id)).toEqual([5]);
  await connect(admin, one.id, sum.id, { includesCurrent: true });
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([5]);
});

test("a value that was deleted before it could pass arrives once it is restored", async () => {
  const { admin, sessions, one } = await createSource("late_one", []);
  const sum = await define(admin, { key: "late_sum", writeMode: "sum" });
  await connect(admin, one.id, sum.id);
  // Nothing is folded while a transaction is open that is older than the value.
  const deletion = await db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx);
    await setValues(sessions[0], [["late_one", 4]]);
    return remove(admin, one.id, 4);
  });
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([]);
  expect(await flowOf(admin, sum.id)).toMatchObject({ fired: 0 });
  await restore(admin, deletion.id);
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([4]);
});

test("a webhook gets the correction of what was sent to it, not of older values", async () => {
  const { admin, one, add } = await createSource("hook_one", [5, 6]);
  // Nobody listens at this address: deliveries stay in the queue.
  const body = { name: "hook_one", url: "http://127.0.0.1:1/" };
  const { id: webhookId } = (await as(admin)(webhooks.create, { body })).body;
  const target = { kind: "webhook" as const, webhookId };
  await as(admin)(flows.create, { body: { sourceVariableId: one.id, target, includesCurrent: true } });
  await passed();
  const queued = async () =>
    (await as(admin)(webhooks.deliveries, { params: { id: webhookId } })).body.items
      .map((delivery) => (JSON.parse(delivery.body) as { value: number }).value)
      .toSorted();
  expect(await queued()).toEqual([6]);
  await correct(admin, one.id, 5, 50);
  await correct(admin, one.id, 6, 60);
  await passed();
  expect(await queued()).toEqual([60]);
  await correct(admin, one.id, 60, 61);
  await add(7);
  expect(await queued()).toEqual([61, 7]);
});

test("a webhook gets corrections of what was passed on even while its flow is paused", async () => {
  const { admin, one, add } = await createSource("still_one", []);
  const body = { name: "still_one", url: "http://127.0.0.1:1/" };
  const { id: webhookId } = (await as(admin)(webhooks.create, { body })).body;
  const target = { kind: "webhook" as const, webhookId };
  const flow = (await as(admin)(flows.create, { body: { sourceVariableId: one.id, target } })).body;
  const queued = async () =>
    (await as(admin)(webhooks.deliveries, { params: { id: webhookId } })).body.items
      .map((delivery) => (JSON.parse(delivery.body) as { value: number }).value)
      .toSorted((a, b) => a - b);
  await add(5);
  await sql`update webhook_deliveries set status = 'delivered' where webhook_id = ${webhookId}`.execute(db);
  await add(6);
  const paused = await pause(admin, flow);
  await correct(admin, one.id, 5, 50);
  await correct(admin, one.id, 6, 60);
  await add(7);
  await correct(admin, one.id, 7, 70);
  await passed();
  expect(await queued()).toEqual([5, 50, 60]);
  await pause(admin, paused, true);
  await passed();
  expect(await queued()).toEqual([5, 50, 60]);
});
