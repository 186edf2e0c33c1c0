import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { passBatch } from "#server/flows/propagation.ts";
import { flows } from "#shared/flows/flows.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import { createFlowMaker } from "#test/flows.ts";
import { start } from "#test/start.ts";

// The copies that flows have made of a value follow its correction and deletion

const server = await start();
const { as, make, db, services } = server;
const { createGroup, setValues, define, folded, ...maker } = createFlowMaker(server);
const { connect, correct, currentOf, passed, pause, storedOf } = maker;

/** Three variables; each passes its values to the next one, and a course sets the first. */
async function createChain(prefix: string) {
  const group = await createGroup(1);
  const { admin, course } = group;
  const courses = [{ courseId: course.id, access: "both" as const }];
  const one = await define(admin, { key: `${prefix}_one`, courses });
  const two = await define(admin, { key: `${prefix}_two` });
  const three = await define(admin, { key: `${prefix}_three` });
  const first = (await connect(admin, one.id, two.id)).body;
  const second = (await connect(admin, two.id, three.id)).body;
  await setValues(group.sessions[0], [[one.key, 4]]);
  await passed();
  const current = async () => (await Promise.all([one, two, three].map(({ id }) => currentOf(admin, id)))).flat();
  return { ...group, one, two, three, first, second, current };
}

test("deleting a value deletes its copies, restoring brings them back", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const one = await define(admin, { key: "del_one", courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: "del_two" });
  const three = await define(admin, { key: "del_three" });
  await connect(admin, one.id, two.id);
  await connect(admin, two.id, three.id);
  await setValues(sessions[0], [["del_one", 4]]);
  await passed();
  const value = (await as(admin)(rawData.list, { query: { variableId: one.id } })).body.items[0];
  const params = { valueId: String(value?.id) as never };
  const deletion = (await as(admin)(rawData.removeValue, { params })).body;
  await passed();
  for (const { id } of [one, two, three]) expect(await currentOf(admin, id)).toEqual([]);
  await as(admin)(rawData.restore, { params: { id: deletion.id } });
  await passed();
  for (const { id } of [one, two, three]) expect(await currentOf(admin, id)).toEqual([4]);
});

test("a correction replaces the copies of the value", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const one = await define(admin, { key: "cor_one", courses: [{ courseId: course.id, access: "both" }] });
  const sum = await define(admin, { key: "cor_sum", writeMode: "sum" });
  await connect(admin, one.id, sum.id);
  await setValues(sessions[0], [
    ["cor_one", 4],
    ["cor_one", 1],
  ]);
  await passed();
  const values = (await as(admin)(rawData.list, { query: { variableId: one.id } })).body.items;
  const four = values.find(({ value }) => value === 4);
  const params = { valueId: String(four?.id) as never };
  await as(admin)(rawData.correct, { params, body: { value: 10, reason: "typing error" } });
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([11]);
});

test("a correction reaches copies that paused flows have made, and archived variables", async () => {
  const { admin, one, two, first, second, current } = await createChain("paused");
  await pause(admin, first);
  await pause(admin, second);
  await correct(admin, one.id, 4, 9);
  await passed();
  expect(await current()).toEqual([9, 9, 9]);
  await as(admin)(variables.archive, { params: { id: two.id } });
  await correct(admin, one.id, 9, 8);
  await passed();
  expect(await current()).toEqual([8, 8, 8]);
});

test("what a deleted flow has passed on stays as it is", async () => {
  const { admin, one, first, current } = await createChain("kept");
  await as(admin)(flows.remove, { params: { id: first.id } });
  await correct(admin, one.id, 4, 9);
  await passed();
  expect(await current()).toEqual([9, 4, 4]);
});

test("a copy cannot be corrected or deleted on its own", async () => {
  const { admin, two, current } = await createChain("copy");
  expect(await correct(admin, two.id, 4, 9)).toMatchObject({ status: 409, code: "rawData.isCopy" });
  const [copy] = await storedOf(admin, two.id);
  const removed = await as(admin)(rawData.removeValue, { params: copy?.params as never });
  expect(removed).toMatchObject({ status: 409, code: "rawData.isCopy" });
  expect(await current()).toEqual([4, 4, 4]);
});

test("deleting the values of a course deletes what was copied from copies among them", async () => {
  const group = await createGroup(1);
  const { admin, company, course, sessions } = group;
  const other = await make.course(admin);
  await as(admin)(variables.list);
  const one = await define(admin, { key: "bulk_one", courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: "bulk_two", courses: [{ courseId: other.id, access: "read" }] });
  const [three, aside] = [await define(admin, { key: "bulk_three" }), await define(admin, { key: "bulk_aside" })];
  await connect(admin, one.id, two.id);
  await connect(admin, two.id, three.id);
  await connect(admin, one.id, aside.id);
  await setValues(sessions[0], [["bulk_one", 4]]);
  await passed();
  const current = async () =>
    (await Promise.all([one, two, three, aside].map(({ id }) => currentOf(admin, id)))).map(([value]) => value ?? null);
  const removed = await as(admin)(rawData.remove, {
    body: { courseId: other.id, companyId: company.id, code: other.code, values: 1 },
  });
  expect(removed.status, JSON.stringify(removed.body)).toBe(200);
  await passed();
  expect(await current()).toEqual([4, null, null, 4]);
  await as(admin)(rawData.restore, { params: { id: removed.body.id } });
  await passed();
  expect(await current()).toEqual([4, 4, 4, 4]);
});

test("passes on a value that is being deleted only as a deleted one", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const one = await define(admin, { key: "race_one", courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: "race_two" });
  await connect(admin, one.id, two.id);
  let finish = () => {};
  const deleted = new Promise<void>((resolve) => (finish = resolve));
  let deletion: Promise<unknown> = Promise.resolve();
  // The value is not folded while this transaction is open.
  await db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx);
    await setValues(sessions[0], [["race_one", 4]]);
    const isMarked = new Promise<void>((resolve) => {
      deletion = db.transaction().execute(async (other) => {
        const { id } = await other
          .insertInto("variableDeletions")
          .values({ courseId: course.id, happenedUntil: "2020-01-01T00:00:00Z" })
          .returning("id")
          .executeTakeFirstOrThrow();
        await other.updateTable("variableValues").set({ deletionId: id }).where("variableId", "=", one.id).execute();
        resolve();
        await deleted;
      });
    });
    await isMarked;
  });
  await folded();
  // The server or this call passes the value on: it waits for the deletion, unless the value has already passed.
  const passing = passBatch(services);
  await vi.waitFor(async () => {
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      union all select from variable_values where variable_id = ${two.id}`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
  }, 15_000);
  finish();
  await Promise.all([deletion, passing]);
  await vi.waitFor(async () => {
    const { rows } = await sql`select from flow_cursor c, variable_fold f
      where (c.tx, c.value_id) = (f.tx, f.value_id)`.execute(db);
    await passBatch(services);
    expect(rows).toHaveLength(1);
  }, 15_000);
  expect(await storedOf(admin, two.id)).toEqual([]);
  // The copy is deleted, too, and both can be restored.
  const { items } = (await as(admin)(rawData.list, { query: { variableId: two.id, deleted: "yes" } })).body;
  expect(items.map(({ value }) => value)).toEqual([4]);
});
