import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { ADMIN } from "#test/process.ts";
import {
  ALL_PREFERENCES,
  CONSENT_KEYS,
  DEFAULT_PREFERENCES,
  isKeyOf,
  ONLY_ESSENTIAL,
  OPEN_COOKIE_BANNER_EVENT,
  services,
} from "#shared/consent.ts";
import { academies } from "#shared/settings.ts";
import { expectAccessible } from "./axe.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, type ServerFixture, signIn, test, undecided } from "./server.ts";

// The checklist of a banner that keeps the law (research, B.2), and the privacy policy

const PUBLIC = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  "/privacy-policy",
  "/unauthorized",
  "/events",
  "/nowhere",
];
const banner = (page: Page) => page.getByRole("region", { name: "Your choice about cookies" });
const button = (page: Page, name: string) => banner(page).getByRole("button", { name, exact: true });
const stored = (page: Page) =>
  page.evaluate(
    (keys) => ({
      status: localStorage.getItem(keys.status),
      preferences: JSON.parse(localStorage.getItem(keys.preferences) ?? "null"),
      meta: JSON.parse(localStorage.getItem(keys.meta) ?? "null"),
    }),
    CONSENT_KEYS,
  );

async function fresh(browser: Browser, app: ServerFixture, path = "/", options: BrowserContextOptions = {}) {
  const context = await undecided(browser, options);
  const page = await context.newPage();
  await page.goto(app.url + path);
  return { context, page };
}
test("before a choice no public page asks another host or stores more than the essential", async ({ browser, app }) => {
  const { context, page } = await fresh(browser, app, PUBLIC[0]);
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  const essential = services.filter(({ category }) => category === "essential");
  for (const path of PUBLIC) {
    await page.goto(app.url + path);
    await expect(banner(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
    const keys = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name ?? ""),
      ...(await caches.keys()),
    ]);
    const cookies = (await context.cookies()).map(({ name }) => name);
    expect([path, [...keys, ...cookies].filter((key) => !essential.some((service) => isKeyOf(service, key)))]).toEqual([
      path,
      [],
    ]);
  }
  expect(foreign).toEqual([]);
  await context.close();
});

test("refusing and accepting: first layer, one click, the same weight; the shapes of the specification", async ({
  browser,
  app,
}) => {
  const { context, page } = await fresh(browser, app);
  const looks = await Promise.all(
    ["Reject All", "Accept All"].map((name) =>
      button(page, name).evaluate((element) => {
        const { backgroundColor, color, fontSize, fontWeight, height, borderTopColor, borderTopWidth } =
          getComputedStyle(element);
        return { backgroundColor, color, fontSize, fontWeight, height, borderTopColor, borderTopWidth };
      }),
    ),
  );
  expect(looks[0]).toEqual(looks[1]);
  await button(page, "Reject All").click();
  await expect(banner(page)).toBeHidden();
  expect(await stored(page)).toMatchObject({
    status: "reject_all",
    preferences: ONLY_ESSENTIAL,
    meta: { via: "banner", gpc: false },
  });
  expect(Object.keys((await stored(page)).meta).toSorted()).toEqual([
    "decidedAt",
    "expiresAt",
    "gpc",
    "id",
    "policyVersion",
    "textHash",
    "via",
  ]);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner(page)).toBeHidden();
  await page.getByRole("button", { name: "Cookie preferences" }).click();
  await button(page, "Accept All").click();
  expect(await stored(page)).toMatchObject({ status: "accept_all", preferences: ALL_PREFERENCES });
  await context.close();
});

test("by keyboard: no focus is stolen; the dialog traps it, Escape is Cancel, and it comes back to Customize", async ({
  browser,
  app,
}) => {
  const { context, page } = await fresh(browser, app);
  await expect(banner(page)).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  // Near the top of the document: the first stops are the policy and the buttons.
  const stops: string[] = [];
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("Tab");
    stops.push((await page.evaluate(() => document.activeElement?.textContent)) ?? "");
  }
  expect(stops.map((text) => text.replace(/ \(.*/, ""))).toEqual([
    "Privacy policy",
    "Customize",
    "Reject All",
    "Accept All",
  ]);
  await button(page, "Customize").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cookie Preferences" });
  await expect(dialog).toBeVisible();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Tab");
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  const toggles = async () =>
    Object.fromEntries(
      await Promise.all(
        ["Analytical", "Functional", "Targeting"].map(async (name) => [
          name.toLowerCase(),
          await dialog.getByRole("switch", { name }).isChecked(),
        ]),
      ),
    );
  expect({ essential: true, ...(await toggles()) }).toEqual(DEFAULT_PREFERENCES);
  await expect(dialog.getByText("Always on")).toBeVisible();
  await expect(dialog.getByRole("switch", { name: "Essential" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button(page, "Customize")).toBeFocused();
  expect((await stored(page)).status).toBeNull();
  await page.keyboard.press("Enter");
  await dialog.getByRole("switch", { name: "Functional" }).press("Space");
  await dialog.getByRole("button", { name: "Save Preferences" }).click();
  expect(await stored(page)).toMatchObject({
    status: "customized",
    preferences: { essential: true, analytical: true, functional: false, targeting: false },
    meta: { via: "dialog" },
  });
  await context.close();
});

test("the window event reopens it; what was refused is removed and not stored again", async ({ browser, app }) => {
  const { context, page } = await fresh(browser, app);
  await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
  await button(page, "Accept All").click();
  await expect(banner(page)).toBeHidden();
  await page.evaluate((name) => dispatchEvent(new Event(name)), OPEN_COOKIE_BANNER_EVENT);
  await expect(banner(page)).toBeVisible();
  await expect(banner(page).getByRole("heading")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(banner(page)).toBeHidden();
  expect((await stored(page)).status).toBe("accept_all");
  await page.evaluate((name) => dispatchEvent(new Event(name)), OPEN_COOKIE_BANNER_EVENT);
  await button(page, "Reject All").click();
  expect(await page.evaluate(() => localStorage.getItem("mantine-color-scheme-value"))).toBeNull();
  await context.close();
});

test("asked again when the choice is past its date, and when the policy is new", async ({ browser, app }) => {
  const { context, page } = await fresh(browser, app);
  await button(page, "Reject All").click();
  await expect.poll(async () => (await stored(page)).status).toBe("reject_all");
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
  expect((await stored(page)).status).toBeNull();
  await button(page, "Reject All").click();
  await expect.poll(async () => (await stored(page)).status).toBe("reject_all");
  const { version } = await app.admin.call(academies.policy);
  await app.admin.call(academies.publishPolicy, {
    body: {
      body: "# New\n\n<script>alert(1)</script>\n\n[bad](javascript:alert(1)) and **good** words.\n\n![x](https://elsewhere.example/x.png)",
      after: version,
    },
  });
  await page.goto(`${app.url}/privacy-policy`);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByText("good")).toBeVisible();
  expect(await page.locator('main script, main img, main a[href^="javascript"]').count()).toBe(0);
  await context.close();
});

test("Global Privacy Control keeps Targeting off until it is switched on by hand", async ({ browser, app }) => {
  const context = await undecided(browser);
  await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  const page = await context.newPage();
  await page.goto(app.url);
  await button(page, "Customize").click();
  await expect(page.getByText("Global Privacy Control")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Targeting" })).not.toBeChecked();
  await page.getByRole("button", { name: "Save Preferences" }).click();
  expect((await stored(page)).meta.gpc).toBe(true);
  await context.close();
});

test("a browser that blocks storage: the banner works, the choice holds for the visit", async ({ browser, app }) => {
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

test("at 320 px nothing scrolls sideways, and the banner never lies over what has the focus", async ({
  browser,
  app,
}) => {
  const { context, page } = await fresh(browser, app, "/register", { viewport: { width: 320, height: 560 } });
  await expect(banner(page)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  for (let i = 0; i < 16; i++) {
    await page.keyboard.press("Tab");
    const covered = await page.evaluate(() => {
      const region = document.querySelector('section[aria-labelledby="cookie-banner-title"]') as HTMLElement;
      const focused = document.activeElement as HTMLElement;
      return focused !== document.body &&
        !region.contains(focused) &&
        focused.getBoundingClientRect().bottom > region.getBoundingClientRect().top + 1
        ? focused.outerHTML.slice(0, 120)
        : "";
    });
    expect(covered).toBe("");
  }
  await expectAccessible(page, "banner at 320 px");
  await context.close();
});

test("in the player the banner has its own room", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { context, page } = await fresh(browser, app, new URL(course.launch).pathname);
  await signIn(page, await addLearner(app));
  await expect(page.locator('iframe[title="Course content"]')).toBeVisible();
  const boxes = await Promise.all([
    banner(page).boundingBox(),
    page.locator('iframe[title="Course content"]').boundingBox(),
  ]);
  expect((boxes[1]?.y ?? 0) + (boxes[1]?.height ?? 0)).toBeLessThanOrEqual((boxes[0]?.y ?? 0) + 1);
  await context.close();
});

test("a choice of before the sign-in is recorded once; a failure says so and is made up for", async ({
  browser,
  app,
}) => {
  const { context, page } = await fresh(browser, app, "/login");
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
  expect((await stored(page)).status).toBe("accept_all");
  await page.unroute("**/api/recordConsent");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("cookieConsentSent") ?? "{}").done))
    .toBe(true);
  await context.close();
});

test("an admin gives the academy its name, and publishes a policy", async ({ browser, app }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/settings`);
  await page.getByLabel("Name of the academy").fill("Fjord Academy");
  await page.getByLabel("Headline of the start page").fill("Learn where you work");
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
  await expect(page.getByText(/Version \d+ is published/)).toBeVisible();
  await context.close();
  const guest = await fresh(browser, app);
  await expect(guest.page.getByRole("heading", { name: "Learn where you work", level: 1 })).toBeVisible();
  await expect(guest.page).toHaveTitle("Home · Fjord Academy");
  await guest.page.goto(`${app.url}/privacy-policy`);
  await expect(guest.page.getByText("Plain words.")).toBeVisible();
  await guest.context.close();
});
