import { academies } from "#shared/settings/settings.ts";
import { ADMIN } from "#test/process.ts";
import { viewports } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// Colours of companies, and the name of the academy

test("learners see the colour of their company, also if it is red", async ({ browser, app }) => {
  await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page.getByRole("link", { name: "Open your record" })).toHaveCSS("color", "rgb(200, 15, 46)");
  await context.close();
});

test("the form says what becomes of a colour that is too light", { tag: "@long" }, async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/companies/${app.company.id}?tab=branding`);
  const color = page.getByLabel("Brand colour");
  await color.fill("#3f79b3");
  await expect(page.getByText(/nearest colour/)).toHaveCount(0);
  await color.fill("#f2b72e");
  await expect(
    page.getByText(/^Buttons and progress bars use the nearest colours .* #[0-9a-f]{6} in dark mode/),
  ).toBeVisible();
  await color.fill("#15201e");
  await expect(page.getByText(/^In dark mode, buttons and progress bars use #[0-9a-f]{6}/)).toBeVisible();
  await context.close();
});

test("titles and menus follow a new name of the academy", async ({ browser, app }) => {
  const { version } = await app.admin.call(academies.settings);
  const named = await app.admin.call(academies.update, { body: { academyName: "Nordic Training", version } });
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await expect(page).toHaveTitle(/· Nordic Training$/);
  await page.setViewportSize(viewports.phone);
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(page.getByRole("dialog", { name: "Nordic Training" })).toBeVisible();
  await expect(page.locator("body")).not.toContainText("Lyceum");
  await app.admin.call(academies.update, { body: { academyName: "Lyceum", version: named.version } });
  await context.close();
});
