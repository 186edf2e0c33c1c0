import { courses } from "#shared/courses/courses.ts";
import { reminders, SUGGESTED } from "#shared/reminders/reminders.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// An admin sets the steps of reminders, sees whom the emails of a day reach, and switches them on

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const textOf = (day: string) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(day),
  );

for (const [size, viewport] of sizesFor("reminders"))
  test(`an admin sees whom the steps reach before switching them on (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { id: courseId } = await addCourse(app, titledPackage(`Ladders ${size}`));
    const name = `Runa Remind ${size}`;
    await addLearner(app, name);
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId, q: name } });
    const userIds = items.map(({ userId }) => userId);
    const params = { id: app.company.id };
    const { today, version } = await app.admin.call(reminders.plan, { params });
    await app.admin.call(reminders.save, { params, body: { terms: SUGGESTED, version } });
    const dueDate = addDays(today, 20);
    await app.admin.call(courses.setDue, { params: { id: courseId }, body: { userIds, dueDate } });

    const { page, context } = await openAs(browser, ADMIN, `${app.url}/companies/${app.company.id}`, { viewport });
    await page.getByRole("link", { name: "Reminders" }).click();
    const preview = page.getByRole("region", { name: "Next emails" });
    await expect(preview.getByRole("heading", { name: /Emails of/ })).toBeVisible();
    await expectAccessible(page, `reminders, ${size}`);
    await expectNoHorizontalScroll(page, `reminders, ${size}`);
    await page.getByLabel("Not on Saturdays and Sundays").uncheck();

    await test.step("the preview follows steps that are not saved", async () => {
      const second = page.getByRole("group", { name: "Step 2" });
      await second.getByLabel("Days").fill("19");
      await expect(preview.getByRole("heading")).toContainText(textOf(today));
      await preview.getByRole("button", { name: "The day after" }).click();
      await expect(preview.getByRole("heading")).toContainText(textOf(addDays(today, 1)));
      await expect(preview.getByRole("listitem").filter({ hasText: name })).toContainText("19 days before");
      await setColorScheme(page, "dark");
      await expectAccessible(page, `a preview of reminders, dark, ${size}`, ["color-contrast"]);
      await setColorScheme(page, "light");
    });

    await test.step("a step that is there already is marked where it stands", async () => {
      await page.getByRole("group", { name: "Step 3" }).getByLabel("Days").fill("19");
      await page.getByRole("button", { name: /^Save$/ }).click();
      const third = page.getByRole("group", { name: "Step 3" });
      await expect(third.getByRole("alert")).toHaveText("This step is there already.");
      await third.getByRole("button", { name: "Remove step 3" }).click();
    });

    await test.step("switched on, it says from when", async () => {
      await page.getByRole("button", { name: "Switch on" }).click();
      await expect(page.getByText("Reminders are on")).toBeVisible();
      await expect(page.getByRole("button", { name: "Switch off" })).toBeVisible();
      await page.getByRole("tab", { name: "Sent" }).click();
      await expect(page.getByText("No reminders yet")).toBeVisible();
      await expectAccessible(page, `the log of reminders, ${size}`);
      await page.getByRole("tab", { name: "Plan" }).click();
      await page.getByRole("button", { name: "Switch off" }).click();
      await expect(page.getByText("Reminders are off", { exact: true })).toBeVisible();
    });
    await context.close();
  });
