import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { advancePeople } from "#server/paths/advancing.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { createRuleTester, timeAndScore } from "#test/ruleChanges.ts";
import { start } from "#test/start.ts";

// Paths with several versions, reversed completions, and people who move or are erased

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const tester = createPathTester(server, admin);
const { call, work, get, publish, walk, complete, mine, statesOf, enrolmentOf, openReasons, room } = tester;
const preview = async (id: string) => {
  const { version } = await get(id);
  return bodyOf(await call(paths.previewPublish, { params: { id }, body: { version } }));
};

test("learners stay on their version unless everyone is moved to the new one", async () => {
  const { company, ada, bo, lessons } = await room(3);
  const [one, two, three] = lessons as [string, string, string];
  const [first, second] = [stepOf(one), stepOf(two)];
  const id = await walk([first, second], [ada]);
  await complete(ada, company.id, one);
  await publish(id, [first, stepOf(three)], "keep");
  expect((await mine(ada, id)).steps.map(({ state }) => state)).toEqual(["done", "open"]);
  expect(await enrolmentOf(ada, three)).toBeUndefined();
  await tester.assign(id, [bo]);
  expect(await enrolmentOf(bo, three)).toMatchObject({ status: "assigned" });
  expect(await enrolmentOf(bo, two)).toBeUndefined();
});

test("a preview says what moving to a version changes, and moving does exactly that", async () => {
  const { company, ada, bo, lessons } = await room(4);
  const [one, two, three, four] = lessons as [string, string, string, string];
  const cy = await make.learner(company.accessCode, "Cy");
  const [first, second] = [stepOf(one), stepOf(two)];
  const id = await walk([first, second], [ada, bo, cy]);
  await complete(ada, company.id, one);
  await complete(cy, company.id, one);
  await complete(cy, company.id, two);
  // The draft gives the first step another course, drops the second step, and adds a third one after the first.
  const changed = { ...first, courseIds: [four] };
  const third = stepOf(three, { after: [first.id] });
  const { version } = await get(id);
  bodyOf(await call(paths.update, { params: { id }, body: { steps: [changed, third], version } }));
  expect(await preview(id)).toMatchObject({
    no: 2,
    moving: 2,
    complete: 1,
    completes: 0,
    gets: [{ stepId: third.id, people: 1 }],
    loses: [{ stepId: second.id, people: 2 }],
  });
  await publish(id, undefined, "move");
  // Ada has done the first step by the terms of version 1.
  expect(await statesOf(ada, id)).toEqual(["done", "open"]);
  expect(await statesOf(bo, id)).toEqual(["open", "locked"]);
  expect(await enrolmentOf(bo, one)).toBeUndefined();
  expect(await enrolmentOf(bo, four)).toMatchObject({ status: "assigned" });
  expect(await enrolmentOf(ada, two)).toBeUndefined();
  // Cy had completed the path, and still has.
  expect((await mine(cy, id)).completedAt).toEqual(expect.any(String));
  expect(await statesOf(cy, id)).toEqual(["done", "done"]);
});

test("of two admins who publish at the same time, one is refused", async () => {
  const { lessons } = await room(1);
  const made = bodyOf(await call(paths.create, { body: { title: "Twice", steps: [stepOf(lessons)] } }));
  const body = { people: "move" as const, version: made.version };
  const both = await Promise.all([1, 2].map(() => call(paths.publish, { params: { id: made.id }, body })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await get(made.id)).live).toBe(1);
});

test("steps that cannot be taken are refused with a reason", async () => {
  const { lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  const [a, b] = [stepOf(one), stepOf(two)];
  const said = async (steps: object[]) => {
    const reply = await call(paths.create, { body: { title: "Wrong", steps: steps as never } });
    return reply.status === 422 ? (reply.body as { issues?: { code: string }[] }).issues?.[0]?.code : reply.status;
  };
  expect(
    await said([
      { ...a, after: [b.id] },
      { ...b, after: [a.id] },
    ]),
  ).toBe("paths.circle");
  expect(await said([{ ...a, after: [b.id] }, b])).toBe("paths.afterLater");
  expect(await said([{ ...a, after: [randomUUID()] }])).toBe("paths.goneStep");
  expect(await said([{ ...a, needed: 2 }])).toBe("paths.neededMore");
  expect(await said([a, { ...b, courseIds: [one] }])).toBe("paths.sameCourse");
  expect(await said([a, { ...b, id: a.id }])).toBe("paths.sameStep");
  expect(await said([stepOf(randomUUID())])).toBe("paths.goneCourse");
  const unpublished = await make.course(admin, { publish: false });
  const made = bodyOf(await call(paths.create, { body: { title: "Later", steps: [stepOf(unpublished.id)] } }));
  const reply = await call(paths.publish, { params: { id: made.id }, body: { people: "keep", version: made.version } });
  expect(reply.body).toMatchObject({ issues: [{ code: "paths.hiddenCourse" }] });
});

test("when a completion is taken back, its step is open again and the next one locked", async () => {
  const { applyRule, courseWith } = createRuleTester(server);
  const { admin: boss, company, course, learners: people } = await courseWith([{ score: 90, seconds: 10 }]);
  const [ada] = people as [(typeof people)[0]];
  const next = await make.course(admin);
  const first = stepOf(course.id);
  const id = await walk([first, stepOf(next.id, { after: [first.id] })], [ada]);
  await complete(ada, company.id, course.id);
  expect(await statesOf(ada, id)).toEqual(["done", "open"]);
  await applyRule(boss, course.id, timeAndScore, false);
  await work();
  expect(await statesOf(ada, id)).toEqual(["open", "locked"]);
  expect(await enrolmentOf(ada, next.id)).toBeUndefined();
});

test("a path is paused while its learner is in another company", async () => {
  const { company, ada, lessons } = await room(1);
  const other = await make.company(admin);
  const id = await walk([stepOf(lessons)], [ada]);
  const move = async (companyId: string) => {
    bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId } }));
    await work();
  };
  await move(other.id);
  const moved = await make.signIn(ada.user.email as string);
  expect(bodyOf(await as(moved)(paths.mine)).total).toBe(0);
  await move(company.id);
  const back = await make.signIn(ada.user.email as string);
  await complete(back, company.id, lessons[0] as string);
  expect((await mine(back, id)).completedAt).toEqual(expect.any(String));
});

test("erasing a person deletes their rows of a path", async () => {
  const { ada, bo, lessons } = await room(1);
  const id = await walk([stepOf(lessons)], [ada, bo]);
  bodyOf(await call(privacy.erase, { body: { userId: ada.user.id } }));
  expect((await get(id)).learners).toBe(1);
  const rows = await db.selectFrom("pathEnrolments").where("pathId", "=", id).select("userId").execute();
  expect(rows).toEqual([{ userId: bo.user.id }]);
});

test("recomputing changes nothing", async () => {
  const { company, ada, lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  const first = stepOf(one, { dueDays: 5 });
  const id = await walk([first, stepOf(two, { after: [first.id], dueDays: 9 })], [ada]);
  await complete(ada, company.id, one);
  const read = async () => ({
    path: await mine(ada, id),
    reasons: await db.selectFrom("enrolmentReasons").where("ruleId", "=", id).selectAll().orderBy("id").execute(),
    steps: await db.selectFrom("pathSteps").selectAll().orderBy("enrolmentId").orderBy("stepId").execute(),
  });
  const before = await read();
  const { id: enrolment } = await db
    .selectFrom("pathEnrolments")
    .where("pathId", "=", id)
    .select("id")
    .executeTakeFirstOrThrow();
  await Promise.all([1, 2, 3].map(() => inTransaction(db, (tx) => advancePeople(tx, [enrolment]))));
  expect(await read()).toEqual(before);
  expect(await openReasons(ada, two)).toHaveLength(1);
});
