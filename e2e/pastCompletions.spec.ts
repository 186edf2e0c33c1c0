import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, setColorScheme, sizesFor } from "./layout.ts";
import { plainPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// An admin records what a person has completed elsewhere, and removes it

const LONG_TITLE =
  "Working at heights with harness, rope and rescue in confined spaces of hydroelectric power stations";

for (const [size, viewport] of sizesFor("pastCompletions"))
  test(`an admin records completions from elsewhere and removes one (${size})`, async ({ browser, app }) => {
    await addCourse(app, plainPackage());
    const name = `Ines Paper ${size}`;
    const ines = await addLearner(app, name);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners`, { viewport });
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Completed elsewhere" }).click();
    const dialog = page.getByRole("dialog", { name: `Completed elsewhere: ${name}` });
    await dialog.getByRole("button", { name: "Record" }).click();
    await expect(dialog.getByText("Fill in this field.")).toHaveCount(2);
    await expectAccessible(page, `a completion from elsewhere, ${size}`);

    const record = async (option: RegExp, day: string, { title = "", evidence = "" } = {}) => {
      await dialog.getByRole("combobox", { name: "Course" }).click();
      await page.getByRole("option", { name: option }).first().click();
      if (title) await dialog.getByLabel("Course title").fill(title);
      await dialog.getByLabel("Completed on").fill(day);
      await dialog.getByLabel("Completed on").press("Tab");
      if (evidence) await dialog.getByLabel(/^Evidence/).fill(evidence);
      await dialog.getByRole("button", { name: "Record" }).click();
    };
    await record(/^Part$/, "3 Mar 2026", { evidence: "TÜV 4711" });
    await expect(page.getByText("“Part” is complete as of 3 Mar 2026")).toBeVisible();
    await record(/^A course that is not/, "12 Jan 2025", { title: LONG_TITLE });
    await expect(page.getByText(`“${LONG_TITLE}” of 12 Jan 2025 is recorded`)).toBeVisible();
    const items = dialog.getByRole("listitem");
    await expect(items).toHaveCount(2);
    const isWhole = (button: Element) => button.scrollWidth <= button.clientWidth;
    for (const button of await dialog.getByRole("button", { name: /^Remove/ }).all())
      expect(await button.locator("[class*=label]").evaluate(isWhole)).toBe(true);
    await expect(items.first()).toContainText("Evidence: TÜV 4711");
    await expect(items.first()).toContainText("Completes the course here");
    await expectAccessible(page, `completions from elsewhere, ${size}`);
    await expectNoHorizontalScroll(page, `completions from elsewhere, ${size}`);
    await setColorScheme(page, "dark");
    await expectAccessible(page, `completions from elsewhere, dark, ${size}`, ["color-contrast"]);
    const { items: found } = await app.admin.call(learners.list, { query: { q: ines.email } });
    expect(found[0]).toMatchObject({ completed: 1 });

    await dialog.getByRole("button", { name: "Remove “Part” of 3 Mar 2026" }).click();
    await page.getByRole("dialog", { name: "Remove this completion?" }).getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("Completion removed")).toBeVisible();
    await expect(items).toHaveCount(1);
    await context.close();
  });
