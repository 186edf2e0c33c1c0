import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { addDays } from "#shared/core/dates.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, viewports } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, chip, expect, openAs, type ServerFixture, test } from "./server.ts";

// The next step of a learner and what is near, on a phone and on a desktop

/** Longer than any line, with the longest title that a course may have. */
const longTitle = "Unterweisungsverantwortliche ".repeat(7).trim().slice(0, 200);
/** Two hours before midnight in Oslo, in the night in which summer time begins. */
const NOW = "2031-03-29T21:00:00Z";

/** A learner of a company of their own with three courses; the first is overdue, the others are due soon. */
async function addLearnerWithCourses(app: ServerFixture, name: string) {
  const own = { ...app, company: await app.admin.call(companies.create, { body: { name: `Company of ${name}` } }) };
  const learner = await addLearner(own, name);
  const today = new Date().toISOString().slice(0, 10);
  for (const [at, title] of ["Harbour safety", longTitle, "Knots"].entries()) {
    const { id } = await addCourse(own, titledPackage(title));
    const body = { filter: { companyId: own.company.id }, dueDate: addDays(today, at * 5 - 2) };
    await app.admin.call(courses.setDue, { params: { id }, body });
  }
  return learner;
}

for (const [size, viewport] of Object.entries(viewports))
  test(`a learner sees the next step and opens it (${size})`, async ({ browser, app }) => {
    const learner = await addLearnerWithCourses(app, `Tora Today ${size}`);
    const { page, context } = await openAs(browser, learner, `${app.url}/login`, { viewport });
    await expect(page).toHaveURL(/my-courses/);
    const tabs = page.getByRole("navigation", { name: "Main pages" });
    const menu = size === "phone" ? tabs : page.getByRole("navigation", { name: "Sidebar" });
    await expect(tabs).toBeVisible({ visible: size === "phone" });
    await menu.getByRole("link", { name: "Today" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
    await expect(menu.getByRole("link", { name: "Today" })).toHaveAttribute("aria-current", "page");

    const next = page.getByRole("region", { name: "Harbour safety" });
    await expect(next).toContainText("Next step");
    await expect(next).toContainText("Overdue since");
    await expect(page.getByRole("region", { name: "Due soon" }).getByRole("listitem")).toContainText([
      longTitle,
      "Knots",
    ]);
    await expectAccessible(page, `today, ${size}`);
    await page.setViewportSize({ width: size === "phone" ? 320 : 1180, height: 700 });
    await expectNoHorizontalScroll(page, `today, ${size}`);
    await page.setViewportSize(viewport);
    await setColorScheme(page, "dark");
    await expectAccessible(page, `today, dark, ${size}`, ["color-contrast"]);

    await next.getByRole("link", { name: "Start Harbour safety" }).press("Enter");
    await expect(chip(page)).toContainText(/Saved/);
    await expect(tabs).toHaveCount(0);
    await page.goto(`${app.url}/today`);
    await expect(next.getByRole("link", { name: "Continue Harbour safety" })).toBeVisible();
    await context.close();
  });

test("shows the day of the browser, and the next one after midnight", async ({ browser, app }) => {
  const learner = await addLearner(app, "Nora Night");
  const { page, context } = await openAs(browser, learner, `${app.url}/login`, { timezoneId: "Europe/Oslo" });
  await expect(page).toHaveURL(/my-courses/);
  await page.clock.install({ time: NOW });
  await page.goto(`${app.url}/today`);
  await expect(page.getByText("Saturday 29 March")).toBeVisible();
  await page.clock.fastForward("02:01:00");
  await expect(page.getByText("Sunday 30 March")).toBeVisible();
  await context.close();
});
