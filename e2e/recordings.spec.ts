import { auth } from "#shared/auth/auth.ts";
import { consents } from "#shared/consent/consent.ts";
import { ONLY_ESSENTIAL } from "#shared/consent/consentPreferences.ts";
import { createClient } from "#test/client.ts";
import { expectAccessible } from "./axe.ts";
import {
  formPackage,
  largePagePackage,
  lastSession,
  NOTICE,
  openConsenting,
  openRecording,
  readRecording,
  rebuilt,
  recordingNote,
  startToRecord,
} from "./recordingFixture.ts";
import { addCourse, content, expect, test } from "./server.ts";

// Recordings of the page: made with consent, masked, replayed, stopped

test("a recording shows the page at a second, and holds nothing that was typed", async ({ browser, app }) => {
  const course = await addCourse(app, formPackage());
  await startToRecord(app);
  const { page, context } = await openConsenting(browser, app, course.launch);
  await expectAccessible(page, "player that records");
  const sessionId = await lastSession(app);
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Who are you?");
  const form = content(page);
  await form.locator("#name").pressSequentially("Wilhelmina Quartz");
  await expect(form.locator("#echo")).toHaveText("Hello Wilhelmina Quartz, or WILHELMINA.");
  await form.locator("#secret").fill("hunter-seven");
  await form.locator("#edit").fill("zebra crossing");
  await form.locator("#yes").check();
  await form.locator("#story").fill("Karoline once met Ferdinand");
  await form.locator("#story").blur();
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Story received");
  const stored = await readRecording(app, sessionId);
  expect(stored).not.toMatch(/Wilhelmina|Quartz|hunter|zebra|Ferdinand|Karoline|Vestergaard|private-words|foreign/i);
  expect(stored).not.toMatch(/"isChecked":true|"checked"|data:image/);
  // Not even the first letters, while the name is being typed.
  expect(stored).not.toMatch(/Hello W|"Wi?"/);
  expect(stored).toContain("/files/-/pixel.png");
  expect(stored).not.toMatch(/\/files\/[^-]/);
  await page.getByRole("button", { name: "Exit" }).click();
  await context.close();

  const admin = await openRecording(browser, app, sessionId, 0);
  await admin.page.getByRole("slider", { name: "Position in the session" }).press("End");
  const shown = rebuilt(admin.page).frameLocator("iframe");
  await expect(shown.getByRole("heading")).toHaveText("Who are you?");
  await expect(shown.locator("#echo")).toHaveText(/^Hello \*{17}, or \*{10}\.$/);
  await expect(shown.locator("#name")).toHaveValue("*".repeat("Wilhelmina Quartz".length));
  await expect(shown.getByRole("heading")).toHaveCSS("color", "rgb(0, 98, 104)");
  expect(await shown.locator("#own").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect(recordingNote(admin.page)).toContainText("Last recorded change");
  expect(admin.hosts.filter((host) => !host.startsWith("localhost:"))).toEqual([]);
  await expectAccessible(admin.page, "replay with a recording");
  await admin.context.close();
});

test("what changes right before Exit is part of the recording", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, formPackage());
  await startToRecord(app);
  const { page, context } = await openConsenting(browser, app, course.launch);
  const sessionId = await lastSession(app);
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Who are you?");
  await content(page)
    .locator("h1")
    .evaluate((heading) => {
      heading.textContent = "Last words";
    });
  await page.getByRole("button", { name: "Exit" }).click();
  await expect(page).toHaveURL(/my-courses/);
  expect(await readRecording(app, sessionId)).toContain("Last words");
  await context.close();
});

test("a withdrawal on another device stops the recording at once, and deletes it", async ({ browser, app }) => {
  const course = await addCourse(app, formPackage());
  await startToRecord(app);
  const { page, context, learner } = await openConsenting(browser, app, course.launch);
  const sessionId = await lastSession(app);
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Who are you?");
  const client = createClient(app.url);
  client.useToken((await client.call(auth.signIn, { body: learner })).token);
  await client.call(consents.record, { body: { status: "reject_all", preferences: ONLY_ESSENTIAL } });
  await expect(page.getByText(NOTICE)).toBeHidden();
  await content(page).locator("#name").fill("Ulrike");
  await expect(content(page).locator("#echo")).toContainText("Ulrike");
  const stored = await app.query(`select session_id from recordings where session_id = '${sessionId}'`);
  expect(stored).toEqual([]);
  await context.close();
});

test("a learner who rejects in the player is not recorded any more", async ({ browser, app }) => {
  const course = await addCourse(app, formPackage());
  await startToRecord(app);
  const { page, context } = await openConsenting(browser, app, course.launch);
  const sessionId = await lastSession(app);
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Who are you?");
  await page.getByRole("button", { name: "Change this" }).click();
  await page.getByRole("button", { name: "Reject All" }).click();
  await expect(page.getByText(NOTICE)).toBeHidden();
  await expect
    .poll(() => app.query(`select session_id from recordings where session_id = '${sessionId}'`), { timeout: 15_000 })
    .toEqual([]);
  await context.close();
});

test("a page that is too large is not recorded, which the session says", { tag: "@long" }, async ({ browser, app }) => {
  const course = await addCourse(app, largePagePackage());
  await startToRecord(app);
  const { page, context } = await openConsenting(browser, app, course.launch);
  await expect(page.getByText(NOTICE)).toBeHidden();
  const sessionId = await lastSession(app);
  await expect
    .poll(
      async () =>
        JSON.stringify(await app.query(`select events from session_events where session_id = '${sessionId}'`)),
      {
        timeout: 15_000,
      },
    )
    .toContain("recording ended: tooLarge");
  await page.getByRole("button", { name: "Mark as complete" }).click();
  await expect(page.getByRole("button", { name: "Complete", exact: true })).toBeVisible();
  expect(await readRecording(app, sessionId)).toBe("");
  await context.close();
});
