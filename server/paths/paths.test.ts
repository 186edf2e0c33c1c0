import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Learning paths: when steps open, which courses they give, and when these are taken back

const server = await start();
const { as, make } = server;
const admin = await make.admin();
const tester = createPathTester(server, admin);
const { call, work, get, walk, assign, complete, mine, statesOf, enrolmentOf, openReasons, room } = tester;
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test("a step opens the next one, and the last one completes the path", async () => {
  const { company, ada, lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  const first = stepOf(one, { dueDays: 30 });
  const second = stepOf(two, { after: [first.id], dueDays: 60 });
  const id = await walk([first, second], [ada], "Team lead in 90 days");
  expect(await statesOf(ada, id)).toEqual(["open", "locked"]);
  expect(await enrolmentOf(ada, one)).toMatchObject({ status: "assigned", dueDate: dayIn(30) });
  expect(await openReasons(ada, one)).toEqual([["path", "Team lead in 90 days"]]);
  expect(await enrolmentOf(ada, two)).toBeUndefined();
  expect((await mine(ada, id)).steps[1]?.opensAfter).toHaveLength(1);

  await complete(ada, company.id, one);
  expect(await statesOf(ada, id)).toEqual(["done", "open"]);
  expect(await enrolmentOf(ada, two)).toMatchObject({ status: "assigned", dueDate: dayIn(60) });
  expect((await get(id)).counts).toMatchObject([
    { done: 1, people: 1 },
    { inProgress: 1, people: 1 },
  ]);

  await complete(ada, company.id, two);
  expect((await mine(ada, id)).completedAt).toEqual(expect.any(String));
  expect(await get(id)).toMatchObject({ learners: 1, complete: 1, overdue: 0 });
  const { items } = bodyOf(await call(paths.learners, { params: { id }, query: { state: "completed" } }));
  expect(items).toMatchObject([{ name: "Ada", done: 2, steps: 2, state: "completed", step: null }]);
});

test("a choice gives all its courses, and is done when the needed number is completed", async () => {
  const { company, ada, lessons } = await room(4);
  const [one, two, three, last] = lessons as [string, string, string, string];
  const choice = stepOf([one, two, three], { title: "What fits", needed: 2, dueDays: 10 });
  const id = await walk([choice, stepOf(last, { after: [choice.id] })], [ada]);
  for (const course of [one, two, three]) expect(await enrolmentOf(ada, course)).toMatchObject({ dueDate: dayIn(10) });
  await complete(ada, company.id, three);
  expect(await statesOf(ada, id)).toEqual(["open", "locked"]);
  await complete(ada, company.id, one);
  expect(await statesOf(ada, id)).toEqual(["done", "open"]);
  // The remaining course is optional and no longer due.
  expect(await enrolmentOf(ada, two)).toMatchObject({ status: "assigned", dueDate: null });
});

test("courses completed before joining count, and open the next steps", async () => {
  const { company, ada, lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  bodyOf(await call(courses.assign, { params: { id: one }, body: { userIds: [ada.user.id] } }));
  await complete(ada, company.id, one);
  const first = stepOf(one);
  const id = await walk([first, stepOf(two, { after: [first.id] })], [ada]);
  expect(await statesOf(ada, id)).toEqual(["done", "open"]);
  const recent = await walk([stepOf(one, { earlierMonths: 1 })], [ada]);
  expect(await statesOf(ada, recent)).toEqual(["done"]);
  await server.db
    .updateTable("enrolments")
    .set({ completedAt: `${dayIn(-70)}T00:00:00Z` })
    .where("courseId", "=", one)
    .execute();
  const late = await walk([stepOf(one, { earlierMonths: 1 })], [ada]);
  expect(await statesOf(ada, late)).toEqual(["open"]);
});

test("the earlier due date of two paths counts, and one that an admin has set stays", async () => {
  const { ada, bo, lessons } = await room(1);
  const [one] = lessons as [string];
  await walk([stepOf(one, { dueDays: 40 })], [ada, bo]);
  const body = { userIds: [bo.user.id], dueDate: dayIn(100) };
  bodyOf(await call(courses.setDue, { params: { id: one }, body }));
  const id = await walk([stepOf(one, { dueDays: 20 })], [ada, bo]);
  // The path shows the due date of the course, as My Courses does.
  expect((await mine(bo, id)).steps[0]).toMatchObject({ dueDate: dayIn(100) });
  expect(await enrolmentOf(ada, one)).toMatchObject({ dueDate: dayIn(20) });
  expect(await enrolmentOf(bo, one)).toMatchObject({ dueDate: dayIn(100) });
  expect(await openReasons(ada, one)).toHaveLength(2);
});

test("a due date is counted from the day of joining in the time zone of the company", async () => {
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Midway"]) {
    const company = await make.company(admin, { timezone });
    const ada = await make.learner(company.accessCode, "Ada");
    const course = await make.course(admin);
    await walk([stepOf(course.id, { dueDays: 1 })], [ada]);
    const day = (at: number) => new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(at);
    expect(await enrolmentOf(ada, course.id)).toMatchObject({ dueDate: day(Date.now() + 86_400_000) });
  }
});

test("withdrawn learners keep courses that they have opened or have for another reason", async () => {
  const { company, ada, lessons } = await room(3);
  const [unopened, opened, given] = lessons as [string, string, string];
  const id = await walk([stepOf(unopened), stepOf(opened), stepOf(given)], [ada]);
  bodyOf(await call(courses.assign, { params: { id: given }, body: { userIds: [ada.user.id] } }));
  await make.launch(ada, company.id, opened);
  const body = { userIds: [ada.user.id] };
  expect(bodyOf(await call(paths.withdraw, { params: { id }, body }))).toEqual({ changed: 1 });
  await work();
  expect(await enrolmentOf(ada, unopened)).toBeUndefined();
  expect(await openReasons(ada, opened)).toMatchObject([["kept", expect.any(String)]]);
  expect(await openReasons(ada, given)).toMatchObject([["person", ""]]);
  expect((await as(ada)(paths.mineOne, { params: { id } })).status).toBe(404);
  expect(bodyOf(await call(paths.withdraw, { params: { id }, body }))).toEqual({ changed: 0 });
  await assign(id, [ada]);
  expect(await openReasons(ada, unopened)).toMatchObject([["path", expect.any(String)]]);
  expect(await openReasons(ada, opened)).toMatchObject([["path", expect.any(String)]]);
});

test("a course that an admin withdraws stays withdrawn until it is given back", async () => {
  const { ada, lessons } = await room(1);
  const [one] = lessons as [string];
  const id = await walk([stepOf(one)], [ada]);
  const userIds = [ada.user.id];
  bodyOf(await call(courses.withdraw, { params: { id: one }, body: { userIds } }));
  await walk([stepOf(one)], [ada]);
  expect(await enrolmentOf(ada, one)).toBeUndefined();
  expect((await mine(ada, id)).steps[0]).toMatchObject({ state: "open", courses: [{ status: null }] });
  bodyOf(await call(courses.restore, { params: { id: one }, body: { userIds } }));
  await work();
  expect((await openReasons(ada, one)).map(([kind]) => kind).toSorted()).toEqual(["path", "path", "person"]);
});

test("companies and groups are previewed, and no one gets a path twice", async () => {
  const { company, ada, bo, lessons } = await room(1);
  const id = await walk([stepOf(lessons as string[])], [ada]);
  bodyOf(await call(learners.suspend, { body: { ids: [bo.user.id], reason: "" } }));
  const body = { companyIds: [company.id] };
  const preview = bodyOf(await call(paths.previewAssign, { params: { id }, body }));
  expect(preview).toEqual({ fresh: 1, has: 1, suspended: 1, names: ["Bo"] });
  const both = await Promise.all([1, 2].map(() => call(paths.assign, { params: { id }, body })));
  expect(both.map((reply) => bodyOf(reply).added).toSorted()).toEqual([0, 1]);
  await work();
  expect((await get(id)).learners).toBe(2);
});

test("hostile ids, and paths that cannot be assigned, are refused", async () => {
  const { company, ada, lessons } = await room(1);
  const draft = bodyOf(await call(paths.create, { body: { title: "Draft", steps: [stepOf(lessons as string[])] } }));
  const params = { id: draft.id };
  const body = { companyIds: [company.id] };
  expect((await call(paths.assign, { params, body })).code).toBe("paths.notPublished");
  const unknown = { companyIds: [randomUUID()] };
  const live = bodyOf(await call(paths.publish, { params, body: { people: "keep", version: draft.version } }));
  expect((await call(paths.assign, { params, body: unknown })).status).toBe(404);
  expect((await call(paths.assign, { params, body: { groupIds: [randomUUID()] } })).status).toBe(404);
  bodyOf(await call(paths.setArchived, { params, body: { archived: true, version: live.version } }));
  expect((await call(paths.assign, { params, body })).code).toBe("paths.archived");
  expect((await as(ada)(paths.mineOne, { params })).status).toBe(404);
  expect((await as(ada)(paths.get, { params })).status).toBe(403);
});
