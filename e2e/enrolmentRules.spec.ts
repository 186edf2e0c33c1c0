import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, PASSWORD, test } from "./server.ts";

// Enrolment rules: written by keyboard, previewed, switched on, followed by a new person, explained to them, undone

test("an admin writes a rule by keyboard, and a new person is enrolled and reads why", async ({ browser, app }) => {
  test.setTimeout(120_000);
  const course = await addCourse(app, probePackage("2004", ["one"]));
  const { title } = await app.admin.call(courses.get, { params: { id: course.id } });
  await app.admin.call(companies.removeCourse, { params: { id: app.company.id, courseId: course.id } });
  await addLearner(app, "Early Eva");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/enrolment-rules`);
  await expect(page.getByText("No rules yet")).toBeVisible();
  await page.getByRole("link", { name: "Add rule" }).first().press("Enter");

  await page.getByRole("textbox", { name: "Name" }).press("ControlOrMeta+a");
  await page.keyboard.type("Everyone works safely");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("combobox", { name: "Company" })).toBeFocused();
  await page.keyboard.type(app.company.name);
  await page.getByRole("option", { name: app.company.name, exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Everyone" })).toBeChecked();
  await page.keyboard.press("Tab");
  await page.keyboard.type(title);
  await page.getByRole("option", { name: title, exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "What learners read" }).fill("Everyone here works safely.");

  const preview = page.getByRole("region", { name: "Preview" });
  const enrol = preview.getByRole("button", { name: /^Save and enrol \d/ });
  await expect(enrol).toBeEnabled();
  await expect(preview).toContainText("would be enrolled");
  await expectAccessible(page, "the form of a rule");
  await preview.getByRole("button", { name: /would be enrolled/ }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Search people").fill("Early");
  await expect(dialog.getByRole("listitem")).toHaveText(/Early Eva/);
  await page.keyboard.press("Escape");
  await preview.getByRole("button", { name: "Try the last 90 days" }).press("Enter");
  await expect(dialog).toContainText("Early Eva");
  await page.keyboard.press("Escape");
  await enrol.press("Enter");
  await expect(page.getByRole("heading", { name: "Everyone works safely", level: 1 })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "new enrolment" })).toBeVisible({ timeout: 20_000 });

  const { email } = await addLearner(app, "Later Leo");
  const leo = await openAs(browser, { email, password: PASSWORD }, `${app.url}/courses/${course.id}`);
  await expect(leo.page.getByRole("region", { name: "Why do I have this course?" })).toContainText(
    "Everyone here works safely.",
  );
  await expectAccessible(leo.page, "a course with its reason");
  await leo.context.close();

  await page.goto(`${app.url}/courses/${course.id}?tab=learners`);
  await page.getByRole("button", { name: "Actions for Later Leo" }).click();
  await page.getByRole("menuitem", { name: "Why they have it" }).click();
  await expect(dialog).toContainText("Rule “Everyone works safely”");
  await page.keyboard.press("Escape");

  await page.goto(`${app.url}/enrolment-rules`);
  await page.getByRole("link", { name: /Everyone works safely/ }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("status").filter({ hasText: /Undone: \d+ enrolment/ })).toBeVisible({ timeout: 20_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page, "a rule on a phone");
  await context.close();
});
