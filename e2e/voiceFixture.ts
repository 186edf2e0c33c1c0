import type { Page } from "@playwright/test";
import { setColorScheme } from "./layout.ts";
import config from "./playwright.config.ts";
import { expect } from "./server.ts";

// Chromium with a microphone that it makes up: it beeps, and the stand-in for the provider says what was heard.

const launch = config.use?.launchOptions ?? {};
export const withMicrophone = {
  ...launch,
  args: [
    ...(launch.args ?? []),
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--autoplay-policy=user-gesture-required",
  ],
};

export async function shoot(page: Page, name: string) {
  if (!process.env.SHOTS) return;
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, animations: "disabled" });
  await setColorScheme(page, "dark");
  await page.screenshot({ path: `${process.env.SHOTS}/${name}-dark.png`, animations: "disabled" });
  await setColorScheme(page, "light");
}
export const panel = (page: Page) => page.getByRole("region", { name: "Voice conversation" });
export const talk = (page: Page) => page.getByRole("button", { name: "Push to talk" });
export const stage = (page: Page, word: string) => expect(panel(page).getByText(word, { exact: true })).toBeVisible();
export const transcript = (page: Page) => page.getByRole("region", { name: "Conversation", exact: true });

/** Waits until something has been recorded: a shorter press is taken for a mistake. */
export async function listening(page: Page) {
  await stage(page, "Listening");
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((start) => performance.now() > start + 500, since);
}
