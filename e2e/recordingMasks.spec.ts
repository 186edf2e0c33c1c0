import {
  missingPackage,
  openRecording,
  rebuilt,
  recordingNote,
  keysPackage,
  lastSession,
  openConsenting,
  readRecording,
  startToRecord,
} from "./recordingFixture.ts";
import { addCourse, content, expect, test } from "./server.ts";

// Which typed texts a recording masks, and which texts of the author it does not

test("keys typed outside of fields are masked, and choices of the author are not", async ({ browser, app }) => {
  const course = await addCourse(app, keysPackage());
  await startToRecord(app);
  const { page, context } = await openConsenting(browser, app, course.launch);
  const sessionId = await lastSession(app);
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Guess the word");
  const game = content(page);
  await game.locator("h1").click();
  await page.keyboard.type("quokkabear", { delay: 20 });
  await expect(game.locator("#word")).toHaveText("You wrote quokkabear so far");
  await game.locator("#officer").check();
  await expect(game.locator("#more")).toContainText("Every safety officer");
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain("Every safety officer");
  const stored = await readRecording(app, sessionId);
  expect(stored).toContain("Every safety officer reads www.scorm.com first.");
  expect(stored).toContain(`You wrote ${"*".repeat(10)} so far`);
  expect(stored).not.toMatch(/quo|kabe|raebakk|q-u-o/i);
  expect(stored).not.toContain(btoa("quokkabear").slice(0, 8));
  // Keys that the page shows one by one while they are typed are masked too.
  expect(stored).not.toMatch(/"textContent":"[quokabear]"/);
  await context.close();
});

test("small pictures of a page are recorded, and the stage names what is missing", async ({ browser, app }) => {
  const course = await addCourse(app, missingPackage());
  await startToRecord(app);
  const { page, context } = await openConsenting(browser, app, course.launch);
  const sessionId = await lastSession(app);
  await expect.poll(() => readRecording(app, sessionId), { timeout: 30_000 }).toContain('"missing"');
  await page.getByRole("button", { name: "Exit" }).click();
  await expect(page).toHaveURL(/my-courses/);
  await context.close();

  const admin = await openRecording(browser, app, sessionId, 0);
  await admin.page.getByRole("slider", { name: "Position in the session" }).press("End");
  const image = rebuilt(admin.page).frameLocator("iframe").locator("#inline");
  await expect(image).toHaveJSProperty("naturalWidth", 1);
  await expect(recordingNote(admin.page)).toContainText(
    "Not in this recording: a canvas, 2 videos, 2 images that are too large or were made by a script, " +
      "an element that hides its content.",
  );
  expect(await readRecording(app, sessionId)).not.toMatch(/svg\+xml|c2VjcmV0/);
  await admin.context.close();
});
