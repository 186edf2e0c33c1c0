import type { Page } from "@playwright/test";
import { matchRoutes } from "react-router";
import { screens } from "#web/screens.ts";
import { ADMIN } from "#test/process.ts";
import { findViolations } from "./axe.ts";
import { addEvent, addGuest } from "./eventsFixture.ts";
import { expectNoHorizontalScroll, navigateTo, trackRequests, viewports, waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// Navigation bar and menu, links between pages, and addresses that do not exist

const AUTH_PAGES = ["/login", "/register", "/forgot-password", "/reset-password", "/confirm-email"];
const bar = (page: Page) => page.getByRole("banner").getByRole("navigation", { name: "Main menu" });

test("the bar stands on the pages of login and registration", { tag: "@long" }, async ({ browser, app }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const path of AUTH_PAGES) {
    await page.goto(app.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const links = await bar(page)
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
    expect([path, links]).toEqual([
      path,
      [
        ["Lyceum", "/"],
        ["Events", "/events"],
        ["Login", "/login"],
        ["Create an Account", "/register"],
      ],
    ]);
  }
  await page.getByRole("link", { name: "Create an Account" }).click();
  await expect(page.getByRole("heading", { name: "Create an Account" })).toBeVisible();
  await context.close();
});

test("the bar fits its window with the longest addresses", async ({ browser, app }) => {
  const learner = await addLearner(app, `Annelies ${"van der Berg ".repeat(6).trim()}`);
  const { page, context } = await openAs(browser, learner, `${app.url}/my-courses`);
  for (const width of [900, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoHorizontalScroll(page, `the bar, ${width}`);
    const logout = await bar(page).getByRole("link", { name: "Logout" }).boundingBox();
    expect((logout?.x ?? width) + (logout?.width ?? 0)).toBeLessThanOrEqual(width);
  }
  await context.close();
});

test("the menu on a phone leads guests, learners and admins to the public events", async ({ browser, app }) => {
  await addCourse(app, probePackage("1.2"));
  const openMenu = async (page: Page) => {
    await page.setViewportSize(viewports.phone);
    await page.getByRole("button", { name: "Open menu" }).click();
    return page.getByRole("dialog").getByRole("navigation", { name: "Main menu" });
  };
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(`${app.url}/login`);
  const guestMenu = await openMenu(guest);
  await expect(guestMenu.getByRole("link")).toHaveText(["Events", "Login", "Create an Account"]);
  await guestMenu.getByRole("link", { name: "Events" }).click();
  await expect(guest).toHaveURL(`${app.url}/events`);
  await guest.context().close();
  for (const who of [await addLearner(app), ADMIN]) {
    const { page, context } = await openAs(browser, who, `${app.url}/login`);
    await expect(page).toHaveURL(/my-courses|dashboard/);
    const menu = await openMenu(page);
    // The header of a dialog is not the banner of the page.
    expect(await findViolations(page, ["landmark-banner-is-top-level"])).toEqual([]);
    await menu.getByRole("group", { name: "Public" }).getByRole("link", { name: "Events", exact: true }).click();
    await expect(page).toHaveURL(`${app.url}/events`);
    await expect(page.getByRole("dialog")).toBeHidden();
    await context.close();
  }
});

test("a report that does not exist has a title of its own", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  for (const id of ["nope", "00000000-0000-4000-8000-000000000000"]) {
    await page.goto(`${app.url}/learners/report/${id}`);
    await expect(page.getByRole("heading", { level: 1, name: "Report not found" })).toBeVisible();
    await expect(page).toHaveTitle("Report not found · Lyceum");
  }
  await page.goto(`${app.url}/companies`);
  await page.getByRole("button", { name: "Add company" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await findViolations(page, ["landmark-banner-is-top-level"])).toEqual([]);
  await context.close();
});

/** Paths of the application that exist, and those of files and feeds. */
const isReachable = (path: string) =>
  /^\/(api|v0|assets)\//.test(path) ||
  (matchRoutes(
    screens.map(({ path: pattern, page }) => ({ path: pattern, id: page ?? "" })),
    path,
  )?.at(-1)?.route.id ?? "") !== "";

test("no page has a link to an address that does not exist", { tag: "@long" }, async ({ browser, app }) => {
  test.setTimeout(240_000);
  const course = await addCourse(app, probePackage("2004", ["one", "two"]));
  const event = await addEvent(app);
  await addGuest(app, event, "Liv Aune");
  const learner = await addLearner(app);
  const details = [`/courses/${course.id}`, `/events/${event.slug}`, `/events/${event.slug}/register`];
  const pathsOf = (role: "guest" | "learner" | "admin") =>
    screens
      .filter(({ path, page, guards }) => {
        if (!page || path.includes(":")) return false;
        if (role === "guest") return guards.every((guard) => guard === "guests");
        return !guards.includes("guests") && (role === "admin" || !guards.includes("admin"));
      })
      .map(({ path }) => path);
  for (const [who, visited] of [
    [null, [...pathsOf("guest"), ...details.slice(1)]],
    [learner, [...pathsOf("learner"), ...details]],
    [
      ADMIN,
      [
        ...pathsOf("admin"),
        ...details,
        `/companies/${app.company.id}`,
        `/courses/${course.id}?tab=learners`,
        `/admin/events/edit/${event.id}`,
        `/admin/events/${event.id}/registrations`,
      ],
    ],
  ] as const) {
    const { page, context } = who
      ? await openAs(browser, who, `${app.url}/login`)
      : await browser.newContext().then(async (guest) => ({ context: guest, page: await guest.newPage() }));
    if (who) await expect(page).toHaveURL(/my-courses|dashboard/);
    trackRequests(page);
    await page.goto(`${app.url}/nowhere`);
    const dead = new Set<string>();
    const queue = [...visited];
    for (const path of queue) {
      await navigateTo(page, path);
      await waitUntilLoaded(page);
      const hrefs = await page
        .locator("a[href]")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
      for (const href of hrefs) {
        const { origin, pathname } = new URL(href);
        if (origin !== app.url) continue;
        if (!isReachable(pathname)) dead.add(`${path} → ${pathname}`);
        // One report of a learner, which only lists lead to.
        if (pathname.startsWith("/learners/report/") && !queue.some((seen) => seen.startsWith("/learners/report/")))
          queue.push(pathname);
      }
    }
    expect([...dead]).toEqual([]);
    await context.close();
  }
});

test("unknown URLs and broken percent-encoding show the not-found page with status 404", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  for (const [path, status] of [
    ["/nowhere", 404],
    ["/no/such/page?x=1", 404],
    ["/nope%", 404],
    ["/nope%ff/x", 404],
    ["/events/%zz", 404],
    ["/events/%zz/register", 404],
    ["/courses/%zz", 404],
  ] as const) {
    const response = await page.goto(app.url + path);
    expect([path, response?.status(), response?.headers()["content-type"]]).toEqual([
      path,
      status,
      "text/html; charset=utf-8",
    ]);
    await expect(page.getByRole("heading", { level: 1, name: /^(Page|Event|Course) not found$/ }), path).toBeVisible();
  }
  expect(broken).toEqual([]);
  for (const path of ["/", "/login", "/events", "/my-courses", "/privacy-policy", `/learners/report/1`])
    expect([path, (await fetch(app.url + path)).status]).toEqual([path, 200]);
  const api = await fetch(`${app.url}/api/nope%`);
  expect([api.status, (await api.json()).code]).toEqual([404, "core.notFound"]);
  await context.close();
});

test(
  "the account menu and the names of a collapsed menu are loaded on demand",
  { tag: "@long" },
  async ({ browser, app }) => {
    const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
    await expect(page).toHaveURL(/dashboard/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await waitUntilLoaded(page);
    const button = page.getByRole("button", { name: ADMIN.email });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Account and security" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await page.getByRole("menuitem", { name: "Account and security" }).click();
    await expect(page).toHaveURL(/account/);
    await page.getByRole("button", { name: "Collapse menu" }).click();
    const learners = page.getByRole("navigation", { name: "Sidebar" }).getByRole("link", { name: "Learners" });
    await learners.hover();
    await expect(page.getByRole("tooltip", { name: "Learners" })).toBeVisible();
    await page.getByRole("button", { name: "Expand menu" }).click();
    await expect(learners).toHaveText("Learners");
    await context.close();
  },
);

test("a link in an email opens within the usual layout for people who are logged in", async ({ browser, app }) => {
  const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);
  for (const path of ["/reset-password?token=none", "/confirm-email?token=none"]) {
    await page.goto(app.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Sidebar" })).toBeVisible();
    await expect(page.getByRole("main")).toHaveCount(1);
  }
  await context.close();
});
