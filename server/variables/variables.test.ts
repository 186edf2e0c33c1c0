import { sql } from "kysely";
import { expect, test } from "vitest";
import { adoptMovedValues } from "#server/variables/fold/recount.ts";
import { createValueMaker } from "#test/values.ts";
import type { ProblemBody } from "#shared/core/route.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { variables } from "#shared/variables/variables.ts";
import { MAX_NEW_KEYS } from "#shared/variables/variableTypes.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const { createGroup, setValues, setEvent, send, define, folded, expectRecounted, statistics } =
  createValueMaker(server);

test("keeps the values of keys that nobody has defined, and offers the keys", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const [session] = sessions;
  if (!session) throw new Error("no session");
  await setValues(session, [
    ["self_rating", "7"],
    ["self_rating", "8"],
    ["mood", "calm"],
  ]);
  await folded();
  const { body } = await as(admin)(variables.newKeys, { query: { courseId: course.id } });
  expect(body.total).toBe(2);
  const rating = body.items.find(({ key }) => key === "self_rating");
  expect(rating).toMatchObject({ type: "number", values: 2, course: course.title });
  const defined = await as(admin)(variables.defineKey, {
    params: { id: rating?.id as string },
    body: { label: "Self rating", type: "number", constraints: { min: 1, max: 10 } },
  });
  expect(defined.body).toMatchObject({ key: "self_rating", status: "active", subjects: 1, median: 8 });
  expect(await statistics(admin, defined.body.id)).toMatchObject({ values: 2, mean: 8, firstMean: 7, improved: 1 });
  await as(admin)(variables.ignoreKeys, { body: { ids: body.items.map(({ id }) => id) } });
  expect((await as(admin)(variables.newKeys, { query: { courseId: course.id } })).body.total).toBe(0);
  await expectRecounted();
});

test("keeps a key of two courses as two variables", async () => {
  const one = await createGroup(1);
  const other = await createGroup(1);
  await setValues(one.sessions[0], [["rating", 3]]);
  await setValues(other.sessions[0], [["rating", 9]]);
  const keys = [one, other].map(({ admin, course }) =>
    as(admin)(variables.newKeys, { query: { courseId: course.id } }).then(({ body }) => body.items[0]?.id),
  );
  const [first, second] = await Promise.all(keys);
  expect(first).toBeTruthy();
  expect(second).toBeTruthy();
  expect(first).not.toBe(second);
});

test("stores a refused value with the reason, and does not count it", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const rating = await define(admin, {
    key: "rating",
    constraints: { min: 1, max: 10, step: 1 },
    courses: [{ courseId: course.id, access: "both" }],
  });
  const input = await define(admin, { key: "given", courses: [{ courseId: course.id, access: "read" }] });
  const receipt = await setValues(sessions[0], [
    ["rating", 4],
    ["rating", 60],
    ["rating", 2.5],
    ["rating", "many"],
    ["given", 1],
  ]);
  expect(receipt.session).toBe("live");
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ values: 1, refused: 3, mean: 4 });
  expect(await statistics(admin, input.id)).toMatchObject({ values: 0, refused: 1 });
  const stored = await db
    .selectFrom("variableValues")
    .where("variableId", "=", rating.id)
    .orderBy("id")
    .select("refusal")
    .execute();
  expect(stored.map(({ refusal }) => refusal)).toEqual([null, "aboveMax", "offStep", "notNumber"]);
});

test("adds up the shared value of a company exactly while many learners write", async () => {
  const { admin, company, course, sessions } = await createGroup(25);
  const total = await define(admin, {
    key: "trees",
    scope: "company",
    writeMode: "sum",
    courses: [{ courseId: course.id, access: "both" }],
  });
  await Promise.all(
    sessions.map(async (session) => {
      for (let round = 0; round < 8; round++) await setValues(session, [["trees", 1]]);
    }),
  );
  const launched = await make.launch(await make.learner(company.accessCode), company.id, course.id);
  expect(launched.variables.declared).toMatchObject([{ key: "trees", value: 200 }]);
  await folded();
  expect(await statistics(admin, total.id)).toMatchObject({ subjects: 1, values: 200, mean: 200 });
  await expectRecounted();
});

test("a launch carries no hidden value that the course does not read", async () => {
  const { admin, company, course, learners, sessions } = await createGroup(1);
  const uses = (access: "both" | "read" | "write", path: string | null = null) => ({
    courses: [{ courseId: course.id, access, path }],
  });
  const hidden = { learnerVisible: false, defaultValue: 5 };
  await define(admin, { key: "shown", defaultValue: 5, ...uses("both", "cmi.core.score.raw") });
  await define(admin, { key: "read_back", ...hidden, ...uses("both") });
  await define(admin, { key: "read_only", ...hidden, ...uses("read") });
  await define(admin, { key: "written", ...hidden, ...uses("write") });
  await define(admin, { key: "from_package", ...hidden, ...uses("both", "storyline[Rating]") });
  const archived = await define(admin, { key: "archived", ...hidden, ...uses("both") });
  await as(admin)(variables.archive, { params: { id: archived.id } });
  await define(admin, { key: "elsewhere", ...hidden });
  expect(sessions).toHaveLength(1);
  const launched = await make.launch(learners[0] as never, company.id, course.id, { takeOver: true });
  expect(launched.variables.declared.map(({ key, value }) => [key, value]).toSorted()).toEqual([
    ["archived", null],
    ["from_package", null],
    ["read_back", 5],
    ["read_only", 5],
    ["shown", 5],
    ["written", null],
  ]);
});

test("a launch gets the variables of its course only, with values not folded yet", async () => {
  const { admin, company, course, learners, sessions } = await createGroup(1);
  const elsewhere = await createGroup(1);
  await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  await define(admin, { key: "written", courses: [{ courseId: course.id, access: "write" }] });
  await define(admin, { key: "preset", defaultValue: 5, courses: [{ courseId: course.id, access: "read" }] });
  await define(admin, { key: "foreign", courses: [{ courseId: elsewhere.course.id, access: "both" }] });
  await setValues(sessions[0], [
    ["rating", 3],
    ["written", 4],
  ]);
  const again = await make.launch(learners[0] as never, company.id, course.id, { takeOver: true });
  const values = again.variables.declared.map(({ key, value }) => [key, value]).toSorted();
  expect(values).toEqual([
    ["preset", 5],
    ["rating", 3],
    ["written", null],
  ]);
  expect(again.variables.newKeysLeft).toBe(MAX_NEW_KEYS);
});

test("stores a repeated commit once; an earlier value does not replace a later one", async () => {
  const { admin, course, company, learners, sessions } = await createGroup(1);
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  const [offline] = sessions;
  if (!offline) throw new Error("no session");
  const online = await make.launch(learners[0] as never, company.id, course.id, { takeOver: true });
  await setValues(online, [["rating", 9]]);
  const late = { events: [setEvent(1, "rating", 2, 0)] };
  await send(offline, late);
  await send(offline, late);
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ values: 2, mean: 9, firstMean: 2 });
  await expectRecounted();
});

test("bounds the keys that a course sends without a definition, and goes on", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const keys = Array.from({ length: MAX_NEW_KEYS + 50 }, (_, index): [string, number] => [`key_${index}`, index]);
  await setValues(sessions[0], keys);
  await setValues(sessions[0], [["key_1", 100]]);
  const { body } = await as(admin)(variables.newKeys, { query: { courseId: course.id, size: 1 } });
  expect(body.total).toBe(MAX_NEW_KEYS);
});

test("merges a key into a variable: its values count, and content goes on to send it", async () => {
  const { admin, course, sessions } = await createGroup(2);
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  await setValues(sessions[0], [["rating", 2]]);
  await setValues(sessions[1], [["old_rating", "4"]]);
  await folded();
  const other = (await as(admin)(variables.newKeys, { query: { courseId: course.id } })).body.items[0]?.id as string;
  const merged = await as(admin)(variables.merge, { params: { id: rating.id }, body: { otherId: other } });
  expect(merged.body).toMatchObject({ subjects: 2, median: 3 });
  await setValues(sessions[1], [["old_rating", 8]]);
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 2, values: 3, mean: 5 });
  expect((await as(admin)(variables.newKeys, { query: { courseId: course.id } })).body.total).toBe(0);
  await expectRecounted();
});

test("reads stored values as the new type after a change, and keeps unreadable ones", async () => {
  const { admin, course, sessions } = await createGroup(2);
  const level = await define(admin, { key: "level", type: "text", courses: [{ courseId: course.id, access: "both" }] });
  await setValues(sessions[0], [["level", "4"]]);
  await setValues(sessions[1], [["level", "high"]]);
  await folded();
  const changed = await as(admin)(variables.update, {
    params: { id: level.id },
    body: { type: "number", version: level.version },
  });
  expect(changed.body).toMatchObject({ subjects: 1, median: 4 });
  const back = await as(admin)(variables.update, {
    params: { id: level.id },
    body: { type: "text", version: changed.body.version },
  });
  expect(back.body.subjects).toBe(2);
  await expectRecounted();
});

test("refuses definitions that contradict themselves, and changes of an older version", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const create = (body: object) =>
    as(admin)(variables.create, { body: { key: "a", label: "A", type: "text", ...body } });
  const fieldOf = async (body: object) => ((await create(body)).body as unknown as ProblemBody).issues?.[0];
  expect(await fieldOf({ key: "Not a key" })).toMatchObject({ path: "key", code: "variables.badKey" });
  expect(await fieldOf({ writeMode: "sum" })).toMatchObject({ path: "writeMode", code: "variables.modeNotForType" });
  expect(await fieldOf({ constraints: { min: 1 } })).toMatchObject({ path: "constraints.min" });
  expect(await fieldOf({ type: "number", constraints: { min: 2, max: 1 } })).toMatchObject({ path: "constraints.max" });
  expect(await fieldOf({ type: "number", defaultValue: "x" })).toMatchObject({ path: "defaultValue" });
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  const taken = await create({ key: "rating", type: "number", courses: [{ courseId: course.id, access: "both" }] });
  expect([taken.status, taken.code]).toEqual([409, "variables.keyTaken"]);
  const update = (version: number) =>
    as(admin)(variables.update, { params: { id: rating.id }, body: { label: "New", version } });
  expect((await update(rating.version)).status).toBe(200);
  expect((await update(rating.version)).code).toBe("core.conflict");
  await as(admin)(variables.archive, { params: { id: rating.id } });
  await setValues(sessions[0], [["rating", 1]]);
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ values: 0, refused: 1 });
});

test("an erasure takes the values of the person out of sums and statistics", async () => {
  const { admin, company, course, learners, sessions } = await createGroup(2);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const sum = await define(admin, { key: "trees", scope: "company", writeMode: "sum", courses });
  const rating = await define(admin, { key: "rating", courses });
  for (const session of sessions)
    await setValues(session, [
      ["trees", 5],
      ["rating", 4],
      ["rating", "x"],
    ]);
  await folded();
  const erased = await as(admin)(privacy.erase, { body: { userId: learners[0]?.user.id } });
  expect(erased.status).toBe(200);
  expect(await statistics(admin, sum.id)).toMatchObject({ mean: 10, values: 2 });
  expect(await statistics(admin, rating.id)).toMatchObject({ subjects: 1, learners: 1, values: 1, refused: 1 });
  const launched = await make.launch(await make.learner(company.accessCode), company.id, course.id);
  expect(launched.variables.declared.find(({ key }) => key === "trees")?.value).toBe(10);
  await expectRecounted();
});

test("does not count the values of a preview", async () => {
  const { admin, company, course } = await createGroup(1);
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  await setValues(await make.launch(admin, company.id, course.id), [["rating", 5]]);
  await folded();
  expect(await statistics(admin, rating.id)).toMatchObject({ values: 0, subjects: 0 });
});

test("the recount finds and repairs what does not follow from the values", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const rating = await define(admin, { key: "rating", courses: [{ courseId: course.id, access: "both" }] });
  await setValues(sessions[0], [["rating", 5]]);
  await folded();
  await db.updateTable("variableTallies").set({ count: 7 }).where("variableId", "=", rating.id).execute();
  const { recountVariables } = await import("#server/variables/fold/recount.ts");
  expect(await recountVariables(db)).toMatchObject([{ variableId: rating.id, stored: "7", recounted: "1" }]);
  await expectRecounted();
});

test("goes on after a move to a database server with lower transaction numbers", async () => {
  const { admin, course, sessions } = await createGroup(1);
  const sum = await define(admin, {
    key: "trees",
    writeMode: "sum",
    courses: [{ courseId: course.id, access: "both" }],
  });
  await setValues(sessions[0], [["trees", 5]]);
  await folded();
  await setValues(sessions[0], [["trees", 2]]);
  await sql`update variable_values set tx = (tx::text::bigint + 1000000000000)::text::xid8`.execute(db);
  await sql`update variable_fold set tx = (tx::text::bigint + 1000000000000)::text::xid8`.execute(db);
  expect(await adoptMovedValues(db)).toBe(true);
  await setValues(sessions[0], [["trees", 3]]);
  await folded();
  expect(await statistics(admin, sum.id)).toMatchObject({ values: 3, mean: 10 });
  expect(await adoptMovedValues(db)).toBe(false);
  await expectRecounted();
});
