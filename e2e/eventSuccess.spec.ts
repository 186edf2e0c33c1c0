import { addEvent } from "./eventsFixture.ts";
import { expect, test } from "./server.ts";

// What the page after a registration says

test("the success page claims no email that was not sent", async ({ browser, app }) => {
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
