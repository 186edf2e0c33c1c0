import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { CONSENT_KEYS } from "#shared/consent/consent.ts";
import { type ServerFixture, undecided } from "./server.ts";

export const banner = (page: Page) => page.getByRole("region", { name: "Your cookie choice" });
export const button = (page: Page, name: string) => banner(page).getByRole("button", { name, exact: true });

/** The choice stored in the browser. */
export const readChoice = (page: Page) =>
  page.evaluate(
    (keys) => ({
      status: localStorage.getItem(keys.status),
      preferences: JSON.parse(localStorage.getItem(keys.preferences) ?? "null"),
      meta: JSON.parse(localStorage.getItem(keys.meta) ?? "null"),
    }),
    CONSENT_KEYS,
  );

/** Opens a page in a new browser context without a cookie choice. */
export async function openUndecided(
  browser: Browser,
  app: ServerFixture,
  path = "/",
  options: BrowserContextOptions = {},
) {
  const context = await undecided(browser, options);
  const page = await context.newPage();
  await page.goto(app.url + path);
  return { context, page };
}
