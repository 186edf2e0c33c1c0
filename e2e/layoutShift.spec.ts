import { courses } from "#shared/courses/courses.ts";
import { sampled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { screens } from "#web/screens.ts";
import { trackLayoutShift, trackRequests, viewports, waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// What a page shows first stays where it is when the rest arrives

const LIMIT = 0.05;
const adminPaths = screens
  .filter(({ path, guards, page }) => page && guards.includes("admin") && !path.includes(":"))
  .map(({ path }) => path);

for (const size of ["desktop", "phone"] as const)
  test(`pages do not move while they load (${size})`, async ({ browser, app }) => {
    test.setTimeout(240_000);
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    const { email } = await addLearner(app, "Runa Vik");
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: email } });
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    await page.setViewportSize(viewports[size]);
    trackRequests(page);
    const shiftOf = await trackLayoutShift(page);
    const moved: Record<string, number> = {};
    for (const path of [
      ...sampled(`shift ${size}`, adminPaths, 10),
      "/privacy-settings",
      "/account",
      `/companies/${app.company.id}`,
      `/reports/company/${app.company.id}`,
      `/reports/course/${course.id}`,
      `/learners/report/${items[0]?.userId}`,
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
