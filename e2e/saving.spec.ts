import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { closingPackage, probePackage } from "./packages.ts";
import { addCourse, addLearner, chip, content, expect, openAs, saved, signIn, test } from "./server.ts";

// Progress survives closed tabs, killed browsers, network failures and server restarts

const setLocation = (page: Page, location: string, data = "") =>
  content(page)
    .locator("body")
    .evaluate(
      (_, [to, text]) => (window as never as { go: (a: string, b: string) => void }).go(to as string, text as string),
      [location, data],
    );
/** Kills the browser that this process started on the given profile folder. */
const killBrowser = (folder: string) => {
  const pids = spawnSync("pgrep", ["-P", String(process.pid), "-f", folder])
    .stdout.toString()
    .split("\n");
  for (const pid of pids) if (pid) process.kill(Number(pid), "SIGKILL");
};
const locationOf = (page: Page) => content(page).locator("#place");
const entryOf = (page: Page) => content(page).locator("#entry");
const ready = (page: Page) => expect(entryOf(page)).not.toHaveText("");

for (const version of ["1.2", "2004"] as const) {
  test(`SCORM ${version}: resumes exactly after Exit`, async ({ browser, app }) => {
    const course = await addCourse(app, probePackage(version));
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    await expect(entryOf(page)).toHaveText("ab-initio");
    await setLocation(page, "slide-7", "x".repeat(64_000));
    await saved(page);
    await page.getByRole("button", { name: "Exit" }).click();
    await expect(page).toHaveURL(/my-courses/);
    await page.goto(course.launch);
    await expect(locationOf(page)).toHaveText("slide-7");
    await expect(entryOf(page)).toHaveText("resume");
    await expect(content(page).locator("#data")).toHaveText("64000");
    await context.close();
  });
}

test("stores the last value when the tab is closed immediately after it", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await setLocation(page, "the-last-slide", "y".repeat(64_000));
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(course.launch);
  await expect(locationOf(again)).toHaveText("the-last-slide");
  await expect(content(again).locator("#data")).toHaveText("64000");
  await context.close();
});

test("shows an offline state and sends everything once back online", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await context.setOffline(true);
  await setLocation(page, "offline-1");
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await setLocation(page, "offline-2");
  // Several attempts to send fail in this time.
  await page.waitForTimeout(5000);
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await context.setOffline(false);
  await saved(page);
  await page.reload();
  await expect(locationOf(page)).toHaveText("offline-2");
  await context.close();
});

test("sends the journal at the next launch after a tab was closed offline", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await context.setOffline(true);
  await setLocation(page, "in-the-tunnel");
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(course.launch);
  await expect(locationOf(again)).toHaveText("in-the-tunnel");
  await context.close();
});

test("sends the journal at the next launch after the browser was killed", async ({ app }) => {
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
  // From here on commits fail, so only the journal has the events.
  await page.route(/\/api\/sessions\//, (route) => route.abort());
  await setLocation(page, "before-the-crash");
  // The journal is written in a frame of another origin, and nothing on the screen says that the event is in it.
  await page.waitForTimeout(600);
  killBrowser(folder);
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
  await expect(locationOf(again)).toHaveText("before-the-crash");
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

test("continues a course after the server was killed and restarted", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  await saved(page);
  await app.kill();
  await setLocation(page, "while-it-was-down");
  await expect(chip(page)).toHaveText("Not saved, retrying");
  await app.start();
  await saved(page);
  await page.reload();
  await expect(locationOf(page)).toHaveText("while-it-was-down");
  await context.close();
});

test("stops the first window when a second one takes over", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const who = await addLearner(app);
  const one = await openAs(browser, who, course.launch);
  await ready(one.page);
  await setLocation(one.page, "first");
  await saved(one.page);
  const two = await openAs(browser, who, course.launch);
  await expect(two.page.getByRole("heading", { name: "This course is open in another window" })).toBeVisible();
  await two.page.getByRole("button", { name: "Continue here" }).click();
  await expect(locationOf(two.page)).toHaveText("first");
  await setLocation(one.page, "stale");
  await expect(one.page.getByRole("heading", { name: "You continued in another window" })).toBeVisible();
  const commitResult = await content(one.page)
    .locator("body")
    .evaluate(() => (window as never as { call: (...a: string[]) => string }).call("LMSCommit", ""));
  expect(commitResult).toBe("false");
  await setLocation(two.page, "second");
  await saved(two.page);
  await two.page.reload();
  await expect(locationOf(two.page)).toHaveText("second");
  await one.context.close();
  await two.context.close();
});

test("opens the current part again with what it said while it was left", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, closingPackage(["one", "two"]));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await ready(page);
  const inPackage = (name: "call" | "speakOn", ...args: unknown[]) =>
    content(page)
      .locator("body")
      .evaluate((_, [fn, given]) => (window as never as Record<string, (...a: unknown[]) => void>)[fn]?.(...given), [
        name,
        args,
      ] as const);
  await inPackage("call", "SetValue", "cmi.location", "visit 1");
  await inPackage("speakOn", "unload", "visit 2");
  await page.getByRole("button", { name: /^Part one/ }).click();
  await expect(locationOf(page)).toHaveText("visit 2");
  await content(page)
    .locator("body")
    .evaluate(() => {
      const { call } = window as never as { call: (...a: string[]) => string };
      call("SetValue", "cmi.location", "visit 3");
      call("SetValue", "cmi.exit", "suspend");
      call("SetValue", "adl.nav.request", "{target=one}choice");
      call("Terminate", "");
    });
  await expect(locationOf(page)).toHaveText("visit 3");
  await saved(page);
  await page.reload();
  await expect(locationOf(page)).toHaveText("visit 3");
  await context.close();
});

test("rejects container elements and values that are too long", { tag: "@long" }, async ({ browser, app }) => {
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
