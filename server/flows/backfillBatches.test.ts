import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { passBatch } from "#server/flows/propagation.ts";
import { lockFolding } from "#server/variables/fold/recount.ts";
import { flows } from "#shared/flows/flows.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { createFlowMaker } from "#test/flows.ts";
import { type Person, start } from "#test/start.ts";

// A new flow passes on the values of a sum in batches: each once, even if values change or a node ends meanwhile

const server = await start();
// Only the tests fold and pass on here.
await server.folding.stop();
const { as, db, services } = server;
const {
  createGroup,
  setValues,
  define,
  connect,
  correct,
  currentOf,
  folded,
  passed,
  moveServer,
  pause,
  storedOf,
  flowOf,
} = createFlowMaker(server);

/** A sum with values of one learner, and an empty one. */
async function createSums(prefix: string, values: number[]) {
  const { admin, course, sessions } = await createGroup(1);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const one = await define(admin, { key: `${prefix}_one`, writeMode: "sum", courses });
  const two = await define(admin, { key: `${prefix}_two`, writeMode: "sum" });
  const add = (...added: number[]) =>
    setValues(
      sessions[0],
      added.map((value): [string, number] => [one.key, value]),
    );
  await add(...values);
  await passed();
  /** The values that count, of both variables. */
  const counting = async () => {
    const stored = await Promise.all([storedOf(admin, one.id), storedOf(admin, two.id)]);
    return stored.map((rows) =>
      rows
        .filter((row) => !row.corrected && row.deletedAt === null)
        .map(({ value }) => value as number)
        .toSorted((a, b) => a - b),
    );
  };
  return { admin, one, two, add, counting };
}
async function remove(admin: Person, variableId: string, value: number) {
  const found = (await storedOf(admin, variableId)).find((row) => row.value === value && !row.corrected);
  return (await as(admin)(rawData.removeValue, { params: found?.params as never })).body.id;
}

test("passes on a sum in batches that do not block folding, and follows later changes", async () => {
  const { admin, one, two, add, counting } = await createSums("batch", [1, 2, 3, 4, 5, 6, 7]);
  const body = { name: "batch", url: "http://127.0.0.1:1/" };
  const { id: webhookId } = (await as(admin)(webhooks.create, { body })).body;
  await connect(admin, one.id, two.id, { includesCurrent: true });
  await passBatch(services, 3);
  await db.transaction().execute(async (tx) => {
    await lockFolding(tx);
    await passBatch(services, 3);
  });
  expect((await counting())[1]).toEqual([1, 2, 3]);
  expect(await flowOf(admin, two.id)).toMatchObject({ backfillPending: true, fired: 3 });
  const target = { kind: "webhook" as const, webhookId };
  await as(admin)(flows.create, { body: { sourceVariableId: one.id, target, includesCurrent: true } });
  await correct(admin, one.id, 2, 20);
  await correct(admin, one.id, 5, 40);
  await correct(admin, one.id, 40, 50);
  const removed = [await remove(admin, one.id, 3), await remove(admin, one.id, 6)];
  await folded();
  while ((await passBatch(services, 3)).isMore);
  await passed();
  expect(await counting()).toEqual([
    [1, 4, 7, 20, 50],
    [1, 4, 7, 20, 50],
  ]);
  const queued = (await as(admin)(webhooks.deliveries, { params: { id: webhookId } })).body.items.map(
    (delivery) => (JSON.parse(delivery.body) as { value: number }).value,
  );
  expect(queued.toSorted((a, b) => a - b)).toEqual([1, 4, 7, 20, 50]);
  for (const id of removed) await as(admin)(rawData.restore, { params: { id } });
  await add(8);
  await correct(admin, one.id, 6, 60);
  await correct(admin, one.id, 50, 51);
  await passed();
  expect((await counting())[1]).toEqual([1, 3, 4, 7, 8, 20, 51, 60]);
  expect(await currentOf(admin, two.id)).toEqual(await currentOf(admin, one.id));
});

test("continues after a pause, with what was corrected meanwhile", async () => {
  const { admin, one, two, add, counting } = await createSums("rest", [1, 2, 3, 4]);
  const flow = (await connect(admin, one.id, two.id, { includesCurrent: true })).body;
  await passBatch(services, 2);
  await passBatch(services, 2);
  const paused = await pause(admin, flow);
  await correct(admin, one.id, 1, 10);
  await correct(admin, one.id, 3, 30);
  await add(100);
  await passed();
  expect((await counting())[1]).toEqual([2, 10, 30]);
  expect(await flowOf(admin, two.id)).toMatchObject({ backfillPending: true });
  await pause(admin, paused, true);
  await add(5);
  await passed();
  expect((await counting())[1]).toEqual([2, 4, 5, 10, 30]);
  expect(await flowOf(admin, two.id)).toMatchObject({ backfillPending: false });
});

/** Services whose statements fail, starting with the first one that moves the progress of a backfill. */
function createDying(): typeof services {
  let isDead = false;
  const dying: KyselyPlugin = {
    transformQuery({ node }) {
      isDead ||= node.kind === "UpdateQueryNode" && JSON.stringify(node.table).includes("flow_backfills");
      if (isDead) throw new Error("This node has died");
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return { ...services, db: services.db.withPlugin(dying) };
}

test("another node continues where one has ended, within a batch or between two", async () => {
  const { admin, one, two, counting } = await createSums("node", [1, 2, 3, 4, 5]);
  await connect(admin, one.id, two.id, { includesCurrent: true });
  await passBatch(services, 2);
  await passBatch(services, 2);
  expect((await counting())[1]).toEqual([1, 2]);
  await expect(passBatch(createDying(), 2)).rejects.toThrow("This node has died");
  expect((await counting())[1]).toEqual([1, 2]);
  const { services: other } = await server.startAnother();
  while ((await passBatch(other, 2)).isMore);
  await passed();
  expect((await counting())[1]).toEqual([1, 2, 3, 4, 5]);
  expect(await flowOf(admin, two.id)).toMatchObject({ backfillPending: false, fired: 5 });
});

test("continues after a move to a server with lower transaction numbers", async () => {
  const { admin, one, two, add, counting } = await createSums("shift", [1, 2, 3, 4]);
  await connect(admin, one.id, two.id, { includesCurrent: true });
  await passBatch(services, 2);
  await passBatch(services, 2);
  await moveServer();
  await add(5);
  await correct(admin, one.id, 3, 30);
  await passed();
  expect((await counting())[1]).toEqual([1, 2, 4, 5, 30]);
});

test("passes on what a person added to the sum of a company before an erasure", async () => {
  const { admin, course, sessions, learners } = await createGroup(2);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const one = await define(admin, { key: "gone_one", writeMode: "sum", scope: "company", courses });
  const two = await define(admin, { key: "gone_two", writeMode: "sum", scope: "company" });
  for (const [session, values] of [
    [sessions[0], [1, 2]],
    [sessions[1], [4]],
    [sessions[0], [8]],
  ] as const)
    await setValues(
      session,
      values.map((value): [string, number] => [one.key, value]),
    );
  await passed();
  await connect(admin, one.id, two.id, { includesCurrent: true });
  await passBatch(services, 1);
  await passBatch(services, 1);
  expect((await storedOf(admin, two.id)).map(({ value }) => value)).toEqual([1]);
  const erased = await as(admin)(privacy.erase, { body: { userId: learners[0]?.user.id as string } });
  expect(erased.status).toBe(200);
  await passed();
  expect(await currentOf(admin, one.id)).toEqual([15]);
  expect(await currentOf(admin, two.id)).toEqual([15]);
});

test("passes on only the values of its own company to a webhook, and reads no others", async () => {
  const [first, second] = [await createGroup(1), await createGroup(1)];
  const courses = [first, second].map(({ course }) => ({ courseId: course.id, access: "both" as const }));
  const one = await define(first.admin, { key: "own_one", writeMode: "sum", courses });
  await setValues(first.sessions[0], [
    [one.key, 1],
    [one.key, 2],
  ]);
  await setValues(second.sessions[0], [[one.key, 40]]);
  await passed();
  const body = { name: "own", url: "http://127.0.0.1:1/", companyId: first.company.id };
  const { id: webhookId } = (await as(first.admin)(webhooks.create, { body })).body;
  const target = { kind: "webhook" as const, webhookId };
  await as(first.admin)(flows.create, { body: { sourceVariableId: one.id, target, includesCurrent: true } });
  const readCompanies = new Set<unknown>();
  const reading: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      for (const row of result.rows) if ("value" in row) readCompanies.add(row.companyId ?? row.company_id);
      return Promise.resolve(result);
    },
  };
  while ((await passBatch({ ...services, db: services.db.withPlugin(reading) }, 2)).isMore);
  expect([...readCompanies]).toEqual([first.company.id]);
  const { items } = (await as(first.admin)(webhooks.deliveries, { params: { id: webhookId } })).body;
  expect(items.map((delivery) => (JSON.parse(delivery.body) as { value: number }).value).toSorted()).toEqual([1, 2]);
});
