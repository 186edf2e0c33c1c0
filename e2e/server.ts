import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Browser, type BrowserContextOptions, expect, type Page, test as base } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies, type Company } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess, type Process } from "#test/process.ts";
import { PASSWORD } from "#test/password.ts";

/**
 * Options for a browser without a cookie choice. All other browsers have made one, so that the banner covers nothing.
 */
const plain = new WeakMap<Browser, Browser["newContext"]>();
export const undecided = (browser: Browser, options?: BrowserContextOptions) =>
  (plain.get(browser) as Browser["newContext"])(options);

export type ServerFixture = Process & { admin: ReturnType<typeof createClient>; company: Company };
export { PASSWORD };

type Removable = { remove: () => Promise<void> };
type Current = { file: string; server: Removable | null };

/**
 * Fixtures that give every test file a server of its own: it starts with the first test and is removed when the next
 * file begins.
 */
export const serverPerFile = <S extends Removable>(create: () => Promise<S>) =>
  base.extend<{ app: S }, { current: Current }>({
    current: [
      async ({}, use) => {
        const current: Current = { file: "", server: null };
        await use(current);
        await current.server?.remove();
      },
      { scope: "worker" },
    ],
    app: [
      async ({ current }, use, { file }) => {
        if (current.file !== file) {
          await current.server?.remove();
          Object.assign(current, { file, server: null });
          current.server = await create();
        }
        await use(current.server as S);
      },
      { timeout: 90_000 },
    ],
  });

/** A real process with an embedded PostgreSQL, its first admin, and a company. */
export async function startServer(options: { shiftableClock?: boolean } = {}): Promise<ServerFixture> {
  const server = await createProcess({}, { ...options, fromTemplate: true });
  await server.start();
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi", color: "#c80f2e" } });
  return { ...server, admin, company };
}

export const test = serverPerFile(() => startServer()).extend<object, { browser: Browser }>({
  browser: [
    async ({ browser }, use) => {
      plain.set(browser, browser.newContext.bind(browser));
      browser.newContext = async (options) => {
        const context = await undecided(browser, options);
        await context.addInitScript(() => {
          if (location.hostname === "localhost") localStorage.setItem("cookieConsentStatus", "accept_all");
        });
        return context;
      };
      await use(browser);
    },
    { scope: "worker" },
  ],
});
export { expect };

/** Uploads a package, publishes it and assigns it to the app's company. Returns the address that launches it. */
export async function addCourse(app: ServerFixture, file: string | { name: string; bytes: Uint8Array }) {
  const { admin, company, url } = app;
  const fresh = await admin.call(auth.signIn, { body: ADMIN });
  admin.useToken(fresh.token);
  const { name, bytes } = typeof file === "string" ? { name: basename(file), bytes: readFileSync(file) } : file;
  const { status, body } = await admin.upload(name, bytes);
  if (status !== 200) throw new Error(`${name}: ${body.error}`);
  await admin.call(courses.setStatus, {
    params: { id: body.id },
    body: { status: "published", version: body.version },
  });
  await admin.call(courses.assign, { params: { id: body.id }, body: { companyIds: [company.id] } });
  return { id: body.id, title: body.title, launch: `${url}/launch/${company.id}/${body.id}` };
}

/** A new learner of the app's company. */
export async function addLearner(app: ServerFixture, name = "Jonas Hagen") {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}.${Math.random().toString(36).slice(2, 8)}@norrvik.example`;
  await app.admin.call(auth.register, {
    body: { name, email, password: PASSWORD, accessCode: app.company.accessCode },
  });
  return { email, password: PASSWORD, name };
}

export async function signIn(page: Page, who: { email: string; password: string }) {
  await page.getByLabel("Email", { exact: true }).fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** The dialog that asks users to confirm their identity. */
export const identity = (page: Page) => page.getByRole("dialog", { name: "Confirm your identity" });

/** Opens the dialog to delete the user's own data; returns its final button. */
export async function openErasure(page: Page, { url }: { url: string }) {
  await page.goto(`${url}/privacy-settings`);
  await page.getByRole("button", { name: "Delete my data" }).click();
  return page
    .getByRole("dialog", { name: "Delete your account and data?" })
    .getByRole("button", { name: "Delete my data" });
}

/** A new signed-in browser context on the given page. It signs in without the form, which other journeys fill in. */
export async function openAs(
  browser: Browser,
  who: { email: string; password: string },
  address: string,
  options?: BrowserContextOptions,
) {
  const context = await browser.newContext(options);
  const { email, password } = who;
  const signInUrl = new URL(auth.signIn.path, address).href;
  await expect(async () => {
    await expect(await context.request.post(signInUrl, { data: { email, password } })).toBeOK();
  }).toPass();
  const page = await context.newPage();
  await page.goto(address);
  return { context, page };
}

/** The save status, the innermost frame of the course, and a wait until everything is saved on the server. */
export const chip = (page: Page) => page.locator("header").getByRole("status");
export const saved = (page: Page) => expect(chip(page)).toContainText(/Saved \d\d:\d\d/, { timeout: 20_000 });
export const content = (page: Page) => page.frameLocator('iframe[title="Course content"]').frameLocator("iframe");

/**
 * Waits for the frames of a course that loads again: looking into a frame that is moving to another process fails at
 * once.
 */
export const framesLoaded = (page: Page) =>
  expect(() => content(page).locator("body").waitFor({ timeout: 5000 })).toPass({ timeout: 20_000 });

/** Opens a course in a page that shows another one. */
export async function openCourse(page: Page, address: string) {
  await page.goto(address);
  await framesLoaded(page);
}
