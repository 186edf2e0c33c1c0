import type { Page } from "@playwright/test";
import { companies } from "#shared/companies/companies.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

// A learning path: written and moved by keyboard, published, assigned, and walked by a learner on a phone

/** Published courses with these titles that nobody has. */
async function addCourses(app: ServerFixture, titles: string[]) {
  for (const title of titles) {
    const { id } = await addCourse(app, titledPackage(title));
    await app.admin.call(companies.removeCourse, { params: { id: app.company.id, courseId: id } });
  }
}

const pick = async (page: Page, kind: string, title: string) => {
  await page.getByRole("button", { name: kind }).click();
  await page.getByRole("option", { name: title, exact: true }).click();
};

test("an admin writes a path, and a learner on a phone opens its second step", async ({ browser, app }) => {
  test.setTimeout(150_000);
  await addCourses(app, ["Ladders", "Harness", "Rescue at height", "First aid"]);
  const learner = await addLearner(app, "Wanda Walker");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).not.toHaveURL(/login/);

  await test.step("a new path gets steps, which save themselves", async () => {
    await page.goto(`${app.url}/courses`);
    await page.getByRole("link", { name: "Learning paths" }).click();
    await expect(page.getByText("No learning paths yet")).toBeVisible();
    await page.getByRole("button", { name: "Add path" }).first().click();
    await page.getByRole("textbox", { name: "Title" }).fill("Ready for the tower");
    await page.getByRole("dialog").getByRole("button", { name: "Add path" }).click();
    await expect(page.getByText("No steps yet")).toBeVisible();
    await pick(page, "Add step", "Harness");
    await pick(page, "Add step", "Ladders");
    await pick(page, "Add choice", "Rescue at height");
    await pick(page, "Add an option", "First aid");
    await expect(page.getByRole("button", { name: "Publish version 1" })).toBeEnabled();
  });

  await test.step("a step moves by keyboard, and each one opens after the one that is before it now", async () => {
    await page.getByRole("button", { name: "Drag step 2" }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(page.getByRole("status").filter({ hasText: "“Ladders” is now step 1" })).toBeAttached();
    await expect(page.getByRole("button", { name: "Drag step 1" })).toBeFocused();
    await expect(page.getByText("After step 1", { exact: true })).toHaveCount(1);
    await expect(page.getByText(/after step 2/i)).toHaveCount(1);
    await page.getByRole("button", { name: "Harness", exact: true }).click();
    await page.getByLabel("Due").fill("30");
    await expect(page.getByText("Course, within 30 days")).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish version 1" })).toBeEnabled();
    await expectAccessible(page, "the steps of a path");
  });

  await test.step("it is published and assigned, and says before who gets it", async () => {
    await page.getByRole("button", { name: "Publish version 1" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Publish version 1" }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole("button", { name: "Assign" }).click();
    await dialog.getByRole("combobox", { name: "Individual learners" }).fill("Wanda");
    await page.getByRole("option", { name: /Wanda Walker/ }).click();
    await page.keyboard.press("Escape");
    await expect(dialog).toContainText("1 person gets it: Wanda Walker");
    await expectAccessible(page, "the dialog that assigns a path");
    await dialog.getByRole("button", { name: "Assign to 1" }).click();
    await expect(dialog).toHaveCount(0);
  });

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const wanda = await openAs(browser, learner, `${app.url}/login`, phone);
  await test.step("the learner takes the first step, and the second one opens", async () => {
    await expect(wanda.page).toHaveURL(/my-courses/);
    await expect(wanda.page.getByText("Next: Ladders")).toBeVisible({ timeout: 20_000 });
    await expectNoHorizontalScroll(wanda.page, "My Courses with a path");
    await wanda.page.getByRole("link", { name: "Ready for the tower", exact: true }).click();
    await expect(wanda.page.getByText("Opens after “Ladders”")).toHaveCount(1);
    await expect(wanda.page.getByText("Opens after “Harness”")).toHaveCount(1);
    await expectAccessible(wanda.page, "a path on a phone");
    await expectNoHorizontalScroll(wanda.page, "a path on a phone");
    await wanda.page.getByRole("link", { name: "Start “Ladders”" }).click();
    await content(wanda.page).locator("body").waitFor();
    await content(wanda.page)
      .locator("body")
      .evaluate(() => (window as unknown as { finish: (status: string) => void }).finish("completed"));
    await saved(wanda.page);
    await wanda.page.goto(`${app.url}/my-courses`);
    await expect(async () => {
      await wanda.page.reload();
      await expect(wanda.page.getByText("Next: Harness")).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 20_000 });
    await wanda.page.getByRole("link", { name: "Ready for the tower", exact: true }).click();
    await expect(wanda.page.getByRole("link", { name: "Start “Harness”" })).toBeVisible();
    await expect(wanda.page.getByText(/^Due on /)).toBeVisible();
  });
  await wanda.context.close();

  await test.step("the admin sees where she stands, from the bar of a step", async () => {
    await page.reload();
    await page.getByRole("link", { name: "Show the people at step 1: 1 of 1 done" }).click();
    await expect(page).toHaveURL(/tab=learners/);
    await page.getByRole("tab", { name: /Learners/ }).click();
    await expect(page.getByRole("row", { name: /Wanda Walker/ })).toContainText("Harness");
    await expectAccessible(page, "the people on a path");
  });
  await context.close();
});
