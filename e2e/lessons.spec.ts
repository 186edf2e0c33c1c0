import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { addLessons, everyBlockStored, heightCourse } from "./lessonsFixture.ts";
import { addLearner, chip, expect, openAs, saved, test } from "./server.ts";
import { courseOf, newId, paragraph } from "#test/lessons.ts";

// Courses of lessons, as learners take them

/** The main button, in the bar below the lesson. */
const press = (page: Page, name: string) => page.locator("footer").getByRole("button", { name, exact: true }).click();

test("a learner reads, answers by keyboard, continues after a reload and completes", async ({ browser, app }) => {
  const { course } = heightCourse();
  const { launch } = await addLessons(app, course);
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  await expect(page.getByRole("heading", { name: "Why two hooks" })).toBeVisible();
  const practice = page.getByRole("group", { name: /Where does the second hook go/ });
  const right = practice.getByRole("radio", { name: /An anchor ring/ });
  const position = await practice
    .getByRole("radio")
    .evaluateAll(
      (radios, text) => radios.findIndex((radio) => radio.closest("label")?.textContent?.includes(text)),
      "An anchor ring",
    );
  // The block listens to keys a moment after it is shown.
  await expect(async () => {
    await page.keyboard.press(String(position + 1));
    await expect(right).toBeChecked({ timeout: 1000 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Well seen." })).toBeVisible();
  await saved(page);
  await press(page, "Next lesson");
  await expect(page.getByRole("heading", { name: "Final quiz" })).toBeVisible();
  await page
    .getByRole("radio", { name: /A handrail/ })
    .first()
    .check();
  await press(page, "Check answer");
  await expect(page.getByText("You can answer once more.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Final quiz" })).toBeVisible();
  await expect(page.getByText("You can answer once more.")).toBeVisible();
  const [first, second] = [page.getByRole("group", { name: /12 kN/ }), page.getByRole("group", { name: /each use/ })];
  await first.getByRole("radio", { name: /An anchor ring/ }).check();
  await press(page, "Check answer");
  await expect(first.getByText("Right", { exact: true })).toBeVisible();
  await press(page, "Next question");
  await second.getByRole("radio", { name: /An anchor ring/ }).check();
  await press(page, "Check answer");
  await expect(page.getByRole("heading", { name: "You have enough points" })).toBeVisible();
  await press(page, "Continue");
  await press(page, "Finish");
  await expect(page.getByRole("heading", { name: "Course completed" })).toBeVisible();
  await expectAccessible(page, "end of the course");
  await context.close();
});

test("lessons that are left at once by their last button are done", { tag: "@long" }, async ({ browser, app }) => {
  const lesson = (title: string) => ({ id: newId("lesson"), title, blocks: [paragraph("One sentence.")] });
  const { launch } = await addLessons(app, courseOf(lesson("First"), lesson("Second")));
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  await press(page, "Next lesson");
  await press(page, "Finish");
  await expect(page.getByRole("heading", { name: "Course completed" })).toBeVisible();
  await context.close();
});

test("a graded answer is kept offline and counts later; the page holds no solution", async ({ browser, app }) => {
  const { course } = heightCourse();
  const { launch } = await addLessons(app, course);
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  const replies: string[] = [];
  page.on("response", async (response) => {
    if (/\/lessons\/|\/launch\//.test(response.url())) replies.push(await response.text().catch(() => ""));
  });
  await page.getByRole("button", { name: "Final quiz" }).click();
  await expect(page.getByRole("heading", { name: "Final quiz" })).toBeVisible();
  await saved(page);
  await context.setOffline(true);
  const second = page.getByRole("group", { name: /each use/ });
  await second.getByRole("radio", { name: /An anchor ring/ }).check();
  await press(page, "Check answer");
  await expect(page.getByText("Counts when you are online.")).toBeVisible();
  const quiz = replies.filter((text) => text.includes("each use")).join("\n");
  for (const secret of ["isRight", "It carries 12 kN", "Well seen"]) expect(quiz).not.toContain(secret);
  expect(await page.content()).not.toContain("It carries 12 kN");
  await context.setOffline(false);
  await expect(second.getByText("It carries 12 kN.")).toBeVisible();
  await expect(chip(page)).toContainText("Saved");
  await context.close();
});

for (const [name, viewport] of [
  ["desktop", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(`every kind of block is accessible, ${name}, ${colorScheme}`, async ({ browser, app }) => {
      const blocks = await everyBlockStored(app);
      const { launch } = await addLessons(app, courseOf({ id: "lesson-0001", title: "Everything", blocks }));
      const options = { viewport, colorScheme };
      const { page, context } = await openAs(browser, await addLearner(app), launch, options);
      await expect(page.getByRole("heading", { name: "Everything" })).toBeVisible();
      await expectAccessible(page, "the first part");
      for (let n = 0; n < 12 && (await page.getByRole("heading", { name: "Chest ring" }).count()) === 0; n++) {
        if (await page.getByText("Which?").count()) break;
        await press(page, "Continue");
      }
      await expect(page.getByRole("group", { name: "What goes together?" })).toBeVisible();
      await expectAccessible(page, "every kind of block");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await context.close();
    });
