import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { player } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Reports: from a figure to its people, as of an earlier day, and as a document that can be checked

async function openAdmin(browser: Browser, app: ServerFixture, path: string) {
  const opened = await openAs(browser, ADMIN, app.url + path);
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
  await expect(page.getByText(/^All \d+ figures match$/)).toBeVisible();
  await context.close();
});

test("a report of a day before anything was recorded says so", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  await addLearner(app, "Per Dahl");
  const { page, context } = await openAdmin(browser, app, `/reports/course/${course.id}?asOf=2019-03-31`);
  await expect(page.getByText("No data for this day")).toBeVisible();
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
  await expect(page.getByText("View “Since January” saved")).toBeVisible();
  await page.goto(`${app.url}/reports/course/${course.id}`);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await expect(page.getByText("Every Monday")).toBeVisible();
  await page.getByRole("link", { name: /Since January/ }).click();
  await expect(page).toHaveURL(/since=2020-01-31/);
  await page.getByRole("button", { name: "Since January", exact: true }).click();
  await page.getByRole("button", { name: "Edit view: Since January" }).click();
  await page.getByRole("dialog", { name: "Edit view" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Views", exact: true })).toBeVisible();
  await context.close();
});

test("an admin follows a learner's figures over time and issues the training record", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const learner = await addLearner(app, "Ida Moen");
  const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: learner.email } });
  const id = items[0]?.userId as string;
  await app.admin.call(courses.setDue, { params: { id: course.id }, body: { userIds: [id], dueDate: "2020-02-01" } });
  const { page, context } = await openAdmin(browser, app, `/learners/report/${id}`);
  const overdue = page.getByRole("link", { name: /^Overdue/ });
  await overdue.hover();
  await expect(page.getByRole("tooltip")).toContainText("whose due date has passed");
  await overdue.click();
  await expect(page).toHaveURL(/group=overdue/);
  const table = page.getByRole("region", { name: "Courses" });
  await expect(table.getByRole("button", { name: course.title })).toHaveCount(1);
  await page
    .getByRole("link", { name: /^Completed/ })
    .first()
    .click();
  await expect(table.getByText("No courses to show")).toBeVisible();

  await page.goto(`${app.url}/learners/report/${id}?since=2020-01-31`);
  await expect(page.getByRole("heading", { name: "Changes since 31 Jan 2020" })).toBeVisible();
  await expect(
    page
      .getByRole("row", { name: new RegExp(course.title) })
      .filter({ hasText: "Not assigned" })
      .first(),
  ).toBeVisible();
  await expectAccessible(page, "report of a learner with two days");
  await page.goto(`${app.url}/learners/report/${id}?asOf=2019-03-31`);
  await expect(page.getByText("As of the end of 31 Mar 2019")).toBeVisible();
  await expect(page.getByText("No data for this day")).toBeVisible();

  await page.goto(`${app.url}/learners/report/${id}`);
  const csv = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "Rows as CSV" }).click();
  expect(
    readFileSync(await (await csv).path(), "utf8")
      .trim()
      .split("\r\n")[1],
  ).toContain("Ida Moen");
  const pdf = page.waitForEvent("download");
  await page.getByRole("button", { name: "Training record" }).click();
  const number = (await pdf).suggestedFilename().replace(".pdf", "");
  await page.goto(`${app.url}/reports/issued?number=${number}`);
  await expect(page.getByText(/^All \d+ figures match$/)).toBeVisible();
  await expect(page.getByText("Learner report: Ida Moen").first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${app.url}/learners/report/${id}?since=2020-01-31`);
  await expect(table.getByRole("button", { name: course.title }).first()).toBeVisible();
  await expectNoHorizontalScroll(page, "phone");
  await context.close();

  const own = await openAs(browser, learner, `${app.url}/learners/report/${id}`);
  const next = own.page.getByRole("region", { name: "Next" }).getByRole("listitem");
  await expect(next.filter({ hasText: "Overdue since 1 Feb 2020" })).toContainText(course.title);
  await expectAccessible(own.page, "a learner's own record");
  await own.page.getByRole("link", { name: "All figures and sessions" }).click();
  await expect(own.page.getByRole("link", { name: /^Overdue/ })).toContainText("1");
  await expect(own.page.getByRole("button", { name: "Views" })).toHaveCount(0);
  await own.page.getByRole("link", { name: "Your record", exact: true }).click();
  const mine = own.page.waitForEvent("download");
  await own.page.getByRole("button", { name: "Training record" }).click();
  expect((await mine).suggestedFilename()).toMatch(/^R-\d{4}-\d{5}\.pdf$/);
  await own.context.close();
});

test("a period can be typed, chosen in the calendar and reset", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one"]));
  const { page, context } = await openAdmin(browser, app, `/reports/course/${course.id}`);
  const chip = page.getByRole("button", { name: /^Period: .* to / });
  const shown = await chip.textContent();
  await chip.click();
  const panel = page.getByRole("dialog", { name: /^Period: / });
  await panel.getByLabel("From", { exact: true }).fill("31 Feb 2026");
  await panel.getByLabel("From", { exact: true }).press("Enter");
  await expect(panel.getByText("Enter a day such as 24 Nov 2026.")).toBeVisible();
  await panel.getByLabel("From", { exact: true }).fill("3 Mar 2026");
  await panel.getByLabel("From", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/from=2026-03-03/);
  await page.keyboard.press("Escape");
  await expect(chip).toBeFocused();
  await expect(chip).toContainText("3 Mar");
  await page.getByRole("button", { name: "Remove filter Period" }).click();
  await expect(chip).toHaveText(shown ?? "");
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("menuitem", { name: "As of" }).click();
  await page.getByRole("textbox", { name: "As of" }).fill("Mar 31, 2019");
  await page.getByRole("textbox", { name: "As of" }).press("Enter");
  await expect(page.getByRole("button", { name: "As of: 31 Mar 2019" })).toBeVisible();
  await context.close();
});

test(
  "a learner report with more sessions than it lists says so, on a phone as well",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    const learner = await addLearner(app, "Mia Berg");
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: learner.email } });
    const id = items[0]?.userId as string;
    const started = createClient(app.url);
    started.useToken((await started.call(auth.signIn, { body: learner })).token);
    const params = { companyId: app.company.id, courseId: course.id };
    await started.call(player.launch, { params, body: { clientId: "first-window" } });
    await app.query(
      `insert into sessions (attempt_id, user_id, company_id, token_hash, client_id, started_at, ended_at, end_reason)
      select attempt_id, user_id, company_id, 'made up ' || n, 'made up', started_at - n * interval '1 hour',
        started_at - n * interval '1 hour' + interval '9 minutes', 'exit'
      from sessions, generate_series(1, 600) n where user_id = $1`,
      [id],
    );
    const { page, context } = await openAdmin(browser, app, `/learners/report/${id}`);
    const list = page.getByRole("region", { name: "Sessions" });
    await expect(list).toContainText("601 sessions");
    await list.getByRole("button", { name: "Show the latest 500 sessions" }).click();
    await expect(list).toContainText("Showing the latest 500.");
    const rows = page.getByRole("region", { name: "Courses" });
    const opened = rows.getByRole("row").filter({ has: page.getByRole("link", { name: /^Replay from / }) });
    await opened.getByRole("button", { name: course.title }).click();
    await expect(rows).toContainText("From the learner's latest 500 sessions.");

    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await expect(list.getByRole("listitem")).toHaveCount(10);
    await expect(list.getByRole("listitem").first()).toContainText(course.title);
    await list.scrollIntoViewIfNeeded();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sessions-phone.png` });
    await expectNoHorizontalScroll(page, "phone");
    await expectAccessible(page, "a learner report with many sessions");
    await context.close();
  },
);

test("figures of the dashboard lead to the people that they count", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const learner = await addLearner(app, "Tor Eide");
  const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: learner.email } });
  const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const userIds = [items[0]?.userId as string];
  await app.admin.call(courses.setDue, { params: { id: course.id }, body: { userIds, dueDate: yesterday } });
  const { page, context } = await openAdmin(browser, app, "/dashboard");
  await page.getByRole("link", { name: /^On time/ }).click();
  await expect(page).toHaveURL(/days=28&figure=due/);
  const list = page.getByRole("region", { name: "Fell due in the last 28 days" });
  await expect(list.getByRole("row", { name: /Tor Eide/ })).toContainText("Not on time");
  await expect(list.getByRole("link", { name: "Tor Eide" })).toHaveAttribute("href", /\/learners\/report\//);
  await expectAccessible(page, "what a figure of the dashboard counts");
  await list.getByRole("button", { name: "Result" }).click();
  await expect(page.getByRole("option", { name: "On time", exact: true })).toHaveAttribute("data-combobox-selected");
  await expectAccessible(page, "an open filter", ["color-contrast"]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Close this list" }).click();
  await expect(list).toHaveCount(0);
  await page.getByRole("link", { name: /^Courses completed 0/ }).click();
  await expect(page).toHaveURL(/days=28&figure=completed/);
  await expect(page.getByRole("region", { name: "Completed in the last 28 days" })).toContainText(
    "Nothing was completed in this period",
  );
  await page.getByRole("link", { name: /^Active time/ }).click();
  await expect(page.getByRole("heading", { name: "Active in the last 28 days" })).toBeVisible();
  await context.close();
});
