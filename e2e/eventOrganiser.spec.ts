import type { Page } from "@playwright/test";
import { events } from "#shared/events/events.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent, addGuest, randomLetters, inDays } from "./eventsFixture.ts";
import { expect, openAs, test } from "./server.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Shows a section of the event form. */
const openSection = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: "Sections of the form" })
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();

test("creates, publishes and manages an event", async ({ browser, app }) => {
  await addEvent(app);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const title = `Lockout ${randomLetters()}`;
  await page.getByRole("link", { name: "Events", exact: true }).last().click();
  await page.getByRole("link", { name: "Create event" }).first().click();
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByText("Enter a title.")).toBeVisible();
  await page.getByLabel("Title").fill(title);
  await expect(page.getByRole("complementary").getByText(title)).toBeVisible();
  const cover = page.getByRole("complementary").locator('svg[viewBox="0 0 320 150"]');
  const initialCover = await cover.innerHTML();
  await openSection(page, "When and where");
  await page.getByLabel("Venue name").fill("Kulturhuset");
  await openSection(page, "Questions");
  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByLabel("Question", { exact: true }).fill("What do you hope for?");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page).toHaveURL(/\/admin\/events\/edit\//);
  expect(await cover.innerHTML()).toBe(initialCover);

  await test.step("publishing shows missing fields", async () => {
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page.getByText("Required before the event can be published.")).toBeVisible();
    await page.getByLabel("Privacy notice").fill("For this event only.");
    // A notification stays while the pointer is over it.
    await page.mouse.move(700, 880);
    await expect(page.getByRole("status").filter({ hasText: "Draft created" })).toBeHidden({ timeout: 8000 });
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page.getByText("Registration open", { exact: true })).toBeVisible();
    // One click shows one notification.
    await expect(page.locator(".mantine-Notification-root")).toHaveText([`“${title}” publishedCopy link`]);
  });
  await test.step("warns about unsaved changes", async () => {
    await openSection(page, "Basics");
    await page.getByLabel("Summary").fill("For office people.");
    await page.getByRole("link", { name: "Registrations" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("All changes saved")).toBeVisible();
  });
  await test.step("adds a person, shows the history and exports", async () => {
    await page.getByRole("link", { name: "Registrations" }).click();
    await page.getByRole("button", { name: "Add person" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Liv Aune");
    await dialog.getByLabel("Email", { exact: true }).fill(`liv.${randomLetters()}@norrvik.example`);
    await dialog.getByRole("button", { name: "Add person" }).click();
    await page.getByRole("button", { name: /^Liv Aune/ }).click();
    await expect(page.getByRole("dialog").getByText("Added by an organiser")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "CSV file" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
  });
  await context.close();
});

test("resolves a conflict between two organisers", async ({ browser, app }) => {
  const event = await addEvent(app);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/events/edit/${event.id}`);
  await page.getByLabel("Summary").fill("Mine");
  await app.admin.call(events.update, {
    params: { id: event.id },
    body: { version: event.version, summary: "Theirs" },
  });
  await page.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Theirs", { exact: true }).last()).toBeVisible();
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
  expect((await app.admin.call(events.get, { params: { id: event.id } })).summary).toBe("Mine");
  await context.close();
});

test("approves a request, duplicates and cancels an event", async ({ browser, app }) => {
  const event = await addEvent(app, { registrationMode: "approval" });
  await app.admin.call(eventRegistrations.register, {
    params: { slug: event.slug },
    body: {
      name: "Per Gynt",
      email: `per.${randomLetters()}@norrvik.example`,
      questionVersion: event.questionVersion,
      privacyAccepted: true,
    },
  });
  const { page, context } = await openAs(
    browser,
    ADMIN,
    `${app.url}/admin/events/${event.id}/registrations?state=pending_approval`,
  );
  await page.getByRole("checkbox", { name: "Select Per Gynt" }).check();
  await page.getByRole("button", { name: "Approve 1" }).click();
  await expect(page.getByText("1 request approved")).toBeVisible();
  await page.goto(`${app.url}/admin/events?q=${encodeURIComponent(event.title)}`);
  await page.getByRole("button", { name: `Actions for ${event.title}` }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Duplicate" }).click();
  await expect(page).toHaveURL(/\/admin\/events\/edit\//);
  await page.goto(`${app.url}/admin/events/edit/${event.id}`);
  // On a slow machine the page may scroll while the menu opens, which closes it.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Actions for ${event.title}` }).click({ timeout: 2000 });
    await page.getByRole("menuitem", { name: "Cancel event" }).click({ timeout: 4000 });
  }).toPass();
  await expect(page.getByText("We email your reason to 1 person.")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel event" }).click();
  await expect(page.getByText("Enter a reason. It is sent to everyone registered.")).toBeVisible();
  await page.getByLabel("Reason").fill("The room is flooded.");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel event" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  await context.close();
});

test("offers a seat beyond the capacity only if ticked", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app, { capacity: 1 });
  await addGuest(app, event, "Ingrid Solberg");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/events/${event.id}/registrations`);
  await expect(page.getByText("Ingrid Solberg")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Waiting list position" })).toHaveCount(0);
  for (const name of ["Bo Lie", "Tom Brandt", "Ana Ruiz"]) await addGuest(app, event, name, "waitlisted");
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Waiting list position" })).toBeVisible();
  await page.getByRole("button", { name: "Actions for Ana Ruiz" }).click();
  await page.getByRole("menuitem", { name: "Offer a seat" }).click();
  const dialog = page.getByRole("dialog", { name: "Offer a seat to Ana Ruiz?" });
  await expect(dialog.getByText("2 people are ahead of Ana Ruiz on the waiting list.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Offer a seat" })).toBeDisabled();
  await dialog.getByLabel("Exceed capacity").check();
  await dialog.getByRole("button", { name: "Offer a seat" }).click();
  await expect(page.getByText("1 seat offered")).toBeVisible();
  const { items } = await app.admin.call(eventRegistrations.list, {
    params: { id: event.id },
    query: { state: "offered" },
  });
  expect(items.map(({ name }) => name)).toEqual(["Ana Ruiz"]);
  await context.close();
});

test("shows bulk actions in the page header on a phone", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app);
  await addGuest(app, event, "Liv Aune");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/registrations`);
  await page.getByRole("button", { name: "Filters" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByLabel("Status")).toBeVisible();
  await expect(sheet.getByRole("button", { name: /Send email|Export/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.getByRole("button", { name: "More actions for this event" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as Excel file" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  await page.getByRole("button", { name: "More actions for this event" }).click();
  await page.getByRole("menuitem", { name: "Send email" }).click();
  await expect(page.getByRole("dialog").getByText("To the 1 person who is confirmed")).toBeVisible();
  await context.close();
});

test("shows speaker photos in the preview, also after a reload", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app, {}, false);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/events/edit/${event.id}`);
  await openSection(page, "Speakers");
  await page.getByRole("button", { name: "Add speaker" }).click();
  await page.locator("#speakers").getByLabel("Name").fill("Marta Lindqvist");
  await page
    .locator("#speakers")
    .locator('input[type="file"]')
    .setInputFiles({ name: "marta.png", mimeType: "image/png", buffer: PNG });
  const photo = page.getByRole("complementary").locator("#event-speakers ~ ul img");
  await expect(photo).toHaveCount(1);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
  await page.reload();
  await expect(photo).toHaveCount(1);
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(1);
  await context.close();
});

test("each section of the event form shows whether it is saved", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app, {}, false);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/events/edit/${event.id}#agenda`);
  await expect(page.getByRole("heading", { name: "Agenda", exact: true, level: 2 })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Basics" })).toBeHidden();
  const states = page
    .getByRole("navigation", { name: "Sections of the form" })
    .getByText(/^(Not saved|Needs correction)$/);
  await expect(states).toHaveCount(0);
  await openSection(page, "Basics");
  await page.getByLabel("Summary").fill("For everybody.");
  await openSection(page, "Speakers");
  await page.getByRole("button", { name: "Add speaker" }).click();
  await expect(states).toHaveText(["Not saved", "Not saved"]);
  await openSection(page, "Basics");
  await page.getByRole("button", { name: "Save changes" }).click();
  // The section with the error is shown, with the focus in its field.
  await expect(page.locator("#speakers").getByLabel("Name")).toBeFocused();
  await expect(states).toHaveText(["Not saved", "Needs correction"]);
  await page.locator("#speakers").getByLabel("Name").fill("Marta Lindqvist");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
  await expect(states).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toHaveCount(1);
  await context.close();
});

test("sorts the event list and chooses columns by keyboard", { tag: "@long" }, async ({ browser, app }) => {
  const uniqueWord = randomLetters();
  for (const days of [20, 3, 9])
    await addEvent(app, {
      title: `${uniqueWord} in ${String(days).padStart(2, "0")}`,
      startsLocal: inDays(days, "14:00"),
      endsLocal: inDays(days, "15:00"),
    });
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/admin/events?q=${uniqueWord}`);
  const order = async () => (await page.locator("tbody a").allTextContents()).map((title) => title.split(" ").at(-1));
  await expect.poll(order).toEqual(["03", "09", "20"]);
  const head = page.getByRole("columnheader").getByRole("button", { name: "Date" });
  for (const days of [
    ["20", "09", "03"],
    ["03", "09", "20"],
  ]) {
    await head.click();
    await expect.poll(order).toEqual(days);
  }
  await expect(page).toHaveURL(/sort=startsAt/);
  await head.click();
  await expect(page).not.toHaveURL(/sort=/);
  await page.getByRole("button", { name: "Columns" }).focus();
  await page.keyboard.press("Enter");
  const first = page.getByRole("menuitemcheckbox").first();
  await expect(first).toBeFocused();
  await page.keyboard.press("Space");
  await expect(first).toBeFocused();
  await page.keyboard.press("Escape");
  await context.close();
});
