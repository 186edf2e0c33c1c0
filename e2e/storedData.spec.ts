import type { BrowserContext, Page } from "@playwright/test";
import { ADMIN } from "#test/process.ts";
import { banner, openUndecided } from "./cookieBannerFixture.ts";
import { addEvent, addGuest, randomLetters } from "./eventsFixture.ts";
import { waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, saved, signIn, test } from "./server.ts";
import { choose, openDialog, packageFile } from "./uploadFixture.ts";
import { declaresKey, services } from "#shared/consent/consentServices.ts";

// What a browser stores before a cookie decision is declared in shared/consent/consent.ts, and needs no consent

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

/** Names of all cookies, storage keys, databases and caches of the application. */
async function storedNames(context: BrowserContext, page: Page) {
  const keys = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ""),
    ...(await caches.keys()),
  ]);
  return [...keys, ...(await context.cookies()).map(({ name }) => name)];
}
const exempt = services.filter(({ needsPriorConsent }) => !needsPriorConsent);
async function expectDeclared(context: BrowserContext, page: Page, place: string) {
  const names = await storedNames(context, page);
  expect([place, names.filter((name) => !exempt.some((service) => declaresKey(service, name)))]).toEqual([place, []]);
  return names;
}

test("stores only essential data on public pages before a choice is made", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app, PUBLIC[0]);
  const otherHosts: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) otherHosts.push(request.url());
  });
  const essential = services.filter(({ category }) => category === "essential");
  for (const path of PUBLIC) {
    await page.goto(app.url + path);
    await expect(banner(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
    const names = await storedNames(context, page);
    expect([path, names.filter((name) => !essential.some((service) => declaresKey(service, name)))]).toEqual([
      path,
      [],
    ]);
  }
  expect(otherHosts).toEqual([]);
  await context.close();
});

test("declares what the registration for an event stores", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app);
  const { context, page } = await openUndecided(browser, app, `/events/${event.slug}/register`);
  await page.getByLabel("Name").fill("Liv Aune");
  await page.getByLabel("Email", { exact: true }).fill(`liv.${randomLetters()}@halden.example`);
  await expect.poll(() => storedNames(context, page)).toContain(`event-draft:${event.slug}`);
  await expectDeclared(context, page, "registration");
  await page.getByLabel("I have read this and agree").check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page).toHaveURL(/\/success/);
  const names = await expectDeclared(context, page, "success");
  expect(names).toContain(`event-registered:${event.slug}`);
  expect(names).not.toContain(`event-draft:${event.slug}`);
  await context.close();
});

test("declares what login, upload, course and check-in store", async ({ browser, app }) => {
  const event = await addEvent(app);
  await addGuest(app, event, "Per Gynt");
  const course = await addCourse(app, probePackage("1.2"));
  const { context, page } = await openUndecided(browser, app, "/login");
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  expect(await expectDeclared(context, page, "login")).toEqual(
    expect.arrayContaining(["lyceum.session_token", "lyceum.known", "user"]),
  );
  await page.goto(`${app.url}/courses`);
  await openDialog(page);
  await choose(page, packageFile(1e6, "Declared"));
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  expect(await expectDeclared(context, page, "upload")).toContain("lyceum-uploads");

  await page.goto(`${app.url}/admin/events/${event.id}/check-in`);
  await page.getByRole("button", { name: "Sound" }).click();
  await page.getByRole("button", { name: /^Start/ }).click();
  await page.route("**/check-ins", (route) => route.abort());
  await page.getByRole("searchbox").fill("gynt");
  await page.getByRole("searchbox").press("Enter");
  await expect.poll(() => storedNames(context, page)).toContain("lyceum-check-in");
  expect(await expectDeclared(context, page, "check-in")).toEqual(
    expect.arrayContaining(["check-in-sound", "check-in-camera"]),
  );
  await context.close();

  const learner = await openUndecided(browser, app, new URL(course.launch).pathname);
  await signIn(learner.page, await addLearner(app));
  await saved(learner.page);
  expect(await expectDeclared(learner.context, learner.page, "course")).toContain("lyceum-journal");
  const player = learner.page
    .frames()
    .find((frame) => frame.url().startsWith("http") && !frame.url().startsWith(app.url));
  const contentKeys = (await player?.evaluate(() => Object.keys(localStorage))) ?? [];
  expect(contentKeys.filter((key) => !exempt.some((service) => declaresKey(service, key)))).toEqual([]);
  await learner.page.goto(`${app.url}/privacy-settings`);
  await waitUntilLoaded(learner.page);
  await expectDeclared(learner.context, learner.page, "privacy");
  await learner.context.close();
});

test("the cookie dialog names every cookie and store", async ({ browser, app }) => {
  const { context, page } = await openUndecided(browser, app);
  await banner(page).getByRole("button", { name: "Customize" }).click();
  const dialog = page.getByRole("dialog", { name: "Cookie Preferences" });
  for (const { keys, lifetime } of services)
    for (const text of [...keys, lifetime]) await expect(dialog.getByText(text).first(), text).toBeAttached();
  await context.close();
});
