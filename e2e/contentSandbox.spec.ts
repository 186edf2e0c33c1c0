import { strToU8, zipSync } from "fflate";
import type { Page } from "@playwright/test";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, framesLoaded, openAs, signIn, test } from "./server.ts";

/** Warnings and errors in the console of a page and all its frames. */
function listenToConsole(page: Page) {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) lines.push(message.text());
  });
  page.on("pageerror", (error) => lines.push(String(error)));
  return lines;
}

test("the launch of a course logs no warning in the console", async ({ app, browser }) => {
  const { launch } = await addCourse(app, titledPackage("Quiet course"));
  const learner = await addLearner(app);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, learner);
  await expect(page).toHaveURL(/my-courses/);
  const lines = listenToConsole(page);
  await page.goto(launch);
  await framesLoaded(page);
  await page.reload();
  await framesLoaded(page);
  expect(lines).toEqual([]);
  await context.close();
});

test("a package that replaces the shell with its own page is still sandboxed", async ({ app, browser }) => {
  const zip = zipSync({
    "index.html": strToU8(`<!doctype html><title>Course</title><p>Course</p>`),
    "evil.html": strToU8(`<!doctype html><title>Evil</title>`),
  });
  const { launch } = await addCourse(app, { name: "evil.zip", bytes: zip });
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  await framesLoaded(page);
  const part = page.frames().find((frame) => frame.url().endsWith("index.html"));
  const refused = await part?.evaluate(() => {
    try {
      parent.location.href = new URL("evil.html", location.href).href;
      return "replaced";
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(refused).toBe("SecurityError");
  // The page of the shell can navigate itself, and the package can press a link in it.
  await part?.evaluate(() => {
    const link = parent.document.createElement("a");
    link.href = new URL("evil.html", location.href).href;
    parent.document.body.append(link);
    link.click();
  });
  const findEvil = () => page.frames().find((frame) => frame.url().endsWith("evil.html"));
  await expect.poll(() => findEvil()?.title()).toBe("Evil");
  expect(findEvil()?.parentFrame()).toBe(page.mainFrame());
  const left = await findEvil()?.evaluate(() => {
    try {
      (window.top as Window).location.href = "https://evil.example/";
      return "left";
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(left).toBe("SecurityError");
  await expect(page).toHaveURL(launch);
  await context.close();
});
