import type { Browser, Page } from "@playwright/test";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";

import { titledPackage } from "./packages.ts";
import { ADMIN } from "#test/process.ts";
import { inEveryLook, waitForAnimations, waitUntilLoaded } from "./layout.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

const yesterday = new Date(Date.now() - 36 * 3_600_000);
const typed = yesterday.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
/** An admin's browser on the dashboard. */
async function openAsAdmin(browser: Browser, app: ServerFixture) {
  const opened = await openAs(browser, ADMIN, `${app.url}/login`);
  opened.page.setDefaultTimeout(8000);
  await opened.page.getByRole("link", { name: "Learners", exact: true }).waitFor();
  return opened;
}
const toastOf = (page: Page) => page.locator("[data-toast]");
/** Writes pictures of the page in every look to SHOTS, if that is set. */
async function picture(page: Page, name: string) {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await inEveryLook(page, async (look) => {
    await waitForAnimations(page);
    await page.screenshot({ path: `${folder}/${name}-${look}.png` });
  });
}
async function invite(app: ServerFixture, names: string[]) {
  const people = names.map((name) => ({ name, email: `${name.toLowerCase().replace(" ", ".")}@norrvik.example` }));
  await app.admin.call(learners.invite, { body: { companyId: app.company.id, people } });
}
const countOf = async (app: ServerFixture, courseId: string) =>
  (await app.admin.call(courses.enrolments, { query: { courseId } })).total;

test("asks before a due date in the past is saved, and undoes it", async ({ browser, app }) => {
  const course = await addCourse(app, titledPackage("Past dates"));
  await addLearner(app, "Nora Past");
  const { page, context } = await openAsAdmin(browser, app);
  await page.goto(`${app.url}/courses/${course.id}?tab=learners`);
  await page.getByRole("row", { name: "Nora Past" }).getByRole("button", { name: "Actions for Nora Past" }).click();
  await page.getByRole("menuitem", { name: "Set due date" }).click();
  const dialog = page.getByRole("dialog", { name: "Due date for Nora Past" });
  await dialog.getByLabel("Due date", { exact: true }).fill(typed);
  await dialog.getByLabel("Due date", { exact: true }).press("Tab");
  await dialog.getByRole("button", { name: "Set due date" }).click();
  await expect(dialog.getByText("Confirm the date or choose another one.")).toBeVisible();
  await picture(page, "due-past");
  await dialog.getByRole("checkbox", { name: `Use ${typed} anyway` }).check();
  await dialog.getByRole("button", { name: "Set due date" }).click();
  await expect(page.getByRole("row", { name: "Nora Past" }).locator("time").first()).toContainText("Overdue");
  await toastOf(page).getByRole("button", { name: "Undo" }).click();
  await expect(toastOf(page).getByText("Due dates restored")).toBeVisible();
  await expect(page.getByRole("row", { name: "Nora Past" })).not.toContainText("Overdue");
  await context.close();
});

test("assigns a course with a previewed email, says to whom, and undoes it", async ({ browser, app }) => {
  const course = await addCourse(app, titledPackage("Told course"));
  await withdrawAll(app, course.id);
  const person = await addLearner(app, "Ola Told");
  const { page, context } = await openAsAdmin(browser, app);
  await page.goto(`${app.url}/learners?q=${person.email}`);
  await page.getByRole("button", { name: "Actions for Ola Told" }).click();
  await page.getByRole("menuitem", { name: "Assign course" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign courses to Ola Told" });
  await dialog.getByRole("combobox", { name: "Courses" }).fill(course.title);
  await page.getByRole("option", { name: course.title }).first().click();
  await dialog.getByRole("checkbox", { name: "Email the learners who get it" }).check();
  await dialog.getByRole("button", { name: "Preview email" }).click();
  const preview = dialog.getByRole("region", { name: "Preview of the email" });
  await expect(preview).toContainText("Hello Ola Told,");
  await expect(preview).toContainText(`New course: ${course.title}`);
  await picture(page, "assign-preview");
  await dialog.getByRole("button", { name: "Assign course" }).click();
  await expect(toastOf(page)).toContainText(/assigned to Ola Told/);
  await context.close();
});

/** Forty learners named "Person 1" and so on; those who are there already are invited again. */
const inviteForty = (app: ServerFixture) =>
  invite(
    app,
    Array.from({ length: 40 }, (_, index) => `Person ${index + 1}`),
  );
const withdrawAll = (app: ServerFixture, id: string) =>
  app.admin.call(courses.withdraw, { params: { id }, body: { filter: {} } });

test("withdraws a course from everyone in a long list in one act", { tag: "@long" }, async ({ browser, app }) => {
  await inviteForty(app);
  const course = await addCourse(app, titledPackage("Many learners"));
  const total = await countOf(app, course.id);
  const { page, context } = await openAsAdmin(browser, app);
  await page.goto(`${app.url}/courses/${course.id}?tab=learners`);
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await page.getByRole("button", { name: `Select all ${total}` }).click();
  await expect(page.getByText(`All ${total} selected`)).toBeVisible();
  await picture(page, "selected-all");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: `Withdraw from ${total} learners` })
    .click();
  await expect(toastOf(page)).toContainText(`Withdrawn from ${total} learners`);
  expect(await countOf(app, course.id)).toBe(0);
  await picture(page, "withdrawn-toast");
  await toastOf(page).getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => countOf(app, course.id)).toBe(total);
  await context.close();
});

test("selects all learners of a filter for an assignment, and says what was assigned", async ({ browser, app }) => {
  await inviteForty(app);
  const course = await addCourse(app, titledPackage("Filtered course"));
  await withdrawAll(app, course.id);
  const { page, context } = await openAsAdmin(browser, app);
  await page.goto(`${app.url}/learners?q=Person`);
  await expect(page.getByRole("row", { name: /Person \d+/ }).first()).toBeVisible();
  await waitUntilLoaded(page);
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await page.getByRole("button", { name: "Select all 40" }).click();
  await page.getByRole("button", { name: "Assign course" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign courses to 40 learners" });
  await dialog.getByRole("combobox", { name: "Courses" }).fill(course.title);
  await page.getByRole("option", { name: course.title }).last().click();
  await dialog.getByRole("button", { name: "Assign course" }).click();
  await expect(toastOf(page)).toContainText("assigned to 40 learners");
  await picture(page, "assigned-toast");
  await context.close();
});

test("copies the links of all emails when no mail server is set up", { tag: "@long" }, async ({ browser, app }) => {
  await invite(app, ["Vera Link", "Wim Link"]);
  const { page, context } = await openAsAdmin(browser, app);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("link", { name: "Outbox", exact: true }).click();
  await page.getByRole("button", { name: "Copy all links" }).click();
  await expect(toastOf(page)).toContainText(/links copied/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^vera\.link@norrvik\.example\t.+\thttp\S+invitation=\S+$/m);
  expect(copied.match(/^wim\.link@/gm)).toHaveLength(1);
  await picture(page, "outbox");
  await context.close();
});
