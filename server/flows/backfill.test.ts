import { expect, test } from "vitest";
import { flows } from "#shared/flows/flows.ts";
import { variables } from "#shared/variables/variables.ts";
import { createFlowMaker } from "#test/flows.ts";
import { start } from "#test/start.ts";

// A new flow passes on current values as soon as they may pass: those that are current at that time

const server = await start();
const { as } = server;
const { createGroup, setValues, define, connect, currentOf, passed, pause, flowOf } = createFlowMaker(server);

/** A paused flow that passes on a value of 4 once it is resumed. */
async function createPaused(prefix: string) {
  const { admin, course, sessions } = await createGroup(1);
  const one = await define(admin, { key: `${prefix}_one`, courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: `${prefix}_two` });
  await setValues(sessions[0], [[one.key, 4]]);
  await passed();
  const flow = (await connect(admin, one.id, two.id, { includesCurrent: true, isActive: false })).body;
  const state = async () => {
    await passed();
    const { problem, backfillPending } = await flowOf(admin, two.id);
    return { problem, backfillPending, current: await currentOf(admin, two.id) };
  };
  return { admin, course, session: sessions[0], one, two, flow, state };
}

test("holds current values back while variables are archived, and passes them on later", async () => {
  const { admin, one, two, flow, state } = await createPaused("archived");
  expect(await state()).toEqual({ problem: null, backfillPending: true, current: [] });
  await as(admin)(variables.archive, { params: { id: one.id } });
  await pause(admin, flow, true);
  expect(await state()).toEqual({ problem: "sourceArchived", backfillPending: true, current: [] });
  await as(admin)(variables.archive, { params: { id: two.id } });
  await as(admin)(variables.restore, { params: { id: one.id } });
  expect(await state()).toEqual({ problem: "targetArchived", backfillPending: true, current: [] });
  await as(admin)(variables.restore, { params: { id: two.id } });
  expect(await state()).toEqual({ problem: null, backfillPending: false, current: [4] });
});

test("holds values back while the source is sensitive, then passes current ones on", async () => {
  const { admin, session, one, flow, state } = await createPaused("private");
  const setPrivacy = async (version: number, privacy: "sensitive" | "none") =>
    (await as(admin)(variables.update, { params: { id: one.id }, body: { version, privacy } })).body.version;
  const version = await setPrivacy(one.version, "sensitive");
  await pause(admin, flow, true);
  await setValues(session, [[one.key, 5]]);
  expect(await state()).toEqual({ problem: "sourceSensitive", backfillPending: true, current: [] });
  await setPrivacy(version, "none");
  expect(await state()).toEqual({ problem: null, backfillPending: false, current: [5] });
  expect((await as(admin)(flows.list, { query: { variableId: one.id } })).body.items[0]).toMatchObject({ fired: 1 });
});

test("a flow that cannot pass on what is current holds no other one up", async () => {
  const blocked = await createPaused("blocked");
  await as(blocked.admin)(variables.archive, { params: { id: blocked.one.id } });
  await pause(blocked.admin, blocked.flow, true);
  const free = await createPaused("free");
  await pause(free.admin, free.flow, true);
  expect(await free.state()).toEqual({ problem: null, backfillPending: false, current: [4] });
});
