import type { Page } from "@playwright/test";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, sizesFor } from "./layout.ts";
import { probePackage } from "./packages.ts";
import { addCourse, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

const OWN_PIN = "739164";

async function allowPins({ admin, company }: ServerFixture) {
  const { items } = await admin.call(companies.list, { query: { q: company.name } });
  const body = { pinLogin: "pin" as const, version: items[0]?.version ?? 1 };
  if (items[0]?.pinLogin === "off") await admin.call(companies.update, { params: { id: company.id }, body });
}

async function addPerson(app: ServerFixture, name: string, personnelNumber: string) {
  await allowPins(app);
  const body = { companyId: app.company.id, name, personnelNumber };
  const { id } = await app.admin.call(learners.create, { body });
  return app.admin.call(learners.issuePin, { params: { id }, body: {} });
}
type Issued = Awaited<ReturnType<typeof addPerson>>;

/** The first login with a scanned card. */
async function scan(page: Page, url: string, { card, pin }: Issued, { shared }: { shared: boolean }) {
  await page.goto(`${url}/login/pin#card=${card}`);
  await expect(page).toHaveURL(`${url}/login/pin`);
  await page.getByLabel("PIN", { exact: true }).fill(pin);
  if (shared) await page.getByLabel("Several people use this device").check();
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByLabel("New PIN", { exact: true }).fill(OWN_PIN);
  await page.getByLabel("Repeat the new PIN").fill(OWN_PIN);
  await page.getByRole("button", { name: "Save and log in" }).click();
  await expect(page).toHaveURL(/my-courses/);
}

for (const [size, viewport] of sizesFor("peopleWithoutEmail"))
  test(`an admin adds a person without an address, who logs in (${size})`, async ({ browser, app }) => {
    await allowPins(app);
    const { page } = await openAs(browser, ADMIN, `${app.url}/learners`, { viewport });
    await page.getByRole("button", { name: "Invite" }).first().click();
    await page.getByRole("button", { name: "Someone without an email address" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a person without an email address" });
    await dialog.getByRole("combobox", { name: "Company" }).fill(app.company.name);
    await page.getByRole("option", { name: app.company.name }).click();
    await dialog.getByLabel("Name", { exact: true }).fill(`Nora ${size}`);
    await dialog.getByLabel("Personnel number").fill(`N-${size}`);
    await dialog.getByRole("button", { name: "Add person" }).click();
    const issuing = page.getByRole("dialog", { name: `New PIN for Nora ${size}` });
    await issuing.getByRole("button", { name: "Create PIN" }).click();
    await expect(issuing.getByRole("img", { name: `QR code of the card of Nora ${size}` })).toBeVisible();
    await expectAccessible(page, "a new PIN");
    const pin = await issuing.locator("dd").last().textContent();
    await issuing.getByRole("button", { name: "Close" }).last().click();

    const context = await browser.newContext({ viewport });
    const own = await context.newPage();
    await own.goto(`${app.url}/login`);
    await own.getByRole("link", { name: "Log in with a personnel number" }).click();
    await expect(own.getByLabel("Personnel number")).toBeVisible();
    await expectAccessible(own, "login with a number");
    await expectNoHorizontalScroll(own, "login with a number");
    await own.getByLabel("Company").fill(app.company.slug);
    await own.getByLabel("Personnel number").fill(`n-${size}`);
    await own.getByLabel("PIN", { exact: true }).fill("000000");
    await own.getByRole("button", { name: "Login" }).click();
    await expect(own.getByRole("alert")).toContainText("do not match");
    await own.getByLabel("PIN", { exact: true }).fill(pin ?? "");
    await own.getByRole("button", { name: "Login" }).click();
    await own.getByLabel("New PIN", { exact: true }).fill(OWN_PIN);
    await own.getByLabel("Repeat the new PIN").fill("739165");
    await own.getByRole("button", { name: "Save and log in" }).click();
    await expect(own.getByText("The two PINs differ.")).toBeVisible();
    await own.getByLabel("Repeat the new PIN").fill(OWN_PIN);
    await own.getByRole("button", { name: "Save and log in" }).click();
    await expect(own).toHaveURL(/my-courses/);
    for (const path of ["/my-courses", "/account", "/privacy-settings", "/certificates"]) {
      await own.goto(app.url + path);
      await expect(own.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await own.locator("body").innerText()).not.toMatch(/\b(null|undefined)\b/);
    }
    await context.close();
    await page.context().close();
  });

const go = (page: Page, place: string) =>
  content(page)
    .locator("body")
    .evaluate((_, to) => (globalThis as unknown as { go: (place: string) => void }).go(to), place);
const ready = (page: Page) => expect(content(page).locator("#entry")).not.toHaveText("");

test("a shared device warns, locks, and keeps nothing of the person", async ({ browser, app }) => {
  const issued = await addPerson(app, "Wim Wagon", "W-1");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.clock.install({ time: Date.now() });
  await scan(page, app.url, issued, { shared: true });
  await page.waitForLoadState("networkidle");
  const warning = page.getByRole("dialog", { name: "Are you still there?" });
  await page.clock.runFor(102_000);
  await expect(warning).toBeVisible();
  await page.getByRole("button", { name: "Stay logged in" }).click();
  await page.clock.runFor(2000);
  await expect(warning).toBeHidden();
  await page.clock.runFor(125_000);
  await expect(page).toHaveURL(`${app.url}/login/pin`);
  await expect(page.getByLabel("Company")).toHaveValue(app.company.slug);
  await expect(page.getByLabel("Several people use this device")).toBeChecked();
  await expect(page.getByLabel("Personnel number")).toHaveValue("");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const { items } = await app.admin.call(learners.list, { query: { q: "Wim Wagon" } });
  for (const own of ["Wim", "W-1", items[0]?.id as string]) expect(kept).not.toContain(own);
  await page.goto(`${app.url}/my-courses`);
  await expect(page).toHaveURL(/login/);
  await context.close();
});

test("what was not sent when a shared device locked is sent at the next login", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const issued = await addPerson(app, "Ute Unsent", "U-1");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.clock.install({ time: Date.now() });
  await scan(page, app.url, issued, { shared: true });
  await page.goto(course.launch);
  await ready(page);
  await go(page, "page 3");
  await saved(page);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await go(page, "page 7");
  await page.clock.runFor(125_000);
  await expect(page).not.toHaveURL(/launch/);
  await context.setOffline(false);
  const other = await addPerson(app, "Olle Other", "O-1");
  await scan(page, app.url, other, { shared: true });
  expect(await page.locator("body").innerText()).not.toContain("Ute");
  await page.waitForLoadState("networkidle");
  await page.clock.runFor(125_000);
  await expect(page).toHaveURL(`${app.url}/login/pin`);
  await page.getByLabel("Personnel number").fill("U-1");
  await page.getByLabel("PIN", { exact: true }).fill(OWN_PIN);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/my-courses/);
  await page.goto(course.launch);
  await ready(page);
  await expect(content(page).locator("#place")).toHaveText("page 7");
  await context.close();
});

test("a person without an email address changes the PIN, and confirms with it", async ({ browser, app }) => {
  const issued = await addPerson(app, "Pia Pin", "P-1");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await scan(page, app.url, issued, { shared: false });
  await page.goto(`${app.url}/account`);
  await page.getByRole("button", { name: "Change PIN" }).click();
  const dialog = page.getByRole("dialog", { name: "Change PIN" });
  await dialog.getByLabel("Current PIN").fill(OWN_PIN);
  await dialog.getByLabel("New PIN", { exact: true }).fill("860427");
  await dialog.getByLabel("Repeat the new PIN").fill("860428");
  await dialog.getByRole("button", { name: "Change PIN" }).click();
  await expect(dialog.getByText("The two PINs differ.")).toBeVisible();
  await expectAccessible(page, "changing a PIN");
  await dialog.getByLabel("Repeat the new PIN").fill("860427");
  await page.keyboard.press("Enter");
  await expect(page.getByText("PIN changed")).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto(`${app.url}/privacy-settings`);
  await page.getByRole("button", { name: "Delete my data" }).click();
  const erasing = page.getByRole("dialog", { name: "Delete your account and data?" });
  await erasing.getByRole("button", { name: "Delete my data" }).click();
  const confirming = page.getByRole("dialog", { name: "Confirm your identity" });
  await confirming.getByLabel("Your PIN").fill(OWN_PIN);
  await expectAccessible(page, "confirming with a PIN");
  await confirming.getByRole("button", { name: "Confirm" }).click();
  await expect(confirming.getByText("This PIN is wrong.")).toBeVisible();
  await confirming.getByLabel("Your PIN").fill("860427");
  await confirming.getByRole("button", { name: "Confirm" }).click();
  await expect(page).toHaveURL(/login|\/$/);
  await context.close();
});
