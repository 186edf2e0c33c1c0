import { expect, test } from "vitest";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { start } from "#test/start.ts";

const { as, make, services } = await start();

const NAMES = ["Xenia", "Yngve", "Zoya"];

/** An admin, a company with `size` learners, and a published course that is not assigned yet. */
async function createClass(size: number) {
  const admin = await make.admin();
  const company = await make.company(admin);
  const people = [];
  for (const name of NAMES.slice(0, size)) people.push(await make.learner(company.accessCode, name));
  const course = await make.course(admin);
  const params = { id: course.id };
  const list = async (query = {}) =>
    (await as(admin)(courses.enrolments, { query: { courseId: course.id, size: 200, ...query } })).body;
  const statuses = async () =>
    (await as(admin)(courses.enrolments, { query: { courseId: course.id, sort: "name" } })).body.items.map(
      ({ name, status, dueDate }) => `${name}: ${status}, ${dueDate ?? "no date"}`,
    );
  const undo = async (id: string) => (await as(admin)(courses.undo, { params: { id } })).body.changed;
  return { admin, company, people, course, params, list, statuses, undo };
}
const sentTo = async (admin: Awaited<ReturnType<typeof make.admin>>, q: string) =>
  (await as(admin)(mails.list, { query: { q, size: 200 } })).body.items.filter(
    ({ reason }) => reason === "courses.assigned",
  );

test("undoes exactly what an assignment added", async () => {
  const { admin, company, people, params, statuses, undo } = await createClass(3);
  const [first, second] = people.map(({ user }) => user.id);
  await as(admin)(courses.assign, { params, body: { userIds: [first as string], dueDate: "2031-01-01" } });
  const before = await as(admin)(courses.assign, { params, body: { userIds: [second as string] } });
  await as(admin)(courses.withdraw, { params, body: { userIds: [second as string] } });
  const { body } = await as(admin)(courses.assign, {
    params,
    body: { companyIds: [company.id], dueDate: "2032-02-02" },
  });
  expect(body).toMatchObject({ added: 2, already: 1 });
  expect(await statuses()).toEqual([
    "Xenia: assigned, 2031-01-01",
    "Yngve: assigned, 2032-02-02",
    "Zoya: assigned, 2032-02-02",
  ]);
  expect(await undo(body.undoId)).toBe(2);
  expect(await statuses()).toEqual(["Xenia: assigned, 2031-01-01"]);
  const rows = (await as(admin)(companies.courses, { params: { id: company.id } })).body.items;
  expect(rows[0]?.everybody).toBe(false);
  expect((await as(admin)(courses.undo, { params: { id: body.undoId } })).status).toBe(404);
  expect((await as(await make.admin())(courses.undo, { params: { id: before.body.undoId } })).status).toBe(404);
});

test("undoes a change of due dates, each to its own date", async () => {
  const { admin, people, params, statuses, undo } = await createClass(2);
  const [first, second] = people.map(({ user }) => user.id) as [string, string];
  await as(admin)(courses.assign, { params, body: { userIds: [first], dueDate: "2031-01-01" } });
  await as(admin)(courses.assign, { params, body: { userIds: [second] } });
  const { body } = await as(admin)(courses.setDue, { params, body: { filter: {}, dueDate: "2020-05-05" } });
  expect(body.changed).toBe(2);
  expect(await undo(body.undoId)).toBe(2);
  expect(await statuses()).toEqual(["Xenia: assigned, 2031-01-01", "Yngve: assigned, no date"]);
});

test("withdraws from all learners that match a filter, and restores them", async () => {
  const { admin, company, params, list, undo } = await createClass(3);
  await as(admin)(courses.assign, { params, body: { companyIds: [company.id] } });
  const withdrawn = await as(admin)(courses.withdraw, {
    params,
    body: { filter: { status: "assigned" } },
  });
  expect(withdrawn.body.changed).toBe(3);
  expect((await list()).total).toBe(0);
  const restored = await as(admin)(courses.restore, { params, body: { filter: { status: "withdrawn" } } });
  expect(restored.body.changed).toBe(3);
  expect(await undo(restored.body.undoId)).toBe(3);
  expect((await list({ status: "withdrawn" })).total).toBe(3);
});

test("withdraws a course from a company in one act that can be undone", async () => {
  const { admin, company, course, params, list, undo } = await createClass(2);
  await as(admin)(courses.assign, { params, body: { companyIds: [company.id], dueDate: "2031-01-01" } });
  const { body } = await as(admin)(companies.removeCourse, { params: { id: company.id, courseId: course.id } });
  expect([body.withdrawn, (await list()).total]).toEqual([2, 0]);
  expect(await undo(body.undoId)).toBe(2);
  expect((await list()).total).toBe(2);
  const [row] = (await as(admin)(companies.courses, { params: { id: company.id } })).body.items;
  expect(row).toMatchObject({ everybody: true, assigned: 2, dueFrom: "2031-01-01", dueTo: "2031-01-01" });
});

test("assigns courses to all learners that match a filter", async () => {
  const { admin, company, course, list } = await createClass(3);
  const assign = (body: object) => as(admin)(learners.assign, { body: { courseIds: [course.id], ...body } as never });
  expect((await assign({ filter: { companyId: company.id, q: "Yngve" } })).body.added).toBe(1);
  expect((await assign({ filter: { companyId: company.id } })).body).toMatchObject({ added: 2, already: 1 });
  expect((await list()).total).toBe(3);
  expect(await assign({})).toMatchObject({ status: 422 });
  expect(await assign({ ids: [company.id], filter: {} })).toMatchObject({ status: 422 });
});

test("mails everyone who got a course once, with all their courses", async () => {
  const { admin, company, people, course } = await createClass(2);
  const other = await make.course(admin);
  const [first] = people.map(({ user }) => user.id) as [string];
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [first] } });
  const { body } = await as(admin)(courses.assignMany, {
    body: { courseIds: [course.id, other.id], companyIds: [company.id], dueDate: "2031-03-09", notify: true },
  });
  const step = { stepId: body.undoId };
  await Promise.all([notifyAssigned.run(services, step), notifyAssigned.run(services, step)]);
  await notifyAssigned.run(services, step);
  const [mailOfFirst, ...others] = await sentTo(admin, people[0]?.user.email ?? "");
  expect(others).toEqual([]);
  expect(mailOfFirst?.subject).toBe(`New course: ${other.title}`);
  expect(mailOfFirst?.body).toContain("Complete it by 9 Mar 2031.");
  const mailOfSecond = await sentTo(admin, people[1]?.user.email ?? "");
  expect(mailOfSecond.map(({ subject }) => subject)).toEqual([`2 new courses from ${company.name}`]);
});

test("mails nobody when the assignment was undone, or when no mail was asked for", async () => {
  const { admin, people, params, undo } = await createClass(1);
  const [learner] = people as [(typeof people)[0]];
  const assign = async (notify: boolean) =>
    (await as(admin)(courses.assign, { params, body: { userIds: [learner.user.id], notify } })).body.undoId;
  const stepId = await assign(true);
  await undo(stepId);
  await notifyAssigned.run(services, { stepId });
  await assign(false);
  expect(await sentTo(admin, learner.user.email)).toEqual([]);
});

test("previews the mail as the first learner gets it", async () => {
  const { admin, company, course } = await createClass(1);
  const { body } = await as(admin)(courses.previewAssignmentMail, {
    body: { courseIds: [course.id], companyIds: [company.id], dueDate: "2031-03-09" },
  });
  expect(body.subject).toBe(`New course: ${course.title}`);
  expect(body.body).toContain("Hello Xenia,");
  expect(body.body).toContain(`${company.name} has assigned you the course`);
});
