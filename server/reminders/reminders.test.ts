import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTransaction } from "#server/core/database/db.ts";
import { sendMail } from "#server/mails/service.ts";
import { planSteps } from "#server/reminders/planning.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { managers } from "#shared/managers/managers.ts";
import { reminders, SUGGESTED } from "#shared/reminders/reminders.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { bodyOf } from "#test/probes.ts";
import { createReminderTester, everyDay, step } from "#test/reminders.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createReminderTester(server, admin);
const { call, work, workAgain, room, setDue, planOf, savePlan, previewOf, logOf, mailsOf, lead } = tester;
const { complete, commit, launch } = createRequirementTester(server, admin);

test("a company is offered steps, and sends nothing before they are switched on", async () => {
  const { company, course, people } = await room(["Ada"]);
  const [ada] = people as [Person];
  await setDue(ada, course.id, 7);
  expect(await planOf(company.id)).toMatchObject({ ...SUGGESTED, version: 0, today: dayIn(0) });
  await work();
  expect(await mailsOf(company.id)).toEqual([]);
  await call(reminders.save, { params: { id: company.id }, body: { terms: { ...SUGGESTED, hour: 0 }, version: 0 } });
  await work();
  expect(await logOf(company.id)).toEqual([]);
});

test("each step is sent once, on its day, with all courses of a person in one email", async () => {
  const { company, course, people } = await room(["Ada", "Bo"]);
  const [ada, bo] = people as [Person, Person];
  const other = await make.course(admin);
  bodyOf(await call(courses.assign, { params: { id: other.id }, body: { userIds: [ada.user.id] } }));
  await db
    .updateTable("enrolments")
    .set({ assignedAt: dayIn(-90) })
    .where("courseId", "=", other.id)
    .execute();
  await setDue(ada, course.id, 7);
  await setDue(ada, other.id, -1);
  await setDue(bo, course.id, 6);
  const terms = everyDay(step("due_soon", 7), step("overdue", 1));
  await savePlan(company.id, terms);
  const preview = await previewOf(company.id, terms);
  expect(preview).toMatchObject({ day: dayIn(0), emails: 2, sent: 3, dropped: 0, total: 3 });
  await Promise.all([work(), work()]);
  await workAgain(company.id);
  const mails = await mailsOf(company.id);
  // Bo's day was yesterday, when the job did not run.
  expect(mails.map(({ userId, subject }) => [userId, subject]).toSorted()).toEqual(
    [
      [ada.user.id, "2 courses are waiting for you"],
      [bo.user.id, `Due soon: ${course.title}`],
    ].toSorted(),
  );
  expect((await logOf(company.id)).map(({ status }) => status)).toEqual(["sent", "sent", "sent"]);
  expect(await previewOf(company.id, terms)).toMatchObject({ emails: 0, day: dayIn(1) });
  await setDue(bo, course.id, 7);
  await workAgain(company.id);
  expect((await mailsOf(company.id)).filter(({ userId }) => userId === bo.user.id)).toHaveLength(2);
});

test("steps from before the plan was switched on or the assignment are not sent", async () => {
  const { company, course, people } = await room(["Ada", "Bo"]);
  const [ada, bo] = people as [Person, Person];
  await setDue(ada, course.id, -5);
  await setDue(bo, course.id, 3);
  await db
    .updateTable("enrolments")
    .set({ assignedAt: new Date().toISOString() })
    .where("userId", "=", bo.user.id)
    .execute();
  const terms = everyDay(step("overdue", 3), step("due_soon", 3), step("not_started", 1));
  bodyOf(await call(reminders.save, { params: { id: company.id }, body: { terms, version: 0 } }));
  await work();
  expect(await logOf(company.id)).toEqual([]);
  expect(await previewOf(company.id, terms, dayIn(1))).toMatchObject({
    sent: 1,
    items: [{ userId: bo.user.id, kind: "not_started" }],
  });
});

test("of several steps of a course on one day the latest is sent, and the log says so", async () => {
  const { company, course, people } = await room(["Ada"]);
  await setDue(people[0] as Person, course.id, -3);
  await savePlan(company.id, everyDay(step("overdue", 1), step("overdue", 3)));
  await work();
  expect((await logOf(company.id)).map(({ days, status, dropped }) => [days, status, dropped]).toSorted()).toEqual([
    [1, "dropped", "merged"],
    [3, "sent", null],
  ]);
  await workAgain(company.id);
  expect(await mailsOf(company.id)).toHaveLength(1);
});

test("managers get one email about their people, and their own reminders apart from it", async () => {
  const { company, course, people } = await room(["Boss", "Ada", "Bo", "Cy"]);
  const [boss, ada, bo, cy] = people as [Person, Person, Person, Person];
  bodyOf(await call(managers.allow, { params: { id: company.id }, body: { seePeople: true } }));
  await lead(boss, ada, bo);
  for (const person of people) await setDue(person, course.id, -7);
  await savePlan(company.id, everyDay(step("overdue", 7, "both")));
  await work();
  const mails = await mailsOf(company.id);
  const toBoss = mails.filter(({ userId }) => userId === boss.user.id);
  expect(toBoss.map(({ subject }) => subject).toSorted()).toEqual([
    `Overdue: ${course.title}`,
    "Your team: courses of 2 people",
  ]);
  const team = toBoss.find(({ subject }) => subject.startsWith("Your team"))?.body;
  expect(team).toContain("Ada");
  expect(team).not.toMatch(/Boss: |Cy/);
  expect(mails).toHaveLength(5);
  const log = await logOf(company.id);
  const dropped = log.filter(({ status }) => status === "dropped");
  expect(dropped.map(({ name, dropped }) => [name, dropped]).toSorted()).toEqual([
    ["Boss", "noManager"],
    ["Cy", "noManager"],
  ]);
  expect(log.find(({ name, audience }) => name === "Ada" && audience === "manager")).toMatchObject({
    recipient: "Boss",
    userId: ada.user.id,
  });
  expect(cy.user.name).toBe("Cy");
});

test("an email about a person without an address goes to their manager", async () => {
  const { company, course, people } = await room(["Boss", "Ada"]);
  const [boss, ada] = people as [Person, Person];
  bodyOf(await call(managers.allow, { params: { id: company.id }, body: { seePeople: true } }));
  await lead(boss, ada);
  await db.updateTable("users").set({ email: null }).where("id", "=", ada.user.id).execute();
  await setDue(ada, course.id, 1);
  await savePlan(company.id, everyDay(step("due_soon", 1)));
  await work();
  const [mail, ...others] = await mailsOf(company.id);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ userId: boss.user.id, subject: "Your team: Ada" });
  expect(mail?.body).toContain("no email address");
});

test("what changes between planning and sending is read again", async () => {
  const names = ["Done", "Out", "Later", "Off", "Stays", "Begun"];
  const { company, course, people } = await room(names);
  const [done, out, later, off, , begun] = people as [Person, Person, Person, Person, Person, Person];
  for (const person of people) await setDue(person, course.id, 2);
  await setDue(begun, course.id, null);
  await db
    .updateTable("enrolments")
    .set({ assignedAt: dayIn(-3) })
    .where("userId", "=", begun.user.id)
    .execute();
  const terms = everyDay(step("due_soon", 2), step("not_started", 3));
  await savePlan(company.id, terms);
  while (await planSteps(server.services));
  expect(await logOf(company.id, { status: "planned" })).toHaveLength(names.length);
  await complete(done, company.id, course.id);
  bodyOf(await call(courses.withdraw, { params: { id: course.id }, body: { userIds: [out.user.id] } }));
  await setDue(later, course.id, 9);
  bodyOf(await call(learners.suspend, { body: { ids: [off.user.id] } }));
  bodyOf(await commit(await launch(begun, company.id, course.id), { activeMs: 1000 }));
  await work();
  const log = await logOf(company.id);
  expect(Object.fromEntries(log.map(({ name, status, dropped }) => [name, dropped ?? status]))).toEqual({
    Done: "completed",
    Out: "withdrawn",
    Later: "changed",
    Off: "suspended",
    Stays: "sent",
    Begun: "changed",
  });
  expect(await mailsOf(company.id)).toHaveLength(1);
});

test("switched off, nothing is sent, not even what was planned", async () => {
  const { company, course, people } = await room(["Ada"]);
  await setDue(people[0] as Person, course.id, 1);
  const terms = everyDay(step("due_soon", 1));
  await savePlan(company.id, terms);
  while (await planSteps(server.services));
  await savePlan(company.id, { ...terms, isOn: false });
  await work();
  expect(await logOf(company.id)).toMatchObject([{ status: "dropped", dropped: "switchedOff" }]);
});

test("a reminder by hand replaces a step on the same day, and the other way round", async () => {
  const { company, course, people } = await room(["Ada", "Bo"]);
  const [ada, bo] = people as [Person, Person];
  await setDue(ada, course.id, -1);
  await setDue(bo, course.id, -1);
  bodyOf(await call(courses.remind, { body: { userIds: [ada.user.id] } }));
  await savePlan(company.id, everyDay(step("overdue", 1)));
  await work();
  expect((await logOf(company.id)).map(({ name, dropped }) => [name, dropped]).toSorted()).toEqual([
    ["Ada", "reminded"],
    ["Bo", null],
  ]);
  const preview = bodyOf(await call(courses.remindPreview, { body: { courseId: course.id } }));
  expect(preview.leftOut.items.map(({ reason }) => reason)).toEqual(["reminded", "reminded"]);
});

test("two admins: the second gets a 409 with the present plan", async () => {
  const { company } = await room([]);
  const terms = everyDay(step("overdue", 1));
  const params = { id: company.id };
  const replies = await Promise.all(
    [admin, await make.admin()].map((by) => as(by)(reminders.save, { params, body: { terms, version: 0 } })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await planOf(company.id)).toMatchObject({ version: 1, isOn: true });
});

test("bad steps are refused by their place, and other companies are not there", async () => {
  const { company, people } = await room(["Ada"]);
  const params = { id: company.id };
  const save = (steps: ReturnType<typeof step>[]) =>
    call(reminders.save, { params, body: { terms: everyDay(...steps), version: 0 } });
  const twice = await save([step("overdue", 1), step("overdue", 1)]);
  expect([twice.status, JSON.stringify(twice.body)]).toEqual([422, expect.stringContaining("terms.steps.1")]);
  expect((await save([{ ...step("overdue", 1), toLearner: false }])).status).toBe(422);
  expect((await save([])).status).toBe(422);
  expect((await as(people[0] as Person)(reminders.plan, { params })).status).toBe(403);
  const limited = await make.admin();
  await limitToCompany(db, limited, (await room([])).company.id);
  const terms = everyDay(step("overdue", 1));
  expect((await as(limited)(reminders.plan, { params })).status).toBe(404);
  expect((await as(limited)(reminders.save, { params, body: { terms, version: 0 } })).status).toBe(404);
  expect((await as(limited)(reminders.preview, { params, body: { terms } })).status).toBe(404);
  expect((await as(limited)(reminders.list, { params })).status).toBe(404);
});

test("a completion that is being stored while emails are written comes first", async () => {
  const { company, course, people } = await room(["Ada"]);
  const [ada] = people as [Person];
  await setDue(ada, course.id, 1);
  await savePlan(company.id, everyDay(step("due_soon", 1)));
  const stored = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const completion = inTransaction(db, async (tx) => {
    await tx
      .updateTable("enrolments")
      .set({ status: "completed", completedAt: new Date().toISOString() })
      .where("userId", "=", ada.user.id)
      .execute();
    reached.resolve();
    await stored.promise;
  });
  await reached.promise;
  const writing = work();
  while ((await logOf(company.id)).length === 0) await sleep(20);
  await sleep(200);
  stored.resolve();
  await Promise.all([completion, writing]);
  expect(await logOf(company.id)).toMatchObject([{ status: "dropped", dropped: "completed" }]);
});

test("an email that cannot be sent on its day stays in the outbox", async () => {
  const { company, course, people } = await room(["Ada"]);
  await setDue(people[0] as Person, course.id, 1);
  await savePlan(company.id, everyDay(step("due_soon", 1)));
  await work();
  const { id } = await db
    .updateTable("mails")
    .set({ notAfter: new Date(Date.now() - 1000).toISOString() })
    .where("companyId", "=", company.id)
    .returning("id")
    .executeTakeFirstOrThrow();
  await sendMail.run(server.services, { id });
  expect(await logOf(company.id, { status: "kept" })).toMatchObject([{ name: "Ada", status: "kept" }]);
});
