import { ADMIN } from "#test/process.ts";
import { companies } from "#shared/companies/companies.ts";
import { expectAccessible } from "./axe.ts";
import { addEvent } from "./eventsFixture.ts";
import { inEveryLook, viewports } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// The search of the navigation bar

test("Ctrl+K finds a person, and Enter opens the report", async ({ browser, app }) => {
  const lea = await addLearner(app, "Lea Vestergaard");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page.getByRole("button", { name: "Search" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search people" });
  await expect(field).toBeFocused();
  await field.pressSequentially("vestergaard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: lea.name })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await context.close();
});

test(
  "arrow keys move through the results, and Escape returns to the page",
  { tag: "@long" },
  async ({ browser, app }) => {
    for (const name of ["Arrow One", "Arrow Two"]) await app.admin.call(companies.create, { body: { name } });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    const button = page.getByRole("button", { name: "Search" });
    await button.click();
    const field = page.getByRole("combobox");
    await field.fill("arrow");
    const options = page.getByRole("option");
    // Two companies, and the report on each.
    await expect(options).toHaveCount(4);
    const isActive = async (index: number) => {
      await expect(options.nth(index)).toHaveAttribute("aria-selected", "true");
      await expect(field).toHaveAttribute("aria-activedescendant", (await options.nth(index).getAttribute("id")) ?? "");
    };
    await isActive(0);
    await page.keyboard.press("ArrowDown");
    await isActive(1);
    await page.keyboard.press("ArrowUp");
    await isActive(0);
    await page.keyboard.press("ArrowUp");
    await isActive(3);
    await page.keyboard.press("ArrowDown");
    await isActive(0);
    await expectAccessible(page, "search");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(button).toBeFocused();
    await context.close();
  },
);

test("the search finds the tabs of the settings", { tag: "@long" }, async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("combobox").fill("webhooks");
  await page.getByRole("option", { name: "Settings: Webhooks" }).click();
  await expect(page).toHaveURL(/tab=integrations&kind=webhooks/);
  await context.close();
});

test("the search says when nothing matches, and when it fails", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("combobox").fill("qqqqqq");
  await expect(page.getByText("No matches for “qqqqqq”")).toBeVisible();
  await page.route("**/api/search?*", (route) => route.fulfill({ status: 422, json: { error: "No", code: "core.x" } }));
  await page.getByRole("combobox").fill("zzzzzz");
  await expect(page.getByText("The search failed")).toBeVisible();
  await page.unroute("**/api/search?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("No matches for “zzzzzz”")).toBeVisible();
  await context.close();
});

test(
  "the last result of a long group opens the list with the same search",
  { tag: "@long" },
  async ({ browser, app }) => {
    for (let n = 1; n <= 7; n++) await app.admin.call(companies.create, { body: { name: `Seventh ${n}` } });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("combobox").fill("seventh");
    await page.getByRole("option", { name: "Show all with “seventh”" }).click();
    await expect(page).toHaveURL(`${app.url}/companies?q=seventh`);
    await expect(page.getByRole("link", { name: "Seventh 7" })).toBeVisible();
    await context.close();
  },
);

test("a learner on a phone finds pages, own courses and public events", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  await addEvent(app, { title: `Evening of ${course.title}` });
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await page.setViewportSize(viewports.phone);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("group", { name: "Pages" }).getByRole("option").first()).toHaveText("Today");
  await page.getByRole("combobox").fill(course.title);
  await expect(page.getByRole("group", { name: "Courses" }).getByRole("option", { name: course.title })).toBeVisible();
  await inEveryLook(page, (look) => expectAccessible(page, `search ${look}`));
  await page.getByRole("group", { name: "Events" }).getByRole("option").click();
  await expect(page.getByRole("heading", { level: 1, name: `Evening of ${course.title}` })).toBeVisible();
  await context.close();
});

test(
  "a course is found with its report, and the report opens by keyboard",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addCourse(app, probePackage("1.2"));
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page.getByRole("button", { name: "Search" })).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(course.title);
    const reports = page.getByRole("group", { name: "Reports and saved views" });
    await expect(reports.getByRole("option", { name: /Course report/ }).first()).toBeVisible();
    await page.getByRole("combobox").press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/reports\/course\//);
    await context.close();
  },
);
