import type { Page } from "@playwright/test";
import { courses } from "#shared/courses/courses.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, viewports } from "./layout.ts";
import { addLearner, expect, openAs, saved as storedAnswers, test } from "./server.ts";

// Writing a quiz, from the first question to the result of a learner

const textOf = (page: Page) => page.getByRole("textbox", { name: /^Text of/ });
const saved = (page: Page) => expect(page.getByText(/^Saved/)).toBeVisible({ timeout: 20_000 });
const main = (page: Page, name: string) => page.locator("footer").getByRole("button", { name, exact: true });

async function pressOn(page: Page, role: "button" | "switch" | "checkbox" | "link", name: string | RegExp) {
  const found = page.getByRole(role, { name, exact: typeof name === "string" }).first();
  await found.focus();
  await page.keyboard.press(role === "switch" || role === "checkbox" ? "Space" : "Enter");
}

async function startCourse(page: Page, url: string, title: string) {
  await page.goto(`${url}/courses`);
  await pressOn(page, "button", "Add course");
  await page.getByRole("menuitem", { name: "Write a course" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.keyboard.press("Enter");
  await expect(textOf(page)).toBeVisible({ timeout: 20_000 });
  return /courses\/([^/]+)\/edit/.exec(page.url())?.[1] ?? "";
}

async function addBlock(page: Page, name: string) {
  await pressOn(page, "button", "Add a block, or type /");
  await expect(page.getByRole("listbox", { name: "Add a block" })).toBeVisible();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listbox", { name: "Add a block" })).toBeHidden();
}

/** Opens the settings of the lesson, and has it be a quiz. */
async function makeQuiz(page: Page) {
  await page.getByRole("radio", { name: "Lesson" }).focus();
  await page.keyboard.press("Space");
  await pressOn(page, "switch", /This lesson is a quiz/);
  await expect(page.getByRole("textbox", { name: "Pass mark, in percent of the points" })).toBeVisible();
}

test("an author writes a quiz with a pool by keyboard, and a learner passes it", async ({ browser, app }) => {
  test.setTimeout(240_000);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const id = await startCourse(page, app.url, "False mails");
  await makeQuiz(page);
  const minutes = page.getByRole("textbox", { name: "Time limit, in minutes" });
  await minutes.focus();
  await page.keyboard.type("10");
  await page.keyboard.press("Tab");
  await pressOn(page, "switch", "Learners may stop the clock");

  for (const n of [1, 2, 3]) {
    await addBlock(page, "true or false");
    await page.keyboard.type(`Statement ${n}`);
  }
  await addBlock(page, "number");
  await page.keyboard.type("How many?");
  await expect(textOf(page).getByText("Right answer")).toBeVisible();
  await textOf(page).getByRole("textbox", { name: "Right answer" }).fill("4");
  await saved(page);

  // The new pool is named at once; then it gets three questions in one step.
  await pressOn(page, "button", "Add pool");
  const name = page.getByRole("textbox", { name: "Name of the pool" });
  await expect(name).toBeFocused();
  await page.keyboard.type("Statements");
  await page.keyboard.press("Tab");
  await pressOn(page, "button", "Choose questions for pool “Statements”");
  const dialog = page.getByRole("dialog", { name: "Questions of pool “Statements”" });
  await expectAccessible(page, "questions of a pool");
  await dialog.getByRole("checkbox", { name: "Statement 1" }).focus();
  await page.keyboard.press("Space");
  await dialog.getByRole("checkbox", { name: "Statement 3" }).focus();
  await page.keyboard.press("Shift+Space");
  await expect(dialog.getByText("3 questions chosen")).toBeVisible();
  await pressOn(page, "button", "Save pool");
  await expect(dialog).toBeHidden();
  await expect(textOf(page).getByText("Pool: Statements")).toHaveCount(3);
  await expect(page.getByText("Statements: 2 of 3")).toBeVisible();
  await expect(page.getByText("An attempt asks 3 questions, 3 points.")).toBeVisible();
  await saved(page);
  await expectAccessible(page, "editor of a quiz");
  await expectNoHorizontalScroll(page, "editor of a quiz");
  await setColorScheme(page, "dark");
  await expectAccessible(page, "editor of a quiz, dark", ["color-contrast"]);
  await setColorScheme(page, "light");

  await pressOn(page, "link", "Preview");
  await expect(page.getByText("Nothing you do here is stored.", { exact: false })).toBeVisible();
  await pressOn(page, "button", "Start");
  await expect(page.getByText("Question 1 of 3")).toBeVisible();
  await pressOn(page, "button", "Pause");
  await expect(page.getByText(/^You have \d+:\d\d left/)).toBeVisible();
  await expectAccessible(page, "paused quiz");
  await pressOn(page, "link", "Back to writing");
  await expect(textOf(page)).toBeVisible({ timeout: 20_000 });
  await pressOn(page, "button", "Publish version 1");
  const publish = page.getByRole("dialog", { name: "Publish version 1" });
  await expect(publish.getByText("Checking the lessons")).toBeHidden({ timeout: 20_000 });
  await publish.getByRole("button", { name: "Publish version 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Version 1 published")).toBeVisible({ timeout: 20_000 });
  await context.close();

  await app.admin.call(courses.assign, { params: { id }, body: { companyIds: [app.company.id] } });
  const learner = await openAs(browser, await addLearner(app, "Lea Reader"), `${app.url}/login`);
  await expect(learner.page).toHaveURL(/my-courses/);
  await learner.page.setViewportSize(viewports.phone);
  await learner.page.goto(`${app.url}/launch/${app.company.id}/${id}`);
  await main(learner.page, "Start").click();
  for (const last of ["Next question", "Next question", "To the end"]) {
    const number = learner.page.locator("form").getByRole("textbox");
    await expect(learner.page.locator("legend")).toBeFocused();
    if ((await number.count()) > 0) await number.fill("4");
    else await learner.page.getByRole("radio", { name: "True" }).check();
    await storedAnswers(learner.page);
    await main(learner.page, last).click();
  }
  await main(learner.page, "Hand in").click();
  await expect(learner.page.getByRole("heading", { name: "Everything right" })).toBeVisible();
  await expect(learner.page.getByRole("heading", { name: "Quiz passed" })).toBeVisible();
  await expect(learner.page.getByText("Your best result: 100 %, in attempt 1", { exact: false })).toBeVisible();
  await expect(learner.page.getByText("You have completed the course.")).toBeVisible();
  await expectAccessible(learner.page, "passed quiz");
  await expectNoHorizontalScroll(learner.page, "passed quiz");
  await learner.context.close();
});

test(
  "on a phone an author changes the rules of a quiz and the questions of its pool",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(120_000);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    await startCourse(page, app.url, "Quiz in the pocket");
    await addBlock(page, "true or false");
    await page.keyboard.type("The sender is known");
    await saved(page);
    await page.setViewportSize(viewports.phone);
    await page.getByRole("button", { name: "Settings" }).click();
    await makeQuiz(page);
    await page.getByRole("button", { name: "Add pool" }).click();
    await expect(page.getByRole("textbox", { name: "Name of the pool" })).toBeFocused();
    await page.getByRole("button", { name: "Choose questions for pool “Pool 1”" }).click();
    const dialog = page.getByRole("dialog", { name: "Questions of pool “Pool 1”" });
    await dialog.getByRole("checkbox", { name: "All questions" }).check();
    await expectAccessible(page, "questions of a pool on a phone");
    await expectNoHorizontalScroll(page, "questions of a pool on a phone");
    await dialog.getByRole("button", { name: "Save pool" }).click();
    await expect(page.getByText("of 1", { exact: true })).toBeVisible();
    await expectNoHorizontalScroll(page, "settings of a quiz on a phone");
    await expectAccessible(page, "settings of a quiz on a phone");
    await context.close();
  },
);
