import { expectAccessible } from "./axe.ts";
import { addLessons } from "./lessonsFixture.ts";
import { addLearner, expect, openAs, saved, test } from "./server.ts";
import { ADMIN } from "#test/process.ts";
import { courseOf, newId, paragraph } from "#test/lessons.ts";

test("a learner marks a block by keyboard, and the author deals with it", async ({ browser, app }) => {
  const lesson = { id: newId("lesson"), title: "Two hooks", blocks: [paragraph("The hook goes to the ring.")] };
  const { id, launch } = await addLessons(app, courseOf(lesson));
  const { page, context } = await openAs(browser, await addLearner(app), launch);
  const mark = page.getByRole("button", { name: "Unclear?" });
  await expect(mark).toHaveAccessibleDescription("The author reads this without your name.");
  // What is marked without a connection arrives later.
  await context.setOffline(true);
  await mark.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Marked as unclear" })).toBeAttached();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Which ring?");
  await expectAccessible(page, "a marked block");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Marked as unclear" })).toBeFocused();
  await context.setOffline(false);
  await saved(page);
  await page.reload();
  await page.getByRole("button", { name: "Marked as unclear" }).click();
  await expect(page.getByLabel("What is unclear? (optional)")).toHaveValue("Which ring?");
  await context.close();

  const author = await openAs(browser, ADMIN, `${app.url}/courses/${id}/unclear`);
  await expect(author.page.getByText("Which ring?")).toBeVisible();
  await expect(author.page.getByText("1 person")).toBeVisible();
  await expectAccessible(author.page, "what is unclear");
  await author.page.getByRole("button", { name: "Dealt with" }).click();
  await expect(author.page.getByText("Everything that learners marked has been dealt with.")).toBeVisible();
  await author.page.goto(`${app.url}/reports/course/${id}`);
  await author.page.getByRole("link", { name: "1: Reached: The hook goes to the ring." }).click();
  // That of the learner list, and that of the block.
  await expect(author.page.getByRole("link", { name: /^Replay from/ })).toHaveCount(2);
  await expectAccessible(author.page, "blocks of a lesson in a report");
  await author.context.close();
});
