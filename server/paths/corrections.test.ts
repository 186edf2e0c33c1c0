import { expect, test } from "vitest";
import { checkPaths } from "#server/paths/follow.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";
import { withdrawWhile } from "#test/heldWithdrawal.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Learning paths when admins change courses or people at the same time

const server = await start();
const { db, make, services } = server;
const admin = await make.admin();
const { call, work, get, walk, assign, complete, mine, enrolmentOf, openReasons, room } = createPathTester(
  server,
  admin,
);
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test("an admin who withdraws a course while a path gives it wins, now and later", async () => {
  const { ada, lessons } = await room(1);
  const [one] = lessons as [string];
  bodyOf(await call(courses.assign, { params: { id: one }, body: { userIds: [ada.user.id] } }));
  const { id } = bodyOf(await call(paths.create, { body: { title: "Race", steps: [stepOf(one)] } }));
  const { version } = await get(id);
  bodyOf(await call(paths.publish, { params: { id }, body: { people: "keep", version } }));
  bodyOf(await call(paths.assign, { params: { id }, body: { userIds: [ada.user.id], notify: false } }));

  await withdrawWhile(server, ada.user.id, one, work);
  expect(await enrolmentOf(ada, one, "withdrawn")).toMatchObject({ status: "withdrawn" });
  expect(await openReasons(ada, one)).toEqual([]);

  bodyOf(await call(paths.withdraw, { params: { id }, body: { userIds: [ada.user.id] } }));
  await work();
  await assign(id, [ada]);
  expect(await enrolmentOf(ada, one, "withdrawn")).toMatchObject({ status: "withdrawn" });
});

test("learners who have moved count, and are withdrawn, only in their new company", async () => {
  const { company, ada, lessons } = await room(1);
  const other = await make.company(admin);
  const id = await walk([stepOf(lessons)], [ada]);
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: other.id } }));
  await assign(id, [ada]);
  expect(await get(id)).toMatchObject({ learners: 1, counts: [{ people: 1 }] });
  const { items } = bodyOf(await call(paths.learners, { params: { id } }));
  expect(items.map((row) => row.company)).toEqual([other.name]);
  expect(bodyOf(await call(paths.withdraw, { params: { id }, body: { userIds: [ada.user.id] } }))).toEqual({
    changed: 1,
  });
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: company.id } }));
  await work();
  expect(await get(id)).toMatchObject({ learners: 1 });
});

test("a due date that an admin sets for a course applies to its step everywhere", async () => {
  const { ada, lessons } = await room(1);
  const [one] = lessons as [string];
  const id = await walk([stepOf(one, { dueDays: 5 })], [ada]);
  await db
    .updateTable("pathEnrolments")
    .set(({ ref }) => ({ joinedOn: dayIn(-40), joinedAt: ref("joinedAt") }))
    .where("pathId", "=", id)
    .execute();
  await checkPaths.run(services, {});
  await work();
  expect(await get(id)).toMatchObject({ overdue: 1, counts: [{ overdue: 1, inProgress: 0 }] });
  bodyOf(await call(courses.setDue, { params: { id: one }, body: { userIds: [ada.user.id], dueDate: dayIn(30) } }));
  await work();
  expect(await get(id)).toMatchObject({ overdue: 0, counts: [{ overdue: 0, inProgress: 1 }] });
  const { items } = bodyOf(await call(paths.learners, { params: { id } }));
  expect(items).toMatchObject([{ state: "active", dueDate: dayIn(30) }]);
  expect((await mine(ada, id)).steps[0]).toMatchObject({ dueDate: dayIn(30), overdue: false });
});

test("a course that is archived before its step opens is shown as archived", async () => {
  const { company, ada, lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  const first = stepOf(one);
  const id = await walk([first, stepOf(two, { after: [first.id] })], [ada]);
  const { version } = bodyOf(await call(courses.get, { params: { id: two } }));
  bodyOf(await call(courses.setStatus, { params: { id: two }, body: { status: "archived", version } }));
  await complete(ada, company.id, one);
  expect((await mine(ada, id)).steps[1]?.courses).toMatchObject([{ status: null, isArchived: true }]);
});

test("simultaneous assignments and jobs put everyone on the path once", async () => {
  const { company, ada, bo, lessons } = await room(2);
  const id = await walk([stepOf(lessons[0] as string)], [bo]);
  const all = () => call(paths.assign, { params: { id }, body: { companyIds: [company.id], notify: false } });
  const replies = await Promise.all([all(), checkPaths.run(services, {}), work(), all(), all()]);
  expect(replies.flatMap((reply) => (reply ? [reply.status] : []))).toEqual([200, 200, 200]);
  await work();
  expect(await get(id)).toMatchObject({ learners: 2 });
  expect(await enrolmentOf(ada, lessons[0] as string)).toMatchObject({ status: "assigned" });
});
