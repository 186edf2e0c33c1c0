import type { Page } from "@playwright/test";
import { waitUntilLoaded } from "./layout.ts";
import { expect, openAs, test } from "./server.ts";
import { ADMIN } from "#test/process.ts";

// Forms explain invalid input with our texts, not with those of the validator (`zod/v4/locales/en.js`)

const RAW = /Too small|Too big|Invalid (input|string|option|UUID|URL|key|value|number)|Unrecognized key|to have [<>]=/;
const NUL = "\0";
/** A page, and the button that opens its dialog; the second name is that of its submit button. */
const dialogs: [path: string, open: string, send: string][] = [
  ["/companies", "Add company", "Add company"],
  ["/variables", "Add variable", "Add variable"],
  ["/admin/prompts", "New prompt", "Write prompt"],
  ["/admin/button-prompts", "New button prompt", "Add button prompt"],
  ["/admin/connectors", "Add connection", "Add connection"],
  ["/admin/settings?tab=integrations&kind=webhooks", "Add webhook", "Add webhook"],
  ["/admin/settings?tab=integrations", "Create API key", "Create API key"],
];

async function expectOurWords(page: Page, what: string) {
  await expect(page.getByRole("button", { name: "Loading" })).toHaveCount(0);
  const text = await page.locator("body").innerText();
  expect(RAW.exec(text)?.[0] ?? null, what).toBeNull();
}

/** Fills every text field that can be filled. */
async function fillAll(page: Page, value: string) {
  for (const field of await page
    .getByRole("dialog")
    .locator("input:not([type]), input[type=text], input[type=url], textarea")
    .all())
    if (await field.isEditable()) await field.fill(value, { force: true }).catch(() => {});
}

test("no dialog for admins shows a message of the validator", async ({ app, browser }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  for (const [path, open, send] of dialogs) {
    await page.goto(app.url + path);
    await waitUntilLoaded(page);
    for (const [kind, value] of [
      ["empty", ""],
      ["long", "x".repeat(7000)],
      ["wrong", `a${NUL} `],
    ] as const) {
      await page.getByRole("button", { name: open, exact: true }).first().click();
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      await fillAll(page, value);
      const button = dialog.getByRole("button", { name: send, exact: true });
      if (await button.isEnabled()) await button.click();
      await expectOurWords(page, `${path} ${kind}`);
      if (kind === "long") await expect(dialog, path).toBeVisible();
      await page.keyboard.press("Escape");
      const leave = page.getByRole("button", { name: /Discard|Close/ });
      if (await dialog.isVisible()) await leave.first().click();
      await expect(dialog).toBeHidden();
    }
  }
  await context.close();
});
