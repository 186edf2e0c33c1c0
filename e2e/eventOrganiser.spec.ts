import { chromium, type Page } from "@playwright/test";
import { events } from "#shared/events.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent, addGuest, filmOf, letters, soon, ticketOf } from "./eventsFixture.ts";
import { expect, openAs, signIn, test } from "./server.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const door = (page: Page) => page.getByRole("status").filter({ has: page.locator("strong") });

test("an organiser creates an event with a question, publishes it and sees who registers", async ({ browser, app }) => {
  await addEvent(app);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  const title = `Lockout ${letters()}`;
  await page.getByRole("link", { name: "Events", exact: true }).last().click();
  await page.getByRole("link", { name: "Create event" }).first().click();
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByText("Enter a title.")).toBeVisible();
  await page.getByLabel("Title").fill(title);
  await expect(page.getByRole("complementary").getByText(title)).toBeVisible();
  const cover = page.getByRole("complementary").locator('svg[viewBox="0 0 320 150"]');
  const drawn = await cover.innerHTML();
  await page.getByLabel("Name of the place").fill("Kulturhuset");
  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByLabel("Question", { exact: true }).fill("What do you hope for?");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page).toHaveURL(/\/admin\/events\/edit\//);
  expect(await cover.innerHTML()).toBe(drawn);

  await test.step("publishing asks for what is missing, at its field", async () => {
    await expect(page.getByRole("button", { name: "Publish", exact: true })).toHaveCount(2);
    await page.getByRole("button", { name: "Publish", exact: true }).first().click();
    await expect(page.getByText("Required before the event can be published.")).toBeVisible();
    await page.getByLabel("Privacy notice").fill("For this event only.");
    // A notice stays while the pointer is on it.
    await page.mouse.move(700, 880);
    await expect(page.getByRole("status").filter({ hasText: "Draft created" })).toBeHidden({ timeout: 8000 });
    await page.getByRole("button", { name: "Publish", exact: true }).last().click();
    await expect(page.getByText("Registration open")).toBeVisible();
    // One press, one notice.
    await expect(page.locator(".mantine-Notification-root")).toHaveText([`“${title}” is publishedCopy link`]);
  });
  await test.step("unsaved changes are not lost by a click", async () => {
    await page.getByLabel("In one sentence").fill("For office people.");
    await page.getByRole("link", { name: "Registrations" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Everything is saved")).toBeVisible();
  });
  await test.step("adds somebody by hand, sees the history, exports", async () => {
    await page.getByRole("link", { name: "Registrations" }).click();
    await page.getByRole("button", { name: "Add person" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Liv Aune");
    await dialog.getByLabel("Email").fill(`liv.${letters()}@norrvik.example`);
    await dialog.getByRole("button", { name: "Add person" }).click();
    await page.getByRole("button", { name: /^Liv Aune/ }).click();
    await expect(page.getByRole("dialog").getByText("Added by hand")).toBeVisible();
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

test("two organisers change one event: the second is asked, nothing is lost", async ({ browser, app }) => {
  const event = await addEvent(app);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/edit/${event.id}`);
  await page.getByLabel("In one sentence").fill("Mine");
  await app.admin.call(events.update, {
    params: { id: event.id },
    body: { version: event.version, summary: "Theirs" },
  });
  await page.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Theirs", { exact: true }).last()).toBeVisible();
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByText("Everything is saved")).toBeVisible();
  expect((await app.admin.call(events.get, { params: { id: event.id } })).summary).toBe("Mine");
  await context.close();
});

test("approve, cancel with a reason, duplicate", async ({ browser, app }) => {
  const event = await addEvent(app, { registrationMode: "approval" });
  await app.admin.call(eventRegistrations.register, {
    params: { slug: event.slug },
    body: {
      name: "Per Gynt",
      email: `per.${letters()}@norrvik.example`,
      questionVersion: event.questionVersion,
      privacyAccepted: true,
    },
  });
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/registrations?state=pending_approval`);
  await page.getByRole("checkbox", { name: "Select Per Gynt" }).check();
  await page.getByRole("button", { name: "Approve 1" }).click();
  await expect(page.getByText("1 request approved")).toBeVisible();
  await page.goto(`${app.url}/admin/events?q=${encodeURIComponent(event.title)}`);
  await page.getByRole("button", { name: `Actions for ${event.title}` }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Duplicate" }).click();
  await expect(page).toHaveURL(/\/admin\/events\/edit\//);
  await page.goto(`${app.url}/admin/events/edit/${event.id}`);
  // On a busy machine the page may scroll while the menu opens, and the menu hides with its button.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Actions for ${event.title}` }).click({ timeout: 2000 });
    await page.getByRole("menuitem", { name: "Cancel event" }).click({ timeout: 4000 });
  }).toPass();
  await expect(page.getByText("1 person gets a mail with your reason.")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel event" }).click();
  await expect(page.getByText("Enter the reason that people will read.")).toBeVisible();
  await page.getByLabel("Reason").fill("The room is flooded.");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel event" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  await context.close();
});

test("the door: by name, by hand scanner, undo, and without network", async ({ browser, app }) => {
  const event = await addEvent(app);
  const [liv, per, mia] = [
    await addGuest(app, event, "Liv Aune"),
    await addGuest(app, event, "Per Gynt"),
    await addGuest(app, event, "Mia Chen"),
  ];
  const tickets = { liv: await ticketOf(app, liv.email), mia: await ticketOf(app, mia.email) };
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/check-in`);
  const find = page.getByRole("searchbox", { name: "Name, email or ticket" });
  const came = async () => (await app.admin.call(events.get, { params: { id: event.id } })).counts.attended;

  await test.step("a hand scanner types the ticket and Enter", async () => {
    await expect(page.getByText("Liv Aune")).toBeVisible();
    await find.fill(tickets.liv);
    await find.press("Enter");
    await expect(door(page)).toContainText("Welcome. Checked in.");
    await find.fill(tickets.liv);
    await page.waitForTimeout(4200);
    await find.press("Enter");
    await expect(door(page)).toContainText("Already here since");
    expect(await came()).toBe(1);
  });
  let gone = "";
  await test.step("a long address makes the page of the phone no wider", async () => {
    const long = await app.admin.call(eventRegistrations.add, {
      params: { id: event.id },
      body: { name: "Wilhelmina", email: `${"wilhelmina.van.den.berg.".repeat(2)}${letters()}@norrvik-maskin.example` },
    });
    await app.admin.call(eventRegistrations.checkIn, { params: { id: long.id }, body: {} });
    await page.reload();
    await expect(page.getByRole("button", { name: /^Wilhelmina/ })).toBeVisible();
    await expect(page.getByText("Here since").first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await app.admin.call(eventRegistrations.undoCheckIn, { params: { id: long.id } });
    await app.admin.call(eventRegistrations.cancel, {
      params: { id: event.id },
      body: { ids: [long.id], notify: false },
    });
    gone = long.reference;
  });
  await test.step("by name, and back", async () => {
    await find.fill("gynt");
    await find.press("Enter");
    await expect(door(page)).toContainText("Per Gynt");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(door(page)).toContainText("The check-in is taken back.");
    expect(await came()).toBe(1);
  });
  await test.step("what is no ticket is refused", async () => {
    await find.fill(tickets.mia.slice(0, -4) + "AAAA");
    await find.press("Enter");
    await expect(door(page)).toContainText("Not on the list");
    await expect(door(page)).toContainText("This ticket is not valid for this event.");
    await find.fill("00ZZ00ZZ00");
    await find.press("Enter");
    await expect(door(page)).toContainText("00ZZ00ZZ00");
    await find.fill(gone.toLowerCase());
    await find.press("Enter");
    await expect(door(page)).toContainText("Cancelled on");
    await expect(door(page)).toContainText("Wilhelmina");
  });
  await test.step("without network everything is kept, also over the end of the outage", async () => {
    await context.setOffline(true);
    await find.fill(tickets.mia);
    await find.press("Enter");
    await expect(door(page)).toContainText("Sent when the network is back");
    await expect(door(page)).toContainText("Mia Chen");
    await page.getByRole("button", { name: /^Per Gynt|Per Gynt.*Check in/ }).click();
    await expect(page.getByText("2 check-ins are not sent yet")).toBeVisible();
    expect(await came()).toBe(1);
    await context.setOffline(false);
    await expect(page.getByText("not sent yet")).toBeHidden({ timeout: 20_000 });
    await expect.poll(came).toBe(3);
    expect(per.attendedAt).toBeNull();
  });
  await context.close();
});

test("the door: the camera reads the code off a phone", async ({ app, launchOptions }) => {
  const event = await addEvent(app);
  const guest = await addGuest(app, event, "Sara Haugen");
  const film = filmOf(await ticketOf(app, guest.email));
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  const page = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ["camera"] })
  ).newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/check-in`);
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(door(page)).toContainText("Sara Haugen", { timeout: 30_000 });
  await expect(door(page)).toContainText("Checked in");
  await browser.close();
});

test("the waiting list: offering a seat says who is ahead, and beyond the seats only when ticked", async ({
  browser,
  app,
}) => {
  const event = await addEvent(app, { capacity: 1 });
  await addGuest(app, event, "Ingrid Solberg");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/registrations`);
  await expect(page.getByText("Ingrid Solberg")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Place in line" })).toHaveCount(0);
  for (const name of ["Bo Lie", "Tom Brandt", "Ana Ruiz"]) await addGuest(app, event, name, "waitlisted");
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Place in line" })).toBeVisible();
  await page.getByRole("button", { name: "Actions for Ana Ruiz" }).click();
  await page.getByRole("menuitem", { name: "Offer a seat" }).click();
  const dialog = page.getByRole("dialog", { name: "Offer a seat to Ana Ruiz?" });
  await expect(dialog.getByText("2 people are ahead of Ana Ruiz on the waiting list.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Offer a seat" })).toBeDisabled();
  await dialog.getByLabel("Go over capacity").check();
  await dialog.getByRole("button", { name: "Offer a seat" }).click();
  await expect(page.getByText("1 seat offered")).toBeVisible();
  const { items } = await app.admin.call(eventRegistrations.list, {
    params: { id: event.id },
    query: { state: "offered" },
  });
  expect(items.map(({ name }) => name)).toEqual(["Ana Ruiz"]);
  await context.close();
});

test("on a phone: acts stand in the head, the filters hold only filters", async ({ browser, app }) => {
  const event = await addEvent(app);
  await addGuest(app, event, "Liv Aune");
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/registrations`);
  await page.getByRole("button", { name: "Filters" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByLabel("State")).toBeVisible();
  await expect(sheet.getByRole("button", { name: /Write a mail|Export/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.getByRole("button", { name: "More for this event" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as Excel file" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  await page.getByRole("button", { name: "More for this event" }).click();
  await page.getByRole("menuitem", { name: "Write a mail" }).click();
  await expect(page.getByRole("dialog").getByText("To the 1 person who has a place")).toBeVisible();
  await context.close();
});

test("photos of speakers stand in the preview, also after a reload", async ({ browser, app }) => {
  const event = await addEvent(app, {}, false);
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/edit/${event.id}`);
  await page.getByRole("button", { name: "Add speaker" }).click();
  await page.locator("#speakers").getByLabel("Name").fill("Marta Lindqvist");
  await page
    .locator("#speakers")
    .locator('input[type="file"]')
    .setInputFiles({ name: "marta.png", mimeType: "image/png", buffer: PNG });
  const photo = page.getByRole("complementary").locator("#event-speakers ~ ul img");
  await expect(photo).toHaveCount(1);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Everything is saved")).toBeVisible();
  await page.reload();
  await expect(photo).toHaveCount(1);
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(1);
  await context.close();
});

test("the list starts with the next event; a third press on a head brings that back, and columns are chosen by keyboard", async ({
  browser,
  app,
}) => {
  const word = letters();
  for (const days of [20, 3, 9])
    await addEvent(app, {
      title: `${word} in ${String(days).padStart(2, "0")}`,
      startsLocal: soon(days, "14:00"),
      endsLocal: soon(days, "15:00"),
    });
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events?q=${word}`);
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
