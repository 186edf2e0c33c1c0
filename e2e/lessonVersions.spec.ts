import type { Page } from "@playwright/test";
import { choiceQuestion, paragraph } from "#test/lessons.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, inEveryLook, setColorScheme } from "./layout.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";
import { addWrittenCourse } from "./versionsFixture.ts";

// Comparing versions, bringing a paragraph back, and comments with a mention

const pageOf = (page: Page) => page.getByRole("textbox", { name: /^Text of/ });
const saved = (page: Page) => expect(page.getByText(/^Saved/)).toBeVisible({ timeout: 20_000 });

/** A colleague who may write courses too. */
async function addColleague(app: ServerFixture, name: string) {
  const colleague = await addLearner(app, name);
  await app.query("update users set role = 'admin', company_id = null where email = $1", [colleague.email]);
  return colleague;
}

test(
  "an author sees what changed, brings a paragraph back, and takes that back",
  { tag: "@long" },
  async ({ browser, app }) => {
    test.setTimeout(180_000);
    const unchanged = Array.from({ length: 4 }, (_, n) => paragraph(`Paragraph ${n} stays.`));
    const { id } = await addWrittenCourse(app, "Two hooks", [
      paragraph("Climb at most 2 m without a harness."),
      ...unchanged,
      choiceQuestion("Which one holds?").block,
    ]);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/courses/${id}/versions`);
    await expect(page.getByText("Nothing has changed between version 1 and the draft.")).toBeVisible();
    await expectAccessible(page, "versions, nothing changed");

    await page.getByRole("link", { name: "Back to the draft" }).click();
    await pageOf(page).getByText("Climb at most 2 m").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Really.");
    await saved(page);
    await page.getByRole("link", { name: "Versions", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 lesson differs.")).toBeVisible({ timeout: 20_000 });
    await page.getByRole("button", { name: /Hooks Changed/ }).focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("ins")).toContainText("Really.");
    await expect(page.locator("ins")).toContainText("added:");
    await expect(page.getByText("5 blocks unchanged", { exact: true })).toBeVisible();
    await expect(page.getByText(/^Last written by/)).toBeVisible();
    await inEveryLook(page, async (look) => {
      await expectNoHorizontalScroll(page, look);
      await expectAccessible(page, `versions ${look}`);
    });

    await page.getByRole("button", { name: /^Restore this block/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await expect(page.getByText("Block restored")).toBeVisible();
    await expect(page.getByText("Nothing has changed between version 1 and the draft.")).toBeVisible();
    await page.getByRole("region", { name: "What was restored" }).getByRole("button", { name: /^Undo/ }).click();
    await expect(page.getByText("Restore undone")).toBeVisible();
    await expect(page.locator("ins")).toContainText("Really.");
    await context.close();
  },
);

test("a colleague is mentioned at a block, answers and resolves it", async ({ browser, app }) => {
  test.setTimeout(180_000);
  const ingrid = await addColleague(app, "Ingrid Solberg");
  const { id } = await addWrittenCourse(app, "Heights", [paragraph("Climb at most 2 m."), paragraph("Look up.")]);
  const per = await openAs(browser, ADMIN, `${app.url}/courses/${id}/edit`);
  await pageOf(per.page).getByText("Climb at most 2 m.").click();
  await per.page.getByRole("button", { name: "Comments" }).click();
  const field = per.page.getByRole("textbox", { name: "Comment on this block" });
  await field.focus();
  await per.page.keyboard.type("@Ingr");
  await expect(per.page.getByRole("option", { name: "Ingrid Solberg" })).toBeVisible();
  await per.page.keyboard.press("ArrowDown");
  await per.page.keyboard.press("Enter");
  await per.page.keyboard.type("is this still 2 m?");
  await expect(field).toHaveValue("@Ingrid Solberg is this still 2 m?");
  await expectAccessible(per.page, "comments");
  await per.page.keyboard.press("Control+Enter");
  const panel = per.page.getByRole("region", { name: "Comments" });
  await expect(panel.getByText("is this still 2 m?")).toBeVisible();
  await expect(per.page.getByRole("button", { name: "1 open comment" })).toBeVisible();

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const other = await openAs(browser, ingrid, `${app.url}/login`, phone);
  await expect(other.page).toHaveURL(/dashboard/);
  await other.page.getByRole("button", { name: /^Notifications/ }).click();
  await other.page.getByText(/mentioned you in “Hooks”/).click();
  const drawer = other.page.getByRole("dialog");
  await expect(drawer.getByText("is this still 2 m?")).toBeVisible({ timeout: 20_000 });
  await setColorScheme(other.page, "dark");
  await expectAccessible(other.page, "comments on a phone, dark");
  await drawer.getByRole("button", { name: "Answer" }).click();
  await drawer.getByRole("textbox", { name: "Your answer" }).fill("Yes, since March.");
  await drawer.getByRole("button", { name: "Answer" }).click();
  await expect(panel.getByText("Yes, since March.")).toBeVisible({ timeout: 20_000 });
  await drawer.getByRole("button", { name: "Resolve" }).click();
  await expect(panel.getByRole("button", { name: "Show 1 resolved" })).toBeVisible({ timeout: 20_000 });
  await expect(per.page.getByRole("button", { name: "1 open comment" })).toBeHidden();
  await other.context.close();
  await per.context.close();
});
