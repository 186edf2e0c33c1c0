import type { Page } from "@playwright/test";
import { probePackage } from "./packages.ts";
import {
  addCourse,
  addLearner,
  chip,
  content,
  expect,
  framesLoaded,
  openAs,
  openCourse,
  saved,
  test,
} from "./server.ts";

// Unusual behaviour of packages and users: reloading pages, the Back button, reopened parts, large amounts of data

const run = <T>(page: Page, functionName: string, ...args: unknown[]) =>
  content(page)
    .locator("body")
    .evaluate(
      (_, [code, given]) =>
        (window as never as Record<string, (...a: unknown[]) => T>)[code as string]?.(...(given as unknown[])),
      [functionName, args] as const,
    );
const ready = (page: Page) => expect(content(page).locator("#entry")).not.toHaveText("");
const locationOf = (page: Page) => content(page).locator("#place");

for (const version of ["1.2", "2004"] as const) {
  test(`SCORM ${version}: keeps tracking a page that reloads itself`, async ({ browser, app }) => {
    const course = await addCourse(app, probePackage(version));
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    await ready(page);
    await run(page, "go", "page-one");
    await content(page)
      .locator("body")
      .evaluate(() => location.reload());
    await expect(locationOf(page)).toHaveText("page-one");
    await run(page, "go", "page-two");
    // The shell takes a part for finished 1.2 s after its page has unloaded, unless the page comes back.
    await page.waitForTimeout(1800);
    await expect(page.getByText("You have finished")).toBeHidden();
    await saved(page);
    await page.reload();
    await expect(locationOf(page)).toHaveText("page-two");
    await context.close();
  });
}

test("keeps numbering events after a package has reloaded the shell", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await run(page, "go", "before");
  await saved(page);
  await content(page)
    .locator("body")
    .evaluate(() => window.parent.location.reload());
  await framesLoaded(page);
  await expect(locationOf(page)).toHaveText("before");
  await run(page, "go", "after");
  await expect(chip(page)).toContainText("Saving");
  await saved(page);
  await page.reload();
  await framesLoaded(page);
  await expect(locationOf(page)).toHaveText("after");
  await context.close();
});

test("never combines a part with the SCORM API of another after Back", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await run(page, "go", "place-of-one");
  await page.getByRole("button", { name: "Part two" }).click();
  await expect(locationOf(page)).toHaveText("");
  await run(page, "go", "place-of-two");
  await saved(page);
  await page.goBack();
  // Where Back leads depends on the history of the frames; whatever it loads gets the time to send something wrong.
  await page.waitForTimeout(1000);
  await openCourse(page, course.launch);
  await ready(page);
  await expect(locationOf(page)).toHaveText("place-of-two");
  await page.getByRole("button", { name: "Part one" }).click();
  await expect(locationOf(page)).toHaveText("place-of-one");
  await page.getByRole("button", { name: "Part one" }).click();
  await expect(locationOf(page)).toHaveText("place-of-one");
  // As above: a part counts as finished only 1.2 s after its page has unloaded.
  await page.waitForTimeout(1800);
  await expect(page.getByText("You have finished")).toBeHidden();
  await context.close();
});

test("completes a part that ends without a status and offers the next one", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2", ["one", "two"]));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await run(page, "end", "");
  await expect(page.getByRole("heading", { name: "You have finished “Part one”" })).toBeVisible();
  await page.getByRole("button", { name: "Continue with “Part two”" }).click();
  await expect(page.getByRole("button", { name: /Part one Done/ })).toBeVisible();
  await context.close();
});

test("sends several megabytes of offline suspend data in batches", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await context.setOffline(true);
  for (let n = 0; n < 60; n++) await run(page, "go", `burst-${n}`, "ö".repeat(40_000) + n);
  await run(page, "call", "LMSSetValue", "cmi.core.lesson_status", "completed");
  await run(page, "call", "LMSSetValue", "cmi.interactions.0.id", "q1");
  await run(page, "call", "LMSSetValue", "cmi.interactions.0.student_response", "cut \ud83d");
  await context.setOffline(false);
  await saved(page);
  await page.reload();
  await expect(locationOf(page)).toHaveText("burst-59");
  await context.close();
});
