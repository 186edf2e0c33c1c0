import { expect } from "@playwright/test";
import { auth } from "#shared/auth.ts";
import { ADMIN } from "#test/process.ts";
import { address, as, test, throughWindow } from "./authFixture.ts";
import { identity, PASSWORD, signIn } from "./server.ts";

// Confirming at Google who sits here, in a window of its own

test("confirms an admin without a password with the same Google account", async ({ page, context, app }) => {
  const email = address();
  await app.admin.call(auth.register, {
    body: { name: "Odd Erased", email, password: PASSWORD, accessCode: app.company.accessCode },
  });
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/account`);
  await page.getByRole("button", { name: "Link Google" }).click();
  await page.getByLabel("Your password", { exact: true }).fill(ADMIN.password);
  await throughWindow(page.getByRole("dialog"), context, "Link Google", as("boss@gmail.example"));
  await expect(page.getByText("Google account linked")).toBeVisible();

  await app.query("update auth_sessions set created_at = created_at - interval '11 minutes'");
  await app.query(
    "update auth_accounts a set provider_id = 'set aside' from users u where u.id = a.user_id and u.role = 'admin' and a.provider_id = 'credential'",
  );
  await page.goto(`${app.url}/learners?q=${encodeURIComponent(email)}`);
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Erase person" }).click();
  await page.getByRole("dialog").getByLabel(/Type/).fill(email);
  await page.getByRole("button", { name: "Erase person" }).click();
  const asked = identity(page);
  await expect(asked.getByRole("textbox")).toHaveCount(0);
  await throughWindow(page, context, "Confirm with Google", as("somebody@gmail.example"));
  await expect(asked.getByRole("alert")).toContainText("another account");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/proof-google.png` });
  await throughWindow(page, context, "Confirm with Google", as("boss@gmail.example"));
  await expect(page.getByRole("dialog", { name: "Odd Erased was erased" })).toBeVisible();
  // Others use this app after us: its admin is as before.
  await app.query(
    "delete from auth_accounts a using users u where u.id = a.user_id and u.role = 'admin' and a.provider_id = 'google'",
  );
  await app.query("update auth_accounts set provider_id = 'credential' where provider_id = 'set aside'");
});
