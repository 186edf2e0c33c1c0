import { chromium, type Page } from "@playwright/test";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { events } from "#shared/events/events.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent, addGuest, createQrVideo, randomLetters, ticketOf } from "./eventsFixture.ts";
import { expect, type ServerFixture, openAs, signIn, test } from "./server.ts";

// Check-in, also without network (docs/decisions/0013-check-in-offline.md)

const result = (page: Page) => page.getByRole("status").filter({ has: page.locator("strong") });
const attendedCount = async (app: ServerFixture, id: string) =>
  (await app.admin.call(events.get, { params: { id } })).counts.attended;
const workers = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  );
const cachedPaths = (page: Page) =>
  page.evaluate(async () =>
    (
      await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
        ),
      )
    ).flat(),
  );
const waitUntilCached = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(async () =>
          (await navigator.serviceWorker.getRegistration(location.href))?.active?.state === "activated" &&
          (await caches.match("/check-in/page"))
            ? "ready"
            : "not yet",
        ),
      { timeout: 20_000 },
    )
    .toBe("ready");

test("works offline after a first visit, and sends check-ins later", async ({ browser, app }) => {
  const event = await addEvent(app, { title: "Night at the pass" });
  const [liv] = [await addGuest(app, event, "Liv Aune"), await addGuest(app, event, "Per Gynt")];
  const address = `${app.url}/admin/events/${event.id}/check-in`;
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.setViewportSize({ width: 390, height: 844 });
  const cspViolations: string[] = [];
  page.on(
    "console",
    (message) => /Content Security Policy/i.test(message.text()) && cspViolations.push(message.text()),
  );
  await expect(page).toHaveURL(/dashboard/);
  // By a link: the worker must cache the page although the tab was opened elsewhere.
  await page.goto(`${app.url}/admin/events/${event.id}/registrations`);
  await page.getByRole("link", { name: "Check-in" }).click();
  await expect(page.getByText("Liv Aune")).toBeVisible();
  await waitUntilCached(page);
  await expect.poll(() => cachedPaths(page)).toContain(`/check-in/list/${event.id}`);

  await test.step("shows the same list after an offline reload", async () => {
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Night at the pass" })).toBeVisible();
    await expect(page.getByText("Offline. You can continue")).toBeVisible();
    await page.getByRole("searchbox").fill("aune");
    await expect(page.getByText("Per Gynt")).toHaveCount(0);
    await page.getByRole("searchbox").press("Enter");
    await expect(page.getByText("Will be sent when you are back online")).toBeVisible();
  });
  await test.step("keeps queued check-ins after a reload and can undo them", async () => {
    await page.getByRole("button", { name: /Per Gynt.*Check in/ }).click();
    await expect(page.getByText("2 check-ins are not sent yet")).toBeVisible();
    await page.reload();
    await expect(page.getByText("2 check-ins are not sent yet")).toBeVisible();
    await expect(page.getByText("Checked in at")).toHaveCount(2);
    await page.getByRole("button", { name: "Undo Per Gynt" }).click();
    await expect(page.getByText("1 check-in is not sent yet")).toBeVisible();
    expect(await attendedCount(app, event.id)).toBe(0);
  });
  await test.step("serves no other page and caches no API reply", async () => {
    for (const path of [
      "/admin/events",
      `/admin/events/${event.id}/registrations`,
      "/events",
      `/admin/events/${crypto.randomUUID()}/check-in`,
    ]) {
      const other = await context.newPage();
      await expect(other.goto(app.url + path)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
      await other.close();
    }
    expect(await workers(page)).toEqual([new URL(address).pathname]);
    for (const path of await cachedPaths(page))
      expect(path).toMatch(/^\/(assets\/|start\.js$|check-in\/(page|list\/))/);
    expect(
      await page.evaluate(async (id) => (await (await caches.match(`/check-in/list/${id}`))?.text()) ?? "", event.id),
    ).not.toMatch(/"answers"|manageToken|marketing/);
  });
  await test.step("sends the check-ins when back online", async () => {
    await context.setOffline(false);
    await expect(page.getByText("not sent yet")).toBeHidden({ timeout: 20_000 });
    await expect.poll(() => attendedCount(app, event.id)).toBe(1);
    expect(
      (
        await app.admin.call(eventRegistrations.list, { params: { id: event.id }, query: { attended: true } })
      ).items.map(({ id }) => id),
    ).toEqual([liv?.id]);
    await page.goto(`${app.url}/admin/events`);
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  });
  await test.step("deletes expired lists at the next start", async () => {
    await page.evaluate(
      async (path) =>
        (await caches.open("lyceum-check-in")).put(
          path,
          new Response("{}", { headers: { "x-until": "2020-01-01T00:00:00Z" } }),
        ),
      "/check-in/list/old",
    );
    await page.reload();
    await expect.poll(() => cachedPaths(page)).not.toContain("/check-in/list/old");
    expect(await cachedPaths(page)).toContain(`/check-in/list/${event.id}`);
  });
  await test.step("deletes everything at sign-out", async () => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Logout" }).last().click();
    await expect(page).toHaveURL(/login/);
    await expect.poll(() => cachedPaths(page)).toEqual([]);
    await expect.poll(() => workers(page)).toEqual([]);
    await page.reload();
    await context.setOffline(true);
    await expect(page.goto(address)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
  });
  expect(cspViolations).toEqual([]);
  await context.close();
});

test("checks in by name and scanner, undoes, and queues while offline", async ({ browser, app }) => {
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
  const attended = async () => (await app.admin.call(events.get, { params: { id: event.id } })).counts.attended;

  await test.step("a handheld scanner types the ticket and Enter", async () => {
    await expect(page.getByText("Liv Aune")).toBeVisible();
    await find.fill(tickets.liv);
    await find.press("Enter");
    await expect(result(page)).toContainText("Checked in.");
    await find.fill(tickets.liv);
    // The same code within four seconds is one scan; the clock of the page must pass them.
    await page.waitForTimeout(4200);
    await find.press("Enter");
    await expect(result(page)).toContainText("Already checked in at");
    expect(await attended()).toBe(1);
  });
  let cancelledReference = "";
  await test.step("a long email address does not widen the page", async () => {
    const long = await app.admin.call(eventRegistrations.add, {
      params: { id: event.id },
      body: {
        name: "Wilhelmina",
        email: `${"wilhelmina.van.den.berg.".repeat(2)}${randomLetters()}@norrvik-maskin.example`,
      },
    });
    await app.admin.call(eventRegistrations.checkIn, { params: { id: long.id }, body: {} });
    await page.reload();
    await expect(page.getByRole("button", { name: /^Wilhelmina/ })).toBeVisible();
    await expect(page.getByText("Checked in at").first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await app.admin.call(eventRegistrations.undoCheckIn, { params: { id: long.id } });
    await app.admin.call(eventRegistrations.cancel, {
      params: { id: event.id },
      body: { ids: [long.id], notify: false },
    });
    cancelledReference = long.reference;
  });
  await test.step("checks in by name and undoes it", async () => {
    await find.fill("gynt");
    await find.press("Enter");
    await expect(result(page)).toContainText("Per Gynt");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(result(page)).toContainText("Check-in undone.");
    expect(await attended()).toBe(1);
  });
  await test.step("refuses invalid tickets", async () => {
    await find.fill(tickets.mia.slice(0, -4) + "AAAA");
    await find.press("Enter");
    await expect(result(page)).toContainText("Not on the list");
    await expect(result(page)).toContainText("This ticket is not valid for this event.");
    await find.fill("00ZZ00ZZ00");
    await find.press("Enter");
    await expect(result(page)).toContainText("00ZZ00ZZ00");
    await find.fill(cancelledReference.toLowerCase());
    await find.press("Enter");
    await expect(result(page)).toContainText("Cancelled on");
    await expect(result(page)).toContainText("Wilhelmina");
  });
  await test.step("queues check-ins while offline", async () => {
    await context.setOffline(true);
    await find.fill(tickets.mia);
    await find.press("Enter");
    await expect(result(page)).toContainText("Will be sent when you are back online");
    await expect(result(page)).toContainText("Mia Chen");
    await page.getByRole("button", { name: /^Per Gynt|Per Gynt.*Check in/ }).click();
    await expect(page.getByText("2 check-ins are not sent yet")).toBeVisible();
    expect(await attended()).toBe(1);
    await context.setOffline(false);
    await expect(page.getByText("not sent yet")).toBeHidden({ timeout: 20_000 });
    await expect.poll(attended).toBe(3);
    expect(per.attendedAt).toBeNull();
  });
  await context.close();
});

test("scans a ticket with the camera", { tag: "@long" }, async ({ app, launchOptions }) => {
  const event = await addEvent(app);
  const guest = await addGuest(app, event, "Sara Haugen");
  const video = createQrVideo(await ticketOf(app, guest.email));
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${video}`,
    ],
  });
  const page = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ["camera"] })
  ).newPage();
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/admin/events/${event.id}/check-in`);
  await page.getByRole("button", { name: "Start camera" }).click();
  await expect(result(page)).toContainText("Sara Haugen", { timeout: 30_000 });
  await expect(result(page)).toContainText("Checked in");
  await browser.close();
});
