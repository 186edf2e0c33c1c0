import type { Page } from "@playwright/test";
import { ADMIN } from "#test/process.ts";
import { expect, openAs, test } from "./server.ts";

// What authors write arrives: a lost reply, and two authors at once

const textOf = (page: Page) => page.getByRole("textbox", { name: /^Text of/ });
const saved = (page: Page) => expect(page.getByText(/^Saved/)).toBeVisible({ timeout: 20_000 });

/** Starts a course; returns the address of its first lesson. */
async function startCourse(page: Page, url: string, title: string) {
  await page.goto(`${url}/courses`);
  await page.getByRole("button", { name: "Add course" }).click();
  await page.getByRole("menuitem", { name: "Write a course" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("button", { name: "Start writing" }).click();
  await expect(textOf(page)).toBeVisible({ timeout: 20_000 });
  await saved(page);
  return page.url();
}

test("what is typed after a reply was lost is stored as well", async ({ browser, app }) => {
  const { page } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const address = await startCourse(page, app.url, "Ladders");
  let lost = 0;
  const more = Promise.withResolvers<void>();
  await page.route("**/api/lesson-drafts/*/updates", async (route) => {
    if (lost > 0 || route.request().method() !== "POST") return route.fallback();
    lost++;
    await route.fetch();
    await more.promise;
    await route.abort();
  });
  await textOf(page).click();
  await page.keyboard.type("Three points of contact");
  await expect.poll(() => lost, { timeout: 20_000 }).toBe(1);
  await page.keyboard.type(" and dry shoes");
  await expect(page.getByText(/^Saved/)).toBeHidden();
  more.resolve();
  await saved(page);

  const { page: other } = await openAs(browser, ADMIN, address);
  await expect(textOf(other)).toContainText("Three points of contact and dry shoes");
});
