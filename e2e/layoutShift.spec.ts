import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { courses } from "#shared/courses/courses.ts";
import { sampled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { screens } from "#web/screens.ts";
import { sizesFor, trackLayoutShift, trackRequests, waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// What a page shows first stays where it is when the rest arrives

/** Google calls a page good up to 0.1. One section that arrives late on a short page moves it by 0.04. */
const LIMIT = 0.04;
const adminPaths = screens
  .filter(({ path, guards, page }) => page && guards.includes("admin") && !path.includes(":"))
  .map(({ path }) => path);

/** Lets the replies of the API arrive one after another, as over a slow network: each 50 to 450 ms late. */
const delayReplies = (page: Page) =>
  page.route(/\/api\/(?!live)/, async (route) => {
    const digits = [...route.request().url()].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7);
    await sleep(50 + (digits % 5) * 100);
    await route.continue();
  });

for (const [size, viewport] of sizesFor("layout shift"))
  test(`pages do not move while they load (${size})`, async ({ browser, app }) => {
    test.setTimeout(240_000);
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    const { email } = await addLearner(app, "Runa Vik");
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: email } });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    await page.setViewportSize(viewport);
    trackRequests(page);
    await delayReplies(page);
    const shiftOf = await trackLayoutShift(page);
    const moved: Record<string, number> = {};
    for (const path of [
      ...sampled(`shift ${size}`, adminPaths, 3),
      "/privacy-settings",
      "/account",
      `/companies/${app.company.id}`,
      `/reports/company/${app.company.id}`,
      `/reports/course/${course.id}`,
      `/learners/report/${items[0]?.userId}`,
      `/learners/outlook/${items[0]?.userId}`,
    ]) {
      await page.goto(app.url + path);
      await expect(page.locator("h1")).toBeVisible();
      await waitUntilLoaded(page);
      const shift = await shiftOf();
      if (shift >= LIMIT) moved[path] = shift;
    }
    expect(moved).toEqual({});
    await context.close();
  });
