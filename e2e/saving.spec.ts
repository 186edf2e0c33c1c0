import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, chip, content, expect, openAs, saved, signIn, test } from "./server.ts";

// What a learner trusts: whatever happens to the tab, the browser, the network or the server, the place is kept

const go = (page: Page, place: string, data = "") =>
  content(page)
    .locator("body")
    .evaluate(
      (_, [to, text]) => (window as never as { go: (a: string, b: string) => void }).go(to as string, text as string),
      [place, data],
    );
const placeOf = (page: Page) => content(page).locator("#place");
const entryOf = (page: Page) => content(page).locator("#entry");
const ready = (page: Page) => expect(entryOf(page)).not.toHaveText("");

for (const version of ["1.2", "2004"] as const) {
  test(`SCORM ${version}: leave with Exit, come back exactly there`, async ({ browser, app }) => {
    const course = await addCourse(app, probePackage(version));
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    await expect(entryOf(page)).toHaveText("ab-initio");
    await go(page, "slide-7", "x".repeat(64_000));
    await saved(page);
    await page.getByRole("button", { name: "Exit" }).click();
    await expect(page).toHaveURL(/my-courses/);
    await page.goto(course.launch);
    await expect(placeOf(page)).toHaveText("slide-7");
    await expect(entryOf(page)).toHaveText("resume");
    await expect(content(page).locator("#data")).toHaveText("64000");
    await context.close();
  });
}

test("the tab is closed right after the last answer: its last words arrive", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await go(page, "the-last-slide", "y".repeat(64_000));
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(course.launch);
  await expect(placeOf(again)).toHaveText("the-last-slide");
  await expect(content(again).locator("#data")).toHaveText("64000");
  await context.close();
});

test("the network is gone for a while: the chip says so, nothing is lost, and it is sent when the network is back", async ({
  browser,
  app,
}) => {
  const course = await addCourse(app, probePackage("2004"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await context.setOffline(true);
  await go(page, "offline-1");
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await go(page, "offline-2");
  await page.waitForTimeout(5000);
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await context.setOffline(false);
  await saved(page);
  await page.reload();
  await expect(placeOf(page)).toHaveText("offline-2");
  await context.close();
});

test("the tab is closed while offline: the journal of this browser brings it at the next launch", async ({
  browser,
  app,
}) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await context.setOffline(true);
  await go(page, "in-the-tunnel");
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(course.launch);
  await expect(placeOf(again)).toHaveText("in-the-tunnel");
  await context.close();
});

test("the browser is killed: what it had written down arrives at the next launch", async ({ app }) => {
  const course = await addCourse(app, probePackage("2004"));
  const who = await addLearner(app);
  const folder = mkdtempSync(join(tmpdir(), "lyceum-browser-"));
  const options = {
    executablePath: process.env.CHROMIUM ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    viewport: { width: 1440, height: 900 },
  };
  const first = await chromium.launchPersistentContext(folder, options);
  const page = first.pages()[0] ?? (await first.newPage());
  await page.goto(course.launch);
  await signIn(page, who);
  await ready(page);
  await saved(page);
  // Nothing reaches the server from here on, so only the journal can know.
  await page.route(/\/api\/sessions\//, (route) => route.abort());
  await go(page, "before-the-crash");
  await page.waitForTimeout(600);
  spawnSync("pkill", ["-9", "-f", folder]);
  await first.close().catch(() => {});
  await expect.poll(() => spawnSync("pgrep", ["-f", folder]).status).toBe(1);
  rmSync(join(folder, "SingletonLock"), { force: true });
  const second = await chromium.launchPersistentContext(folder, options);
  const again = second.pages()[0] ?? (await second.newPage());
  await again.goto(course.launch);
  await expect(
    again
      .getByRole("button", { name: "Login" })
      .or(chip(again))
      .or(again.getByRole("button", { name: "Continue here" })),
  ).toBeVisible();
  if (await again.getByRole("button", { name: "Login" }).isVisible()) await signIn(again, who);
  if (await again.getByRole("button", { name: "Continue here" }).isVisible())
    await again.getByRole("button", { name: "Continue here" }).click();
  await expect(placeOf(again)).toHaveText("before-the-crash");
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the server is killed in the middle of a course and comes back: the course goes on", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await app.kill();
  await go(page, "while-it-was-down");
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await app.start();
  await saved(page);
  await page.reload();
  await expect(placeOf(page)).toHaveText("while-it-was-down");
  await context.close();
});

test("a second window asks, takes over, and the first says so and records nothing more", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const who = await addLearner(app);
  const one = await openAs(browser, who, course.launch);
  await ready(one.page);
  await go(one.page, "first");
  await saved(one.page);
  const two = await openAs(browser, who, course.launch);
  await expect(two.page.getByRole("heading", { name: "This course is open in another window" })).toBeVisible();
  await two.page.getByRole("button", { name: "Continue here" }).click();
  await expect(placeOf(two.page)).toHaveText("first");
  await go(one.page, "stale");
  await expect(one.page.getByRole("heading", { name: "You continued in another window" })).toBeVisible();
  const refused = await content(one.page)
    .locator("body")
    .evaluate(() => (window as never as { call: (...a: string[]) => string }).call("LMSCommit", ""));
  expect(refused).toBe("false");
  await go(two.page, "second");
  await saved(two.page);
  await two.page.reload();
  await expect(placeOf(two.page)).toHaveText("second");
  await one.context.close();
  await two.context.close();
});

test("container names do not destroy the data model, and values that are too long are refused", async ({
  browser,
  app,
}) => {
  const course = await addCourse(app, probePackage("2004"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  const call = (...args: string[]) =>
    content(page)
      .locator("body")
      .evaluate(
        (_, given) => (window as never as { call: (...a: string[]) => string }).call(...(given as [string])),
        args,
      );
  for (const name of ["cmi", "adl", "cmi.score", "cmi.interactions", "cmi.objectives"]) {
    expect([name, await call("SetValue", name, "x")]).toEqual([name, "false"]);
    expect(await call("GetLastError")).toBe("401");
  }
  expect(await call("SetValue", "cmi.suspend_data", "x".repeat(64_001))).toBe("false");
  expect(await call("GetLastError")).toBe("406");
  expect(await call("SetValue", "cmi.location", "still here")).toBe("true");
  expect(await call("GetValue", "cmi.location")).toBe("still here");
  await context.close();
});
