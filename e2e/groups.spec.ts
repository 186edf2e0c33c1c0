import type { Page } from "@playwright/test";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, sizesFor } from "./layout.ts";
import { addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// Fields of one's own, and groups of people: from a field to a list that shows a group only

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};
async function openCompany(page: Page, { url, company }: ServerFixture, tab: string) {
  await page.goto(`${url}/companies/${company.id}?tab=${tab.toLowerCase()}`);
  await expect(page.getByRole("tab", { name: tab, selected: true })).toBeVisible();
}
/** The row of a person, which is a card on a phone. */
const person = (page: Page, name: string) => page.getByRole("main").locator("tr, li").filter({ hasText: name });

for (const [size, viewport] of sizesFor("groups"))
  test(`an admin adds a field and a group that follows it (${size})`, async ({ browser, app }) => {
    test.setTimeout(120_000);
    const names = [`Ada ${size}`, `Bo ${size}`, `Cy ${size}`] as const;
    for (const name of names) await addLearner(app, name);
    const field = `Site ${size}`;
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`, { viewport });
    await expect(page).not.toHaveURL(/login/);

    await openCompany(page, app, "Fields");
    await page.getByRole("button", { name: "Add field" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add field" }).click();
    await expect(dialog.getByText("Enter a name.")).toBeVisible();
    await dialog.getByLabel("Name", { exact: true }).fill(field);
    await dialog.getByRole("button", { name: "Add field" }).click();
    await expect(page.getByText(`Field “${field}” added`)).toBeVisible();
    await expectAccessible(page, "fields of a company");
    await expectNoHorizontalScroll(page, "fields");

    await openCompany(page, app, "Groups");
    await page.getByRole("button", { name: "Add group" }).first().click();
    await dialog.getByLabel("Name", { exact: true }).fill(`Hamburg ${size}`);
    await choose(page, "Condition 1: subject", field);
    await dialog.getByLabel("Condition 1: value").fill("Hamburg");
    await expect(dialog.getByText("Nobody meets this rule yet.")).toBeVisible();
    await expectAccessible(page, "a rule");
    await dialog.getByRole("button", { name: "Add group" }).click();
    await page.getByRole("link", { name: new RegExp(`Hamburg ${size}`) }).click();
    await expect(page.getByRole("heading", { name: `Hamburg ${size}`, level: 1 })).toBeVisible();
    await expect(page.getByText("Nobody meets the rule.")).toBeVisible();
    const group = page.url();

    await page.goto(`${app.url}/learners?q=${encodeURIComponent(names[0])}`);
    await page.getByRole("button", { name: `Actions for ${names[0]}` }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog.getByLabel(field).fill("Hamburg");
    await dialog.getByRole("button", { name: /Save/ }).click();
    await expect(dialog).toBeHidden();

    await page.goto(group);
    await expect(async () => {
      await page.reload();
      await expect(person(page, names[0])).toContainText("By rule", { timeout: 1000 });
    }).toPass({ timeout: 20_000 });
    await page.getByRole("button", { name: "Add by hand" }).click();
    await dialog.getByRole("combobox").first().fill(names[1]);
    await page.getByRole("option", { name: new RegExp(names[1]) }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Add 1 person" }).click();
    await expect(person(page, names[1])).toContainText("By hand");
    await expectAccessible(page, "a group");
    await expectNoHorizontalScroll(page, "group");

    await person(page, names[0])
      .getByRole("button", { name: /Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Keep out" }).click();
    await expect(person(page, names[0])).toBeHidden();

    const id = /groups\/([^/?]+)/.exec(group)?.[1] ?? "";
    await page.goto(`${app.url}/companies/${app.company.id}?tab=learners&l.groupId=${id}`);
    await expect(person(page, names[1])).toBeVisible();
    for (const other of [names[0], names[2]]) await expect(person(page, other)).toHaveCount(0);
    await context.close();
  });

test("a rule that nobody can meet is refused while it is written", { tag: "@long" }, async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).not.toHaveURL(/login/);
  await openCompany(page, app, "Groups");
  await page.getByRole("button", { name: "Add group" }).first().press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.type("Nobody");
  await choose(page, "Condition 1: subject", "Status");
  await choose(page, "Condition 1: value", "Active");
  await dialog.getByRole("button", { name: "Add condition" }).press("Enter");
  await choose(page, "Condition 2: subject", "Status");
  await choose(page, "Condition 2: value", "Suspended");
  await expect(dialog.getByText("Nobody can ever meet this rule")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Add group" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Remove condition 2" }).press("Enter");
  await expect(dialog.getByRole("button", { name: "Add group" })).toBeEnabled();
  await page.keyboard.press("Escape");
  await context.close();
});
