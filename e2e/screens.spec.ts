import type { Browser, Page } from "@playwright/test";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { isLong, sampled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { screens } from "#web/screens.ts";
import { expectAccessible } from "./axe.ts";
import { addBot } from "./chatFixture.ts";
import { addEvent, addGuest, randomLetters, registrationLink } from "./eventsFixture.ts";
import { expectNoHorizontalScroll, navigateTo, setColorScheme, trackRequests, waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addGroups, addPath, addRule, addTeam } from "./peopleFixture.ts";
import { addCourse, addLearner, chip, expect, type ServerFixture, openAs, signIn, test } from "./server.ts";

// Every screen: no serious accessibility violations, no horizontal scrolling, no requests to other hosts

// Each worker has a server of its own, so the tests of this file can share the time.
test.describe.configure({ mode: "parallel" });

/**
 * Viewports. Horizontal scrolling is checked at all widths, the rest at the first one; contrast in dark colours on the
 * desktop.
 */
const sizes = { desktop: { height: 900, widths: [1440, 1180, 820] }, phone: { height: 844, widths: [390] } };
type Size = keyof typeof sizes;
const viewportOf = (size: Size) => ({ width: sizes[size].widths[0] as number, height: sizes[size].height });

/** Checks a screen in light colours at all widths, and its contrast in dark colours. */
async function inspect(page: Page, name: string, size: Size) {
  await expectAccessible(page, name);
  for (const width of sizes[size].widths) {
    await page.setViewportSize({ width, height: sizes[size].height });
    await expectNoHorizontalScroll(page, `${name} ${width}`);
  }
  if (size !== "desktop") return;
  await page.setViewportSize(viewportOf(size));
  await setColorScheme(page, "dark");
  await expectAccessible(page, `${name} dark`, ["color-contrast"]);
  await setColorScheme(page, "light");
}

/** A browser whose screens are inspected; `close` asserts that it has asked no other host for anything. */
async function openInspector(browser: Browser, app: ServerFixture, size: Size) {
  const context = await browser.newContext({
    viewport: viewportOf(size),
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  trackRequests(page);
  const foreignRequests: string[] = [];
  let isSignedIn = false;
  page.on("request", (request) => {
    if (!/^(http:\/\/(localhost|127\.0\.0\.1):|data:|blob:)/.test(request.url())) foreignRequests.push(request.url());
  });
  return {
    page,
    signIn: async (who: { email: string; password: string }) => {
      await page.goto(`${app.url}/login`);
      await signIn(page, who);
      await expect(page).toHaveURL(/dashboard|my-courses/);
      isSignedIn = true;
    },
    /** Moves within the application, guests load each page. `npm test` inspects every page on one of the sizes. */
    visit: async (paths: string[]) => {
      const onDesktop = new Set(sampled("screens", paths, Math.ceil(paths.length / 2)));
      for (const path of paths.filter((one) => isLong || onDesktop.has(one) === (size === "desktop"))) {
        const isSamePage = new URL(page.url()).pathname === path.split("?")[0];
        await (isSignedIn && !isSamePage ? navigateTo(page, path) : page.goto(app.url + path));
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await waitUntilLoaded(page);
        await inspect(page, `${path} ${size}`, size);
      }
    },
    close: async () => {
      expect(foreignRequests).toEqual([]);
      await context.close();
    },
  };
}

/** Adds an event, people and a company whose names are a single long word. */
async function addLongNames(app: ServerFixture) {
  const long = `Arbeidsmiljøopplæringskoordineringsansvarlig${randomLetters()}`;
  const event = await addEvent(app, {
    title: `${long} ${long}`,
    summary: long,
    organiserName: long,
    venue: { name: long, street: long, postalCode: "0181", city: long, country: "Norway", mapUrl: "" },
  });
  await addGuest(app, event, long);
  await addLearner(app, long.replaceAll(/[øæ]/g, "o"));
  await app.admin.call(companies.create, { body: { name: long } });
  return event;
}

/** Adds an event that uses every part of its pages. */
const addFullEvent = (app: ServerFixture) =>
  addEvent(app, {
    capacity: 3,
    summary: "In one sentence.",
    description: "## Plan\n- one",
    questions: [
      {
        id: crypto.randomUUID(),
        label: "Do you lead a team?",
        kind: "choice",
        options: ["Yes", "No"],
        required: true,
      },
    ],
    agenda: [{ id: crypto.randomUUID(), title: "Why we wait" }],
    speakers: [{ id: crypto.randomUUID(), name: "Marta Lindqvist" }],
  });

/** All pages of admins whose path has no parameter; those of events need an event to show something. */
const adminPaths = screens
  .filter(({ path, guards, page }) => page && guards.includes("admin") && !path.includes(":"))
  .map(({ path }) => path);
const eventPaths = adminPaths.filter((path) => path.startsWith("/admin/events"));

for (const size of Object.keys(sizes) as Size[]) {
  test(`public screens are accessible and fit on a ${size}`, async ({ browser, app }) => {
    const long = await addLongNames(app);
    const event = await addFullEvent(app);
    const guest = await addGuest(app, event, "Liv Aune");
    const bot = await addBot(app, randomLetters().repeat(6), { access: "public", quickReplies: [long.title] });
    const { visit, close } = await openInspector(browser, app, size);
    await visit([
      `/chatbot/${bot.id}`,
      "/chatbot/nowhere",
      "/",
      "/login",
      "/register",
      "/forgot-password",
      "/privacy-policy",
      "/verify",
      "/verify/NE-AAAA-BBBB",
      "/transcripts/none",
      "/audits/none",
      "/unauthorized",
      "/nowhere",
      "/events",
      "/events?view=month",
      `/events/${event.slug}`,
      `/events/${event.slug}/register`,
      `/events/${event.slug}/success`,
      "/events/nowhere",
      new URL(await registrationLink(app, guest.email)).pathname,
      `/events/${long.slug}`,
      `/events/${long.slug}/register`,
    ]);
    await close();
  });

  test(`screens of an admin are accessible and fit on a ${size}`, async ({ browser, app }) => {
    // Every page of admins: about 6 s each on a machine with two cores.
    test.setTimeout(240_000);
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    const packageId = (await app.admin.call(courses.get, { params: { id: course.id } })).versions[0]?.id;
    const written = await app.admin.call(drafts.create, { body: { title: "Written here", language: "en" } });
    await addLongNames(app);
    const companyPath = `/companies/${app.company.id}`;
    const groupPath = await addGroups(app);
    const rulePath = await addRule(app, course.id);
    const path = await addPath(app, course.id);
    await addTeam(app);
    const { signIn, visit, close } = await openInspector(browser, app, size);
    await signIn(ADMIN);
    const paths = [
      ...adminPaths.filter((path) => !eventPaths.includes(path)),
      companyPath,
      `${companyPath}?tab=branding`,
      `${companyPath}?tab=signIn`,
      `${companyPath}?tab=settings`,
      `${companyPath}?tab=fields`,
      `${companyPath}?tab=groups`,
      `${companyPath}?tab=managers`,
      `${companyPath}?tab=measured`,
      ...["compliance", "audit-packs", "reminders", "catalogue"].map((page) => `${companyPath}/${page}`),
      `${companyPath}/catalogue?tab=requests`,
      groupPath,
      "/account",
      "/courses",
      `/courses/${course.id}`,
      `/courses/${course.id}?tab=certificate`,
      `/courses/${course.id}/completion`,
      `/courses/${course.id}/packages/${packageId}/check`,
      `/courses/${written.id}/edit`,
      `/courses/${written.id}/preview`,
      `/courses/${written.id}/versions`,
      `/courses/${written.id}/unclear`,
      "/certificates",
      "/enrolment-rules/new",
      rulePath,
      ...["", "?tab=learners", "?tab=certificate", "?tab=settings"].map((tab) => path.admin + tab),
      "/admin/audit?kind=accounts",
      "/admin/settings?tab=admins",
      "/admin/settings?tab=mail",
      "/admin/settings?tab=policy",
      "/privacy-settings",
    ];
    await visit(paths);
    await close();
  });

  test(`screens of a manager are accessible and fit on a ${size}`, async ({ browser, app }) => {
    const { manager, led } = await addTeam(app);
    const { signIn, visit, close } = await openInspector(browser, app, size);
    await signIn(manager);
    await visit([
      "/team",
      "/team/people",
      "/team/people?state=none",
      `/team/people/${led.id}`,
      "/team/people/nobody",
      "/team/compliance",
    ]);
    await close();
  });

  test(`reports are accessible and fit on a ${size}`, async ({ browser, app }) => {
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    await addLongNames(app);
    const { email } = await addLearner(app);
    const { items } = await app.admin.call(courses.enrolments, { query: { courseId: course.id, q: email } });
    const { signIn, visit, close } = await openInspector(browser, app, size);
    await signIn(ADMIN);
    await visit([
      `/reports/company/${app.company.id}`,
      `/reports/course/${course.id}`,
      `/learners/report/${items[0]?.userId}?since=2020-01-31`,
      `/learners/report/${items[0]?.userId}?completion=${items[0]?.id}`,
      ...["", "?tab=courses", "?tab=rules"].map((tab) => `/learners/outlook/${items[0]?.userId}${tab}`),
      "/dashboard",
      "/dashboard?figure=due",
      "/dashboard?figure=active",
    ]);
    await close();
  });

  test(`event screens of an admin are accessible and fit on a ${size}`, async ({ browser, app }) => {
    const long = await addLongNames(app);
    const event = await addFullEvent(app);
    await addGuest(app, event, "Liv Aune");
    const { signIn, visit, close } = await openInspector(browser, app, size);
    await signIn(ADMIN);
    await visit([
      ...eventPaths,
      `/admin/events/edit/${event.id}`,
      `/admin/events/${event.id}/registrations`,
      `/admin/events/${event.id}/check-in`,
      `/admin/events/${long.id}/registrations`,
      `/admin/events/${long.id}/check-in`,
      "/events",
    ]);
    await close();
  });

  test(`screens of a learner and the player are accessible and fit on a ${size}`, async ({ browser, app }) => {
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    await addLongNames(app);
    const bot = await addBot(app, randomLetters().repeat(6), { courseIds: [course.id] });
    const { page, signIn, visit, close } = await openInspector(browser, app, size);
    await signIn(await addLearner(app));
    const path = await addPath(app, course.id);
    await visit([
      "/today",
      "/my-courses",
      path.own,
      "/courses",
      "/certificates",
      "/transcripts",
      `/courses/${course.id}`,
      "/privacy-settings",
      "/account",
    ]);
    await visit([`/chatbot/${bot.id}`, `/chatbot/${bot.id}/${course.id}`]);
    await page.goto(course.launch);
    await expect(chip(page)).toContainText(/Saved/);
    await inspect(page, `player ${size}`, size);
    await close();
  });
}

test("reaches the first slide by keyboard only", async ({ browser, app }) => {
  await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), app.url + "/login");
  await expect(page).toHaveURL(/my-courses/);
  await expect(page.locator('a[href^="/launch/"]').first()).toBeVisible();
  const isAt = () => page.evaluate(() => document.activeElement?.getAttribute("href") ?? "");
  for (let i = 0; i < 40 && !(await isAt()).startsWith("/launch/"); i++) await page.keyboard.press("Tab");
  expect(await isAt()).toMatch(/^\/launch\//);
  await page.keyboard.press("Enter");
  await expect(chip(page)).toContainText(/Saved/);
  await context.close();
});
