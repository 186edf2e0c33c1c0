import { expect } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { ADMIN } from "#test/process.ts";
import { address, as, test, throughPopup } from "./authFixture.ts";
import { identity, PASSWORD, signIn } from "./server.ts";

// Reauthentication with Google in a popup

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
  await throughPopup(page.getByRole("dialog"), context, "Link Google", as("boss@gmail.example"));
  await expect(page.getByText("Google account linked")).toBeVisible();

  await app.query("update auth_sessions set created_at = created_at - interval '11 minutes'");
  await app.query(
    `update auth_accounts
     set provider_id = 'set aside'
     from users
     where users.id = auth_accounts.user_id
       and users.role = 'admin'
       and auth_accounts.provider_id = 'credential'`,
  );
  await page.goto(`${app.url}/learners?q=${encodeURIComponent(email)}`);
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Erase person" }).click();
  await page.getByRole("dialog").getByLabel(/Type/).fill(email);
  await page.getByRole("button", { name: "Erase person" }).click();
  const reauthDialog = identity(page);
  await expect(reauthDialog.getByRole("textbox")).toHaveCount(0);
  await throughPopup(page, context, "Confirm with Google", as("somebody@gmail.example"));
  await expect(reauthDialog.getByRole("alert")).toContainText("different account");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reauth-google.png` });
  await throughPopup(page, context, "Confirm with Google", as("boss@gmail.example"));
  await expect(page.getByRole("dialog", { name: "Odd Erased erased" })).toBeVisible();
  // Other tests share this server, so its admin is restored.
  await app.query(
    `delete from auth_accounts
     using users
     where users.id = auth_accounts.user_id
       and users.role = 'admin'
       and auth_accounts.provider_id = 'google'`,
  );
  await app.query("update auth_accounts set provider_id = 'credential' where provider_id = 'set aside'");
});
