import type { Page } from "@playwright/test";
import { addEvent, addGuest, randomLetters } from "./eventsFixture.ts";
import { expect, test } from "./server.ts";

// What the page after a registration says

test("the success page claims no email that was not sent", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${app.url}/events/nope/success`);
  await expect(page.getByRole("heading", { level: 1, name: "Event not found" })).toBeVisible();
  await expect(page.locator("body")).not.toContainText(/we sent/i);
  await page.goto(`${app.url}/events/${event.slug}/success`);
  await expect(page.getByRole("heading", { level: 1, name: "No registration in this tab" })).toBeVisible();
  await expect(page.locator("body")).not.toContainText(/we sent/i);
  await page.getByRole("main").getByRole("link", { name: "Register", exact: true }).click();
  await expect(page).toHaveURL(`${app.url}/events/${event.slug}/register`);
  await page.context().close();
});

async function register(page: Page, address: string, email: string) {
  await page.goto(`${address}/register`);
  await page.getByLabel("Name").fill("Gro Gjest");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("I have read this and agree").check();
  await page
    .getByRole("main")
    .getByRole("button", { name: /^(Register|Apply|Join the waiting list)$/ })
    .click();
}

test("the success page says the outcome, and where the link is without emails", async ({ browser, app }) => {
  const page = await (await browser.newContext()).newPage();
  const outcomes = [
    { input: {}, title: "Your seat is confirmed" },
    { input: { capacity: 1 }, title: "You are on the waiting list", full: true },
    { input: { registrationMode: "approval" as const }, title: "Your request is awaiting approval" },
    { input: { requireEmailConfirmation: true }, title: "Your registration is not finished" },
  ];
  for (const { input, title, full } of outcomes) {
    const event = await addEvent(app, input);
    if (full) await addGuest(app, event, "Liv Aune");
    await register(page, `${app.url}/events/${event.slug}`, `gro.${randomLetters()}@norrvik.example`);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(/sends no emails at present.*ask events@lyceum.example/i)).toBeVisible();
    await expect(page.locator("body")).not.toContainText(/we sent/i);
    await expect(page.getByRole("link", { name: "Open my registration" })).toHaveCount(0);
  }
  await page.context().close();
});
