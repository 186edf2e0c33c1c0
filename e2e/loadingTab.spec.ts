import type { Page } from "@playwright/test";
import { holdApplication } from "./layout.ts";
import { addLearner, expect, openAs, signIn, test } from "./server.ts";

/** Opens a page whose application is not loaded before the function that this returns is called. */
async function openHeld(page: Page, address: string) {
  const release = await holdApplication(page);
  const token = page.waitForResponse(/\/api\/auth\/token$/);
  await page.goto(address, { waitUntil: "commit" });
  await token;
  return release;
}

test("a tab that is still loading follows a login as somebody else", async ({ browser, app }) => {
  const [first, second] = [await addLearner(app, "Anna First"), await addLearner(app, "Berit Second")];
  const { page, context } = await openAs(browser, first, `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  const tab = await context.newPage();
  const release = await openHeld(tab, `${app.url}/my-courses`);
  await page.getByRole("link", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(/login/);
  await signIn(page, second);
  await expect(page.getByRole("heading", { name: /Berit/ })).toBeVisible();
  release();
  await expect(tab.getByRole("heading", { name: /Berit/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: /Berit/ })).toBeVisible();
  await context.close();
});

test("a tab that is still loading follows a logout", { tag: "@long" }, async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  const tab = await context.newPage();
  const release = await openHeld(tab, `${app.url}/my-courses`);
  await page.getByRole("link", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(/login/);
  release();
  await expect(tab).toHaveURL(/login/);
  await expect(page).toHaveURL(/login/);
  await context.close();
});

test("a page of an earlier version says so when its files are gone", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  await expect(page.getByRole("heading", { name: /Jonas/ })).toBeVisible();
  await page.route("**/assets/**", (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Events" }).first().click();
  await expect(page.getByRole("button", { name: "Reload page" })).toBeVisible();
  await context.close();
});
