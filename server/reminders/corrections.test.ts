import { sql } from "kysely";
import { expect, test } from "vitest";
import { planSteps } from "#server/reminders/planning.ts";
import { managers } from "#shared/managers/managers.ts";
import { bodyOf } from "#test/probes.ts";
import { createReminderTester, everyDay, step } from "#test/reminders.ts";
import { type Person, start } from "#test/start.ts";

// Reminders when a day ends before its emails are written, and when something changes in between

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { make, db, services } = server;
const admin = await make.admin();
const { call, work, workAgain, room, setDue, savePlan, logOf, mailsOf, lead } = createReminderTester(server, admin);

const planOnly = async () => {
  while (await planSteps(services));
};

test("steps that were planned on an earlier day are planned again with those of today", async () => {
  const { company, course, people } = await room(["Ada"]);
  await setDue(people[0] as Person, course.id, -2);
  await savePlan(company.id, everyDay(step("overdue", 1)));
  await planOnly();
  await sql`
    update reminders
    set planned_at = now() - interval '1 day'
    where company_id = ${company.id}`.execute(db);
  await sql`
    update reminder_plans
    set planned_on = planned_on - 1
    where company_id = ${company.id}`.execute(db);
  await savePlan(company.id, everyDay(step("overdue", 1), step("overdue", 2)));
  await work();
  expect((await mailsOf(company.id)).map(({ subject }) => subject)).toEqual([`Overdue: ${course.title}`]);
  expect((await logOf(company.id)).map(({ days, dropped }) => [days, dropped]).toSorted()).toEqual([
    [1, "merged"],
    [2, null],
  ]);
});

test("an email that was late does not stop the step of the next day", async () => {
  const { company, course, people } = await room(["Bo"]);
  await setDue(people[0] as Person, course.id, -1);
  await savePlan(company.id, everyDay(step("overdue", 1), step("overdue", 2)));
  await work();
  // As if that had been yesterday evening.
  await sql`
    update reminders
    set counted_from = counted_from - 1,
      done_at = done_at - interval '14 hours'
    where company_id = ${company.id}`.execute(db);
  await sql`
    update enrolments
    set due_date = due_date - 1,
      reminded_at = reminded_at - interval '14 hours'
    where company_id = ${company.id}`.execute(db);
  await workAgain(company.id);
  expect((await logOf(company.id)).map(({ days, status }) => [days, status]).toSorted()).toEqual([
    [1, "sent"],
    [2, "sent"],
  ]);
});

test("a manager who no longer leads a person gets nothing about them", async () => {
  const { company, course, people } = await room(["Cid", "Old", "New"]);
  const [cid, before, after] = people as [Person, Person, Person];
  bodyOf(await call(managers.allow, { params: { id: company.id }, body: { seePeople: true } }));
  await lead(before, cid);
  await setDue(cid, course.id, -1);
  await savePlan(company.id, everyDay(step("overdue", 1, "manager")));
  await planOnly();
  await lead(after, cid);
  await work();
  expect(await mailsOf(company.id)).toEqual([]);
  expect(await logOf(company.id)).toMatchObject([{ status: "dropped", dropped: "otherManager" }]);
});
