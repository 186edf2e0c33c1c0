import { ALL_PREFERENCES, DEFAULT_PREFERENCES, ONLY_ESSENTIAL } from "#shared/consent/consentPreferences.ts";
import { OPEN_COOKIE_BANNER_EVENT } from "#shared/consent/consent.ts";
import { expectAccessible } from "./axe.ts";
import { banner, button, openUndecided, readChoice } from "./cookieBannerFixture.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, signIn, test, undecided } from "./server.ts";

test("accepts or rejects all with one click and equal weight", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app);
  const styles = await Promise.all(
    ["Reject All", "Accept All"].map((name) =>
      button(page, name).evaluate((element) => {
        const { backgroundColor, color, fontSize, fontWeight, height, borderTopColor, borderTopWidth } =
          getComputedStyle(element);
        return { backgroundColor, color, fontSize, fontWeight, height, borderTopColor, borderTopWidth };
      }),
    ),
  );
  expect(styles[0]).toEqual(styles[1]);
  await button(page, "Reject All").click();
  await expect(banner(page)).toBeHidden();
  expect(await readChoice(page)).toMatchObject({
    status: "reject_all",
    preferences: ONLY_ESSENTIAL,
    meta: { via: "banner", gpc: false },
  });
  expect(Object.keys((await readChoice(page)).meta).toSorted()).toEqual([
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
  expect(await readChoice(page)).toMatchObject({ status: "accept_all", preferences: ALL_PREFERENCES });
  await context.close();
});

test("manages the focus of banner and dialog by keyboard", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app);
  await expect(banner(page)).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  // The banner comes early in the tab order: first the policy link, then the buttons.
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
  expect((await readChoice(page)).status).toBeNull();
  await page.keyboard.press("Enter");
  await dialog.getByRole("switch", { name: "Functional" }).press("Space");
  await dialog.getByRole("button", { name: "Save Preferences" }).click();
  expect(await readChoice(page)).toMatchObject({
    status: "customized",
    preferences: { essential: true, analytical: true, functional: false, targeting: false },
    meta: { via: "dialog" },
  });
  await context.close();
});

test(
  "returns the focus to Customize if it was pressed before the dialog was loaded",
  { tag: "@long" },
  async ({ browser, app }) => {
    const context = await undecided(browser);
    const page = await context.newPage();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const dialogChunk = /\/CookieDialog-[^/]*\.js$/;
    await page.route(dialogChunk, async (route) => {
      await released;
      await route.continue();
    });
    await Promise.all([page.waitForRequest(dialogChunk), page.goto(app.url, { waitUntil: "commit" })]);
    await button(page, "Customize").focus();
    await page.keyboard.press("Enter");
    release();
    const dialog = page.getByRole("dialog", { name: "Cookie Preferences" });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(button(page, "Customize")).toBeFocused();
    await context.close();
  },
);

test("reopens on the window event and removes what was refused", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app);
  await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
  await button(page, "Accept All").click();
  await expect(banner(page)).toBeHidden();
  await page.evaluate((name) => dispatchEvent(new Event(name)), OPEN_COOKIE_BANNER_EVENT);
  await expect(banner(page)).toBeVisible();
  await expect(banner(page).getByRole("heading")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(banner(page)).toBeHidden();
  expect((await readChoice(page)).status).toBe("accept_all");
  await page.evaluate((name) => dispatchEvent(new Event(name)), OPEN_COOKIE_BANNER_EVENT);
  await button(page, "Reject All").click();
  expect(await page.evaluate(() => localStorage.getItem("mantine-color-scheme-value"))).toBeNull();
  await context.close();
});

test("fits 320 px and never covers the focus", { tag: "@long" }, async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app, "/register", { viewport: { width: 320, height: 560 } });
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

test("does not cover the player", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { context, page } = await openUndecided(browser, app, new URL(course.launch).pathname);
  await signIn(page, await addLearner(app));
  await expect(page.locator('iframe[title="Course content"]')).toBeVisible();
  const boxes = await Promise.all([
    banner(page).boundingBox(),
    page.locator('iframe[title="Course content"]').boundingBox(),
  ]);
  expect((boxes[1]?.y ?? 0) + (boxes[1]?.height ?? 0)).toBeLessThanOrEqual((boxes[0]?.y ?? 0) + 1);
  await context.close();
});
