import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { mails } from "#shared/mails/mails.ts";
import { sendReminders } from "#server/courses/reminders.ts";
import { start } from "#test/start.ts";

const { as, make, services } = await start();

test("reminds learners who are overdue once, and nobody else", async () => {
  const { admin, company, course, learner } = await make.classroom();
  const onTime = await make.learner(company.accessCode);
  const suspended = await make.learner(company.accessCode);
  const boss = as(admin);
  const params = { id: course.id };
  const userIds = [learner.user.id, suspended.user.id];
  await boss(courses.setDue, { params, body: { userIds, dueDate: "2020-02-01" } });
  await boss(courses.setDue, { params, body: { userIds: [onTime.user.id], dueDate: "2090-02-01" } });
  await services.db.updateTable("users").set({ status: "suspended" }).where("id", "=", suspended.user.id).execute();
  expect((await boss(courses.remind, { params, body: { companyId: company.id } })).body).toEqual({ changed: 1 });
  const input = { courseId: course.id, companyId: company.id, at: new Date().toISOString() };
  await sendReminders.run(services, input);
  await sendReminders.run(services, input);
  const { items } = (await boss(mails.list, { query: { size: 100 } })).body;
  const sent = items.filter(({ reason }) => reason === "courses.reminded");
  expect(sent.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    [learner.user.email, `Overdue: ${course.title}`],
  ]);
  expect(sent[0]?.body).toContain("1 Feb 2020");
  expect((await boss(courses.remind, { params, body: {} })).body).toEqual({ changed: 0 });
});
