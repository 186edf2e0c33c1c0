import { expect } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { address, test } from "./authFixture.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, inEveryLook, trackRequests, waitUntilLoaded } from "./layout.ts";
import { PASSWORD, signIn } from "./server.ts";

// Second factors, and the login screens in every size and colour scheme

test("sets up app, recovery codes and passkey and logs in with each", async ({ page, context, app }) => {
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
  const email = address();
  await app.admin.call(auth.register, {
    body: { name: "Sara Safe", email, password: PASSWORD, accessCode: app.company.accessCode },
  });
  await page.goto(`${app.url}/login`);
  await signIn(page, { email, password: PASSWORD });
  await expect(page).toHaveURL(/my-courses/);
  await page.goto(`${app.url}/account`);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  const secret = (await page.locator("code").first().innerText()).replace(/\s/g, "");
  await page.getByLabel("Code from the app").fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  const recovery = await page.getByRole("dialog").getByRole("listitem").first().innerText();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/codes.png` });
  await page.getByRole("button", { name: "I have saved my codes" }).click();
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Passkey name").fill("Work laptop");
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passkey added")).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/account-full.png`, fullPage: true });
  const logOut = () => page.getByRole("link", { name: "Logout" }).first().click();
  await logOut();
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page).toHaveURL(/my-courses/);
  await logOut();
  await signIn(page, { email, password: PASSWORD });
  await expect(page.getByRole("heading", { name: "Confirm your identity" })).toBeVisible();
  await page.getByLabel("Code").fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This code is wrong or has been used.")).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/step.png` });
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recovery);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/my-courses/);
  await expect(page.getByText("9 recovery codes left")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create new codes" })).toHaveCount(0);
  await page.goto(`${app.url}/account`);
  await expect(page.getByText("9 codes left")).toBeVisible();
  await page.goto(`${app.url}/privacy-settings`);
  const log = page.getByRole("region", { name: "Logins and changes to my account" });
  await log.getByRole("button", { name: "Show more" }).click();
  for (const line of [
    "Added an authenticator app",
    "Created recovery codes",
    "Added a passkey",
    "with passkey",
    "Entered a wrong code",
    "Used a recovery code",
    "with password and recovery code",
  ])
    await expect(log.getByText(line).first()).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/own-log.png`, fullPage: true });
});

test("suggests new recovery codes when few are left", async ({ page, app }) => {
  const email = address();
  const client = createClient(app.url);
  await client.call(auth.register, {
    body: { name: "Finn Few", email, password: PASSWORD, accessCode: app.company.accessCode },
  });
  client.useToken((await client.call(auth.signIn, { body: { email, password: PASSWORD } })).token);
  const { secret } = await client.call(accounts.startApp, { body: { password: PASSWORD } });
  const { codes } = await client.call(accounts.confirmApp, {
    body: { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() },
  });
  for (const [n, code] of codes.slice(0, 7).entries()) {
    await page.goto(`${app.url}/login`);
    await signIn(page, { email, password: PASSWORD });
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(code);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/my-courses/);
    if (n < 6) await page.getByRole("link", { name: "Logout" }).first().click();
  }
  await expect(page.getByText("3 recovery codes left")).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/few-codes.png` });
  await page.getByRole("button", { name: "Create new codes" }).click();
  await expect(page).toHaveURL(`${app.url}/account`);
  await expect(page.getByText("3 codes left")).toBeVisible();
});

test("leads admins to set up a required second factor first", async ({ page }) => {
  const server = await createProcess({ REQUIRE_ADMIN_2FA: "on" }, { fromTemplate: true });
  await server.start();
  await page.goto(`${server.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(`${server.url}/account`);
  await expect(page.getByText("Set up a second factor", { exact: true })).toBeVisible();
  await page.goto(`${server.url}/companies`);
  await expect(page).toHaveURL(`${server.url}/account`);
  await expect(page.getByText("Set up a second factor", { exact: true })).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/needed.png`, fullPage: true });
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByLabel("Your password", { exact: true }).fill(ADMIN.password);
  await page.keyboard.press("Enter");
  const secret = (await page.locator("code").first().innerText()).replace(/\s/g, "");
  await page.getByLabel("Code from the app").fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I have saved my codes" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Login methods" })).toBeVisible();
  await page.goto(`${server.url}/companies`);
  await expect(page.getByRole("heading", { name: "Companies" })).toBeVisible();
  await server.remove();
});

test(
  "shows accessible login screens at every size in both colour schemes",
  { tag: "@long" },
  async ({ browser, app }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    trackRequests(page);
    const checkPage = async (name: string) => {
      await waitUntilLoaded(page);
      await inEveryLook(page, async (look) => {
        await expectAccessible(page, `${name}-${look}`);
        await expectNoHorizontalScroll(page, `${name}-${look}`);
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look}.png`, fullPage: true });
      });
    };
    for (const path of [
      "/login?registered=true",
      "/register",
      "/forgot-password",
      "/reset-password?token=none",
      "/confirm-email?token=none",
    ]) {
      await page.goto(app.url + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await checkPage(path.slice(1).split("?")[0] as string);
    }
    await page.goto(`${app.url}/login`);
    await signIn(page, ADMIN);
    await expect(page).toHaveURL(/dashboard/);
    await page.goto(`${app.url}/account`);
    await expect(page.getByRole("heading", { name: "Where you are logged in" })).toBeVisible();
    await checkPage("account");
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Your password", { exact: true }).fill(ADMIN.password);
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Code from the app")).toBeFocused();
    await checkPage("account-app");
    await context.close();
  },
);
