import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { addLessons } from "./lessonsFixture.ts";
import { addLearner, expect, openAs, saved, test } from "./server.ts";
import { quizCourse } from "#test/quizzes.ts";

// Quizzes, as learners take them

const main = (page: Page, name: string) => page.locator("footer").getByRole("button", { name, exact: true });
const press = (page: Page, name: string) => main(page, name).click();
const group = (page: Page) => page.getByRole("group").first();
const textOfQuestion = async (page: Page) => (await page.locator("legend").innerText()).trim();
const choose = (page: Page, name: "An anchor ring" | "A handrail") =>
  group(page)
    .getByRole("radio", { name: new RegExp(name) })
    .check();

test("a learner takes a quiz by keyboard, finds it after a reload, and tries again", async ({ browser, app }) => {
  const { course } = quizCourse({ passPercent: 70, minutes: 20 }, { always: 1, pooled: 6, draw: 2 });
  const { launch } = await addLessons(app, course);
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  await expect(page.getByRole("heading", { name: "Final check" })).toBeVisible();
  await expect(page.getByText("70 %").or(page.getByText("70%"))).toBeVisible();
  await expectAccessible(page, "start of a quiz");
  await press(page, "Start");
  await expect(page.getByText(/^\d+:\d\d left$/)).toBeVisible();
  const first = await textOfQuestion(page);
  const answers = await group(page).getByRole("radio").count();
  expect(answers).toBe(2);
  await page.keyboard.press("1");
  await expect(group(page).getByRole("radio").first()).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Question 2 of 3")).toBeVisible();
  const second = await textOfQuestion(page);
  await choose(page, "A handrail");
  await expect(page.getByText("2 of 3 answered")).toBeVisible();
  await saved(page);
  await page.reload();
  await expect(page.getByText("Question 3 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Previous question" }).click();
  expect(await textOfQuestion(page)).toBe(second);
  await expect(group(page).getByRole("radio", { name: /A handrail/ })).toBeChecked();
  await page.getByRole("button", { name: "Previous question" }).click();
  expect(await textOfQuestion(page)).toBe(first);
  await choose(page, "A handrail");
  await press(page, "Next question");
  await press(page, "Next question");
  await press(page, "To the end");
  await expect(page.getByText("One question has no answer.")).toBeVisible();
  await expectAccessible(page, "end of a quiz");
  await press(page, "Hand in");
  await expect(page.getByRole("heading", { name: "3 more points" })).toBeVisible();
  await expect(page.getByText("You did not answer this one.")).toBeVisible();
  await expect(page.getByText("failed")).toHaveCount(0);
  await expectAccessible(page, "result of a quiz");
  await page.getByRole("button", { name: "Try again" }).click();
  for (const last of ["Next question", "Next question", "To the end"]) {
    await choose(page, "An anchor ring");
    await press(page, last);
  }
  await press(page, "Hand in");
  await expect(page.getByRole("heading", { name: "Everything right" })).toBeVisible();
  await press(page, "Finish");
  await expect(page.getByRole("heading", { name: "Course completed" })).toBeVisible();
  await context.close();
});

test("a quiz with a time limit does not start offline, and one without keeps answers", async ({ browser, app }) => {
  const timed = await addLessons(app, quizCourse({ minutes: 5 }).course, { title: "Timed" });
  const learner = await addLearner(app);
  const { page, context } = await openAs(browser, learner, timed.launch);
  await expect(main(page, "Start")).toBeEnabled();
  await saved(page);
  await context.setOffline(true);
  await expect(page.getByText("A quiz with a time limit starts only with a connection.")).toBeVisible();
  await expect(main(page, "Start")).toBeDisabled();
  await context.setOffline(false);
  const open = await addLessons(app, quizCourse({ feedback: "end" }).course, { title: "Untimed" });
  await page.goto(open.launch);
  await expect(main(page, "Start")).toBeEnabled();
  await saved(page);
  await context.setOffline(true);
  await press(page, "Start");
  await choose(page, "An anchor ring");
  await expect(page.getByText("Counts when you are online.")).toBeVisible();
  await press(page, "To the end");
  await context.setOffline(false);
  await saved(page);
  await press(page, "Hand in");
  await expect(page.getByRole("heading", { name: "Everything right" })).toBeVisible();
  await context.close();
});

test("when the time is over, the attempt ends by itself and what was answered counts", async ({ browser, app }) => {
  const { course } = quizCourse({ minutes: 1, attempts: 1 }, { always: 2 });
  const { launch } = await addLessons(app, course);
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  await press(page, "Start");
  await choose(page, "An anchor ring");
  await saved(page);
  await expect(page.getByRole("status").filter({ hasText: "1 minute left" })).toBeAttached();
  const shift = `update part_states
    set lesson = jsonb_set(lesson, '{quiz,open,endsAt}', to_jsonb(to_char(now() at time zone 'UTC'
      + interval '3 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    where lesson->'quiz'->'open' is not null`;
  await app.query(shift, []);
  await app.query("update attempts set rev = rev + 1", []);
  // Coming back to the page reads the end again.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("The time was up.")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("You have 1 of 2 points.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await context.close();
});
