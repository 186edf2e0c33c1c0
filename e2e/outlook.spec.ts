import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { learners } from "#shared/learners/learners.ts";
import { reminders, SUGGESTED } from "#shared/reminders/reminders.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// What will reach a person and why they have a course, as an admin, a manager and the person read it

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

for (const [size, viewport] of sizesFor("outlook"))
  test(`what will reach a person, why a course and why not (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const title = `Ropes ${size}`;
    const { id: courseId } = await addCourse(app, titledPackage(title));
    const { id: otherId } = await addCourse(app, titledPackage(`Cranes ${size}`));
    const anna = await addLearner(app, `Anna Ahead ${size}`);
    const mona = await addLearner(app, `Mona Leads ${size}`);
    const idOf = async (email: string) =>
      (await app.admin.call(learners.list, { query: { q: email } })).items[0]?.id as string;
    const [id, managerId] = [await idOf(anna.email), await idOf(mona.email)];
    await app.admin.call(learners.setManager, { body: { ids: [id], managerId } });
    const body = { userIds: [id], dueDate: inDays(12) };
    await app.admin.call(courses.setDue, { params: { id: courseId }, body });
    const condition = {
      match: "all" as const,
      tests: [
        { kind: "status" as const, is: "is" as const, status: "active" as const },
        { kind: "joined" as const, is: "before" as const, day: "2020-01-01" },
      ],
    };
    const rule = await app.admin.call(enrolmentRules.create, {
      body: { companyId: app.company.id, name: `Old hands ${size}`, courseIds: [otherId], condition },
    });
    await app.admin.call(enrolmentRules.setState, {
      params: { id: rule.id },
      body: { state: "active", version: rule.version },
    });
    const params = { id: app.company.id };
    const setReminders = async (isOn: boolean) => {
      const { version } = await app.admin.call(reminders.plan, { params });
      const terms = { ...SUGGESTED, skipsWeekends: false, isOn };
      await app.admin.call(reminders.save, { params, body: { terms, version } });
    };
    await setReminders(true);

    await test.step("an admin reads the emails to come, and why a rule gives no course", async () => {
      const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners/report/${id}`, { viewport });
      await page.getByRole("link", { name: "Coming up" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Coming up for Anna Ahead ${size}`);
      const ahead = page.getByRole("tabpanel", { name: "Dates" });
      await expect(ahead.getByText(`Email to Anna Ahead ${size}`).first()).toBeVisible();
      await expect(ahead.getByText(`${title}, 7 days before it is due`)).toBeVisible();
      await expect(ahead.getByText(`Email to Mona Leads ${size}, as manager`)).toBeVisible();
      await expect(ahead.getByText(`${title} is due`)).toBeVisible();
      await expectAccessible(page, `coming up, ${size}`);
      await expectNoHorizontalScroll(page, `coming up, ${size}`);
      await page.getByRole("tab", { name: "Reasons" }).click();
      await expect(page.getByRole("listitem").filter({ hasText: title }).first()).toContainText("everyone there has");
      await page.getByRole("tab", { name: "Rules" }).click();
      await page.getByRole("searchbox", { name: "Search rules" }).fill(`Cranes ${size}`);
      const found = page.getByRole("listitem").filter({ hasText: `Old hands ${size}` });
      await expect(found.getByText("joined before 1 Jan 2020")).toBeVisible();
      await expect(found.getByText(/^now: \d/)).toBeVisible();
      await expect(found.getByRole("img", { name: "Not met" })).toHaveCount(1);
      await expectAccessible(page, `rules of a person, ${size}`);
      await expectNoHorizontalScroll(page, `rules of a person, ${size}`);
      await context.close();
    });

    await test.step("the person reads the same in their words", async () => {
      const { page, context } = await openAs(browser, anna, `${app.url}/login`, { viewport });
      await page.getByRole("link", { name: "Coming up" }).click();
      await expect(page.getByText("An email to you").first()).toBeVisible();
      await expect(page.getByText(`An email to Mona Leads ${size}, your manager`)).toBeVisible();
      await expect(page.getByRole("heading", { name: "Why do I have these courses?" })).toBeVisible();
      await setColorScheme(page, "dark");
      await expectAccessible(page, `own outlook, dark, ${size}`, ["color-contrast"]);
      await expectNoHorizontalScroll(page, `own outlook, ${size}`);
      await context.close();
    });

    await test.step("the manager sees it beside the courses", async () => {
      const { page, context } = await openAs(browser, mona, `${app.url}/team/people/${id}`, { viewport });
      const ahead = page.getByRole("region", { name: "Coming up" });
      await expect(ahead.getByText(`Email to Mona Leads ${size}, as manager`)).toBeVisible();
      await page.getByText("90 days").click();
      await expect(ahead.getByText(`${title} is due`)).toBeVisible();
      await expectAccessible(page, `one of one's people, ${size}`);
      await context.close();
    });
    await setReminders(false);
  });
