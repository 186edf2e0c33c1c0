import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { companies } from "#shared/companies.ts";
import { ADMIN } from "#test/process.ts";
import { probePackage } from "./packages.ts";
import { addEvent, addGuest, randomLetters, registrationLink } from "./eventsFixture.ts";
import { addCourse, addLearner, chip, expect, type ServerFixture, openAs, test } from "./server.ts";

// Every screen: no serious accessibility violations, no horizontal scrolling, no requests to other hosts

/** Viewports. Horizontal scrolling is checked at all widths, the rest at the first one. */
const sizes = { desktop: { height: 900, widths: [1440, 1180, 820] }, phone: { height: 844, widths: [390] } };
type Size = (typeof sizes)[keyof typeof sizes];

async function seriousViolations(page: Page, rules?: string[]) {
  const axe = new AxeBuilder({ page }).exclude("iframe");
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}
const setColorScheme = async (page: Page, colorScheme: "light" | "dark") => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
};

/** Checks a screen in light colours at all widths, and its contrast in dark colours. */
async function inspect(page: Page, name: string, { height, widths }: Size) {
  expect([name, await seriousViolations(page)]).toEqual([name, []]);
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    expect([
      name,
      width,
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ]).toEqual([name, width, 0]);
  }
  await page.setViewportSize({ width: widths[0] as number, height });
  await setColorScheme(page, "dark");
  expect([name, "dark", await seriousViolations(page, ["color-contrast"])]).toEqual([name, "dark", []]);
  await setColorScheme(page, "light");
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

for (const [size, viewport] of Object.entries(sizes)) {
  test(`screens are accessible and fit on a ${size}`, async ({ browser, app }) => {
    test.setTimeout(480_000);
    const course = await addCourse(app, probePackage("2004", ["one", "two"]));
    const long = await addLongNames(app);
    const event = await addEvent(app, {
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
    const guest = await addGuest(app, event, "Liv Aune");
    const registrationPath = new URL(await registrationLink(app, guest.email)).pathname;
    const context = await browser.newContext({
      viewport: { width: viewport.widths[0] as number, height: viewport.height },
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const foreignRequests: string[] = [];
    page.on("request", (request) => {
      if (!/^(http:\/\/(localhost|127\.0\.0\.1):|data:|blob:)/.test(request.url())) foreignRequests.push(request.url());
    });
    const visit = async (path: string) => {
      await page.goto(app.url + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      await inspect(page, `${path} ${size}`, viewport);
    };
    for (const path of [
      "/",
      "/login",
      "/register",
      "/forgot-password",
      "/privacy-policy",
      "/unauthorized",
      "/nowhere",
      "/events",
      "/events?view=month",
      `/events/${event.slug}`,
      `/events/${event.slug}/register`,
      `/events/${event.slug}/success`,
      "/events/nowhere",
      registrationPath,
      `/events/${long.slug}`,
      `/events/${long.slug}/register`,
    ])
      await visit(path);
    const learner = await addLearner(app);
    const [companyPath, coursePath] = [`/companies/${app.company.id}`, `/courses/${course.id}`];
    for (const [who, paths] of [
      [
        ADMIN,
        [
          "/dashboard",
          "/companies",
          companyPath,
          `${companyPath}?tab=branding`,
          `${companyPath}?tab=signIn`,
          `${companyPath}?tab=settings`,
          "/account",
          "/learners",
          "/courses",
          coursePath,
          "/admin/mails",
          "/admin/audit",
          "/admin/audit?kind=accounts",
          "/admin/settings",
          "/admin/settings?tab=policy",
          "/privacy-settings",
          "/admin/events",
          "/admin/events/create",
          `/admin/events/edit/${event.id}`,
          `/admin/events/${event.id}/registrations`,
          `/admin/events/${event.id}/check-in`,
          `/admin/events/${long.id}/registrations`,
          `/admin/events/${long.id}/check-in`,
          "/events",
        ],
      ],
      [learner, ["/my-courses", "/courses", coursePath, "/privacy-settings", "/account"]],
    ] as const) {
      await page.goto(`${app.url}/login`);
      await page.getByLabel("Email").fill(who.email);
      await page.getByLabel("Password", { exact: true }).fill(who.password);
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/dashboard|my-courses/);
      for (const path of paths) await visit(path);
      if (who === learner) {
        await page.goto(course.launch);
        await expect(chip(page)).toContainText(/Saved/);
        await inspect(page, `player ${size}`, viewport);
      }
      await context.clearCookies();
      await page.goto(`${app.url}/unauthorized`);
      await page.evaluate(() => localStorage.clear());
    }
    expect(foreignRequests).toEqual([]);
    await context.close();
  });
}

test("reaches the first slide by keyboard only", async ({ browser, app }) => {
  await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), app.url + "/login");
  await expect(page).toHaveURL(/my-courses/);
  const isAt = () => page.evaluate(() => document.activeElement?.getAttribute("href") ?? "");
  for (let i = 0; i < 40 && !(await isAt()).startsWith("/launch/"); i++) await page.keyboard.press("Tab");
  expect(await isAt()).toMatch(/^\/launch\//);
  await page.keyboard.press("Enter");
  await expect(chip(page)).toContainText(/Saved/);
  await context.close();
});
