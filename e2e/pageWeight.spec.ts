import type { Browser, Page } from "@playwright/test";
import { consents } from "#shared/consent/consent.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent } from "./eventsFixture.ts";
import { holdApplication, trackLayoutShift } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// What pages after login cost on a slow connection, and that they appear before their scripts

/** Opens a page in a browser that is signed in but has cached nothing. */
async function openCold(browser: Browser, app: ServerFixture, who: { email: string; password: string }) {
  const { page, context } = await openAs(browser, who, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard|my-courses/);
  await page.close();
  const cold = await browser.newContext({ storageState: await context.storageState() });
  await context.close();
  return cold.newPage();
}

/** After so long without a transfer, in ms, a page has loaded everything. Streams stay open, so it is never idle. */
const QUIET_MS = 1500;

/**
 * Number and size, in bytes as transferred, of all that a page loads until it shows its content. An address counts once:
 * what the test has just changed is fetched again when the live channel opens. The choice of cookies, which is recorded
 * once after a login, does not count.
 */
async function transfersOf(page: Page, address: string, content: string) {
  const sizes = new Map<string, Promise<number>>();
  let lastAt = Date.now();
  page.on("requestfinished", (request) => {
    lastAt = Date.now();
    if (!sizes.has(request.url()) && new URL(request.url()).pathname !== consents.record.path)
      sizes.set(
        request.url(),
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
  });
  await page.goto(address);
  await expect(page.getByText(content).first()).toBeVisible();
  await expect.poll(() => Date.now() - lastAt, { timeout: 30_000 }).toBeGreaterThan(QUIET_MS);
  const bytes = await Promise.all(sizes.values());
  return { requests: bytes.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
}

test("the pages of a learner take at most 30 requests and 275 KB", async ({ browser, app }) => {
  const { id, title } = await addCourse(app, probePackage("1.2"));
  const learner = await addLearner(app);
  for (const path of ["/today", "/my-courses", `/courses/${id}`]) {
    const page = await openCold(browser, app, learner);
    const { requests, bytes } = await transfersOf(page, app.url + path, title);
    expect(bytes, path).toBeLessThanOrEqual(275_000);
    expect(requests, path).toBeLessThanOrEqual(30);
    await page.context().close();
  }
});

test("a launch takes at most 405 KB, the library of SCORM 2004 included", async ({ browser, app }) => {
  const { title, launch } = await addCourse(app, probePackage("2004"));
  const page = await openCold(browser, app, await addLearner(app));
  const { bytes } = await transfersOf(page, launch, title);
  expect(bytes).toBeLessThanOrEqual(405_000);
  await page.context().close();
});

test("a dialog whose code does not arrive says so, and opens after a reload", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/learners`);
  await page.route(/InviteDialog-[^/]*\.js/, (route) => route.abort());
  const invite = page.getByRole("button", { name: "Invite learners" }).first();
  await invite.click();
  await expect(page.getByText("This content could not be loaded")).toBeVisible();
  await page.unroute(/InviteDialog-[^/]*\.js/);
  // Browsers remember for the life of a page that a module could not be loaded.
  await page.reload();
  await invite.click();
  const dialog = page.getByRole("dialog", { name: "Invite learners" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(invite).toBeFocused();
  await context.close();
});

test("a menu whose code does not arrive leaves the page as it is", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route(/MenuDrawer-[^/]*\.js/, (route) => route.abort());
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(page.getByText("This content could not be loaded")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
  await context.close();
});

test("a public event takes at most 340 KB", async ({ browser, app }) => {
  const { title, slug } = await addEvent(app);
  const page = await (await browser.newContext()).newPage();
  const { bytes } = await transfersOf(page, `${app.url}/events/${slug}`, title);
  expect(bytes).toBeLessThanOrEqual(340_000);
  await page.context().close();
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test(`shows the layout before the scripts, and moves nothing (${viewport.width} px)`, async ({ browser, app }) => {
    const page = await openCold(browser, app, ADMIN);
    await page.setViewportSize(viewport);
    const shiftOf = await trackLayoutShift(page);
    const release = await holdApplication(page);
    await page.goto(`${app.url}/learners`, { waitUntil: "commit" });
    await expect(page.locator("header")).toContainText("Lyceum");
    await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
    release();
    await expect(page.getByRole("heading", { level: 1, name: "Learners" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await shiftOf()).toBeLessThan(0.02);
    await page.context().close();
  });
