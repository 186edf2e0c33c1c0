import type { Page } from "@playwright/test";
import { navigateTo } from "./layout.ts";
import { isLong } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { screens } from "#web/screens.ts";
import { addCourse, addLearner, expect, signIn, test } from "./server.ts";
import { probePackage } from "./packages.ts";

// Where guests, learners and admins end up for every route

const id = "00000000-0000-4000-8000-000000000000";
/** Routes open to both roles; learners see their own data. */
const REPORT = `/learners/report/${id}`;
const ofOneself = [REPORT, `/learners/outlook/${id}`];
type Guard = "guests" | "auth" | "authAdmin" | "admin" | "leads" | "anyone";
const namedRoutes: [string, Guard][] = [
  ["/", "guests"],
  ["/dashboard", "authAdmin"],
  ["/events", "anyone"],
  ["/events/x", "anyone"],
  ["/events/x/register", "anyone"],
  ["/events/x/success", "anyone"],
  ["/login", "guests"],
  ["/register", "guests"],
  ["/forgot-password", "guests"],
  ["/reset-password", "anyone"],
  ["/courses", "auth"],
  [`/courses/${id}`, "auth"],
  [`/courses/${id}/completion`, "admin"],
  [`/courses/${id}/packages/${id}/check`, "admin"],
  ["/courses/paths", "admin"],
  [`/courses/paths/${id}`, "admin"],
  [`/paths/${id}`, "auth"],
  ["/my-courses", "auth"],
  ["/companies", "authAdmin"],
  [`/companies/${id}`, "authAdmin"],
  [`/companies/${id}/compliance`, "authAdmin"],
  [`/companies/${id}/audit-packs`, "authAdmin"],
  [`/companies/${id}/audit-packs/${id}`, "authAdmin"],
  [`/companies/${id}/reminders`, "authAdmin"],
  [`/companies/${id}/catalogue`, "authAdmin"],
  [`/catalogue/${id}`, "auth"],
  [`/companies/${id}/groups/${id}`, "authAdmin"],
  ["/enrolment-rules", "admin"],
  ["/enrolment-rules/new", "admin"],
  [`/enrolment-rules/${id}`, "admin"],
  ["/team/compliance", "leads"],
  [`/team/people/${id}`, "leads"],
  ["/learners", "admin"],
  ["/variables", "admin"],
  ...ofOneself.map((path): [string, Guard] => [path, "auth"]),
  [`/reports/company/${id}`, "admin"],
  [`/reports/course/${id}`, "admin"],
  [`/reports/session/replay/${id}`, "admin"],
  [`/reports/conversation/replay/${id}`, "admin"],
  ["/admin/learner-data", "admin"],
  ["/admin/learner-data/statements", "admin"],
  ["/admin/chatbots", "admin"],
  ["/admin/chatbots/create", "admin"],
  [`/admin/chatbots/edit/${id}`, "admin"],
  ["/admin/connectors", "admin"],
  ["/admin/prompts", "admin"],
  ["/admin/button-prompts", "admin"],
  ["/admin/delete-course-variables", "admin"],
  ["/admin/documents", "admin"],
  ["/admin/events", "admin"],
  ["/admin/events/create", "admin"],
  [`/admin/events/edit/${id}`, "admin"],
  [`/admin/events/${id}/registrations`, "admin"],
  ["/chatbot/x", "anyone"],
  [`/chatbot/x/${id}`, "auth"],
  ["/reports/chatbots", "auth"],
  ["/analysis/chatbot", "admin"],
  ["/reports/conversation-analytics", "admin"],
  ["/unauthorized", "anyone"],
  ["/privacy-settings", "auth"],
  ["/account", "auth"],
  ["/confirm-email", "anyone"],
  ["/no/such/page", "anyone"],
];
/**
 * All other pages of signed-in people without parameters, with the guards of web/screens.ts: a new page needs no entry
 * above.
 */
const furtherRoutes = screens
  .filter(({ path, page, guards }) => page && guards.length > 0 && !path.includes(":"))
  .filter(({ path }) => !namedRoutes.some(([named]) => named === path))
  .map(({ path, guards }): [string, Guard] => {
    if (guards.includes("leads")) return [path, "leads"];
    return [path, guards.length > 1 ? "authAdmin" : (guards[0] as Guard)];
  });
const routes = [...namedRoutes, ...furtherRoutes];
const login = (path: string) => `/login?redirect=${encodeURIComponent(path)}`;
const landing = (who: "guest" | "learner" | "admin", path: string, guard: Guard) => {
  const home = who === "admin" ? "/dashboard" : "/my-courses";
  if (guard === "guests") return who === "guest" ? path : home;
  if (guard === "auth") return who === "guest" ? login(path) : path;
  if (guard === "leads") return who === "guest" ? login(path) : "/unauthorized";
  if (guard === "authAdmin" && who === "learner") return "/unauthorized";
  if (guard === "authAdmin") return who === "guest" ? login(path) : path;
  if (guard === "admin") return who === "admin" ? path : "/unauthorized";
  return path;
};
const at = (page: Page) => decodeURIComponent(new URL(page.url()).pathname + new URL(page.url()).search);
/**
 * Routes that are loaded in full, one of each kind of guard; the others are reached inside the application, which is
 * faster.
 */
const loadedRoutes = new Set<string>([
  ...Map.groupBy(routes, ([, guard]) => guard)
    .values()
    .map(([first]) => (first as [string, Guard])[0]),
  ...ofOneself,
]);

for (const who of ["guest", "learner", "admin"] as const) {
  test(`guards every route for a ${who}`, async ({ browser, app }) => {
    test.setTimeout(240_000);
    const context = await browser.newContext();
    const page = await context.newPage();
    if (who !== "guest") {
      await page.goto(`${app.url}/login`);
      await signIn(page, who === "admin" ? ADMIN : await addLearner(app));
      await expect(page).toHaveURL(who === "admin" ? /dashboard/ : /my-courses/);
    }
    const lands = async (path: string, where: string) => {
      if (isLong || loadedRoutes.has(path)) await page.goto(app.url + path);
      else {
        // From a page open to everyone that no route of the list ends at, so that the old page is never taken for the
        // new one.
        await navigateTo(page, "/privacy-policy");
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await navigateTo(page, path);
      }
      await expect.poll(() => at(page), { message: `${path} as ${who}` }).toBe(decodeURIComponent(where));
      // No further redirect follows after the page has rendered.
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(at(page), `${path} as ${who}`).toBe(decodeURIComponent(where));
    };
    for (const [path, guard] of routes) {
      await lands(path, ofOneself.includes(path) && who === "learner" ? "/unauthorized" : landing(who, path, guard));
    }
    if (who === "learner") {
      const mine = await page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "{}").id as string);
      for (const path of ofOneself) await lands(path.replace(id, mine), path.replace(id, mine));
    }
    await context.close();
  });
}

test("refuses pages of others with the reason, and returns guests to a launch link", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(course.launch);
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await signIn(page, await addLearner(app));
  await expect(page).toHaveURL(course.launch);
  await page.goto(course.launch.replace(app.company.id, id));
  await expect(page).toHaveURL(/\/unauthorized/);
  await expect(page.getByRole("heading", { name: "This link is not for your company" })).toBeVisible();
  await page.goto(app.url + REPORT);
  await expect(page.getByRole("heading", { name: "This is another learner's report" })).toBeVisible();
  await page.goto(`${app.url}/learners`);
  await expect(page.getByRole("heading", { name: "This page is for admins" })).toBeVisible();
  await context.close();
});

test("does not follow a redirect to another host", async ({ browser, app }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const target of [
    "https://evil.example/chatbot/1",
    "//evil.example/chatbot/1",
    "/\\evil.example/chatbot/1",
    "javascript:alert(1)//chatbot/",
    "/\t/evil.example/chatbot/1",
  ]) {
    await context.clearCookies();
    await page.goto(`${app.url}/login?redirect=${encodeURIComponent(target)}`);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await signIn(page, ADMIN);
    await expect(page).toHaveURL(`${app.url}/dashboard`);
    await page.evaluate(() => localStorage.clear());
  }
  await context.close();
});

test("keeps only redirects to a chatbot", async ({ browser, app }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/chatbot/x/${id}?from=mail`);
  await expect(page).toHaveURL(`${app.url}/login?redirect=${encodeURIComponent(`/chatbot/x/${id}?from=mail`)}`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("redirectTo"))).toBe(`/chatbot/x/${id}?from=mail`);
  await signIn(page, await addLearner(app));
  await expect(page).toHaveURL(`${app.url}/chatbot/x/${id}?from=mail`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("redirectTo"))).toBeNull();
  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${app.url}/courses`);
  await signIn(page, await addLearner(app));
  await expect(page).toHaveURL(`${app.url}/my-courses`);
  await context.close();
});

test("forgets a redirect target with the visit that it belongs to", async ({ browser, app }) => {
  const context = await browser.newContext();
  const visit = await context.newPage();
  const stored = (page: Page) => page.evaluate(() => localStorage.getItem("redirectTo"));
  await visit.goto(`${app.url}/chatbot/x/${id}`);
  await expect.poll(() => stored(visit)).toBe(`/chatbot/x/${id}`);
  // The target survives other pages of the same visit.
  await visit.goto(`${app.url}/register`);
  expect(await stored(visit)).toBe(`/chatbot/x/${id}`);
  await visit.close();
  const later = await context.newPage();
  await later.goto(`${app.url}/login`);
  await expect(later.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.poll(() => stored(later)).toBeNull();
  await signIn(later, await addLearner(app));
  await expect(later).toHaveURL(`${app.url}/my-courses`);
  await context.close();
});
