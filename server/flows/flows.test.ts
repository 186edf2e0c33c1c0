import { expect, test } from "vitest";
import { passBatch } from "#server/flows/passing.ts";
import { recountVariables } from "#server/variables/recount.ts";
import { courses } from "#shared/courses.ts";
import { flows, type FlowTarget, type Transform } from "#shared/flows.ts";
import { rawData } from "#shared/rawData.ts";
import { variables } from "#shared/variables.ts";
import { start } from "#test/start.ts";
import type { Person } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, make, db, services } = server;
const { createGroup, setValues, define, folded, statistics } = createValueMaker(server);

const toVariable = (variableId: string): FlowTarget => ({ kind: "variable", variableId });
const connect = (admin: Person, sourceVariableId: string, variableId: string, transform?: Transform) =>
  as(admin)(flows.create, {
    body: { sourceVariableId, target: toVariable(variableId), ...(transform && { transform }) },
  });
/** Waits until everything stored is folded and passed on, also what follows from it. */
const passed = async () => {
  for (let rounds = 0; rounds < 10; rounds++) {
    await folded();
    while ((await passBatch(services)).isMore);
  }
  await folded();
  expect(await recountVariables(db)).toEqual([]);
};
const currentOf = async (admin: Person, id: string) =>
  (await as(admin)(variables.values, { params: { id } })).body.items.map(({ current }) => current);

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
  expect((await connect(admin, rating.id, level.id, threshold)).status).toBe(200);
  await setValues(sessions[0], [["rating", 8]]);
  await passed();
  const launch = await make.launch(learners[0] as Person, company.id, second.id);
  expect(launch.variables.declared).toMatchObject([{ key: "level", value: "expert" }]);
  const flow = (await as(admin)(flows.list, { query: { variableId: level.id } })).body.items[0];
  expect(flow).toMatchObject({ fired: 1, refused: 0, problem: null });
  const copies = await as(admin)(rawData.list, { query: { variableId: level.id } });
  expect(copies.body.items[0]).toMatchObject({ source: "flow", value: "expert" });
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
    target: toVariable(two.id),
    transform: { kind: "template", text: "{{learner.name}} said {{value}}" } as const,
  };
  const tried = await as(admin)(flows.try, { body: { ...body, userId: learners[0]?.user.id as string } });
  expect(tried.body).toEqual({ value: 6, result: "Lea Learner said 6", refusal: null });
  await as(admin)(flows.create, { body: { ...body, includesCurrent: true } });
  await passed();
  expect(await currentOf(admin, two.id)).toEqual(["Lea Learner said 6"]);
});
