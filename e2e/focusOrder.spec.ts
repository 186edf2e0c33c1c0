import type { Page } from "@playwright/test";
import { companies } from "#shared/companies/companies.ts";
import { ADMIN } from "#test/process.ts";
import { addBot } from "./chatFixture.ts";
import { addEvent } from "./eventsFixture.ts";
import { waitUntilLoaded } from "./layout.ts";
import { probePackage, titledPackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, type ServerFixture, test } from "./server.ts";

// The order in which the Tab key reaches what the user of a page needs

/** The accessible name of the focused element; null if it lies outside of `area`. */
const focusedName = (page: Page, area: string) =>
  page.evaluate((selector) => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement || focused instanceof SVGElement)) return null;
    if (focused === document.body || !focused.closest(selector)) return null;
    const textOf = (id: string) => document.getElementById(id)?.textContent ?? "";
    const labels = "labels" in focused ? [...((focused.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
    const candidates = [
      focused.getAttribute("aria-label"),
      labels.map(({ textContent }) => textContent).join(" "),
      (focused.getAttribute("aria-labelledby") ?? "").split(" ").map(textOf).join(" "),
      focused.textContent,
    ];
    const name = candidates.find((candidate) => candidate?.trim()) ?? focused.tagName;
    return name.replace(/\s+/g, " ").trim();
  }, area);

/** The names of what Tab reaches in `area`, in order, until it leaves the area or begins anew. */
async function tabThrough(page: Page, area: string) {
  const names: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    const name = await focusedName(page, area);
    if (name === null ? names.length > 0 : names.length > 1 && name === names[0]) break;
    if (name !== null) names.push(name);
    await page.keyboard.press("Tab");
  }
  return names;
}

async function openPage(page: Page, address: string) {
  await page.goto(address);
  await waitUntilLoaded(page);
}

/** Opens a dialog with the keyboard, follows Tab through it, and closes it with Escape. */
async function tabThroughDialog(page: Page, opener: string) {
  const button = page.getByRole("button", { name: opener, exact: true }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await waitUntilLoaded(page);
  const names = await tabThrough(page, "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button, `focus returns to ${opener}`).toBeFocused();
  return names;
}

const HEADER = ["Skip to content", "Lyceum", "Events", "Login", "Create an Account"];
const FOOTER = ["Privacy policy", "Cookie preferences"];

test("guests log in, create an account and register in the order that they read", async ({ app, browser }) => {
  const event = await addEvent(app, { title: "Talk in order" });
  const context = await browser.newContext();
  const page = await context.newPage();

  await openPage(page, `${app.url}/login`);
  expect(await tabThrough(page, "body")).toEqual([
    ...HEADER,
    "Email",
    "Password",
    "Show password",
    "Forgot your password?",
    "Login",
    "Log in with a passkey",
    "Create an Account",
    "Log in with a personnel number",
    ...FOOTER,
  ]);
  await openPage(page, `${app.url}/register`);
  expect(await tabThrough(page, "main")).toEqual([
    "Access code",
    "Name",
    "Email",
    "Password",
    "Show password",
    "Create an Account",
    "Login",
  ]);
  await openPage(page, `${app.url}/events/${event.slug}/register`);
  expect(await tabThrough(page, "main")).toEqual([
    "Talk in order",
    "Name",
    "Email",
    "Company (optional)",
    "How your data is used",
    "I have read this and agree",
    "Email me about other events by Marta Lindqvist (optional)",
    "Register",
  ]);
  await context.close();
});

test("admins fill in dialogs in the order that they read, and come back", async ({ app, browser }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await openPage(page, `${app.url}/companies`);
  expect(await tabThroughDialog(page, "Add company")).toEqual([
    "Name",
    "Time zone",
    "Contact name (optional)",
    "Contact email (optional)",
    "Learner limit (optional)",
    "Brand colour (optional)",
    "Pick a colour from the screen",
    "Cancel",
    "Add company",
    "Close",
  ]);
  await openPage(page, `${app.url}/learners`);
  expect(await tabThroughDialog(page, "Invite learners")).toEqual([
    "Company",
    "People",
    "Import CSV file",
    "Import a whole company",
    "Someone without an email address",
    "Set up a mail server",
    "Cancel",
    "Invite people",
    "Close",
  ]);
  await openPage(page, `${app.url}/variables`);
  expect(await tabThroughDialog(page, "Add variable")).toEqual([
    "Name",
    "Key",
    "Type",
    "Minimum",
    "Maximum",
    "Step",
    "Add a course",
    "More settings",
    "Cancel",
    "Add variable",
    "Close",
  ]);
  await context.close();
});

const firstOf = async (page: Page, path: string, app: ServerFixture, count: number) => {
  await openPage(page, app.url + path);
  return (await tabThrough(page, "main")).slice(0, count);
};

test("admins reach filters before figures, and the row before its menu", { tag: "@long" }, async ({ app, browser }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { name } = await addLearner(app, "Ada Order");
  const bot = await addBot(app, "Order tutor", { courseIds: [course.id], companyIds: [app.company.id] });
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);

  await openPage(page, `${app.url}/learners`);
  const learners = await tabThrough(page, "main");
  expect(learners.slice(0, 3)).toEqual(["Import from file", "Invite learners", "Search name, email or company"]);
  expect(learners.indexOf(`Select ${name}`)).toBeGreaterThan(learners.indexOf("Select all rows of this page"));
  expect(learners.indexOf(`Actions for ${name}`)).toBe(learners.indexOf(`Select ${name}`) + 2);

  expect(await firstOf(page, `/reports/course/${course.id}`, app, 8)).toEqual([
    "Probe 1.2",
    "Export",
    "Issue PDF",
    expect.stringContaining("Period:"),
    "Company",
    "More filters",
    "Views",
    expect.stringContaining("People assigned"),
  ]);
  expect(await firstOf(page, `/admin/chatbots/edit/${bot.id}`, app, 10)).toEqual([
    "Identity",
    "Behaviour",
    "Knowledge",
    "Model",
    "Variables",
    "Access",
    "Voice",
    "Limits and safety",
    "Name",
    "Description (optional)",
  ]);
  await context.close();
});

test("learners reach their course, their record and the message field", async ({ app, browser }) => {
  const ferry = { ...app, company: await app.admin.call(companies.create, { body: { name: "Ferry company" } }) };
  const course = await addCourse(ferry, titledPackage("Knots"));
  const bot = await addBot(ferry, "Tab tutor", { courseIds: [course.id], quickReplies: ["What is new?"] });
  const learner = await addLearner(ferry, "Ida Order");
  const { page, context } = await openAs(browser, learner, `${app.url}/login`);
  await expect(page).toHaveURL(/my-courses/);

  expect(await firstOf(page, "/today", app, 3)).toEqual(["Knots", "Start Knots", "Privacy policy"]);
  expect(await firstOf(page, "/my-courses", app, 7)).toEqual([
    "All",
    "Knots",
    "Start Knots",
    "Coming up, and why",
    "Open your record",
    "Open your certificates",
    "Tab tutor",
  ]);
  await openPage(page, `${app.url}/chatbot/${bot.id}`);
  await expect(page.getByLabel("Write to Tab tutor")).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await tabThrough(page, "body")).toEqual([
    "Back",
    "Earlier conversations",
    "Conversation",
    "What is new?",
    "Write to Tab tutor",
  ]);
  await context.close();
});
