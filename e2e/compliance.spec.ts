import { courses } from "#shared/courses/courses.ts";
import { requirements, requirementTerms } from "#shared/requirements/requirements.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { titledPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, test } from "./server.ts";

// An admin requires a course, opens it again by keyboard, and the learner does it again on a phone

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test("an admin requires a course and opens it again, and the learner renews it", async ({ browser, app }) => {
  test.setTimeout(150_000);
  const { id: courseId } = await addCourse(app, titledPackage("Harness"));
  const learner = await addLearner(app, "Wanda Walker");
  await addLearner(app, "Zeno Zander");
  const wanda = await openAs(browser, learner, `${app.url}/login`, phone);
  const complete = async () => {
    await content(wanda.page).locator("body").waitFor();
    await content(wanda.page)
      .locator("body")
      .evaluate(() => (window as unknown as { finish: (status: string) => void }).finish("completed"));
    await saved(wanda.page);
  };
  await expect(wanda.page).toHaveURL(/my-courses/);
  await wanda.page.goto(`${app.url}/launch/${app.company.id}/${courseId}`);
  await complete();

  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).not.toHaveURL(/login/);
  await test.step("a requirement is added, and says before how many people hold it", async () => {
    await page.goto(`${app.url}/companies/${app.company.id}`);
    await page.getByRole("link", { name: "Compliance" }).click();
    await expect(page.getByText("No required courses yet")).toBeVisible();
    await expectAccessible(page, "compliance without requirements");
    await page.getByRole("button", { name: "Add requirement" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add requirement" }).click();
    await expect(dialog.getByText("Choose a course.")).toBeVisible();
    await dialog.getByRole("combobox", { name: "Course" }).fill("Harness");
    await page.getByRole("option", { name: "Harness", exact: true }).click();
    await expect(dialog.getByRole("region", { name: "With these terms" })).toContainText("1Valid");
    await dialog.getByLabel("Opens again this many days before expiry").fill("360");
    await dialog.getByRole("button", { name: "Add requirement" }).click();
    await expect(dialog.getByText("The course would open again before it could be completed.")).toBeVisible();
    await dialog.getByLabel("Opens again this many days before expiry").fill("30");
    await expectAccessible(page, "the dialog of a requirement");
    await dialog.getByRole("button", { name: "Add requirement" }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step("an admin exempts a person for a time, and ends that", async () => {
    const cell = page.getByRole("row", { name: /Zeno Zander/ }).getByRole("button", { name: /^Harness: / });
    await expect(cell).toHaveAccessibleName(/Missing/, { timeout: 20_000 });
    const open = async () => {
      await cell.click();
      await page.getByRole("button", { name: "Exemptions" }).click();
      return page.getByRole("dialog", { name: "Exemptions: Zeno Zander, Harness" });
    };
    const dialog = await open();
    await dialog.getByRole("button", { name: "Exempt" }).click();
    await expect(dialog.getByLabel("Until")).toHaveAccessibleDescription(/./);
    const until = new Date(Date.now() + 90 * 86_400_000);
    await dialog.getByLabel("Until").fill(until.toISOString().slice(0, 10));
    await page.keyboard.press("Tab");
    await dialog.getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Health" }).click();
    await expectAccessible(page, "the form of an exemption");
    await dialog.getByRole("button", { name: "Exempt" }).click();
    await expect(cell).toHaveAccessibleName(/Exempt, exempt until/);
    await expectAccessible(await open().then((one) => one.page()), "the exemptions of a person");
    await page.getByRole("button", { name: "End today" }).click();
    await page
      .getByRole("dialog", { name: /End this exemption/ })
      .getByRole("button", { name: "End today" })
      .click();
    await expect(page.getByText("Exemption ended")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(cell).toHaveAccessibleName(/Missing/);
  });

  await test.step("on a phone a cell opens its card, and not the person", async () => {
    await page.setViewportSize(phone.viewport);
    const cell = page.getByRole("listitem").getByRole("button", { name: /^Harness: Missing/ });
    await cell.click();
    await expect(page.getByRole("dialog", { name: /^Harness: Missing/ })).toContainText("Not completed");
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step("the matrix shows who holds it, and arrows lead from cell to cell", async () => {
    const row = page.getByRole("row", { name: /Wanda Walker/ });
    await expect(row.getByRole("button", { name: /^Harness: Valid/ })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("Being applied to everyone")).toHaveCount(0, { timeout: 20_000 });
    await expectAccessible(page, "compliance");
    await row.getByRole("button", { name: /^Harness: Valid/ }).focus();
    await page.keyboard.press("ArrowDown");
    await expect(
      page.getByRole("row", { name: /Zeno Zander/ }).getByRole("button", { name: /^Harness: Missing/ }),
    ).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const card = page.getByRole("dialog", { name: /^Harness: Valid/ });
    await expect(card).toContainText(/valid until/);
    await expectAccessible(page, "the card of a requirement");
    await page.keyboard.press("Escape");
    await expect(row.getByRole("button", { name: /^Harness: Valid/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await card.getByRole("button", { name: "Open again now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Open again now" }).click();
    await expect(row.getByRole("button", { name: /^Harness: Open again/ })).toBeVisible();
    await page.getByRole("link", { name: /^Open again/ }).click();
    await expect(page).toHaveURL(/state=ending/);
    await expect(page.getByRole("row", { name: /Zeno Zander/ })).toHaveCount(0);
  });

  await test.step("terms that another admin has changed meanwhile are shown before they are replaced", async () => {
    const edit = async () => {
      await page.getByRole("button", { name: "Actions: Harness" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
    };
    const changeElsewhere = async (months: number) => {
      const [stored] = (await app.admin.call(requirements.list, { params: { id: app.company.id } })).items;
      if (!stored) throw new Error("no requirement");
      const { id, version, countsFrom, fixedDay, skipDays, windowDays, graceDays } = stored;
      const terms = { months, countsFrom, fixedDay, skipDays, windowDays, graceDays };
      await app.admin.call(requirements.update, { params: { id }, body: { terms, version } });
    };
    await edit();
    await changeElsewhere(18);
    const form = page.getByRole("dialog", { name: "Requirement: Harness" });
    await form.getByLabel("Months", { exact: true }).fill("24");
    await form.getByRole("button", { name: "Save" }).click();
    const question = page.getByRole("dialog").filter({ has: page.getByRole("cell", { name: "18" }) });
    await expect(question.getByRole("cell", { name: "24" })).toBeVisible();
    await question.getByRole("button", { name: /theirs/i }).click();
    await expect(form.getByLabel("Months", { exact: true })).toHaveValue("18");
    await form.getByLabel("Months", { exact: true }).fill("12");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("12 months, from completion")).toBeVisible();
    await expect(form).toHaveCount(0);
  });

  await test.step("the learner sees why, starts anew, and holds it for longer", async () => {
    await wanda.page.goto(`${app.url}/my-courses`);
    await expect(wanda.page.getByText(/^Open again\. Your completion is valid until/).first()).toBeVisible();
    await expectNoHorizontalScroll(wanda.page, "My Courses with a course that is open again");
    await wanda.page.getByRole("link", { name: /Start/ }).first().click();
    await complete();
    await wanda.page.goto(`${app.url}/courses/${courseId}`);
    await expect(wanda.page.getByText(/^Valid until/)).toBeVisible();
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId, q: "Wanda" } });
    expect(items).toMatchObject([{ status: "completed", attempts: 2 }]);
  });

  await test.step("on a phone, a person's open requirements stand below their name", async () => {
    await page.setViewportSize(phone.viewport);
    await page.goto(`${app.url}/companies/${app.company.id}/compliance`);
    await expect(page.getByRole("button", { name: /^Harness: Missing/ })).toBeVisible();
    await expect(page.getByText("1 valid")).toBeVisible();
    await expectAccessible(page, "compliance on a phone");
    await expectNoHorizontalScroll(page, "compliance on a phone");
  });
  const { items } = await app.admin.call(requirements.list, { params: { id: app.company.id } });
  expect(items).toMatchObject([{ course: "Harness", counts: { valid: 1, missing: 1 } }]);

  await test.step("many courses scroll within the table, beside the people", async () => {
    for (let n = 1; n <= 6; n++) {
      const { id } = await addCourse(app, titledPackage(`Working safely with lifting equipment, part ${n}`));
      const terms = requirementTerms.parse({ months: 12 });
      await app.admin.call(requirements.create, { params: { id: app.company.id }, body: { courseId: id, terms } });
    }
    await page.setViewportSize({ width: 1100, height: 800 });
    await page.reload();
    const last = page.getByRole("row", { name: /Zeno Zander/ }).getByRole("button", { name: /part 6: Missing/ });
    await expect(last).toBeAttached({ timeout: 20_000 });
    await expectNoHorizontalScroll(page, "compliance with many courses");
    await last.focus();
    await expect(last).toBeInViewport();
    await expect(page.getByRole("link", { name: "Zeno Zander" })).toBeInViewport();
    await expectAccessible(page, "compliance with many courses");
  });
  await context.close();
  await wanda.context.close();
});
