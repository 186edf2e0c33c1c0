import type { Page } from "@playwright/test";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { events } from "#shared/events.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent, addGuest } from "./eventsFixture.ts";
import { expect, type ServerFixture, openAs, test } from "./server.ts";

// The door of an event keeps working where there is no network (docs/decisions/0013-check-in-offline.md)

const came = async (app: ServerFixture, id: string) =>
  (await app.admin.call(events.get, { params: { id } })).counts.attended;
const workers = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  );
const kept = (page: Page) =>
  page.evaluate(async () =>
    (
      await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
        ),
      )
    ).flat(),
  );
const ready = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(async () =>
          (await navigator.serviceWorker.getRegistration(location.href))?.active?.state === "activated" &&
          (await caches.match("/door/page"))
            ? "ready"
            : "not yet",
        ),
      { timeout: 20_000 },
    )
    .toBe("ready");

test("once opened the door opens again without network: find, check in, reload, and everything arrives later", async ({
  browser,
  app,
}) => {
  const event = await addEvent(app, { title: "Night at the pass" });
  const [liv] = [await addGuest(app, event, "Liv Aune"), await addGuest(app, event, "Per Gynt")];
  const address = `${app.url}/admin/events/${event.id}/check-in`;
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/login`);
  await page.setViewportSize({ width: 390, height: 844 });
  const broken: string[] = [];
  page.on("console", (line) => /Content Security Policy/i.test(line.text()) && broken.push(line.text()));
  await expect(page).toHaveURL(/dashboard/);
  // By a link: the worker has to know the page although the tab was opened elsewhere.
  await page.goto(`${app.url}/admin/events/${event.id}/registrations`);
  await page.getByRole("link", { name: "Check-in" }).click();
  await expect(page.getByText("Liv Aune")).toBeVisible();
  await ready(page);
  await expect.poll(() => kept(page)).toContain(`/door/list/${event.id}`);

  await test.step("a reload without network shows the same list", async () => {
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Night at the pass" })).toBeVisible();
    await expect(page.getByText("No network. Go on")).toBeVisible();
    await page.getByRole("searchbox").fill("aune");
    await expect(page.getByText("Per Gynt")).toHaveCount(0);
    await page.getByRole("searchbox").press("Enter");
    await expect(page.getByText("Sent when the network is back")).toBeVisible();
  });
  await test.step("also the check-in survives another one, and can be taken back there", async () => {
    await page.getByRole("button", { name: /Per Gynt.*Check in/ }).click();
    await expect(page.getByText("2 check-ins are not sent yet")).toBeVisible();
    await page.reload();
    await expect(page.getByText("2 check-ins are not sent yet")).toBeVisible();
    await expect(page.getByText("Here since")).toHaveCount(2);
    await page.getByRole("button", { name: "Undo Per Gynt" }).click();
    await expect(page.getByText("1 check-in is not sent yet")).toBeVisible();
    expect(await came(app, event.id)).toBe(0);
  });
  await test.step("no other page is served by it, and nothing of the API is kept", async () => {
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
    for (const path of await kept(page)) expect(path).toMatch(/^\/(assets\/|start\.js$|door\/(page|list\/))/);
    expect(
      await page.evaluate(async (id) => (await (await caches.match(`/door/list/${id}`))?.text()) ?? "", event.id),
    ).not.toMatch(/"answers"|manageToken|marketing/);
  });
  await test.step("with network everything is on the server", async () => {
    await context.setOffline(false);
    await expect(page.getByText("not sent yet")).toBeHidden({ timeout: 20_000 });
    await expect.poll(() => came(app, event.id)).toBe(1);
    expect(
      (
        await app.admin.call(eventRegistrations.list, { params: { id: event.id }, query: { attended: true } })
      ).items.map(({ id }) => id),
    ).toEqual([liv?.id]);
    await page.goto(`${app.url}/admin/events`);
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  });
  await test.step("a list whose time is over leaves with the next visit of any page", async () => {
    await page.evaluate(
      async (path) =>
        (await caches.open("lyceum-door")).put(
          path,
          new Response("{}", { headers: { "x-until": "2020-01-01T00:00:00Z" } }),
        ),
      "/door/list/old",
    );
    await page.reload();
    await expect.poll(() => kept(page)).not.toContain("/door/list/old");
    expect(await kept(page)).toContain(`/door/list/${event.id}`);
  });
  await test.step("after a sign-out nothing of it is left on the device", async () => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Logout" }).last().click();
    await expect(page).toHaveURL(/login/);
    await expect.poll(() => kept(page)).toEqual([]);
    await expect.poll(() => workers(page)).toEqual([]);
    await page.reload();
    await context.setOffline(true);
    await expect(page.goto(address)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
  });
  expect(broken).toEqual([]);
  await context.close();
});
