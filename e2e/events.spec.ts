import type { Page } from "@playwright/test";
import { events } from "#shared/events/events.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { addEvent, addGuest, randomLetters, registrationLink } from "./eventsFixture.ts";
import { addLearner, expect, type ServerFixture, signIn, test, undecided } from "./server.ts";

const phone = { width: 390, height: 844 };
const q = [0, 1].map(() => crypto.randomUUID()) as [string, string];
const questions = [
  { id: q[0], label: "Do you lead a team?", kind: "choice" as const, options: ["Yes", "Not yet"], required: true },
  {
    id: q[1],
    label: "How many people?",
    kind: "select" as const,
    options: ["1 to 5", "More"],
    required: true,
    showIf: { questionId: q[0], equals: "Yes" },
  },
];
const statesOf = async (app: ServerFixture, id: string) =>
  (await app.admin.call(eventRegistrations.list, { params: { id } })).items.map(({ state }) => state);

async function fillIn(page: Page, name: string, email: string) {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("I have read this and agree").check();
}

test("a visitor registers on a phone, confirms by email and gets a ticket", async ({ browser, app }) => {
  const event = await addEvent(app, { title: "Difficult conversations", requireEmailConfirmation: true, questions });
  // The cookie banner is still open and must not obstruct the form.
  const context = await undecided(browser, { viewport: phone, hasTouch: true, acceptDownloads: true });
  const page = await context.newPage();
  const email = `liv.${randomLetters()}@halden.example`;
  const begin = Date.now();

  await page.goto(`${app.url}/events`);
  await page.getByRole("link", { name: "Difficult conversations" }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "Difficult conversations" })).toBeVisible();
  await page.getByRole("link", { name: "Register", exact: true }).filter({ visible: true }).tap();
  await fillIn(page, "Liv Aune", email);
  await page.getByLabel("Yes", { exact: true }).check();
  await page.getByLabel("How many people?").selectOption("1 to 5");
  await page.getByRole("button", { name: "Register", exact: true }).tap();
  await expect(page.getByRole("heading", { name: "Your registration is not finished" })).toBeVisible();
  expect(Date.now() - begin).toBeLessThan(60_000);
  expect(page.url()).not.toContain("halden");
  await page.reload();
  await expect(page.getByText(email)).toBeVisible();

  await test.step("the button confirms, opening the link does not", async () => {
    await page.goto(await registrationLink(app, email));
    await expect(page.getByRole("button", { name: "Confirm registration" })).toBeVisible();
    expect(await statesOf(app, event.id)).toEqual(["pending_email"]);
    await page.getByRole("button", { name: "Confirm registration" }).tap();
    await expect(page.getByText("Your seat is confirmed")).toBeVisible();
    await expect(page.getByRole("img", { name: "QR code of your ticket" })).toBeVisible();
    expect(await statesOf(app, event.id)).toEqual(["confirmed"]);
  });

  await test.step("changes, exports, cancels and deletes the registration", async () => {
    await page.getByRole("button", { name: "Change", exact: true }).tap();
    await page.getByLabel("Company").fill("Halden Marine");
    await page.getByLabel("Not yet").check();
    await expect(page.getByLabel("How many people?")).toBeHidden();
    await page.getByRole("button", { name: "Save changes" }).tap();
    await expect(page.getByText("Halden Marine")).toBeVisible();
    await expect(page.locator("dd code")).toHaveText(/^[0-9A-Z]{10}$/);
    const [copy] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download my data" }).tap(),
    ]);
    expect(copy.suggestedFilename()).toMatch(/\.json$/);
    await page.getByRole("button", { name: "Cancel registration" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel registration" }).tap();
    await expect(page.getByRole("heading", { name: "Your registration is cancelled" })).toBeVisible();
    await page.getByRole("button", { name: "Delete my data" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Delete my data" }).tap();
    await expect(page.getByRole("heading", { name: "Your data is deleted" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  });
  await context.close();
});

test("shows errors at their fields and keeps the draft over a reload", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app, { questions, challenge: "pow" });
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  await page.goto(`${app.url}/events/${event.slug}/register`);
  await page.getByRole("button", { name: "Register", exact: true }).click();
  for (const message of [
    "Enter your name.",
    "Enter your email address.",
    "Answer this question.",
    "Agree to the privacy notice to register.",
  ])
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  await expect(page.getByRole("alert").getByRole("button")).toHaveCount(4);
  await page.getByLabel("I have read this and agree").check();
  await expect(page.getByText("Agree to the privacy notice to register.")).toHaveCount(0);
  await page.getByLabel("I have read this and agree").uncheck();
  await page.getByLabel("Name").focus();
  await expect(page.getByLabel("Name")).toBeFocused();
  const email = `per.${randomLetters()}@norrvik.example`;
  await page.getByLabel("Name").fill("Buy at https://spam.example");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Not yet").check();
  await page.reload();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
  await expect(page.getByLabel("Not yet")).toBeChecked();
  await page.getByLabel("I have read this and agree").check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText("Remove links from this field.")).toBeVisible();
  await page.getByLabel("Name").fill("Per Gynt");
  await page.getByRole("button", { name: "Register", exact: true }).dblclick();
  await expect(page.getByRole("heading", { name: "Your seat is confirmed" })).toBeVisible();
  expect(await statesOf(app, event.id)).toEqual(["confirmed"]);
  await page.context().close();
});

test("can be completed by keyboard alone", async ({ browser, app }) => {
  const event = await addEvent(app, { title: `Keys ${randomLetters()}` });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${app.url}/events`);
  await expect(page.getByRole("link", { name: event.title, exact: true })).toBeVisible();
  const tabTo = async (found: () => Promise<boolean>) => {
    for (let i = 0; i < 80 && !(await found()); i++) await page.keyboard.press("Tab");
    expect(await found()).toBe(true);
  };
  const at = (what: string) => page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, what);
  await tabTo(() => at(`a[href="/events/${event.slug}"]`));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: event.title })).toBeVisible();
  await tabTo(() => at(`a[href="/events/${event.slug}/register"]`));
  await page.keyboard.press("Enter");
  await tabTo(() => at('input[name="name"]'));
  await page.keyboard.type("Ola Nordmann");
  await page.keyboard.press("Tab");
  await page.keyboard.type(`ola.${randomLetters()}@norrvik.example`);
  await tabTo(() => at('input[name="privacyAccepted"]'));
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/success/);
  await page.context().close();
});

test("a guest joins the waiting list and accepts an offered seat", async ({ browser, app }) => {
  const event = await addEvent(app, { capacity: 1 });
  const first = await addGuest(app, event, "Ingrid Solberg");
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  const email = `wait.${randomLetters()}@norrvik.example`;
  await page.goto(`${app.url}/events/${event.slug}`);
  await page.getByRole("link", { name: "Join the waiting list" }).filter({ visible: true }).click();
  await fillIn(page, "Tom Brandt", email);
  await page.getByRole("button", { name: "Join the waiting list" }).click();
  await expect(page).toHaveURL(/\/success/);
  const link = await registrationLink(app, email);
  await page.goto(link);
  await expect(page.getByText("You are number 1 of 1 on the waiting list")).toBeVisible();
  await app.admin.call(eventRegistrations.cancel, { params: { id: event.id }, body: { ids: [first.id] } });
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("button", { name: "Accept seat" })).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 30_000 });
  await page.getByRole("button", { name: "Accept seat" }).click();
  await expect(page.getByText("Your seat is confirmed")).toBeVisible();
  await page.context().close();
});

test("hides restricted events, opens one by its code, and shows a cancellation", async ({ browser, app }) => {
  const coded = await addEvent(app, { title: `Secret ${randomLetters()}`, visibility: "code", accessCode: "olive" });
  const unlisted = await addEvent(app, { title: `Quiet ${randomLetters()}`, visibility: "unlisted" });
  const draft = await addEvent(app, { title: `Draft ${randomLetters()}` }, false);
  const off = await addEvent(app, { title: `Off ${randomLetters()}` });
  await app.admin.call(events.cancel, {
    params: { id: off.id },
    body: { version: off.version, reason: "The pass is closed." },
  });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${app.url}/events`);
  await expect(page.getByRole("link", { name: off.title, exact: true })).toBeVisible();
  for (const { title } of [coded, unlisted, draft]) await expect(page.getByText(title)).toHaveCount(0);
  await page.goto(`${app.url}/events/${draft.slug}`);
  await expect(page.getByRole("heading", { name: "Event not found" })).toBeVisible();
  await page.goto(`${app.url}/events/${unlisted.slug}`);
  await expect(page.getByRole("heading", { name: unlisted.title })).toBeVisible();
  await page.goto(`${app.url}/events/${coded.slug}`);
  await page.getByLabel("Event code").fill("walnut");
  await page.getByRole("button", { name: "Open event" }).click();
  await expect(page.getByText("This code is not valid. Check it and try again.")).toBeVisible();
  await page.getByLabel("Event code").fill("Olive");
  await page.getByRole("button", { name: "Open event" }).click();
  await expect(page.getByRole("heading", { name: coded.title })).toBeVisible();
  await page.getByRole("link", { name: "Register", exact: true }).filter({ visible: true }).click();
  await fillIn(page, "Mia Chen", `mia.${randomLetters()}@norrvik.example`);
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page).toHaveURL(/\/success/);
  expect(await statesOf(app, coded.id)).toEqual(["confirmed"]);
  await page.goto(`${app.url}/events/${off.slug}`);
  await expect(page.getByText("The pass is closed.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Register", exact: true })).toHaveCount(0);
  await page.context().close();
});

test("a guest can apply for a full event with approval", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app, {
    title: `Masterclass ${randomLetters()}`,
    capacity: 1,
    registrationMode: "approval",
  });
  await addGuest(app, event, "Ingrid Solberg");
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${app.url}/events`);
  await expect(page.getByRole("link", { name: `Apply for ${event.title}` })).toHaveText("Apply");
  await page.goto(`${app.url}/events/${event.slug}`);
  await expect(page.getByText("All seats are taken. You can still apply")).toBeVisible();
  await page.getByRole("link", { name: "Apply", exact: true }).filter({ visible: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apply" })).toBeVisible();
  await expect(page.getByText("All seats are taken. You can still apply")).toBeVisible();
  await fillIn(page, "Tom Brandt", `tom.${randomLetters()}@norrvik.example`);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page).toHaveURL(/\/success/);
  expect((await statesOf(app, event.id)).toSorted()).toEqual(["confirmed", "pending_approval"]);
  // As the page announces, approved guests join the waiting list.
  const [{ id } = { id: "" }] = (
    await app.admin.call(eventRegistrations.list, { params: { id: event.id }, query: { state: "pending_approval" } })
  ).items;
  expect(await app.admin.call(eventRegistrations.approve, { params: { id: event.id }, body: { ids: [id] } })).toEqual({
    changed: 1,
    waitlisted: 1,
  });
  await page.context().close();
});

test("fills in the name of a user who signs in after opening the form", { tag: "@long" }, async ({ browser, app }) => {
  const event = await addEvent(app);
  const learner = await addLearner(app, "Jonas Hagen");
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${app.url}/events/${event.slug}/register`);
  await expect(page.locator("#root")).not.toHaveAttribute("data-rendered");
  await page.getByLabel("Company").fill("Norrvik Energi");
  await expect(page.getByLabel("Name")).toHaveValue("");
  await page.goto(`${app.url}/login`);
  await signIn(page, learner);
  await expect(page).toHaveURL(/my-courses/);
  await page.goto(`${app.url}/events/${event.slug}/register`);
  await expect(page.getByLabel("Name")).toHaveValue("Jonas Hagen");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(learner.email);
  await expect(page.getByLabel("Company")).toHaveValue("Norrvik Energi");
  await page.getByLabel("I have read this and agree").check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page).toHaveURL(/\/success/);
  expect(await statesOf(app, event.id)).toEqual(["confirmed"]);
  await page.context().close();
});

test(
  "shows a round mark for a person and a square one for an organisation",
  { tag: "@long" },
  async ({ browser, app }) => {
    const page = await (await browser.newContext()).newPage();
    for (const [organiserKind, radius] of [
      ["person", "50%"],
      ["organisation", "7px"],
    ] as const) {
      const event = await addEvent(app, { organiserKind, organiserName: "Marta Lindqvist" });
      await page.goto(`${app.url}/events/${event.slug}`);
      await expect(page.getByText("ML", { exact: true }).first()).toHaveCSS("border-radius", radius);
    }
    await page.context().close();
  },
);

test("browses a month on a phone by tap and arrow keys", async ({ browser, app }) => {
  const day = new Date(Date.now() + 45 * 86_400_000).toISOString().slice(0, 10);
  const event = await addEvent(app, {
    title: `Far off ${randomLetters()}`,
    startsLocal: `${day}T10:00`,
    endsLocal: `${day}T11:00`,
  });
  const page = await (await browser.newContext({ viewport: phone, timezoneId: "Europe/Oslo" })).newPage();
  await page.goto(`${app.url}/events?view=month&month=${day.slice(0, 7)}`);
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(1);
  const cell = page.locator(`[data-day="${day}"]`);
  await expect(cell).toHaveAccessibleName(/, \d+ events?$/);
  await expect(page.getByRole("link", { name: event.title, exact: true })).toBeVisible();
  await cell.click();
  await expect(page.getByRole("link", { name: event.title, exact: true })).toBeVisible();
  const empty = Number(day.slice(8)) > 20 ? "ArrowUp" : "ArrowDown";
  await page.keyboard.press(empty);
  await page.keyboard.press("Enter");
  await expect(page.getByText("No events on this day.")).toBeVisible();
  await page.getByRole("button", { name: "Whole month" }).click();
  await expect(page.getByRole("link", { name: event.title, exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Today" }).click();
  await expect(page).not.toHaveURL(/month=2/);
  await expect(page.getByRole("button", { name: "Today" })).toBeDisabled();
  await page.context().close();
});
