import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { ADMIN } from "#test/process.ts";
import { test } from "./authFixture.ts";
import { expectAccessible } from "./axe.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test as withoutMailServer, type ServerFixture } from "./server.ts";

type App = Pick<ServerFixture, "admin" | "company" | "url">;

/** A course with an overdue learner; the other learners of the company are not overdue. */
async function addOverdue(app: App, name: string) {
  const course = await addCourse(app as ServerFixture, probePackage("1.2"));
  const person = await addLearner(app as ServerFixture, name);
  const [row] = (await app.admin.call(learners.list, { query: { q: person.email } })).items;
  const userIds = [row?.id as string];
  await app.admin.call(courses.assign, { params: { id: course.id }, body: { userIds } });
  await app.admin.call(courses.setDue, { params: { id: course.id }, body: { userIds, dueDate: "2020-02-01" } });
  return { course, person };
}

test("an admin sees who will be reminded, and cannot remind anyone twice", async ({ browser, app }) => {
  const { course, person } = await addOverdue(app, "Oda Overdue");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("link", { name: "Learners", exact: true }).click();
  await page.getByRole("searchbox").fill(person.email);
  const openDialog = async () => {
    await page.getByRole("row", { name: person.email }).getByRole("button").last().click();
    await page.getByRole("menuitem", { name: "Remind" }).click();
  };
  await openDialog();
  const dialog = page.getByRole("dialog", { name: "Remind Oda Overdue?" });
  await expect(dialog.getByRole("list", { name: "Learners who are reminded" })).toContainText(course.title);
  await expectAccessible(page, "reminders");
  expect(app.mailbox.count(person.email, "Overdue")).toBe(0);
  await dialog.getByRole("button", { name: "Send 1 reminder" }).click();
  await expect(page.getByText("1 reminder queued")).toBeVisible();
  await expect(dialog).toBeHidden();
  await app.mailbox.waitForMail(person.email, `Overdue: ${course.title}`);

  await openDialog();
  await expect(dialog.getByRole("list", { name: "Learners who are left out" })).toContainText("reminded just now");
  await expect(dialog.getByRole("button", { name: "Send reminders" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("Reminded just now.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Remind/ })).toHaveCount(0);
  expect(app.mailbox.count(person.email, "Overdue")).toBe(1);
  await context.close();
});

withoutMailServer("without a mail server the dialog says so and sends nothing", async ({ browser, app }) => {
  const { person } = await addOverdue(app, "Nora Nomail");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("link", { name: "Learners", exact: true }).click();
  await page.getByRole("searchbox").fill(person.email);
  await page.getByRole("row", { name: person.email }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Remind" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("No mail server is set up")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Send 1 reminder" })).toBeDisabled();
  expect((await app.admin.call(mails.list, { query: { q: person.email } })).items).toEqual([]);
  await context.close();
});
