import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Frame, type Page } from "@playwright/test";
import { plainPackage, probePackage, titledPackage, workerPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, signIn, test } from "./server.ts";

// Packages of other authors launch, report and resume, and hostile ones are contained. The sample packages are optional

const samplesFolder = join(import.meta.dirname, "../../shared/packages");
const list = (folder: string) =>
  existsSync(join(samplesFolder, folder))
    ? readdirSync(join(samplesFolder, folder))
        .filter((name) => name.endsWith(".zip"))
        .map((name) => join(samplesFolder, folder, name))
    : [];
const find = (folder: string, part: string) => list(folder).find((path) => path.includes(part)) ?? "";

const frames = (page: Page) => page.frames().filter((frame) => frame.url().includes("/files/"));
const inner = (page: Page) => frames(page).at(-1) as Frame;
const acceptDialogs = (page: Page) => page.on("dialog", (dialog) => void dialog.accept().catch(() => {}));

for (const folder of ["scorm12", "scorm2004", "adl"].filter((name) => list(name).length > 0)) {
  test(`opens, saves and closes every package of ${folder}`, async ({ browser, app }) => {
    test.setTimeout(300_000);
    const who = await addLearner(app);
    const { page, context } = await openAs(browser, who, `${app.url}/login`);
    acceptDialogs(page);
    await expect(page).toHaveURL(/my-courses/);
    for (const path of list(folder)) {
      const course = await addCourse(app, path);
      await test.step(path.split("/").at(-1) ?? "", async () => {
        await page.goto(course.launch);
        await expect.poll(() => frames(page).length, { timeout: 20_000 }).toBeGreaterThan(0);
        await saved(page);
        await expect
          .poll(
            () =>
              Promise.all(
                frames(page).map((frame) => frame.evaluate(() => document.body?.innerText.length ?? 0).catch(() => 0)),
              ).then((all) => Math.max(...all)),
            { timeout: 20_000 },
          )
          .toBeGreaterThan(0);
        await page.locator("header").getByRole("button", { name: "Exit" }).click();
        await expect(page).toHaveURL(/my-courses/);
      });
    }
    await context.close();
  });
}

const resumable = [
  ["scorm12", "RuntimeBasicCalls"],
  ["scorm2004", "RunTimeAdvancedCalls"],
] as const;
for (const [folder, part] of resumable.filter(([name, sample]) => find(name, sample) !== "")) {
  test(`${part} resumes on the page that was left`, async ({ browser, app }) => {
    const course = await addCourse(app, find(folder, part));
    const who = await addLearner(app);
    const { page, context } = await openAs(browser, who, course.launch);
    acceptDialogs(page);
    const next = () => content(page).getByRole("button", { name: /Next/ }).click();
    await saved(page);
    for (let i = 0; i < 3; i++) {
      const before = inner(page).url();
      await next();
      await expect.poll(() => inner(page)?.url()).not.toBe(before);
    }
    const leftPage = inner(page).url().split("/files/")[1]?.split("/").slice(1).join("/");
    await saved(page);
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    acceptDialogs(again);
    await again.goto(course.launch);
    await expect
      .poll(() => inner(again)?.url().split("/files/")[1]?.split("/").slice(1).join("/"), { timeout: 20_000 })
      .toBe(leftPage);
    await context.close();
  });
}

test("isolates a hostile package from the application", async ({ browser, app }) => {
  const course = await addCourse(app, probePackage("1.2"));
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect.poll(() => frames(page).length).toBeGreaterThan(0);
  const frame = inner(page);
  const reached = await frame.evaluate(async (app) => {
    const attempt = async (action: () => unknown) => {
      try {
        const found = await action();
        return found === undefined || found === null ? "nothing" : `reached ${String(found).slice(0, 40)}`;
      } catch (error) {
        return (error as Error).name;
      }
    };
    return {
      parentDocument: await attempt(() => window.top?.document.title),
      parentStorage: await attempt(() => window.top?.localStorage.getItem("user")),
      ownUser: await attempt(() => localStorage.getItem("user")),
      cookies: await attempt(() => (document.cookie === "" ? null : document.cookie)),
      api: await attempt(async () => (await fetch(`${app}/api/me`, { credentials: "include" })).status),
      token: await attempt(
        async () => (await fetch(`${app}/api/auth/token`, { method: "POST", credentials: "include" })).status,
      ),
      navigate: await attempt(() => {
        (window.top as Window).location.href = "https://evil.example/";
        return null;
      }),
      databases: await attempt(async () =>
        (await indexedDB.databases()).some(({ name }) => name === "lyceum-journal") ? "journal" : null,
      ),
    };
  }, app.url);
  for (const [what, found] of Object.entries(reached))
    expect([what, found]).toEqual([what, expect.not.stringContaining("reached")]);
  expect(reached).toMatchObject({
    parentDocument: "SecurityError",
    parentStorage: "SecurityError",
    cookies: "nothing",
    api: "TypeError",
    token: "TypeError",
    navigate: "SecurityError",
  });
  await expect(page).toHaveURL(course.launch);

  // A package shares the origin of the shell, but cannot run a script of its own in it.
  const injected = await frame.evaluate(
    () =>
      new Promise((resolve) => {
        const shell = window.parent.document;
        const script = shell.createElement("script");
        script.src = new URL("evil.js", location.href).href;
        script.addEventListener("load", () => resolve("loaded"));
        script.addEventListener("error", () => setTimeout(() => resolve("requested"), 500));
        shell.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
        shell.head.append(script);
      }),
  );
  expect(injected).toBe("script-src-elem");

  // A window that a package opens inherits its sandbox: pages of the application are not shown in it.
  const popupOpened = context.waitForEvent("page");
  await frame.evaluate((url) => void window.open(url), `${app.url}/login`);
  const popup = await popupOpened;
  await popup.waitForLoadState().catch(() => {});
  await expect(popup.getByRole("textbox")).toHaveCount(0);
  expect(popup.url()).not.toBe(`${app.url}/login`);
  await context.close();
});

test("prevents packages from installing a service worker", async ({ browser, app }) => {
  const course = await addCourse(app, workerPackage());
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect.poll(() => frames(page).length).toBeGreaterThan(0);
  await expect(content(page).getByText(/Error$/)).toBeVisible();
  expect(await inner(page).evaluate(async () => (await fetch("worker.js")).status)).toBe(200);
  expect(
    await inner(page).evaluate(() =>
      navigator.serviceWorker.getRegistrations().then(
        (all) => all.length,
        () => 0,
      ),
    ),
  ).toBe(0);
  await context.close();
});

test("shows titles with markup as text and decodes UTF-16 manifests", async ({ browser, app }) => {
  for (const title of ["<img src=x onerror=alert(1)>", "Ünïcødé"]) {
    const course = await addCourse(app, titledPackage(title));
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    page.on("dialog", () => {
      throw new Error("the title ran as code");
    });
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await context.close();
  }
});

test("completes a web page when the learner confirms it", async ({ browser, app }) => {
  const course = await addCourse(app, plainPackage());
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(content(page).getByRole("heading", { name: "A plain page" })).toBeVisible();
  await page.getByRole("button", { name: "Mark as complete" }).click();
  await expect(page.getByRole("button", { name: "Complete", exact: true })).toBeDisabled();
  await context.close();
});

test("clears package storage before another learner uses the same browser", async ({ app }) => {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const course = await addCourse(app, plainPackage());
  const open = async (name: string) => {
    await page.goto(course.launch);
    await signIn(page, await addLearner(app, name));
    await expect(content(page).getByRole("heading", { name: "A plain page" })).toBeVisible();
  };
  await open("Ada One");
  await inner(page).evaluate(() => localStorage.setItem("answers", "of the first learner"));
  await page.locator("header").getByRole("button", { name: "Exit" }).click();
  await page
    .getByRole("banner")
    .getByRole("link", { name: "Logout" })
    .or(page.getByRole("banner").getByRole("button", { name: "Logout" }))
    .click();
  await expect(page).toHaveURL(/login/);
  await open("Bea Two");
  expect(await inner(page).evaluate(() => localStorage.getItem("answers"))).toBeNull();
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});
