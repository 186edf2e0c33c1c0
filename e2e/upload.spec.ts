import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "@playwright/test";
import { auth } from "#shared/auth.ts";
import { objectAddress, OBJECTS_PATH } from "#shared/files.ts";
import { createClient, multipart } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { largePackage } from "./packages.ts";
import { expect, type ServerFixture, signIn, test } from "./server.ts";

// Uploads: nothing that a cut, a pause, a reload, a second tab or a dead server does to them loses a byte

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const MB = 1e6;
const folder = mkdtempSync(join(tmpdir(), "lyceum-upload-"));
/** A package on the disk, where the browser finds it again with the same name, size and date. */
const packageFile = (bytes: number, title: string) => {
  const path = join(folder, `${title.toLowerCase().replaceAll(" ", "-")}.zip`);
  writeFileSync(path, largePackage(bytes, title).bytes);
  return path;
};

type Desk = Awaited<ReturnType<typeof openDesk>>;
/** An admin on /courses whose line upwards is as fast as the test wants. */
async function openDesk(browser: Browser, { url }: { url: string }, viewport = sizes.desktop) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send("Network.enable");
  const line = (bytesPerSecond: number, offline = false) =>
    wire.send("Network.emulateNetworkConditions", {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  const sent: { command: string; status: () => Promise<number> }[] = [];
  const sessions: string[] = [];
  page.on("request", (request) => {
    const command = request.headers()["x-goog-upload-command"];
    if (command) sent.push({ command, status: async () => (await request.response())?.status() ?? 0 });
  });
  page.on("response", (response) => {
    const session = response.headers()["x-goog-upload-url"];
    if (session) sessions.push(session);
  });
  await page.goto(`${url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${url}/courses`);
  return { context, page, line, sent, sessions };
}
const openDialog = (page: Page) => page.getByRole("button", { name: "Upload package" }).first().click();
const choose = (page: Page, files: string | string[]) =>
  page.locator('input[type="file"]').first().setInputFiles(files);
const percent = async (page: Page) => Number(await page.getByRole("progressbar").first().getAttribute("aria-valuenow"));
const reaches = (page: Page, least: number) => expect.poll(() => percent(page)).toBeGreaterThanOrEqual(least);
const closeDialog = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
const notice = (page: Page) => page.getByRole("region", { name: "Uploads" });
const kept = (page: Page, store: string) =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const request = indexedDB.open("lyceum-uploads");
        request.onsuccess = () => {
          const count = request.result.transaction(name).objectStore(name).count();
          count.onsuccess = () => {
            request.result.close();
            resolve(count.result);
          };
        };
      }),
    store,
  );
const forgetBytes = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open("lyceum-uploads");
        request.onsuccess = () => {
          const tx = request.result.transaction("files", "readwrite");
          tx.objectStore("files").clear();
          tx.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
  );

async function looksRight(page: Page, what: string) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect([
    what,
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`),
  ]).toEqual([what, []]);
  expect([
    what,
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ]).toEqual([what, 0]);
}
async function tokenOf({ admin }: ServerFixture) {
  const { token } = await admin.call(auth.signIn, { body: ADMIN });
  return token;
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`pause, resume, reload, and to the end, on a ${size}`, async ({ browser, app }) => {
    const { page, line, sent, context } = await openDesk(browser, app, viewport);
    const title = `Lockout on a ${size}`;
    await openDialog(page);
    await line(1.5 * MB);
    await choose(page, packageFile(12 * MB, title));
    await reaches(page, 15);
    await line(0.15 * MB);
    await looksRight(page, "running");

    await page.getByRole("button", { name: /^Pause/ }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^Paused at/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Resume/ })).toBeFocused();
    await looksRight(page, "paused");
    const before = [sent.length, await percent(page)];
    await page.waitForTimeout(700);
    expect([sent.length, await percent(page)]).toEqual(before);
    await line(1.5 * MB);
    await page.keyboard.press("Enter");
    await reaches(page, 35);

    await line(0.15 * MB);
    await closeDialog(page);
    await expect(notice(page).getByRole("progressbar")).toBeVisible();
    await looksRight(page, "notice");
    await expect.poll(() => kept(page, "files")).toBe(1);
    await page.reload();
    await expect(notice(page).getByText(/per second/)).toBeVisible();
    expect(await percent(page)).toBeGreaterThan(30);
    expect(sent.map(({ command }) => command).filter((command) => command === "start")).toEqual(["start"]);
    await line(-1);
    await expect(notice(page).getByText(`“${title}” is imported`)).toBeVisible();
    await looksRight(page, "done");
    await expect.poll(() => kept(page, "uploads")).toBe(0);
    await page.locator(".mantine-Notification-root").getByRole("button", { name: "Open course" }).click();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await context.close();
  });
}

test("cancel leaves nothing behind, here and on the server", async ({ browser, app }) => {
  const { page, line, sessions, context } = await openDesk(browser, app);
  await openDialog(page);
  await line(1.5 * MB);
  await choose(page, packageFile(12 * MB, "Called off"));
  await reaches(page, 15);
  await page.getByRole("button", { name: /^Pause/ }).click();
  await page.getByRole("button", { name: /^Cancel upload/ }).click();
  await expect(page.getByRole("progressbar")).toBeHidden();
  await expect(page.getByRole("button", { name: "Choose files" })).toBeFocused();
  await expect.poll(async () => [await kept(page, "uploads"), await kept(page, "files")]).toEqual([0, 0]);
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

test("the server dies in the middle: the upload waits, says so, and goes on", async ({ browser, app }) => {
  const { page, line, sent, context } = await openDesk(browser, app);
  await openDialog(page);
  await line(1.5 * MB);
  await choose(page, packageFile(12 * MB, "Power cut"));
  await reaches(page, 20);
  await app.kill();
  await expect(page.getByText(/The server does not answer\. Trying again in \d/)).toBeVisible();
  await looksRight(page, "waiting");
  await app.start();
  await page
    .getByRole("button", { name: /^Retry now/ })
    .click({ timeout: 2000 })
    .catch(() => {});
  await line(-1);
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  expect(sent.filter(({ command }) => command === "start").length).toBe(1);
  expect(sent.some(({ command }) => command === "query")).toBe(true);
  await context.close();
});

test("no network: it waits, and goes on by itself when the network is back", async ({ browser, app }) => {
  const { page, line, context } = await openDesk(browser, app);
  await openDialog(page);
  await line(1.5 * MB);
  await choose(page, packageFile(12 * MB, "Tunnel"));
  await reaches(page, 20);
  await line(0, true);
  await expect(page.getByText("Waiting for the network. The upload resumes automatically.")).toBeVisible();
  await line(-1);
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  await context.close();
});

test("a full store is an error with a sentence; with room again, trying again works", async ({ browser }) => {
  const small = await createProcess({ STORAGE_QUOTA: "6MB" });
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
  const { page, context } = await openDesk(browser, small);
  await openDialog(page);
  await choose(page, packageFile(3 * MB, "Too much"));
  await expect(page.getByText("The academy's storage is full.").first()).toBeVisible();
  await looksRight(page, "failed");
  await fetch(`${small.url}${OBJECTS_PATH}/filler`, { method: "DELETE", headers });
  await page.getByRole("button", { name: /^Try again/ }).click();
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  await context.close();
  await small.remove();
});

/** An upload of a page that is then loaded again without the bytes it had kept. */
async function interrupted({ page, line }: Desk, file: string) {
  await openDialog(page);
  await line(1.5 * MB);
  await choose(page, file);
  await reaches(page, 20);
  await expect.poll(() => kept(page, "files")).toBe(1);
  await forgetBytes(page);
  await page.reload();
  await expect(notice(page).getByText(/^Interrupted at \d+/)).toBeVisible();
}

test("the bytes are gone after a reload: only the same file goes on", async ({ browser, app }) => {
  const desk = await openDesk(browser, app);
  const { page, line, sent, context } = desk;
  const file = packageFile(12 * MB, "Chosen twice");
  await interrupted(desk, file);
  await looksRight(page, "missing");
  await choose(page, packageFile(1 * MB, "Another one"));
  await expect(
    notice(page)
      .getByText(/“another-one\.zip” is another file\. Choose “chosen-twice\.zip”/)
      .first(),
  ).toBeVisible();
  await line(-1);
  await choose(page, file);
  await expect(notice(page).getByText("“Chosen twice” is imported")).toBeVisible();
  expect(sent.filter(({ command }) => command === "start").length).toBe(1);
  await context.close();
});

test("two tabs: one runs it, the other takes over when that one closes", async ({ browser, app }) => {
  const desk = await openDesk(browser, app);
  const { page, line, context } = desk;
  await openDialog(page);
  await line(0.7 * MB);
  await choose(page, packageFile(12 * MB, "Two tabs"));
  await reaches(page, 10);
  await expect.poll(() => kept(page, "files")).toBe(1);
  const other = await context.newPage();
  await other.goto(`${app.url}/courses`);
  await expect(notice(other).getByText("Uploading in another tab of this browser.")).toBeVisible();
  await looksRight(other, "elsewhere");
  await page.close();
  await expect(notice(other).getByText("“Two tabs” is imported")).toBeVisible();
  await context.close();
});

test("several packages go one after the other; what is no package is refused in words", async ({ browser, app }) => {
  const { page, line, context } = await openDesk(browser, app);
  const bad = join(folder, "letter.zip");
  writeFileSync(bad, "Dear all");
  await openDialog(page);
  await line(3 * MB);
  await choose(page, [packageFile(4 * MB, "First of two"), bad, packageFile(1 * MB, "Second of two")]);
  await expect(page.getByText("Queued", { exact: true })).toHaveCount(2);
  await expect(page.getByText("“letter.zip” was not imported")).toBeVisible();
  await expect(page.getByText("“First of two” is imported")).toBeVisible();
  await expect(page.getByText("“Second of two” is imported")).toBeVisible();
  await looksRight(page, "outcomes");
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("x") });
  await expect(
    page.getByRole("alert").filter({ hasText: "notes.pdf is not a supported file type. Choose one of: .zip." }),
  ).toBeVisible();
  await context.close();
});

test("signing out forgets an upload; a browser that stores nothing still uploads", async ({ browser, app }) => {
  const { page, line, context } = await openDesk(browser, app);
  await openDialog(page);
  await line(1 * MB);
  await choose(page, packageFile(12 * MB, "Left alone"));
  await reaches(page, 10);
  await closeDialog(page);
  await page
    .getByRole("banner")
    .getByRole("link", { name: "Logout" })
    .or(page.getByRole("banner").getByRole("button", { name: "Logout" }))
    .click();
  await expect(page).toHaveURL(/login/);
  await expect.poll(async () => [await kept(page, "uploads"), await kept(page, "files")]).toEqual([0, 0]);
  await context.addInitScript(() => Object.defineProperty(window, "indexedDB", { get: () => undefined }));
  await line(-1);
  await page.goto(`${app.url}/login`);
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/dashboard/);
  await page.goto(`${app.url}/courses`);
  await openDialog(page);
  await choose(page, packageFile(2 * MB, "Private window"));
  await expect(page.getByRole("heading", { name: "Package imported" })).toBeVisible();
  await context.close();
});

test("a sign-in that has ended stops an upload; signing in again goes on with it", async ({ browser, app }) => {
  const { page, line, sent, context } = await openDesk(browser, app);
  await openDialog(page);
  await line(1 * MB);
  await choose(page, packageFile(12 * MB, "Long lunch"));
  await reaches(page, 10);
  await expect.poll(() => kept(page, "files")).toBe(1);
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/login/);
  await line(-1);
  await signIn(page, ADMIN);
  await expect(page.getByText("“Long lunch” is imported").first()).toBeVisible();
  expect(sent.filter(({ command }) => command === "start").length).toBe(1);
  await context.close();
});
