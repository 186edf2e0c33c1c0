import { readFileSync } from "node:fs";
import { EXPORT_VERSION, privacy } from "#shared/privacy/privacy.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { addLearner, expect, identity, openAs, openErasure, signIn, test } from "./server.ts";

// How people view, export and delete their data

test("lets a learner view, export and delete their data", async ({ browser, app }) => {
  const who = await addLearner(app, "Mona Leaving");
  const context = await browser.newContext({ acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, who);
  await page.getByRole("link", { name: "Privacy", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Privacy", level: 1 })).toBeVisible();
  await page.getByText("Deleted when you delete your data").click();
  await expect(page.getByText("Name, email and company")).toBeVisible();
  await expectAccessible(page, "privacy settings");
  await expect(page.getByRole("cell", { name: /as an admin/ })).toHaveCount(0);
  const logins = page.getByRole("region", { name: "Logins and changes to my account" });
  await expect(logins.getByText("Logged in")).toBeVisible();
  await expect(logins.getByText("with password")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export my data" }).click(),
  ]);
  const saved = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(saved).toMatchObject({
    schemaVersion: EXPORT_VERSION,
    sections: { profile: { items: [{ email: who.email, name: who.name }] } },
  });
  // The toast must not cover the button in the page head.
  await expect
    .poll(async () => {
      const toast = await page.getByRole("status").filter({ hasText: "Saved as" }).boundingBox();
      const policy = await page.getByRole("link", { name: "Privacy policy" }).first().boundingBox();
      return toast && policy && (toast.x + toast.width <= policy.x || toast.y >= policy.y + policy.height);
    })
    .toBe(true);
  const token = page.waitForRequest((request) => request.url().includes("/api/privacy/preview"));
  await page.getByRole("button", { name: "Delete my data" }).click();
  const authorization = (await (await token).allHeaders()).authorization ?? "";
  const dialog = page.getByRole("dialog", { name: "Delete your account and data?" });
  await expect(dialog.getByText("cannot be undone")).toBeVisible();
  await expectAccessible(page, "erase dialog");
  await dialog.getByRole("button", { name: "Delete my data" }).click();
  // Reauthentication is required even after a recent login.
  const password = identity(page).getByLabel("Your password");
  await expect(password).toBeFocused();
  await expectAccessible(page, "confirmation of the deletion");
  await page.keyboard.press("Enter");
  await expect(identity(page).getByText("Enter your password.")).toBeVisible();
  await password.fill("not my password");
  await page.keyboard.press("Enter");
  await expect(identity(page).getByText("The current password is wrong.")).toBeVisible();
  await expect(password).toHaveValue("not my password");
  await password.fill(who.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Your data is deleted" })).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/`);
  expect((await fetch(`${app.url}/api/me`, { headers: { authorization } })).status).toBe(401);
  await page.getByRole("dialog", { name: "Your data is deleted" }).getByRole("button", { name: "Close" }).click();
  await page.goto(`${app.url}/privacy-settings`);
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, who);
  await expect(page.getByText("Invalid email or password")).toBeVisible();
  expect(app.output()).not.toContain(who.email);
  await context.close();
});

test("lets an admin erase a learner and records it in the audit log", async ({ browser, app }) => {
  const who = await addLearner(app, "Odd Erased");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/learners?q=${encodeURIComponent(who.email)}`);
  // Sign in first, because an admin page redirects guests.
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/learners?q=${encodeURIComponent(who.email)}`);
  const menu = page.getByRole("button", { name: /^Actions for/ });
  await menu.click();
  await page.getByRole("menuitem", { name: "Erase person" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase Odd Erased?" });
  await expect(dialog.getByLabel(/Type/)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await menu.click();
  await page.getByRole("menuitem", { name: "Erase person" }).click();
  await expect(dialog.getByRole("button", { name: "Erase person" })).toBeDisabled();
  await dialog.getByLabel(/Type/).fill(who.email);
  await dialog.getByRole("button", { name: "Erase person" }).click();
  await page.getByRole("dialog", { name: "Odd Erased erased" }).getByRole("button", { name: "Close" }).click();
  await page.goto(`${app.url}/admin/audit?action=privacy.erase`);
  await expect(page.getByText("Erased a person").first()).toBeVisible();
  await expect(page.getByText("Odd Erased")).toHaveCount(0);
  await context.close();
});

test(
  "the receipt of a deletion is not covered by a question to log in again",
  { tag: "@long" },
  async ({ browser, app }) => {
    const who = await addLearner(app, "Nils Leaving");
    const { page, context } = await openAs(browser, who, `${app.url}/login`);
    await expect(page).toHaveURL(/my-courses/);
    const prompt = page.getByRole("dialog", { name: "Your session has ended" });
    // The stream of changes, which the deletion ends, asks for a login before the page has the answer.
    await page.route(`**${privacy.erase.path}`, async (route) => {
      const response = await route.fetch();
      await prompt.waitFor();
      await route.fulfill({ response });
    });
    const stream = page.waitForRequest(/api\/live/);
    const confirm = await openErasure(page, app);
    await stream;
    await confirm.click();
    await identity(page).getByLabel("Your password").fill(who.password);
    await page.keyboard.press("Enter");
    const receipt = page.getByRole("dialog", { name: "Your data is deleted" });
    await receipt.getByRole("button", { name: "Close" }).click();
    await expect(receipt).toBeHidden();
    await expect(prompt).toBeHidden();
    await context.close();
  },
);
