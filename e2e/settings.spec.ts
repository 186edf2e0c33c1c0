import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { createClient } from "#test/client.ts";
import { startMailbox } from "#test/mailbox.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { expect, openAs, PASSWORD, serverPerFile, signIn } from "./server.ts";

// The settings of the academy: its admins, its mail server and its logo

const test = serverPerFile(async () => {
  const mailbox = await startMailbox();
  const server = await createProcess({ PRIVATE_HOSTS: "127.0.0.1" }, { fromTemplate: true });
  await server.start();
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const remove = async () => {
    await server.remove();
    await mailbox.close();
  };
  return { ...server, admin, mailbox, remove };
});
const open = async (browser: Parameters<typeof openAs>[0], url: string, path: string) => {
  const opened = await openAs(browser, ADMIN, `${url}/login`);
  await expect(opened.page).toHaveURL(/dashboard/);
  await opened.page.evaluate(() => localStorage.setItem("cookieConsentStatus", "accept_all"));
  await opened.page.goto(url + path);
  return opened;
};

test("a second admin is invited by link, logs in and is removed", async ({ browser, app }) => {
  const { page, context } = await open(browser, app.url, "/admin/settings?tab=admins");
  const email = "second@example.com";
  const row = page.getByRole("row", { name: new RegExp(email) });
  await expect(page.getByRole("row", { name: new RegExp(ADMIN.email) })).toContainText("Password only");

  await page.getByRole("button", { name: "Invite admin" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite admin" });
  await dialog.getByLabel("Email").fill(ADMIN.email);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(dialog.getByText("This person is already an admin.")).toBeVisible();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  const shown = page.getByRole("dialog", { name: `Invitation for ${email}` });
  const link = (await shown.locator("code").textContent()) as string;
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(row).toContainText("Invited");

  const guest = await browser.newContext();
  const invited = await guest.newPage();
  await invited.goto(link);
  await expect(invited.getByText("You will be an admin of this academy.")).toBeVisible();
  await invited.getByLabel("Name").fill("Sara Second");
  await invited.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await invited.getByRole("button", { name: "Create an Account" }).click();
  await expect(invited).toHaveURL(/login/);
  await signIn(invited, { email, password: PASSWORD });
  await expect(invited).toHaveURL(/dashboard/);
  await invited.goto(`${app.url}/admin/settings?tab=admins`);
  await expect(invited.getByRole("row", { name: /Sara Second/ })).toContainText("You");

  await page.reload();
  await expect(row).toContainText("Active");
  await row.getByRole("button", { name: /Sara Second/ }).click();
  await page.getByRole("menuitem", { name: "Remove admin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove admin" }).click();
  await expect(row).toContainText("Removed");
  await page
    .getByRole("row", { name: new RegExp(ADMIN.email) })
    .getByRole("button")
    .last()
    .click();
  await expect(page.getByRole("menuitem", { name: "The last admin cannot be removed" })).toBeDisabled();

  await invited.goto(`${app.url}/dashboard`);
  await expect(invited).toHaveURL(/login/);
  await signIn(invited, { email, password: PASSWORD });
  await expect(invited.getByText("Invalid email or password")).toBeVisible();
  await Promise.all([context.close(), guest.close()]);
});

test("a mail server is tested and saved, and its emails arrive", async ({ browser, app }) => {
  const { page, context } = await open(browser, app.url, "/admin/settings?tab=mail");
  const save = page.getByRole("button", { name: "Save mail server" });
  const outcome = page.getByRole("status").filter({ hasText: /server/ });
  await expect(save).toBeDisabled();
  await page.getByRole("textbox", { name: "Server", exact: true }).fill("127.0.0.1");
  await page.getByLabel("Port").fill(new URL(app.mailbox.url).port);
  await page.getByLabel("Sender address").fill("academy@example.com");
  await page.getByRole("button", { name: "Send test email" }).click();
  await expect(outcome).toContainText("An encrypted connection could not be established.");
  await page.getByRole("combobox", { name: "Encryption" }).click();
  await page.getByRole("option", { name: /^None/ }).click();
  await page.getByLabel("Port").fill(new URL(app.mailbox.url).port);
  await page.getByRole("button", { name: "Send test email" }).click();
  await expect(outcome).toContainText(`The server accepted the email to ${ADMIN.email}.`);
  await app.mailbox.waitForMail(ADMIN.email, "Test email from Lyceum");
  await save.click();
  await expect(page.getByText("Mail server saved")).toBeVisible();
  await expect(save).toBeDisabled();

  await page.goto(`${app.url}/account`);
  await page.getByRole("button", { name: "Change email address" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New email address").fill("chief@example.com");
  await dialog.getByRole("button", { name: "Change address" }).click();
  await expect(page.getByText(/We sent a link to chief@example.com/)).toBeVisible();
  const { text } = await app.mailbox.waitForMail("chief@example.com", "Confirm your new email address");
  await page.goto(/http\S+confirm-new-email\S+/.exec(text)?.[0] as string);
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page).toHaveURL(/account/);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("chief@example.com");
  await app.query("update users set email = $1 where email = 'chief@example.com'", [ADMIN.email]);
  await context.close();
});

test("the logo is in the navigation bar and on the login page", { tag: "@long" }, async ({ browser, app }) => {
  const { page, context } = await open(browser, app.url, "/admin/settings");
  const svg = (inner: string) => ({
    name: "logo.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30">${inner}</svg>`),
  });
  const input = page.locator('input[type="file"]');
  await input.setInputFiles(svg('<path d="M0 0h9v9z"/><script>alert(1)</script>'));
  await expect(page.getByText(/This SVG cannot be used/)).toBeVisible();
  await input.setInputFiles(svg('<rect width="90" height="30" fill="#c80f2e"/>'));
  await expect(page.getByText("Logo saved")).toBeVisible();
  const logo = (where: typeof page) => where.getByRole("navigation").getByRole("img", { name: "Lyceum" });
  await expect(logo(page)).toBeVisible();
  const guest = await browser.newContext();
  const login = await guest.newPage();
  await login.goto(`${app.url}/login`);
  await expect(logo(login)).toBeVisible();
  expect(await logo(login).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Remove logo" }).click();
  await expect(page.getByText("Logo removed")).toBeVisible();
  await login.reload();
  await expect(logo(login)).toHaveCount(0);
  await Promise.all([context.close(), guest.close()]);
});

test(
  "webhooks and API keys are under Settings, and their old addresses redirect there",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { page, context } = await open(browser, app.url, "/admin/connectors?tab=webhooks");
    await expect(page).toHaveURL(/admin\/settings\?tab=integrations&kind=webhooks/);
    await expect(page.getByRole("tab", { name: "Integrations" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByText("No webhooks yet")).toBeVisible();
    await page.getByText("API keys", { exact: true }).click();
    await expect(page.getByText("No API keys yet")).toBeVisible();
    await page.goBack();
    await expect(page.getByText("No webhooks yet")).toBeVisible();
    await page.goto(`${app.url}/admin/connectors?tab=keys`);
    await expect(page).toHaveURL(/admin\/settings\?tab=integrations&kind=keys/);
    await page.goto(`${app.url}/admin/connectors`);
    await expect(page.getByRole("tab", { name: "Data flows" })).toBeVisible();
    await expect(page.getByRole("tab", { name: "Webhooks" })).toHaveCount(0);
    await context.close();
  },
);

test(
  "an admin of one company finds only the integrations under Settings",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { id } = await app.admin.call(companies.create, { body: { name: "Norrvik Energi" } });
    // The constraint does not allow admins of one company (`limitToCompany` in test/companyAdmins.ts).
    await app.query("alter table users drop constraint users_check");
    const limit = (to: string | null) =>
      app.query("update users set company_id = $1 where email = $2", [to, ADMIN.email]);
    await limit(id);
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await expect(page.getByRole("tab")).toHaveText(["Integrations"]);
    await expect(page.getByText("No API keys yet")).toBeVisible();
    await page.goto(`${app.url}/admin/settings?tab=admins`);
    await expect(page.getByText("No API keys yet")).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await limit(null);
    await context.close();
  },
);
