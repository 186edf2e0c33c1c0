import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { requirements, requirementTerms } from "#shared/requirements/requirements.ts";
import { recordedEarlier } from "#test/earlierRecords.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, viewports } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// An admin looks up what was required and held on an earlier day

const DAY_MS = 86_400_000;
const daysAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

test("an admin sees who held what on an earlier day", async ({ browser, app }) => {
  const { id: courseId } = await addCourse(app, titledPackage("Harness"));
  const learner = await addLearner(app, "Ada Audited");
  await addLearner(app, "Bo Behind");
  const params = { id: app.company.id };
  const terms = requirementTerms.parse({ months: 12 });
  const { id, version } = await app.admin.call(requirements.create, { params, body: { courseId, terms } });
  await expect(async () => {
    const { items } = await app.admin.call(requirements.list, { params, query: {} });
    expect(items[0]?.counts.missing).toBe(2);
  }).toPass();
  await app.query(`begin;\n${recordedEarlier(3)};\ncommit`);
  await app.admin.call(requirements.update, { params: { id }, body: { terms: { ...terms, months: 6 }, version } });
  const { items } = await app.admin.call(courses.enrolments, { query: { courseId, q: learner.email } });
  await app.admin.call(completions.set, {
    params: { id: items[0]?.id as string },
    body: { reason: "Done on paper", attemptNo: 0, status: "assigned" },
  });

  await expect(async () => {
    const list = await app.admin.call(requirements.list, { params, query: {} });
    expect(list.items[0]).toMatchObject({ isApplied: true, counts: { valid: 1 } });
  }).toPass();

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).not.toHaveURL(/login/);
  const compliance = `${app.url}/companies/${app.company.id}/compliance`;
  await page.goto(compliance);
  const ada = page.getByRole("row", { name: /Ada Audited/ });
  await expect(ada.getByRole("button", { name: /^Harness: Valid/ })).toBeVisible();

  await test.step("two days ago nobody held it, by the terms of that day", async () => {
    await page.goto(`${compliance}?asOf=${daysAgo(2)}`);
    await expect(page.getByText(/^As of the end of .+ Anything recorded later is not included\.$/)).toBeVisible();
    await expect(ada.getByRole("button", { name: /^Harness: Missing/ })).toBeVisible();

    await expect(page.getByText("12 months, from completion")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add requirement" })).toHaveCount(0);
  });
  await test.step("its figures lead to the people of that day", async () => {
    await page.getByRole("link", { name: /^Missing/ }).click();
    await expect(page).toHaveURL(new RegExp(`asOf=${daysAgo(2)}`));
    await expect(page).toHaveURL(/state=missing/);
    await expect(ada).toBeVisible();
  });
  await test.step("it can be read in the dark, on a phone and by a screen reader", async () => {
    for (const scheme of ["light", "dark"] as const) {
      await setColorScheme(page, scheme);
      for (const [size, viewport] of Object.entries(viewports)) {
        await page.setViewportSize(viewport);
        await expectAccessible(page, `compliance of an earlier day, ${scheme}, ${size}`);
        await expectNoHorizontalScroll(page, `compliance of an earlier day, ${scheme}, ${size}`);
      }
    }
  });
  await test.step("before anything was recorded, the page says since when", async () => {
    await page.goto(`${compliance}?asOf=${daysAgo(9)}`);
    await expect(page.getByText("Nothing was required on this day")).toBeVisible();
    await expect(page.getByText(/^Requirements have been recorded since/)).toBeVisible();
    await page.getByRole("link", { name: "Show today" }).click();
    await page.setViewportSize(viewports.desktop);
    await expect(ada.getByRole("button", { name: /^Harness: Valid/ })).toBeVisible();
  });
  await context.close();
});
