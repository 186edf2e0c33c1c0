import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { auth } from "#shared/auth/auth.ts";
import { objectAddress, OBJECTS_PATH } from "#shared/files/files.ts";
import { createClient, multipart } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { viewports } from "./layout.ts";
import { expect, signIn, test } from "./server.ts";
import {
  checkLayout,
  choose,
  closeDialog,
  countStored,
  deleteStoredFiles,
  folder,
  MB,
  notice,
  openDialog,
  openUploadPage,
  packageFile,
  percent,
  reachesPercent,
  tokenOf,
  type UploadPage,
} from "./uploadFixture.ts";

// Uploads survive interruptions, pauses, reloads, a second tab and a server restart

for (const [size, viewport] of Object.entries(viewports)) {
  test(`pauses, resumes, survives a reload and completes on a ${size}`, async ({ browser, app }) => {
    const { page, setUploadSpeed, sent, context } = await openUploadPage(browser, app, viewport);
    const title = `Lockout on a ${size}`;
    await openDialog(page);
    await setUploadSpeed(1.5 * MB);
    await choose(page, packageFile(12 * MB, title));
    await reachesPercent(page, 15);
    await setUploadSpeed(0.15 * MB);
    await checkLayout(page, "running");

    await page.getByRole("button", { name: /^Pause/ }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^Paused at/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Resume/ })).toBeFocused();
    await checkLayout(page, "paused");
    // A paused upload sends nothing once it knows how much has arrived: a request in error would start within this
    // time.
    await expect(async () => {
      const before = [sent.length, await percent(page)];
      await page.waitForTimeout(700);
      expect([sent.length, await percent(page)]).toEqual(before);
    }).toPass({ timeout: 10_000 });
    await setUploadSpeed(1.5 * MB);
    await page.keyboard.press("Enter");
    await reachesPercent(page, 35);

    await setUploadSpeed(0.15 * MB);
    await closeDialog(page);
    await expect(notice(page).getByRole("progressbar")).toBeVisible();
    await checkLayout(page, "notice");
    await expect.poll(() => countStored(page, "files")).toBe(1);
    await page.reload();
    await expect(notice(page).getByText(/per second/)).toBeVisible();
    expect(await percent(page)).toBeGreaterThan(30);
    expect(sent.map(({ command }) => command).filter((command) => command === "start")).toEqual(["start"]);
    await setUploadSpeed(-1);
    await expect(notice(page).getByText(`“${title}” imported`)).toBeVisible();
    await checkLayout(page, "done");
    await expect.poll(() => countStored(page, "uploads")).toBe(0);
    await page.locator(".mantine-Notification-root").getByRole("button", { name: "Open course" }).click();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await context.close();
  });
}

test("cancelling leaves nothing in the browser or on the server", { tag: "@long" }, async ({ browser, app }) => {
  const { page, setUploadSpeed, sessions, context } = await openUploadPage(browser, app);
  await openDialog(page);
  await setUploadSpeed(1.5 * MB);
  await choose(page, packageFile(12 * MB, "Called off"));
  await reachesPercent(page, 15);
  await page.getByRole("button", { name: /^Pause/ }).click();
  await page.getByRole("button", { name: /^Cancel upload/ }).click();
  await expect(page.getByRole("progressbar")).toBeHidden();
  await expect(page.getByRole("button", { name: "Choose files" })).toBeFocused();
  await expect.poll(async () => [await countStored(page, "uploads"), await countStored(page, "files")]).toEqual([0, 0]);
  const { pathname, search, searchParams } = new URL(sessions[0] ?? "");
  const headers = { authorization: `Bearer ${await tokenOf(app)}`, "x-goog-upload-command": "query" };
  expect(
    (await fetch(`${app.url}${pathname}${search}`, { method: "POST", headers })).headers.get("x-goog-upload-status"),
  ).toBe("cancelled");
  expect((await fetch(`${app.url}${objectAddress(searchParams.get("name") ?? "")}`, { headers })).status).toBe(404);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice(page)).toBeHidden();
  await context.close();
});

test("waits while the server is down, then continues", async ({ browser, app }) => {
  const { page, setUploadSpeed, sent, context } = await openUploadPage(browser, app);
  await openDialog(page);
  await setUploadSpeed(1.5 * MB);
  await choose(page, packageFile(12 * MB, "Power cut"));
  await reachesPercent(page, 20);
  await app.kill();
  await expect(page.getByText(/The server is not responding\. Retrying in \d/)).toBeVisible();
  await checkLayout(page, "waiting");
  await app.start();
  await page
    .getByRole("button", { name: /^Retry now/ })
    .click({ timeout: 2000 })
    .catch(() => {});
  await setUploadSpeed(-1);
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  expect(sent.filter(({ command }) => command === "start").length).toBe(1);
  expect(sent.some(({ command }) => command === "query")).toBe(true);
  await context.close();
});

test("waits while offline and continues automatically", { tag: "@long" }, async ({ browser, app }) => {
  const { page, setUploadSpeed, context } = await openUploadPage(browser, app);
  await openDialog(page);
  await setUploadSpeed(1.5 * MB);
  await choose(page, packageFile(12 * MB, "Tunnel"));
  await reachesPercent(page, 20);
  await setUploadSpeed(0, true);
  await expect(page.getByText("Waiting for the network. The upload resumes automatically.")).toBeVisible();
  await setUploadSpeed(-1);
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  await context.close();
});

test("explains a full storage and can be retried after files are deleted", async ({ browser }) => {
  const small = await createProcess({ STORAGE_QUOTA: "6MB" }, { fromTemplate: true });
  await small.start();
  const admin = createClient(small.url);
  const { token } = await admin.call(auth.signIn, { body: ADMIN });
  const headers = { authorization: `Bearer ${token}` };
  const filler = multipart({ metadata: { purpose: "document" } }, new Uint8Array(4 * MB));
  await fetch(`${small.url}${OBJECTS_PATH}?name=filler`, {
    method: "POST",
    headers: { ...headers, ...filler.headers },
    body: filler.body as never,
  });
  const { page, context } = await openUploadPage(browser, small);
  await openDialog(page);
  await choose(page, packageFile(3 * MB, "Too much"));
  await expect(page.getByText("The academy's storage is full.").first()).toBeVisible();
  await checkLayout(page, "failed");
  await fetch(`${small.url}${OBJECTS_PATH}/filler`, { method: "DELETE", headers });
  await page.getByRole("button", { name: /^Try again/ }).click();
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  await context.close();
  await small.remove();
});

/** Interrupts an upload by a reload after its stored copy was deleted. */
async function interrupted({ page, setUploadSpeed }: UploadPage, file: string) {
  await openDialog(page);
  // Slow enough that it cannot finish before the reload.
  await setUploadSpeed(0.5 * MB);
  await choose(page, file);
  await reachesPercent(page, 20);
  await expect.poll(() => countStored(page, "files")).toBe(1);
  await deleteStoredFiles(page);
  await page.reload();
  await expect(notice(page).getByText(/^Interrupted at \d+/)).toBeVisible();
}

test("asks for the same file if its stored copy is lost", { tag: "@long" }, async ({ browser, app }) => {
  const uploadPage = await openUploadPage(browser, app);
  const { page, setUploadSpeed, sent, context } = uploadPage;
  const file = packageFile(12 * MB, "Chosen twice");
  await interrupted(uploadPage, file);
  await checkLayout(page, "missing");
  await choose(page, packageFile(1 * MB, "Another one"));
  await expect(
    notice(page)
      .getByText(/“another-one\.zip” is a different file\. Choose “chosen-twice\.zip”/)
      .first(),
  ).toBeVisible();
  await setUploadSpeed(-1);
  await choose(page, file);
  await expect(notice(page).getByText("“Chosen twice” imported")).toBeVisible();
  expect(sent.filter(({ command }) => command === "start").length).toBe(1);
  await context.close();
});

test("another tab takes over when the tab of an upload is closed", { tag: "@long" }, async ({ browser, app }) => {
  const uploadPage = await openUploadPage(browser, app);
  const { page, setUploadSpeed, context } = uploadPage;
  await openDialog(page);
  await setUploadSpeed(0.7 * MB);
  await choose(page, packageFile(12 * MB, "Two tabs"));
  await reachesPercent(page, 10);
  await expect.poll(() => countStored(page, "files")).toBe(1);
  const other = await context.newPage();
  await other.goto(`${app.url}/courses`);
  await expect(notice(other).getByText("Uploading in another tab of this browser.")).toBeVisible();
  await checkLayout(other, "elsewhere");
  await page.close();
  await expect(notice(other).getByText("“Two tabs” imported")).toBeVisible();
  await context.close();
});

test("uploads packages one after another and explains rejected files", async ({ browser, app }) => {
  const { page, setUploadSpeed, context } = await openUploadPage(browser, app);
  const bad = join(folder, "letter.zip");
  writeFileSync(bad, "Dear all");
  await openDialog(page);
  await setUploadSpeed(3 * MB);
  await choose(page, [packageFile(4 * MB, "First of two"), bad, packageFile(1 * MB, "Second of two")]);
  await expect(page.getByText("Queued", { exact: true })).toHaveCount(2);
  await expect(page.getByText("“letter.zip” was not imported")).toBeVisible();
  await expect(page.getByText("“First of two” imported")).toBeVisible();
  await expect(page.getByText("“Second of two” imported")).toBeVisible();
  await checkLayout(page, "outcomes");
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("x") });
  await expect(
    page.getByRole("alert").filter({ hasText: "notes.pdf is not a supported file type. Choose one of: .zip." }),
  ).toBeVisible();
  await context.close();
});

test("deletes uploads at sign-out, and works without IndexedDB", { tag: "@long" }, async ({ browser, app }) => {
  const { page, setUploadSpeed, context } = await openUploadPage(browser, app);
  await openDialog(page);
  await setUploadSpeed(1 * MB);
  await choose(page, packageFile(12 * MB, "Left alone"));
  await reachesPercent(page, 10);
  await closeDialog(page);
  await page
    .getByRole("banner")
    .getByRole("link", { name: "Logout" })
    .or(page.getByRole("banner").getByRole("button", { name: "Logout" }))
    .click();
  await expect(page).toHaveURL(/login/);
  await expect.poll(async () => [await countStored(page, "uploads"), await countStored(page, "files")]).toEqual([0, 0]);
  await context.addInitScript(() => Object.defineProperty(window, "indexedDB", { get: () => undefined }));
  await setUploadSpeed(-1);
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/courses`);
  await openDialog(page);
  await choose(page, packageFile(2 * MB, "Private window"));
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  await context.close();
});

test("continues an upload after signing in again", { tag: "@long" }, async ({ browser, app }) => {
  const { page, setUploadSpeed, sent, context } = await openUploadPage(browser, app);
  await openDialog(page);
  await setUploadSpeed(1 * MB);
  await choose(page, packageFile(12 * MB, "Long lunch"));
  await reachesPercent(page, 10);
  await expect.poll(() => countStored(page, "files")).toBe(1);
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/login/);
  await setUploadSpeed(-1);
  await signIn(page, ADMIN);
  await expect(page.getByText("“Long lunch” imported").first()).toBeVisible();
  expect(sent.filter(({ command }) => command === "start").length).toBe(1);
  await context.close();
});
