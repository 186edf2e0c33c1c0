import { sql } from "kysely";
import { expect, test } from "vitest";
import { mailReminders } from "#server/courses/reminders/reminderMails.ts";
import { audit } from "#shared/audit/audit.ts";
import { courses } from "#shared/courses/courses.ts";
import type { ReminderTarget } from "#shared/courses/reminders.ts";
import { learners } from "#shared/learners/learners.ts";
import { reports } from "#shared/reports/reports.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { type Person, start } from "#test/start.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9", CLAIM_CONFIRMATION: "off" });
const { as, make, services, db } = server;

/** A course with two overdue learners, and one who is not overdue. */
async function createOverdue() {
  const room = await make.classroom();
  const { admin, company, course } = room;
  const [second, onTime] = [await make.learner(company.accessCode), await make.learner(company.accessCode)];
  const setDue = (person: Person, dueDate: string) =>
    as(admin)(courses.setDue, { params: { id: course.id }, body: { userIds: [person.user.id], dueDate } });
  await setDue(room.learner, "2020-02-01");
  await setDue(second, "2020-03-01");
  await setDue(onTime, "2090-02-01");
  return { ...room, second, onTime };
}

const preview = async (admin: Person, body: ReminderTarget) => (await as(admin)(courses.remindPreview, { body })).body;
const remind = async (admin: Person, body: ReminderTarget) => (await as(admin)(courses.remind, { body })).body.changed;
const suspend = (person: Person) =>
  db.updateTable("users").set({ status: "suspended" }).where("id", "=", person.user.id).execute();

/** Runs the queued jobs of a course twice, as after an interruption, and returns the emails. */
async function deliver(courseId: string, companyId: string) {
  const { rows } = await sql<{ at: string }>`
    select distinct reminded_at as at
    from enrolments
    where course_id = ${courseId}
      and reminded_at is not null`.execute(db);
  for (const { at } of [...rows, ...rows]) await mailReminders.run(services, { courseId, companyId, at });
  return db
    .selectFrom("mails")
    .where("companyId", "=", companyId)
    .where("reason", "=", "courses.reminded")
    .select(["recipient", "subject", "body", "status"])
    .execute();
}

test("the preview names exactly those who get an email, and those who are left out", async () => {
  const { admin, company, course, learner, second } = await createOverdue();
  const suspended = await make.learner(company.accessCode);
  const params = { id: course.id };
  await as(admin)(courses.setDue, { params, body: { userIds: [suspended.user.id], dueDate: "2020-04-01" } });
  await suspend(suspended);
  const target = { courseId: course.id, companyId: company.id };
  const before = await preview(admin, target);
  expect(before).toMatchObject({ total: 2, hasMailServer: true });
  expect(before.items.map(({ email, dueDate, remindedAt }) => [email, dueDate, remindedAt])).toEqual([
    [learner.user.email, "2020-02-01", null],
    [second.user.email, "2020-03-01", null],
  ]);
  expect(before.leftOut.items.map(({ userId, reason }) => [userId, reason])).toEqual([
    [suspended.user.id, "suspended"],
  ]);
  expect(await remind(admin, target)).toBe(2);
  const sent = await deliver(course.id, company.id);
  expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(before.items.map(({ email }) => email).toSorted());
  expect(sent.find(({ recipient }) => recipient === learner.user.email)).toMatchObject({
    subject: `Overdue: ${course.title}`,
    body: expect.stringContaining("1 Feb 2020") as string,
  });
  const after = await preview(admin, target);
  expect([after.total, after.leftOut.total]).toEqual([0, 3]);
  expect(after.leftOut.items.map(({ reason }) => reason)).toEqual(["reminded", "reminded", "suspended"]);
  expect(await remind(admin, { courseId: course.id })).toBe(0);
  for (const { user } of [learner, second]) {
    const query = { action: "courses.remind" as const, personId: user.id };
    expect((await as(admin)(audit.list, { query })).body.total).toBe(1);
  }
});

test("two admins who send reminders at the same time email nobody twice", async () => {
  const { admin, company, course } = await createOverdue();
  const other = await make.admin();
  const target = { courseId: course.id };
  const counts = await Promise.all([admin, other, admin, other].map((person) => remind(person, target)));
  expect(counts.toSorted()).toEqual([0, 0, 0, 2]);
  const sent = await deliver(course.id, company.id);
  expect(sent.map(({ status }) => status)).toEqual(["queued", "queued"]);
});

test("someone who completes the course before the email is written gets none", async () => {
  const { admin, company, course, learner, second } = await createOverdue();
  expect(await remind(admin, { courseId: course.id })).toBe(2);
  await db.updateTable("enrolments").set({ status: "completed" }).where("userId", "=", learner.user.id).execute();
  const sent = await deliver(course.id, company.id);
  expect(sent.map(({ recipient }) => recipient)).toEqual([second.user.email]);
});

test("people who moved, and courses and companies that are closed, are left out", async () => {
  const moved = await createOverdue();
  const elsewhere = await make.company(moved.admin);
  await as(moved.admin)(learners.move, { body: { ids: [moved.learner.user.id], companyId: elsewhere.id } });
  const closed = await createOverdue();
  await db.updateTable("courses").set({ status: "archived" }).where("id", "=", closed.course.id).execute();
  const paused = await createOverdue();
  await db.updateTable("companies").set({ status: "suspended" }).where("id", "=", paused.company.id).execute();
  const reasons = async ({ admin, course }: { admin: Person; course: { id: string } }) =>
    (await preview(admin, { courseId: course.id })).leftOut.items.map(({ reason }) => reason);
  expect(await reasons(moved)).toEqual(["moved"]);
  expect(await reasons(closed)).toEqual(["courseClosed", "courseClosed"]);
  expect(await reasons({ ...paused, admin: await make.admin() })).toEqual(["companyClosed", "companyClosed"]);
});

test("an admin of one company reminds only its learners", async () => {
  const own = await createOverdue();
  const other = await createOverdue();
  await limitToCompany(db, own.admin, own.company.id);
  const userIds = [own.learner.user.id, other.learner.user.id];
  expect((await preview(own.admin, { userIds })).items.map(({ userId }) => userId)).toEqual([own.learner.user.id]);
  expect(await preview(own.admin, { courseId: other.course.id })).toMatchObject({ total: 0, leftOut: { total: 0 } });
  expect(await remind(own.admin, { companyId: other.company.id })).toBe(0);
  expect(await remind(own.admin, { userIds })).toBe(1);
  const ids = [other.learner.user.id];
  expect((await as(own.admin)(learners.remind, { body: { ids } })).body.changed).toBe(0);
  expect((await as(own.learner)(courses.remind, { body: { userIds } })).status).toBe(403);
});

test("selected learners are reminded of all their overdue courses, by id or by filter", async () => {
  const { admin, company, learner, onTime } = await createOverdue();
  const another = await make.course(admin);
  const params = { id: another.id };
  const userIds = [learner.user.id];
  await as(admin)(courses.assign, { params, body: { userIds, dueDate: "2020-05-01" } });
  const byId = await as(admin)(learners.remindPreview, { body: { ids: [learner.user.id, onTime.user.id] } });
  expect(byId.body.items.map(({ userId }) => userId)).toEqual([learner.user.id, learner.user.id]);
  const body = { filter: { companyId: company.id } };
  expect((await as(admin)(learners.remindPreview, { body })).body.total).toBe(3);
  expect((await as(admin)(learners.remind, { body })).body.changed).toBe(3);
  expect((await as(admin)(learners.get, { params: { id: learner.user.id } })).body.remindedAt).not.toBeNull();
});

test("a call that names no course, company or learner is refused", async () => {
  const admin = await make.admin();
  const reply = await as(admin)(courses.remind, { body: {} });
  expect([reply.status, reply.code]).toEqual([422, "core.invalid"]);
  expect(JSON.stringify(reply.body)).toContain("Choose a course, a company or learners.");
});

test("without a mail server, reminders are refused and nothing is marked", async () => {
  const without = await start();
  const { admin, course, learner } = await without.make.classroom();
  const userIds = [learner.user.id];
  await without.as(admin)(courses.setDue, { params: { id: course.id }, body: { userIds, dueDate: "2020-02-01" } });
  const body = { courseId: course.id };
  expect((await without.as(admin)(courses.remindPreview, { body })).body).toMatchObject({
    total: 1,
    hasMailServer: false,
  });
  const reply = await without.as(admin)(courses.remind, { body });
  expect([reply.status, reply.code]).toEqual([409, "courses.noMailServer"]);
  const bySelection = await without.as(admin)(learners.remind, { body: { ids: userIds } });
  expect(bySelection.code).toBe("courses.noMailServer");
  expect((await without.as(admin)(courses.remindPreview, { body })).body.items[0]?.remindedAt).toBeNull();
  const { attention } = (await without.as(admin)(reports.dashboard)).body;
  expect(attention.find(({ kind }) => kind === "overdue")?.values).toMatchObject({ count: 1, canRemind: 0 });
});

test("the dashboard shows the last reminder and counts the emails a new one would send", async () => {
  const { admin, company, course } = await createOverdue();
  const third = await make.learner(company.accessCode);
  const body = { userIds: [third.user.id], dueDate: "2020-02-01" };
  await as(admin)(courses.setDue, { params: { id: course.id }, body });
  await suspend(third);
  await limitToCompany(db, admin, company.id);
  const read = async () => {
    const { attention } = (await as(admin)(reports.dashboard)).body;
    return attention.find(({ kind }) => kind === "overdue")?.values;
  };
  expect(await read()).toMatchObject({ count: 3, canRemind: 1 });
  expect(await read()).not.toHaveProperty("remindedAt");
  await remind(admin, { courseId: course.id, companyId: company.id });
  expect(await read()).toMatchObject({ count: 3, canRemind: 0, remindedAt: expect.any(String) as string });
});
