import type { Browser, Page } from "@playwright/test";
import { rawData } from "#shared/rawData/rawData.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, inEveryLook, viewports, waitForAnimations } from "./layout.ts";
import { addValueCourse } from "./rawDataFixture.ts";
import { expect, openAs, type ServerFixture, test } from "./server.ts";

// Raw Data: finding, correcting, deleting and restoring values

/** The page of an admin. */
async function openAdmin(browser: Browser, app: ServerFixture, path: string) {
  const { page, context } = await openAs(browser, ADMIN, app.url + path);
  return { page, context };
}
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const panel = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const entries = (page: Page) => panel(page, "I speak up early").getByRole("listitem");

test("finds a value, corrects it with a reason, deletes it and undoes that", async ({ browser, app }) => {
  const course = await addValueCourse(app, "correct");
  await course.answer("Liv Aune", [["rating", 5]]);
  await course.answer("Jonas Hagen", [
    ["rating", 4],
    ["rating", 60],
    ["rating", 7],
    ["goal", "Ask one question first"],
    ["mobile", "0171"],
  ]);
  const address = `/admin/learner-data?courseId=${course.id}`;
  const { page, context } = await openAdmin(browser, app, address);
  await expect(page.getByText("1 to 6 of 6 values")).toBeVisible();
  await expect(row(page, "Above the maximum")).toContainText("60");
  await expect(row(page, "Mobile number")).toContainText("Masked");
  await page.getByRole("searchbox", { name: "Search learner or variable" }).fill("Jonas");
  await expect(page.getByText("1 to 5 of 5 values")).toBeVisible();

  await page.getByRole("button", { name: "7: history of I speak up early, Jonas Hagen" }).click();
  await expect(entries(page)).toHaveCount(3);
  await expect(panel(page, "I speak up early")).toContainText("Value now7");
  await expect(entries(page).nth(1)).toContainText("60Above the maximumRefused");
  await panel(page, "I speak up early").getByRole("button", { name: "Correct value" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct “I speak up early”" });
  await dialog.getByRole("textbox", { name: "New value" }).fill("70");
  await dialog.getByRole("button", { name: "Correct value" }).click();
  await expect(dialog.getByText("Enter a reason of at least 3 characters.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("said 8 in the meeting");
  await dialog.getByRole("button", { name: "Correct value" }).click();
  await expect(dialog.getByText("Above the maximum.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "New value" }).fill("8");
  await dialog.getByRole("button", { name: "Correct value" }).click();
  await expect(panel(page, "I speak up early")).toContainText("Value now8");
  await expect(entries(page).first()).toContainText("“said 8 in the meeting”");
  await expect(entries(page).nth(1)).toContainText("Corrected");

  await panel(page, "I speak up early").getByRole("button", { name: "Delete value" }).click();
  await page
    .getByRole("dialog", { name: /^Delete this value/ })
    .getByRole("button", { name: "Delete value" })
    .click();
  await expect(panel(page, "I speak up early")).toContainText("Value now4");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(panel(page, "I speak up early")).toContainText("Value now8");
  await page.keyboard.press("Escape");
  await expect(panel(page, "I speak up early")).toBeHidden();
  await context.close();
});

test("leads from a value to the session in which it was set", async ({ browser, app }) => {
  const course = await addValueCourse(app, "session");
  await course.answer("Sigrid Berg", [["rating", 9]]);
  const { page, context } = await openAdmin(browser, app, `/admin/learner-data?courseId=${course.id}`);
  await page.getByRole("button", { name: "9: history of I speak up early, Sigrid Berg" }).click();
  await panel(page, "I speak up early")
    .getByRole("link", { name: /^Replay session from/ })
    .click();
  await expect(page).toHaveURL(/reports\/session\/replay\/.*\?t=/);
  await expect(page.getByRole("link", { name: "Sigrid Berg" })).toBeVisible();
  await context.close();
});

test("shows attempts with chosen variables as columns, by keyboard too", async ({ browser, app }) => {
  const course = await addValueCourse(app, "attempts");
  await course.answer("Emil Kvam", [
    ["rating", 6],
    ["opening", "facts"],
  ]);
  await course.answer("Tor Eide", [["rating", 3]]);
  const { page, context } = await openAdmin(browser, app, `/admin/learner-data`);
  await page.getByText("One row per attempt").click();
  await page.getByRole("combobox", { name: "Choose a course" }).click();
  await page.getByRole("option", { name: course.title, exact: true }).last().click();
  await expect(page).toHaveURL(/courseId=/);
  await page.goto(`${app.url}/admin/learner-data?view=attempts&courseId=${course.id}`);
  await expect(page.getByText("1 to 2 of 2 attempts")).toBeVisible();
  await expect(row(page, "Emil Kvam").getByRole("button")).toHaveText(["6", "facts"]);
  await page.getByRole("button", { name: "Variables: 4 of 4" }).click();
  await page.getByRole("menuitemcheckbox", { name: /Goal/ }).click();
  await expect(page.getByRole("columnheader", { name: /Goal/ })).toBeHidden();
  await page.keyboard.press("Escape");
  const first = page.getByRole("button", { name: "6: history of I speak up early, Emil Kvam" });
  await first.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "facts: history of Opening used, Emil Kvam" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page, "Opening used")).toContainText("Value nowfacts");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "facts: history of Opening used, Emil Kvam" })).toBeFocused();
  await context.close();
});

test("deletes the values of a course after a check and a typed code, and restores them", async ({ browser, app }) => {
  const course = await addValueCourse(app, "delete");
  const learner = await course.answer("Ola Strand", [
    ["rating", 4],
    ["goal", "Listen"],
  ]);
  const count = async () => (await app.admin.call(rawData.list, { query: { courseId: course.id } })).total;
  const { page, context } = await openAdmin(browser, app, `/courses/${course.id}`);
  await page.getByRole("button", { name: /^More actions|^Actions/ }).click();
  await page.getByRole("menuitem", { name: "Delete course variables" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "2 values of 1 learner will be deleted" })).toBeVisible();
  await page.getByRole("button", { name: "Continue to confirmation" }).click();
  const code =
    (await page
      .getByText(/^Type .* to confirm$/)
      .locator("code")
      .textContent()) ?? "";
  await page.getByRole("textbox").fill("wrong");
  await page.getByRole("button", { name: "Delete 2 values" }).click();
  await expect(page.getByText("This is not the code of the course.")).toBeVisible();

  await learner.set([["rating", 6]]);
  await page.getByRole("textbox").fill(code);
  await page.getByRole("button", { name: "Delete 2 values" }).click();
  await expect(page.getByText("These are the new numbers.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "3 values of 1 learner will be deleted" })).toBeVisible();
  expect(await count()).toBe(3);
  await page.getByRole("button", { name: "Continue to confirmation" }).click();
  await page.getByRole("textbox").fill(code);
  await page.getByRole("button", { name: "Delete 3 values" }).click();
  await expect(page.getByRole("heading", { name: `3 values of “${course.title}” deleted` })).toBeVisible();
  expect(await count()).toBe(0);
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(page.getByRole("heading", { name: "3 values restored" })).toBeVisible();
  await expect(row(page, course.title).first()).toContainText("Restored by");
  expect(await count()).toBe(3);
  await context.close();
});

test("deletes the values of chosen variables only", async ({ browser, app }) => {
  const course = await addValueCourse(app, "chosen");
  await course.answer("Kari Lie", [
    ["rating", 4],
    ["goal", "Listen"],
  ]);
  const address = `/admin/delete-course-variables?courseId=${course.id}`;
  const { page, context } = await openAdmin(browser, app, address);
  await page.getByText("Chosen variables").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Choose variables").last()).toBeVisible();
  await page.getByRole("combobox", { name: "Choose variables" }).click();
  await page.getByRole("option", { name: /Goal/ }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "1 value of 1 learner will be deleted" })).toBeVisible();
  await expect(row(page, "Kari Lie")).toContainText("Listen");
  await context.close();
});

async function expectFineLooks(page: Page, name: string) {
  await inEveryLook(page, async (size) => {
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await waitForAnimations(page);
    await expectNoHorizontalScroll(page, `${name} ${size}`);
    await expectAccessible(page, `${name} ${size}`);
  });
  await page.setViewportSize(viewports.desktop);
}
const answers: [key: string, value: string | number][] = [
  ["rating", 3],
  ["rating", 60],
  ["rating", 8],
  ["opening", "question"],
  ["goal", "Ask one question before I answer, and wait for three seconds after each of them"],
  ["mobile", "0171"],
  ["undefined_key", "asdf"],
];
const openHistory = (page: Page) =>
  page.getByRole("button", { name: "8: history of I speak up early, Aleksandra Orlova" }).click();

test("the history of a value is accessible and fits in every look", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addValueCourse(app, "history");
  await course.answer("Aleksandra Orlova", answers);
  const { page, context } = await openAdmin(browser, app, `/admin/learner-data?courseId=${course.id}`);
  await openHistory(page);
  await expect(entries(page)).toHaveCount(3);
  await expectFineLooks(page, "history");
  await page.getByRole("button", { name: "Correct value" }).click();
  await expectFineLooks(page, "correction");
  await page.goto(`${app.url}/admin/learner-data?view=attempts&courseId=${course.id}`);
  await openHistory(page);
  await expect(entries(page)).toHaveCount(3);
  await expectFineLooks(page, "attempts");
  await context.close();
});

test(
  "the page of a variable with long texts is accessible and fits in every look",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addValueCourse(app, "long texts");
    await course.answer("Aleksandra Orlova", answers);
    const { page, context } = await openAdmin(browser, app, `/variables?courseId=${course.id}`);
    await page.getByRole("link", { name: "Goal" }).click();
    await expect(row(page, "Aleksandra Orlova")).toContainText("Ask one question");
    await expectFineLooks(page, "variable");
    await page.getByRole("link", { name: "Raw Data" }).last().click();
    await expect(row(page, "Aleksandra Orlova")).toContainText("Ask one question");
    await expect(page.getByRole("row")).toHaveCount(2);
    await context.close();
  },
);

test(
  "a phone shows the values of an attempt as lines, and the history of each",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addValueCourse(app, "phone");
    await course.answer("Aleksandra Orlova", answers);
    const { page, context } = await openAdmin(browser, app, "/admin/learner-data");
    await page.setViewportSize(viewports.phone);
    await page.goto(`${app.url}/admin/learner-data?view=attempts&courseId=${course.id}`);
    await page.getByRole("button", { name: "Aleksandra Orlova" }).click();
    const lines = panel(page, "Aleksandra Orlova").getByRole("listitem");
    await expect(lines.filter({ hasText: "Mobile number" })).toContainText("Masked");
    await lines.filter({ hasText: "I speak up early" }).getByRole("button").click();
    await expect(panel(page, "I speak up early")).toContainText("Value now8");
    await panel(page, "I speak up early").getByRole("button", { name: "Close" }).click();
    await expect(panel(page, "I speak up early")).toBeHidden();
    await expect(lines.first()).toBeVisible();
    await context.close();
  },
);

test("the steps of a deletion are accessible and fit in every look", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addValueCourse(app, "steps");
  await course.answer("Aleksandra Orlova", answers);
  const { page, context } = await openAdmin(browser, app, `/admin/delete-course-variables?courseId=${course.id}`);
  await expectFineLooks(page, "what to delete");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "7 values of 1 learner will be deleted" })).toBeVisible();
  await expectFineLooks(page, "check");
  await page.getByRole("button", { name: "Continue to confirmation" }).click();
  await expectFineLooks(page, "confirmation");
  await context.close();
});
