import type { Browser, Page } from "@playwright/test";
import { OIDC_CLIENT, startOidc } from "#test/oidc.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, inEveryLook, waitForAnimations } from "./layout.ts";
import { addLearner, expect, type ServerFixture, identity, signIn, test } from "./server.ts";

// Sensitive calls in an older session: one dialog, then the call continues

const ageSessions = (app: ServerFixture) =>
  app.query(
    `update auth_sessions
     set created_at = created_at - interval '11 minutes',
       reauthenticated_at = reauthenticated_at - interval '11 minutes'`,
  );

async function openAsAdmin(browser: Browser, app: ServerFixture) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  return { context, page };
}
async function openErasureOf(page: Page, app: ServerFixture, who: { email: string; name: string }) {
  await page.goto(`${app.url}/learners?q=${encodeURIComponent(who.email)}`);
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Erase person" }).click();
  const dialog = page.getByRole("dialog", { name: `Erase ${who.name}?` });
  await dialog.getByLabel(/Type/).fill(who.email);
  return dialog;
}

test("asks an admin to confirm before an erasure and keeps all input", async ({ browser, app }) => {
  const [who, next] = [await addLearner(app, "Odd Erased"), await addLearner(app, "Nils Next")];
  const { context, page } = await openAsAdmin(browser, app);
  const dialog = await openErasureOf(page, app, who);
  await ageSessions(app);
  const calls: string[] = [];
  page.on(
    "request",
    (request) => /deleteUserData|account\/reauth/.test(request.url()) && calls.push(new URL(request.url()).pathname),
  );
  await dialog.getByRole("button", { name: "Erase person" }).click();
  await expect(identity(page)).toBeVisible();
  await expect(identity(page).getByLabel("Your password")).toBeFocused();
  // By keyboard: the focus stays inside, and Escape closes only the upper dialog.
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press("Tab");
    expect(await identity(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(identity(page)).toBeHidden();
  await expect(dialog.getByLabel(/Type/)).toHaveValue(who.email);
  await expect(dialog.getByRole("alert")).toContainText("Confirm your identity");
  await expect(dialog.getByRole("alert")).toBeFocused();

  await dialog.getByRole("button", { name: "Erase person" }).click();
  await expect(identity(page).getByLabel("Your password")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(identity(page).getByText("Enter your password.")).toBeVisible();
  await identity(page).getByLabel("Your password").fill("not it");
  await page.keyboard.press("Enter");
  await expect(identity(page).getByText("The current password is wrong.")).toBeVisible();
  await identity(page).getByLabel("Your password").fill(ADMIN.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Odd Erased erased" })).toBeVisible();
  await expect(identity(page)).toBeHidden();
  const [erase, reauth] = ["/api/deleteUserData", "/api/account/reauth"];
  expect(calls).toEqual([erase, erase, reauth, reauth, erase]);
  await page.getByRole("dialog", { name: "Odd Erased erased" }).getByRole("button", { name: "Close" }).click();

  await (await openErasureOf(page, app, next)).getByRole("button", { name: "Erase person" }).click();
  await expect(page.getByRole("dialog", { name: "Nils Next erased" })).toBeVisible();
  await page.goto(`${app.url}/admin/audit?kind=accounts&action=account.reauthFailed`);
  await expect(page.getByText("Failed to confirm their identity").first()).toBeVisible();
  await context.close();
});

test("shows an accessible dialog at every size in both colour schemes", { tag: "@long" }, async ({ browser, app }) => {
  const who = await addLearner(app, "Lise Looked At");
  const { context, page } = await openAsAdmin(browser, app);
  const dialog = await openErasureOf(page, app, who);
  await ageSessions(app);
  await dialog.getByRole("button", { name: "Erase person" }).click();
  await expect(identity(page).getByLabel("Your password")).toBeFocused();
  await inEveryLook(page, async (look) => {
    await expect(identity(page).getByLabel("Your password")).toBeVisible();
    await expectAccessible(page, look);
    await expectNoHorizontalScroll(page, look);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reauth-${look}.png` });
  });
  await context.close();
});

test("saves single sign-on after confirmation with a passkey", async ({ browser, app }) => {
  const provider = await startOidc(`${app.url}/api/auth/external/return`);
  const { context, page } = await openAsAdmin(browser, app);
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${app.url}/account`);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Passkey name").fill("Work laptop");
  await page.getByLabel("Your password", { exact: true }).fill(ADMIN.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passkey added")).toBeVisible();

  await page.goto(`${app.url}/companies/${app.company.id}?tab=signIn`);
  await page.getByRole("button", { name: "Set up single sign-on" }).click();
  await page.getByLabel("Issuer").fill(provider.issuer);
  await page.getByLabel("Client ID").fill(OIDC_CLIENT.id);
  await page.getByLabel("Client secret").fill(OIDC_CLIENT.secret);
  await page.getByLabel("Email domains").first().fill("proof.example");
  await page.keyboard.press("Enter");
  await ageSessions(app);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(identity(page).getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await waitForAnimations(page);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reauth-methods.png` });
  await identity(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Client secret")).toHaveValue(OIDC_CLIENT.secret);
  await page.getByRole("button", { name: "Save" }).click();
  await identity(page).getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Single sign-on saved")).toBeVisible();
  await expect(identity(page)).toBeHidden();
  // Other tests share this server, whose admin must have no second factor.
  await app.query("delete from auth_passkeys");
  await context.close();
  await provider.close();
});
