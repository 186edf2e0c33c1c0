import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { courses } from "#shared/courses.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Reports: from a figure to its people, as of an earlier day, and as a document that can be checked

async function openAdmin(browser: Browser, app: ServerFixture, path: string) {
  const opened = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(opened.page).toHaveURL(/dashboard/);
  await opened.page.goto(app.url + path);
  return opened;
}

test("an admin follows a figure to its people, issues the report and checks it", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const [late] = [await addLearner(app, "Liv Aune"), await addLearner(app, "Ola Strand")];
  const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: late.email } });
  await app.admin.call(courses.setDue, {
    params: { id: course.id },
    body: { userIds: [items[0]?.userId as string], dueDate: "2020-02-01" },
  });
  const { page, context } = await openAdmin(browser, app, `/companies/${app.company.id}`);
  await page.getByRole("tab", { name: "Learners" }).click();
  await expect(page.getByRole("link", { name: "Liv Aune" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Views" })).toHaveCount(0);
  await page.getByRole("link", { name: "Report", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Company report" })).toBeVisible();

  const overdue = page.getByRole("link", { name: /^Overdue/ });
  await expect(overdue).toContainText("1");
  await overdue.hover();
  await expect(page.getByRole("tooltip")).toContainText("whose due date has passed");
  await overdue.click();
  await expect(page).toHaveURL(/group=overdue/);
  await expect(page.getByText("1 of 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Liv Aune" })).toHaveAttribute("href", /\/learners\/report\//);

  const period = page.getByRole("row", { name: /^Assigned \d+ \d+$/ });
  await period.getByRole("link").nth(1).click();
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=.*group=assignedIn/);
  await expect(page.getByText("No matches")).toBeVisible();
  await page.goBack();

  const csv = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "Rows as CSV" }).click();
  const lines = readFileSync(await (await csv).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines.length).toBe(2);
  expect(lines[1]).toContain("Liv Aune");

  const pdf = page.waitForEvent("download");
  await page.getByRole("button", { name: "Issue PDF" }).click();
  const number = (await pdf).suggestedFilename().replace(".pdf", "");
  expect(number).toMatch(/^R-\d{4}-\d{5}$/);
  await page.goto(`${app.url}/reports/issued?number=${number}`);
  await expect(page.getByText(/^All \d+ figures are equal$/)).toBeVisible();
  await context.close();
});

test("a report of a day before anything was recorded says so", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  await addLearner(app, "Per Dahl");
  const { page, context } = await openAdmin(browser, app, `/reports/course/${course.id}?asOf=2019-03-31`);
  await expect(page.getByText("Nothing is known about this day")).toBeVisible();
  await expect(page.getByText("As of the end of 31 Mar 2019")).toBeVisible();
  await context.close();
});

test("an admin compares two days, and saves what is shown as a view with an email", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  await addLearner(app, "Mia Berg");
  const { page, context } = await openAdmin(browser, app, `/reports/course/${course.id}?since=2020-01-31`);
  await expect(page.getByRole("heading", { name: "Changes since 31 Jan 2020" })).toBeVisible();
  const row = page.getByRole("row", { name: /Mia Berg/ }).filter({ hasText: "Not assigned" });
  await expect(row).toContainText("Assigned");
  await expectAccessible(page, "changes between two days");

  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("button", { name: "Save this view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await dialog.getByLabel("Name").fill("Since January");
  await dialog.getByRole("combobox", { name: "Email its figures" }).click();
  await page.getByRole("option", { name: "Every Monday" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("View “Since January” saved.")).toBeVisible();
  await page.goto(`${app.url}/reports/course/${course.id}`);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await expect(page.getByText("Every Monday")).toBeVisible();
  await page.getByRole("link", { name: /Since January/ }).click();
  await expect(page).toHaveURL(/since=2020-01-31/);
  await page.getByRole("button", { name: "Since January", exact: true }).click();
  await page.getByRole("button", { name: "Change view: Since January" }).click();
  await page.getByRole("dialog", { name: "Change view" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Views", exact: true })).toBeVisible();
  await context.close();
});
