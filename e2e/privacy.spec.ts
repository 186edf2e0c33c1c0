import { CONSENT_KEYS } from "#shared/consent/consent.ts";
import { ONLY_ESSENTIAL } from "#shared/consent/consentPreferences.ts";
import { academies } from "#shared/settings/settings.ts";
import { ADMIN } from "#test/process.ts";
import { banner, button, openUndecided, readChoice } from "./cookieBannerFixture.ts";
import { addLearner, expect, signIn, test, undecided } from "./server.ts";

test("asks again when the choice has expired or the policy changed", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app);
  await button(page, "Reject All").click();
  await expect.poll(async () => (await readChoice(page)).status).toBe("reject_all");
  const change = (expiresAt: string) =>
    page.evaluate(
      ([key, at]) => {
        localStorage.setItem(
          key as string,
          JSON.stringify({ ...JSON.parse(localStorage.getItem(key as string) as string), expiresAt: at }),
        );
      },
      [CONSENT_KEYS.meta, expiresAt],
    );
  await change(new Date(Date.now() - 1000).toISOString());
  await page.reload();
  await expect(banner(page)).toBeVisible();
  expect((await readChoice(page)).status).toBeNull();
  await button(page, "Reject All").click();
  await expect.poll(async () => (await readChoice(page)).status).toBe("reject_all");
  const { version } = await app.admin.call(academies.policy);
  await app.admin.call(academies.publishPolicy, {
    body: {
      body: [
        "# New",
        "<script>alert(1)</script>",
        "[bad](javascript:alert(1)) and **good** words.",
        "![x](https://elsewhere.example/x.png)",
      ].join("\n\n"),
      after: version,
    },
  });
  await page.goto(`${app.url}/privacy-policy`);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByText("good")).toBeVisible();
  expect(await page.locator('main script, main img, main a[href^="javascript"]').count()).toBe(0);
  await context.close();
});

test("keeps Targeting off with Global Privacy Control until turned on", { tag: "@long" }, async ({ browser, app }) => {
  const context = await undecided(browser);
  await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  const page = await context.newPage();
  await page.goto(app.url);
  await button(page, "Customize").click();
  await expect(page.getByText("Global Privacy Control")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Targeting" })).not.toBeChecked();
  await page.getByRole("button", { name: "Save Preferences" }).click();
  expect((await readChoice(page)).meta.gpc).toBe(true);
  await context.close();
});

test("keeps the choice for the visit if storage is blocked", { tag: "@long" }, async ({ browser, app }) => {
  const context = await undecided(browser);
  await context.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("blocked", "SecurityError");
      },
    }),
  );
  const page = await context.newPage();
  await page.goto(app.url);
  await button(page, "Reject All").click();
  await expect(banner(page)).toBeHidden();
  await page.getByRole("link", { name: "Login" }).first().click();
  await expect(page).toHaveURL(/login/);
  await expect(banner(page)).toBeHidden();
  await context.close();
});

test("records a choice made before login, and retries after a failure", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app, "/login");
  await button(page, "Reject All").click();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/recordConsent"))
      sent.push(`${request.headers()["x-consent-via"]} ${request.postData()}`);
  });
  await signIn(page, await addLearner(app));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toBe(`sync ${JSON.stringify({ status: "reject_all", preferences: ONLY_ESSENTIAL })}`);
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("cookieConsentSent") ?? "{}").done))
    .toBe(true);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(sent).toHaveLength(1);
  await page.route("**/api/recordConsent", (route) => route.abort());
  await page.getByRole("button", { name: "Cookie preferences" }).click();
  await button(page, "Accept All").click();
  await expect(page.getByText("Failed to record consent")).toBeVisible();
  expect((await readChoice(page)).status).toBe("accept_all");
  await page.unroute("**/api/recordConsent");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("cookieConsentSent") ?? "{}").done))
    .toBe(true);
  await context.close();
});

test("says so when a choice that is sent later cannot be recorded", { tag: "@long" }, async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app, "/login");
  await button(page, "Accept All").click();
  await page.route("**/api/recordConsent", (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }));
  const failed = page.getByRole("alert").filter({ hasText: "Failed to record consent" });
  await signIn(page, await addLearner(app));
  await expect(failed).toHaveCount(1);
  await failed.getByRole("button", { name: "Close" }).click();
  await expect(failed).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(failed).toHaveCount(1);
  expect((await readChoice(page)).status).toBe("accept_all");
  await page.unroute("**/api/recordConsent");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("cookieConsentSent") ?? "{}").done))
    .toBe(true);
  await context.close();
});

test("lets an admin name the academy and publish a policy", async ({ browser, app }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/settings`);
  await page.getByLabel("Academy name").fill("Fjord Academy");
  await page.getByLabel("Home page headline").fill("Learn where you work");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.locator("header").getByText("Fjord Academy")).toBeVisible();
  await page.getByRole("tab", { name: "Privacy policy" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("## Ours\n\nPlain words.");
  await page.getByRole("button", { name: /^Publish version/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Publish version/ })
    .click();
  await expect(page.getByText(/Version \d+ published/)).toBeVisible();
  await context.close();
  const guest = await openUndecided(browser, app);
  await expect(guest.page.getByRole("heading", { name: "Learn where you work", level: 1 })).toBeVisible();
  await expect(guest.page).toHaveTitle("Home · Fjord Academy");
  await guest.page.goto(`${app.url}/privacy-policy`);
  await expect(guest.page.getByText("Plain words.")).toBeVisible();
  await guest.context.close();
});
