import { expect, test } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { events } from "#shared/events/events.ts";
import { writeBrowserState } from "#test/browserState.ts";
import { createClient } from "#test/client.ts";
import { restoreSnapshot } from "#test/dataSnapshot.ts";
import { ADMIN as CURRENT_ADMIN, createProcess } from "#test/process.ts";
import { chip, content, saved, signIn } from "./server.ts";
import {
  CHECKED_IN,
  DRAFT_NAME,
  JOURNALED_LOCATION,
  openBlank,
  PREVIOUS_PASSWORD,
  readLeftovers,
  STORED_LOCATION,
  UPLOAD_TITLE,
} from "./upgradeFixture.ts";

// An upgrade from the previous version: its database and files are migrated, and unsent data in browsers is sent
// (test/upgrade/previous.json.gz, written by upgradeCapture.ts with that version's code)

const ADMIN = { ...CURRENT_ADMIN, password: PREVIOUS_PASSWORD };

test("server data and unsent work in browsers survive an upgrade", async ({ browser }) => {
  test.setTimeout(180_000);
  const { url, data, learner, admin, guest } = readLeftovers();
  const server = await createProcess();
  await restoreSnapshot(server.dataDir, data);
  await server.start();
  const open = async (state: typeof admin.app) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await openBlank(page, server.url);
    await writeBrowserState(page, JSON.parse(JSON.stringify(state).replaceAll(url, server.url)) as typeof state);
    return { context, page };
  };

  const client = createClient(server.url);
  let eventId = "";
  await test.step("the server keeps what it had stored", async () => {
    client.useToken((await client.call(auth.signIn, { body: ADMIN })).token);
    const { items } = await client.call(events.listAll, { query: { q: "Upgrade night" } });
    expect(items).toMatchObject([{ title: "Upgrade night", status: "published" }]);
    eventId = items[0]?.id ?? "";
    client.useToken(
      (await client.call(auth.signIn, { body: { email: learner.email, password: PREVIOUS_PASSWORD } })).token,
    );
    expect((await client.call(courses.mine, {})).items).toMatchObject([{ status: "in_progress" }]);
    const stored = JSON.stringify(data.tables.part_states);
    expect([stored.includes(STORED_LOCATION), stored.includes(JOURNALED_LOCATION)]).toEqual([true, false]);
  });

  await test.step("sends the journal of the learner's browser and resumes the course there", async () => {
    const { context, page } = await open(learner.app);
    await page.goto(server.url + learner.launch);
    await signIn(page, { email: learner.email, password: PREVIOUS_PASSWORD });
    const takeOver = page.getByRole("button", { name: "Continue here" });
    await expect(chip(page).or(takeOver)).toBeVisible();
    if (await takeOver.isVisible()) await takeOver.click();
    await expect(content(page).locator("#place")).toHaveText(JOURNALED_LOCATION);
    await saved(page);
    await context.close();
  });

  await test.step("resumes the admin's upload and sends the pending check-in", async () => {
    const { context, page } = await open(admin.app);
    await page.goto(`${server.url}/courses`);
    await expect(page).toHaveURL(/login/);
    await signIn(page, ADMIN);
    await expect(page).toHaveURL(/dashboard/);
    await page.goto(`${server.url}/courses`);
    const uploads = page.getByRole("region", { name: "Uploads" });
    await uploads.getByRole("button", { name: /^Resume/ }).click();
    await expect(uploads.getByText(UPLOAD_TITLE).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Open course" })).toBeVisible({ timeout: 30_000 });
    await page.goto(server.url + admin.checkIn);
    await expect(page.getByRole("status").first()).toContainText("1 / 2");
    client.useToken((await client.call(auth.signIn, { body: ADMIN })).token);
    const { items } = await client.call(eventRegistrations.list, {
      params: { id: eventId },
      query: { attended: true },
    });
    expect(items.map(({ name }) => name)).toEqual([CHECKED_IN]);
    await context.close();
  });

  await test.step("the guest's draft is back in the form", async () => {
    const { context, page } = await open(guest.app);
    await page.goto(server.url + guest.register);
    await expect(page.getByLabel("Name")).toHaveValue(DRAFT_NAME);
    await expect(page.getByLabel("Company")).toHaveValue("Halden");
    await context.close();
  });
  await server.remove();
});
