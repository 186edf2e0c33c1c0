import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { expectNoHorizontalScroll, viewports } from "./layout.ts";
import { largePackage } from "./packages.ts";
import { expect, type ServerFixture, signIn } from "./server.ts";

export const MB = 1e6;
export const folder = mkdtempSync(join(tmpdir(), "lyceum-upload-"));
/** A package on disk, so that choosing it again gives the same name, size and date. */
export const packageFile = (bytes: number, title: string) => {
  const path = join(folder, `${title.toLowerCase().replaceAll(" ", "-")}.zip`);
  writeFileSync(path, largePackage(bytes, title).bytes);
  return path;
};

export type UploadPage = Awaited<ReturnType<typeof openUploadPage>>;
/** An admin on /courses with a limited upload speed. */
export async function openUploadPage(browser: Browser, { url }: { url: string }, viewport = viewports.desktop) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  const setUploadSpeed = (bytesPerSecond: number, offline = false) =>
    devTools.send("Network.emulateNetworkConditions", {
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
  return { context, page, setUploadSpeed, sent, sessions };
}
export async function openDialog(page: Page) {
  await page.getByRole("button", { name: "Add course" }).click();
  await page.getByRole("menuitem", { name: "Upload package" }).click();
}
export const choose = (page: Page, files: string | string[]) =>
  page.locator('input[type="file"]').first().setInputFiles(files);
export const percent = async (page: Page) =>
  Number(await page.getByRole("progressbar").first().getAttribute("aria-valuenow"));
export const reachesPercent = (page: Page, least: number) =>
  expect.poll(() => percent(page)).toBeGreaterThanOrEqual(least);
export const closeDialog = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
export const notice = (page: Page) => page.getByRole("region", { name: "Uploads" });
export const countStored = (page: Page, store: string) =>
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
export const deleteStoredFiles = (page: Page) =>
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

/** Checks accessibility (axe) and that the page does not scroll horizontally. */
export async function checkLayout(page: Page, state: string) {
  await expectAccessible(page, state);
  await expectNoHorizontalScroll(page, state);
}
export async function tokenOf({ admin }: ServerFixture) {
  const { token } = await admin.call(auth.signIn, { body: ADMIN });
  return token;
}
