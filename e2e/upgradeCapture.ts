import { events } from "#shared/events/events.ts";
import { readBrowserState } from "#test/browserState.ts";
import { takeSnapshot } from "#test/dataSnapshot.ts";
import { ADMIN } from "#test/process.ts";
import { addEvent, addGuest } from "./eventsFixture.ts";
import { largePackage, probePackage } from "./packages.ts";
import { addCourse, addLearner, chip, content, expect, openAs, saved, test } from "./server.ts";
import {
  CHECKED_IN,
  DRAFT_NAME,
  JOURNALED_LOCATION,
  openBlank,
  STORED_LOCATION,
  UPLOAD_TITLE,
  writeLeftovers,
} from "./upgradeFixture.ts";

// Writes test/upgrade/previous.json.gz. Run it with the code of the previous version: upgrade.spec.ts then checks that
// the new version continues with the data that version left on the server and in browsers. Not part of a test run:
//   npm run e2e -- --config e2e/upgradeCapture.config.ts

test("leaves a server and three browsers in the middle of their work", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("2004"));
  const learner = await addLearner(app, "Jonas Hagen");
  const event = await addEvent(app, { title: "Upgrade night", attendanceMode: "in_person" });
  await addGuest(app, event, CHECKED_IN);
  await addGuest(app, event, "Per Gynt");

  // A learner in a tunnel: some of the work is on the server, the rest in the browser.
  const lesson = await openAs(browser, learner, course.launch);
  const go = (location: string) =>
    content(lesson.page)
      .locator("body")
      .evaluate((_, to) => (window as unknown as { go: (at: string) => void }).go(to), location);
  await expect(content(lesson.page).locator("#entry")).not.toHaveText("");
  await go(STORED_LOCATION);
  await saved(lesson.page);
  // The server is down, so that a closing tab cannot send anything.
  await app.kill();
  await go(JOURNALED_LOCATION);
  await expect(chip(lesson.page)).toHaveText("Not saved, retrying");
  await lesson.page.close();
  const afterLesson = await lesson.context.newPage();
  await openBlank(afterLesson, app.url);
  const learnerApp = await readBrowserState(afterLesson);
  await lesson.context.close();
  await app.start();

  // An admin with an upload that is paused half way and a check-in that waits for the network.
  const desk = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(desk.page).toHaveURL(/dashboard/);
  const wire = await desk.context.newCDPSession(desk.page);
  await wire.send("Network.enable");
  await desk.page.goto(`${app.url}/courses`);
  await desk.page.getByRole("button", { name: "Upload package" }).first().click();
  await wire.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200_000,
  });
  const large = largePackage(1_500_000, UPLOAD_TITLE, "half-way-up.zip");
  await desk.page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: large.name, mimeType: "application/zip", buffer: Buffer.from(large.bytes) });
  await expect
    .poll(async () => Number(await desk.page.getByRole("progressbar").first().getAttribute("aria-valuenow")))
    .toBeGreaterThan(20);
  await desk.page.getByRole("button", { name: /^Pause/ }).click();
  await expect(desk.page.getByText(/^Paused at/)).toBeVisible();
  await wire.detach();
  const checkIn = `/admin/events/${event.id}/check-in`;
  await desk.page.goto(app.url + checkIn);
  await expect(desk.page.getByText(CHECKED_IN)).toBeVisible();
  await desk.context.setOffline(true);
  await desk.page.getByRole("button", { name: new RegExp(`${CHECKED_IN}.*Check in`) }).click();
  await expect(desk.page.getByText("1 check-in is not sent yet")).toBeVisible();
  const adminApp = await readBrowserState(desk.page);
  await desk.context.close();

  // A guest who is filling in a form.
  const guestContext = await browser.newContext();
  const form = await guestContext.newPage();
  const register = `/events/${event.slug}/register`;
  await form.goto(app.url + register);
  await form.getByLabel("Name").fill(DRAFT_NAME);
  await form.getByLabel("Company").fill("Halden");
  await expect.poll(async () => JSON.stringify((await readBrowserState(form)).session)).toContain(DRAFT_NAME);
  const guestApp = await readBrowserState(form);
  await guestContext.close();

  expect((await app.admin.call(events.get, { params: { id: event.id } })).counts.attended).toBe(0);
  writeLeftovers({
    url: app.url,
    data: await takeSnapshot(app.dataDir, app.connection()),
    learner: { email: learner.email, launch: new URL(course.launch).pathname, app: learnerApp },
    admin: { app: adminApp, checkIn },
    guest: { register, app: guestApp },
  });
});
