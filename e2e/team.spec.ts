import { readFile } from "node:fs/promises";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { requirements, requirementTerms } from "#shared/requirements/requirements.ts";
import { ADMIN } from "#test/process.ts";
import { test } from "./authFixture.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, sizesFor, viewports } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture } from "./server.ts";

type App = Pick<ServerFixture, "admin" | "company" | "url">;

const idOf = async (app: App, email: string) =>
  (await app.admin.call(learners.list, { query: { q: email } })).items[0]?.id as string;

/** Mona leads Olav, who is overdue, and Dina, whose course is due soon; Stine belongs to nobody. */
async function addTeam(app: App, tag: string) {
  const course = await addCourse(app as ServerFixture, probePackage("1.2"));
  const [mona, olav, dina, stine] = [
    await addLearner(app as ServerFixture, `Mona Manager ${tag}`),
    await addLearner(app as ServerFixture, `Olav Overdue ${tag}`),
    await addLearner(app as ServerFixture, `Dina Due ${tag}`),
    await addLearner(app as ServerFixture, `Stine Stranger ${tag}`),
  ];
  const assign = async (email: string, dueDate: string) => {
    const userIds = [await idOf(app, email)];
    await app.admin.call(courses.assign, { params: { id: course.id }, body: { userIds } });
    await app.admin.call(courses.setDue, { params: { id: course.id }, body: { userIds, dueDate } });
  };
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await assign(olav.email, "2026-01-05");
  await assign(dina.email, soon);
  await assign(stine.email, "2026-01-05");
  return { course, mona, olav, dina, stine };
}

for (const [size, viewport] of sizesFor("team")) {
  const isPhone = size === "phone";
  test(`an admin sets a manager, who sees and reminds their people (${size})`, async ({ browser, app }) => {
    const { course, mona, olav, dina, stine } = await addTeam(app, size);
    const boss = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(boss.page).toHaveURL(/dashboard/);
    for (const person of [olav, dina]) {
      await boss.page.goto(`${app.url}/learners?q=${encodeURIComponent(person.email)}`);
      await boss.page.getByRole("row", { name: person.email }).getByRole("checkbox").check();
      await boss.page.getByRole("button", { name: "Set manager" }).click();
      const dialog = boss.page.getByRole("dialog", { name: "Who leads" });
      await dialog.getByRole("combobox", { name: "Manager" }).fill(mona.email);
      await boss.page.getByRole("option", { name: mona.email }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(boss.page.getByText("Manager of 1 person saved").last()).toBeVisible();
    }
    await boss.page.goto(`${app.url}/companies/${app.company.id}?tab=managers`);
    await expect(boss.page.getByRole("row", { name: mona.email })).toContainText("Sees their people");
    await expectAccessible(boss.page, `managers of a company, ${size}`);
    await boss.context.close();

    const { page, context } = await openAs(browser, mona, `${app.url}/login`);
    await expect(page).toHaveURL(/my-courses/);
    await page.setViewportSize(viewport);
    if (isPhone) await page.getByRole("button", { name: /menu/i }).click();
    const menu = page.getByRole("group", { name: "Your team" });
    await menu.getByRole("link", { name: "Team", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Your team" })).toBeVisible();
    await expect(page.getByText("2 people report to you.")).toBeVisible();
    const needs = page.getByRole("region", { name: "Needs you" });
    await expect(needs.getByRole("listitem")).toHaveCount(1);
    await expect(needs).toContainText(olav.name);
    await expect(page.getByRole("region", { name: "Due next" })).toContainText(dina.name);
    await expect(page.getByText(stine.name)).toHaveCount(0);
    await expectAccessible(page, `team, ${size}`);
    await expectNoHorizontalScroll(page, `team, ${size}`);

    await needs.getByRole("button", { name: olav.name }).click();
    const dialog = page.getByRole("dialog", { name: `Remind ${olav.name} of` });
    await dialog.getByRole("button", { name: "Send 1 reminder" }).click();
    await expect(page.getByText("1 reminder queued")).toBeVisible();
    await app.mailbox.waitForMail(olav.email, `Overdue: ${course.title}`);
    await expect(needs).toContainText("reminded just now");

    await page.goto(`${app.url}/team/people`);
    await expect(page.getByRole("link", { name: dina.name })).toBeVisible();
    await expect(page.getByText(stine.name)).toHaveCount(0);
    await expectAccessible(page, `people of a team, ${size}`);
    if (!isPhone) {
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: /Export/ }).click();
      const file = await readFile(await (await saving).path(), "utf8");
      expect(file).toContain(olav.email);
      expect(file).not.toContain(stine.email);
    }
    await page.getByRole("link", { name: olav.name }).click();
    await expect(page.getByRole("heading", { level: 1, name: olav.name })).toBeVisible();
    await expect(page.getByRole("main")).toContainText(course.title);
    await expectAccessible(page, `one of a team, ${size}`);
    await expectNoHorizontalScroll(page, `one of a team, ${size}`);
    await page.goto(`${app.url}/team/people/${await idOf(app, stine.email)}`);
    await expect(page.getByRole("heading", { name: "This person was not found" })).toBeVisible();
    await page.goto(`${app.url}/learners`);
    await expect(page).toHaveURL(/\/unauthorized/);
    await context.close();

    const watched = await openAs(browser, olav, `${app.url}/privacy-settings`);
    const views = watched.page.getByRole("region", { name: "Who viewed my records" });
    const view = views.getByRole("listitem").filter({ hasText: "A manager viewed the courses of a person" });
    await expect(view).toContainText(`${mona.name}, manager`);
    await watched.page.goto(`${app.url}/team`);
    await expect(watched.page.getByRole("heading", { name: "This page is for managers" })).toBeVisible();
    await watched.context.close();
  });
}

test("a manager sees what their people must hold, and nobody else's", async ({ browser, app }) => {
  const { course, mona, olav, dina, stine } = await addTeam(app, "held");
  const led = [await idOf(app, olav.email), await idOf(app, dina.email)];
  await app.admin.call(learners.setManager, { body: { ids: led, managerId: await idOf(app, mona.email) } });
  const terms = requirementTerms.parse({ months: 12 });
  await app.admin.call(requirements.create, {
    params: { id: app.company.id },
    body: { courseId: course.id, terms },
  });
  const { page, context } = await openAs(browser, mona, `${app.url}/team`);
  await expect(async () => {
    await page.getByRole("link", { name: "Compliance" }).click();
    await expect(page.getByRole("row", { name: olav.name })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(page.getByRole("row", { name: dina.name })).toBeVisible();
  await expect(page.getByText(stine.name)).toHaveCount(0);
  await page.getByRole("row", { name: olav.name }).getByRole("button").click();
  await expect(page.getByRole("link", { name: "Their courses" })).toHaveAttribute("href", `/team/people/${led[0]}`);
  await expect(page.getByRole("button", { name: "Open again now" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expectAccessible(page, "compliance of a team");
  await page.setViewportSize(viewports.phone);
  await expectAccessible(page, "compliance of a team on a phone");
  await expectNoHorizontalScroll(page, "compliance of a team on a phone");
  await context.close();
});
