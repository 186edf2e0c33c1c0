import { ADMIN } from "#test/process.ts";
import { addLearner, expect, identity, openAs, openErasure, PASSWORD, test } from "./server.ts";
import { choose, openDialog, openUploadPage, packageFile } from "./uploadFixture.ts";

// Answers that are not from the application, such as the page of a proxy whose upstream is down

const gatewayPage = (status: number) => ({
  status,
  contentType: "text/html",
  body: `<html><h1>${status}</h1><p>nginx</p></html>`,
});

test("export and deletion show their sentences when a proxy answers", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  await page.route("**/api/exportUserData*", (route) => route.fulfill(gatewayPage(502)));
  await page.route("**/api/deleteUserData", (route) => route.fulfill(gatewayPage(502)));
  await page.goto(`${app.url}/privacy-settings`);
  await page.getByRole("button", { name: "Export my data" }).click();
  await expect(page.getByRole("alert").getByText("Failed to export user data", { exact: true })).toBeVisible();
  await (await openErasure(page, app)).click();
  await identity(page).getByLabel("Your password").fill(PASSWORD);
  await identity(page).getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("alert").getByText("Failed to delete user data", { exact: true })).toBeVisible();
  await context.close();
});

test(
  "an export and a deletion by an admin show their sentences when a proxy answers",
  { tag: "@long" },
  async ({ browser, app }) => {
    const who = await addLearner(app, "Pia Proxy");
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    await page.route(/exportUserData|deleteUserData/, (route) =>
      route.request().method() === "GET" && !route.request().url().includes("exportUserData")
        ? route.continue()
        : route.fulfill(gatewayPage(504)),
    );
    await page.goto(`${app.url}/learners?q=${encodeURIComponent(who.email)}`);
    const actions = page.getByRole("button", { name: /^Actions for/ }).first();
    await actions.click();
    await page.getByRole("menuitem", { name: /export/i }).click();
    await expect(page.getByRole("alert").getByText("Failed to export user data", { exact: true })).toBeVisible();
    await actions.click();
    await page.getByRole("menuitem", { name: "Erase person" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase Pia Proxy?" });
    await dialog.getByLabel(/Type/).fill(who.email);
    await dialog.getByRole("button", { name: "Erase person" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Failed to delete user data");
    await context.close();
  },
);

test("an upload shows the sentence of the status when a proxy answers", { tag: "@long" }, async ({ browser, app }) => {
  for (const [status, sentence] of [
    [401, "You are logged out. Log in to continue."],
    [402, "The storage quota is exceeded. Delete files that are no longer needed, or request more space."],
    [403, "You do not have permission to do this."],
    [404, "This was not found. It may have been deleted."],
  ] as const) {
    const { page, context } = await openUploadPage(browser, app);
    await page.route("**/v0/b/lyceum/o*", (route) => route.fulfill(gatewayPage(status)));
    await openDialog(page);
    await choose(page, packageFile(1e6, `Refused ${status}`));
    await expect(page.getByText(sentence).first(), String(status)).toBeVisible();
    await context.close();
  }
});
