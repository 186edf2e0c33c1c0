import { expect } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { address, alert, as, invite, GOOGLE_LOGIN, GOOGLE_REGISTRATION, test, throughPopup } from "./authFixture.ts";
import { identity, openErasure, PASSWORD, signIn } from "./server.ts";

// Login with Google and by emailed links, with an OpenID provider and a mail server

test("Google: signs an invited person in, again later, without showing a token", async ({ page, context, app }) => {
  const email = await invite(app);
  await page.goto(`${app.url}/login`);
  await throughPopup(page, context, GOOGLE_LOGIN, as(email));
  await expect(page).toHaveURL(`${app.url}/my-courses`);
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "{}").email)).toBe(email);
  await page.getByRole("link", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(`${app.url}/login`);
  await throughPopup(page, context, GOOGLE_LOGIN, as(email));
  await expect(page).toHaveURL(`${app.url}/my-courses`);
});

test("Google: shows a message for each way a login can fail", async ({ page, context, app }) => {
  await page.goto(`${app.url}/login`);
  await throughPopup(page, context, GOOGLE_LOGIN, (popup) =>
    popup
      .getByRole("heading")
      .waitFor()
      .then(() => popup.close()),
  );
  await expect(alert(page)).toHaveText("Login was cancelled. Please try again.");
  await page.reload();
  await throughPopup(page, context, GOOGLE_LOGIN, (popup) => popup.getByRole("button", { name: "Cancel" }).click());
  await expect(alert(page)).toHaveText("Login was cancelled. Please try again.");
  await throughPopup(page, context, GOOGLE_LOGIN, as(address()));
  await expect(alert(page)).toHaveText(
    "Access denied. Please contact your administrator or use an access code to register.",
  );
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByRole("button", { name: GOOGLE_LOGIN }).click();
  await expect(alert(page)).toHaveText("Login popup was blocked by your browser. Please allow popups for this site.");
  await page.reload();
  await page.route("**/api/auth/external", (route) => route.abort());
  await page.getByRole("button", { name: GOOGLE_LOGIN }).click();
  await expect(alert(page)).toHaveText("Network error. Please check your internet connection and try again.");
  await page.unroute("**/api/auth/external");
  await page.route("**/api/auth/external", (route) => route.fulfill({ status: 500, body: "broken" }));
  await page.getByRole("button", { name: GOOGLE_LOGIN }).click();
  await expect(alert(page)).toHaveText("Google login failed. Please try again.");
});

test("registers with Google with and without an access code", { tag: "@long" }, async ({ page, context, app }) => {
  const email = address();
  await page.goto(`${app.url}/register`);
  await throughPopup(page, context, GOOGLE_REGISTRATION, as(email));
  await expect(page.getByText("Access code is required for new users")).toBeVisible();
  await page.getByLabel("Access code").fill(app.company.accessCode);
  await throughPopup(page, context, GOOGLE_REGISTRATION, as(email, "Nora New"));
  await expect(page).toHaveURL(`${app.url}/login?registered=true`);
  await throughPopup(page, context, GOOGLE_LOGIN, as(email));
  await expect(page).toHaveURL(`${app.url}/my-courses`);
});

test("refuses Google for a password account until it is linked", { tag: "@long" }, async ({ page, context, app }) => {
  const email = address();
  await app.admin.call(auth.register, {
    body: { name: "Lea Learner", email, password: PASSWORD, accessCode: app.company.accessCode },
  });
  await page.goto(`${app.url}/login`);
  await throughPopup(page, context, GOOGLE_LOGIN, as(email));
  await expect(alert(page)).toHaveText(
    "An account already exists with the same email address but different sign-in credentials. " +
      "Try signing in with a different method.",
  );
  await signIn(page, { email, password: PASSWORD });
  await expect(page).toHaveURL(/my-courses/);
  await page.goto(`${app.url}/account`);
  await page.getByRole("button", { name: "Link Google" }).click();
  const ask = page.getByRole("dialog", { name: "Link your Google account?" });
  await ask.locator("input").fill(PASSWORD);
  const [popup] = await Promise.all([
    context.waitForEvent("page"),
    ask.getByRole("button", { name: "Link Google" }).click(),
  ]);
  await as(email)(popup);
  await expect(page.getByText("Linked", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Logout" }).first().click();
  await throughPopup(page, context, GOOGLE_LOGIN, as(email));
  await expect(page).toHaveURL(/my-courses/);
});

test("deletes own data after confirmation with the same Google account", async ({ page, context, app }) => {
  const email = await invite(app);
  await page.goto(`${app.url}/login`);
  await throughPopup(page, context, GOOGLE_LOGIN, as(email));
  await expect(page).toHaveURL(/my-courses/);
  const remove = await openErasure(page, app);
  await remove.click();
  await expect(identity(page).getByText("cannot be undone")).toBeVisible();
  await throughPopup(page, context, "Confirm with Google", as(await invite(app)));
  await expect(identity(page).getByRole("alert")).toContainText("different account");
  await identity(page).getByRole("button", { name: "Cancel" }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await expect(identity(page)).toBeVisible();
  if (process.env.SHOTS) await page.setViewportSize({ width: 390, height: 844 });
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/erase-google.png` });
  await throughPopup(page, context, "Confirm with Google", as(email));
  await expect(page.getByRole("dialog", { name: "Your data is deleted" })).toBeVisible();
});

test("asks a claimed account to verify its email before login", async ({ page, app }) => {
  const email = await invite(app);
  await page.goto(`${app.url}/register`);
  await page.getByLabel("Name").fill("Ivo Himself");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.url}/login?registered=true`);
  await signIn(page, { email, password: PASSWORD });
  await expect(alert(page)).toHaveText(
    `Confirm your email address first. Open the link in the email we sent to ${email}.`,
  );
  await page.getByRole("button", { name: "Resend email" }).click();
  await expect(page.getByText("Email sent.")).toBeVisible();
  await expect.poll(() => app.mailbox.count(email, "activated")).toBe(2);
  const link = /https?:\S+confirm-email\S+/.exec(
    (await app.mailbox.waitForMail(email, "activated")).text,
  )?.[0] as string;
  await page.goto(link);
  await page.reload();
  await page.getByRole("button", { name: "Yes, it was me" }).click();
  await expect(page).toHaveURL(`${app.url}/login?confirmed=true`);
  await signIn(page, { email, password: PASSWORD });
  await expect(page).toHaveURL(`${app.url}/my-courses`);
});

test("resets a forgotten password by keyboard", async ({ page, app }) => {
  const email = address();
  await app.admin.call(auth.register, {
    body: { name: "Frode Forgetful", email, password: PASSWORD, accessCode: app.company.accessCode },
  });
  await page.goto(`${app.url}/login`);
  // Until it is hydrated, the browser follows links itself, and the next page begins at its top.
  await expect(page.locator("#root")).not.toHaveAttribute("data-rendered");
  const isAt = () => page.evaluate(() => document.activeElement?.getAttribute("href") ?? "");
  for (let n = 0; n < 20 && (await isAt()) !== "/forgot-password"; n++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.url}/forgot-password`);
  await expect(page.getByRole("heading", { name: "Set a new password" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.url}/login?reset=sent`);
  const link = /https?:\S+reset-password\S+/.exec(
    (await app.mailbox.waitForMail(email, "new password")).text,
  )?.[0] as string;
  await page.goto(link);
  await page.getByLabel("New password").focus();
  await page.keyboard.type("short");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Password is too weak")).toBeVisible();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("wrong mule charger");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.url}/login?reset=done`);
  await signIn(page, { email, password: "wrong mule charger" });
  await expect(page).toHaveURL(`${app.url}/my-courses`);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link has been used or has expired" })).toBeVisible();
});

test("shows the specified message for each failed login", async ({ page, app }) => {
  await page.goto(`${app.url}/login`);
  await signIn(page, { email: "nobody@example.com", password: "wrong" });
  await expect(alert(page)).toHaveText("Invalid email or password. Please check your credentials and try again.");
  await page.route("**/api/auth/sign-in", (route) => route.abort());
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(alert(page)).toHaveText("Network error. Please check your internet connection and try again.");
  await page.unroute("**/api/auth/sign-in");
  await page.route("**/api/auth/sign-in", (route) =>
    route.fulfill({ status: 500, json: { error: "Something", code: "core.internal" } }),
  );
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(alert(page)).toHaveText("Login failed. Please try again.");
  await page.goto(`${app.url}/register`);
  await page.route("**/api/auth/register", (route) => route.fulfill({ status: 502, body: "a proxy" }));
  await page.getByLabel("Name").fill("Nora");
  await page.getByLabel("Email", { exact: true }).fill(address());
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(alert(page)).toHaveText("Registration failed");
});

test(
  "completes a login in a popup that is separated from its opener",
  { tag: "@long" },
  async ({ page, context, app }) => {
    const email = await invite(app);
    app.isolate(true);
    await page.goto(`${app.url}/login`);
    const [popup] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("button", { name: GOOGLE_LOGIN }).click(),
    ]);
    await popup.getByLabel("Address").waitFor();
    await expect(alert(page)).toHaveText("Login was cancelled. Please try again.");
    await as(email)(popup);
    await expect(page).toHaveURL(`${app.url}/my-courses`);
    app.isolate(false);
  },
);

test("after an invitation the login form has the email address, but the URL does not", async ({ page, app }) => {
  const email = await invite(app);
  const mail = await app.mailbox.waitForMail(email, "invites you");
  await page.goto(/https?:\S+invitation=[\w-]+/.exec(mail.text)?.[0] as string);
  await page.getByLabel("Name").fill("Nora");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create an Account" }).click();
  await expect(page).toHaveURL(`${app.url}/login?registered=true`);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
});
