import { sql } from "kysely";
import { expect, test } from "vitest";
import { adoptMovedValues } from "#server/variables/fold/recount.ts";
import { courses } from "#shared/courses/courses.ts";
import { flows, type FlowTarget } from "#shared/flows/flows.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import { createFlowMaker } from "#test/flows.ts";
import { start } from "#test/start.ts";
import type { Person } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const { createGroup, setValues, define, statistics, ...maker } = createFlowMaker(server);
const { connect, transformed, currentOf, flowOf, passed } = maker;

test("passes a value to the input of another course, where the next launch finds it", async () => {
  const { admin, company, course, learners, sessions } = await createGroup(1);
  const second = await make.course(admin);
  await as(admin)(courses.assign, {
    params: { id: second.id },
    body: { companyIds: [company.id] },
  });
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  const level = await define(admin, {
    key: "level",
    type: "choice",
    constraints: { options: ["basic", "expert"] },
    scope: "course",
    courses: [{ courseId: second.id, access: "read" }],
  });
  const threshold = { kind: "threshold", at: 7, reached: "expert", below: "basic" } as const;
  expect((await transformed(admin, rating.id, level.id, threshold)).status).toBe(200);
  await setValues(sessions[0], [["rating", 8]]);
  await passed();
  const launch = await make.launch(learners[0] as Person, company.id, second.id);
  expect(launch.variables.declared).toMatchObject([{ key: "level", value: "expert" }]);
  const flow = (await as(admin)(flows.list, { query: { variableId: level.id } })).body.items[0];
  expect(flow).toMatchObject({ fired: 1, refused: 0, problem: null });
  const copies = await as(admin)(rawData.list, { query: { variableId: level.id } });
  expect(copies.body.items[0]).toMatchObject({ source: "flow", value: "expert", passedFrom: rating.label });
});

test("passes each value exactly once, also over several flows", async () => {
  const { admin, sessions, course } = await createGroup(2);
  const uses = [{ courseId: course.id, access: "both" as const }];
  const one = await define(admin, { key: "chain_one", courses: uses });
  const two = await define(admin, { key: "chain_two", writeMode: "sum" });
  const three = await define(admin, { key: "chain_three", writeMode: "sum", scope: "company" });
  await connect(admin, one.id, two.id);
  await connect(admin, two.id, three.id);
  for (const session of sessions)
    await setValues(session, [
      ["chain_one", 2],
      ["chain_one", 3],
    ]);
  await passed();
  await passed();
  expect(await currentOf(admin, two.id)).toEqual([5, 5]);
  expect(await currentOf(admin, three.id)).toEqual([10]);
});

test("refuses circles, second sources and what values cannot pass", async () => {
  const { admin } = await createGroup(1);
  const [a, b, c] = [
    await define(admin, { key: "circle_a" }),
    await define(admin, { key: "circle_b" }),
    await define(admin, { key: "circle_c" }),
  ];
  await connect(admin, a.id, b.id);
  await connect(admin, b.id, c.id);
  expect((await connect(admin, c.id, a.id)).code).toBe("flows.circle");
  expect((await connect(admin, a.id, a.id)).code).toBe("flows.circle");
  expect((await connect(admin, a.id, c.id)).code).toBe("flows.taken");
  const attempt = await define(admin, { key: "of_attempt", scope: "attempt" });
  const sensitive = await define(admin, { key: "is_sensitive", privacy: "sensitive" });
  const shared = await define(admin, { key: "of_company", scope: "company" });
  const plain = await define(admin, { key: "is_plain" });
  for (const [source, target, code] of [
    [a, attempt, "flows.ofAttempt"],
    [sensitive, plain, "flows.lessPrivate"],
    [shared, plain, "flows.fromCompany"],
  ] as const)
    expect((await connect(admin, source.id, target.id)).body).toMatchObject({ issues: [{ code }] });
});

test("two admins cannot close a circle together", async () => {
  const { admin } = await createGroup(1);
  const [a, b] = [await define(admin, { key: "race_a" }), await define(admin, { key: "race_b" })];
  const replies = await Promise.all([connect(admin, a.id, b.id), connect(admin, b.id, a.id)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("stores what the target refuses with the reason, and the course goes on", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const text = await define(admin, {
    key: "ref_text",
    type: "text",
    courses: [{ courseId: course.id, access: "both" }],
  });
  const number = await define(admin, { key: "ref_number" });
  await connect(admin, text.id, number.id);
  await setValues(sessions[0], [["ref_text", "many"]]);
  await passed();
  expect(await statistics(admin, number.id)).toMatchObject({ values: 0, refused: 1 });
  const flow = (await as(admin)(flows.list, { query: { variableId: number.id } })).body.items[0];
  expect(flow).toMatchObject({ fired: 0, refused: 1 });
});

test("passes nothing while a flow is paused or its target archived, and says so", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const one = await define(admin, { key: "pause_one", courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: "pause_two" });
  const { body: flow } = await connect(admin, one.id, two.id);
  const paused = await as(admin)(flows.update, {
    params: { id: flow.id },
    body: { version: flow.version, isActive: false },
  });
  await setValues(sessions[0], [["pause_one", 1]]);
  await passed();
  await as(admin)(flows.update, { params: { id: flow.id }, body: { version: paused.body.version, isActive: true } });
  await setValues(sessions[0], [["pause_one", 2]]);
  await passed();
  expect(await statistics(admin, two.id)).toMatchObject({ values: 1, mean: 2 });
  await as(admin)(variables.archive, { params: { id: two.id } });
  expect((await setValues(sessions[0], [["pause_one", 3]])).ackSeq).toBeGreaterThan(0);
  await passed();
  expect((await as(admin)(flows.list, { query: { variableId: two.id } })).body.items[0]).toMatchObject({
    problem: "targetArchived",
    fired: 1,
  });
});

test("a new flow passes on current values when asked, and can be tried before", async () => {
  const { admin, learners, sessions, course } = await createGroup(1);
  const one = await define(admin, { key: "old_one", courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: "old_two", type: "text" });
  await setValues(sessions[0], [
    ["old_one", 1],
    ["old_one", 6],
  ]);
  await passed();
  const body = {
    sourceVariableId: one.id,
    target: { kind: "variable", variableId: two.id } as FlowTarget,
    transform: { kind: "template", text: "{{learner.name}} said {{value}}" } as const,
  };
  const tried = await as(admin)(flows.try, { body: { ...body, userId: learners[0]?.user.id as string } });
  expect(tried.body).toEqual({ value: 6, result: "Lea Learner said 6", refusal: null });
  await as(admin)(flows.create, { body: { ...body, includesCurrent: true } });
  await passed();
  expect(await currentOf(admin, two.id)).toEqual(["Lea Learner said 6"]);
});

test("a new flow passes on current values once: sums, corrected and plain ones", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const sum = await define(admin, { key: "now_sum", writeMode: "sum", courses });
  const last = await define(admin, { key: "now_last", courses });
  const [sumCopy, lastCopy] = [
    await define(admin, { key: "to_sum", writeMode: "sum" }),
    await define(admin, { key: "to_last", writeMode: "sum" }),
  ];
  await setValues(sessions[0], [
    ["now_sum", 2],
    ["now_sum", 3],
    ["now_last", 4],
  ]);
  await passed();
  expect((await maker.correct(admin, last.id, 4, 6)).status).toBe(200);
  await passed();
  // Nothing is folded while a transaction is open that is older than the value.
  const connected = await db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx);
    await setValues(sessions[0], [["now_sum", 7]]);
    return Promise.all([
      connect(admin, sum.id, sumCopy.id, { includesCurrent: true }),
      connect(admin, last.id, lastCopy.id, { includesCurrent: true }),
    ]);
  });
  expect(connected.map(({ body }) => body.fired)).toEqual([0, 0]);
  await passed();
  expect(await currentOf(admin, sumCopy.id)).toEqual([12]);
  expect(await currentOf(admin, lastCopy.id)).toEqual([6]);
});

test("stops and says so when its source becomes sensitive", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const one = await define(admin, { key: "sens_one", courses: [{ courseId: course.id, access: "both" }] });
  const two = await define(admin, { key: "sens_two" });
  await connect(admin, one.id, two.id);
  const change = (body: object, version: number) =>
    as(admin)(variables.update, { params: { id: one.id }, body: { version, ...body } });
  const { body: changed } = await change({ privacy: "sensitive" }, one.version);
  await setValues(sessions[0], [["sens_one", 1]]);
  await passed();
  expect(await currentOf(admin, two.id)).toEqual([]);
  expect(await flowOf(admin, two.id)).toMatchObject({ problem: "sourceSensitive", fired: 0 });
  await change({ privacy: "none" }, changed.version);
  expect((await flowOf(admin, two.id)).problem).toBeNull();
});

test("puts no sensitive or hidden value into a text", async () => {
  const { admin, learners, sessions, course } = await createGroup(1);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const source = await define(admin, { key: "text_source", courses });
  await define(admin, { key: "text_plain", courses });
  await define(admin, { key: "text_secret", privacy: "sensitive", courses });
  await define(admin, { key: "text_hidden", learnerVisible: false, courses });
  const target = await define(admin, { key: "text_target", type: "text" });
  const text = "{{value}} {{text_plain|-}} {{text_secret|-}} {{text_hidden|-}} {{learner.first_name}}";
  const body = { sourceVariableId: source.id, transform: { kind: "template", text } as const };
  const target0: FlowTarget = { kind: "variable", variableId: target.id };
  await as(admin)(flows.create, { body: { ...body, target: target0 } });
  await setValues(sessions[0], [
    ["text_plain", 11],
    ["text_secret", 22],
    ["text_hidden", 33],
  ]);
  await passed();
  await setValues(sessions[0], [["text_source", 5]]);
  await passed();
  expect(await currentOf(admin, target.id)).toEqual(["5 11 - - Lea"]);
  const userId = learners[0]?.user.id as string;
  const tried = await as(admin)(flows.try, { body: { ...body, target: target0, userId } });
  expect(tried.body.result).not.toMatch(/22|33/);
});

test("asks for authentication to change or resume a flow, not to pause it", async () => {
  const { admin } = await createGroup(1);
  const [one, two] = [await define(admin, { key: "auth_one" }), await define(admin, { key: "auth_two" })];
  const { body: flow } = await connect(admin, one.id, two.id);
  await db
    .updateTable("authSessions")
    .set({ createdAt: sql`created_at - interval '1 hour'`, reauthenticatedAt: null })
    .where("userId", "=", admin.user.id)
    .execute();
  const update = (body: object, version = flow.version) =>
    as(admin)(flows.update, { params: { id: flow.id }, body: { version, ...body } });
  expect((await update({ transform: { kind: "template", text: "{{value}}!" } })).code).toBe("auth.reauthRequired");
  const paused = await update({ isActive: false });
  expect(paused.body.isActive).toBe(false);
  expect((await update({ isActive: true }, paused.body.version)).code).toBe("auth.reauthRequired");
});

test("passes each value on once after a move to lower transaction numbers", async () => {
  const { admin, sessions, course } = await createGroup(1);
  const one = await define(admin, { key: "move_one", courses: [{ courseId: course.id, access: "both" }] });
  const sum = await define(admin, { key: "move_sum", writeMode: "sum" });
  await connect(admin, one.id, sum.id);
  await setValues(sessions[0], [["move_one", 1]]);
  await passed();
  const cursor = await db.selectFrom("flowCursor").selectAll().executeTakeFirstOrThrow();
  await setValues(sessions[0], [["move_one", 2]]);
  await passed();
  await maker.moveServer(async (tx) => {
    // The value is folded, but has not passed yet.
    await sql`update flow_cursor set tx = ${cursor.tx}::xid8, value_id = ${cursor.valueId}`.execute(tx);
    await sql`delete from variable_values where flow_id is not null and value = '2'`.execute(tx);
  });
  await setValues(sessions[0], [["move_one", 4]]);
  await passed();
  expect(await currentOf(admin, sum.id)).toEqual([7]);
  expect(await adoptMovedValues(db)).toBe(false);
});

test("a variable with flows is not merged away", async () => {
  const { admin } = await createGroup(1);
  const [one, two, three] = [
    await define(admin, { key: "merge_one" }),
    await define(admin, { key: "merge_two" }),
    await define(admin, { key: "merge_three" }),
  ];
  await connect(admin, one.id, two.id);
  const merge = (id: string, otherId: string) => as(admin)(variables.merge, { params: { id }, body: { otherId } });
  for (const other of [one, two])
    expect(await merge(three.id, other.id)).toMatchObject({ status: 409, code: "variables.hasFlows" });
  expect((await merge(two.id, three.id)).status).toBe(200);
});
