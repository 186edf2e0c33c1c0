import type { Page } from "@playwright/test";
import { sampled } from "#test/long.ts";
import { ADMIN } from "#test/process.ts";
import { findViolations } from "./axe.ts";
import { addBot } from "./chatFixture.ts";
import { waitUntilLoaded } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, expect, openAs, test } from "./server.ts";

// Keyboard focus: where it is, and that it is visible

/** A page, and the button that opens a dialog with fields. */
const dialogs: [path: string, open: string][] = [
  ["/companies", "Add company"],
  ["/learners", "Invite learners"],
  ["/variables", "Add variable"],
  ["/admin/prompts", "New prompt"],
  ["/admin/button-prompts", "New button prompt"],
  ["/admin/connectors", "Add connection"],
  ["/admin/connectors?tab=flows", "Add data flow"],
  ["/admin/settings?tab=integrations", "Create API key"],
  ["/admin/settings?tab=integrations&kind=webhooks", "Add webhook"],
  ["/admin/settings?tab=admins", "Invite admin"],
  ["/admin/documents", "Upload documents"],
  ["/account", "Change email address"],
];

test("dialogs open with the focus on their first field and without an open list", async ({ app, browser }) => {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  for (const [path, open] of dialogs) {
    await page.goto(app.url + path);
    await waitUntilLoaded(page);
    await page.getByRole("button", { name: open, exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    const fields = dialog.locator('input:not([type="hidden"], [type="file"]), textarea').filter({ visible: true });
    const focused = dialog.locator(":is(input, textarea):focus");
    await expect(focused, `${open} on ${path}`).toHaveCount(1);
    const [first] = await fields.all();
    const isFirst = await first?.evaluate(
      (field: HTMLInputElement) =>
        field === document.activeElement ||
        (field.type === "radio" && field.closest("form")?.contains(document.activeElement)),
    );
    expect(isFirst, `${open} on ${path}`).toBe(true);
    await expect(page.getByRole("listbox"), `${open} on ${path}`).toHaveCount(0);
    expect(await findViolations(page, ["aria-dialog-name"])).toEqual([]);
  }
  await context.close();
});

/** Focusable elements that show no ring of 2 px when focused, neither on themselves nor on an element around them. */
const findWithoutRing = (page: Page) =>
  page.evaluate(() => {
    const isRing = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) =>
      outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)|transparent/.test(outlineColor);
    const hasRing = (element: Element | null) =>
      element !== null && [null, "::before", "::after"].some((pseudo) => isRing(getComputedStyle(element, pseudo)));
    const focusable = [
      ...document.querySelectorAll<HTMLElement | SVGElement>(
        "a[href], button, summary, input, select, textarea, [tabindex]",
      ),
    ].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(":disabled, [type=hidden], [type=file]") &&
        element.getClientRects().length > 0,
    );
    const without = focusable.filter((element) => {
      element.focus({ preventScroll: true });
      if (document.activeElement !== element) return false;
      const around = [element.parentElement, element.parentElement?.parentElement ?? null];
      return ![element, element.nextElementSibling, ...around].some(hasRing);
    });
    const describe = (element: Element) =>
      [
        `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`,
        `“${(element.textContent ?? "").trim().slice(0, 40)}”`,
      ].join(" ");
    return [...new Set(without.map(describe))].slice(0, 8);
  });

test("every element with the keyboard focus shows a ring of 2 px", async ({ app, browser }) => {
  test.slow();
  const course = await addCourse(app, probePackage("1.2"));
  const learner = await addLearner(app, "Ada Ring");
  const bot = await addBot(app, "Ring tutor", { courseIds: [course.id] });
  const look = async (page: Page, paths: string[]) => {
    for (const path of paths) {
      await page.goto(app.url + path);
      await waitUntilLoaded(page);
      await page.keyboard.press("Tab");
      expect(await findWithoutRing(page), path).toEqual([]);
    }
  };
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const paths = [
    "/dashboard?figure=completed",
    "/courses",
    `/courses/${course.id}`,
    "/companies",
    `/companies/${app.company.id}`,
    `/reports/company/${app.company.id}`,
    `/reports/course/${course.id}`,
    "/learners",
    "/variables",
    "/admin/chatbots",
    `/admin/chatbots/edit/${bot.id}`,
    "/admin/connectors",
    "/admin/prompts",
    "/admin/documents",
    "/admin/events",
    "/admin/learner-data",
    "/admin/learner-data/statements",
    "/admin/mails",
    "/admin/audit",
    "/admin/settings",
    "/admin/settings?tab=policy",
    "/analysis/chatbot",
    "/reports/conversation-analytics",
    "/account",
    "/privacy-settings",
    "/events",
  ];
  await look(page, sampled("rings", paths, 12));
  const other = await openAs(browser, learner, `${app.url}/login`);
  await expect(other.page).toHaveURL(/my-courses/);
  await look(other.page, ["/my-courses", `/courses/${course.id}`, "/account", "/reports/chatbots"]);
  const guest = await (await browser.newContext()).newPage();
  await look(guest, ["/", "/login", "/register", "/events", "/privacy-policy"]);
  await Promise.all([context.close(), other.context.close(), guest.context().close()]);
});
