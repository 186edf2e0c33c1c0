import type { Page } from "@playwright/test";
import type { CreateRenderer } from "#shared/core/rendering.ts";
import { academies } from "#shared/settings/settings.ts";
import { addEvent, randomLetters } from "./eventsFixture.ts";
import { addLearner, expect, test, undecided } from "./server.ts";

// Server-rendered public pages: readable without scripts, hydrated without differences, for guests only

/** Delays the scripts of the application until the returned function is called. */
async function delayScripts(page: Page) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
const withoutWaiting = { waitUntil: "domcontentloaded" } as const;
/** Opens a page until the server renders it: while it is busy, it leaves that to browsers. */
const openRendered = (page: Page, address: string) =>
  expect(async () => {
    await page.goto(address, withoutWaiting);
    expect(await page.locator("#root[data-rendered]").count()).toBe(1);
  }).toPass();
const readRendered = async (address: string) => {
  let html = "";
  const read = async () => (html = await (await fetch(address)).text());
  await expect.poll(read).toContain("data-rendered");
  return html;
};
const expectHydrated = (page: Page) => expect(page.locator("#root")).not.toHaveAttribute("data-rendered");

test("renders every public page and hydrates it without changes", async ({ browser, app }) => {
  const event = await addEvent(app, {
    title: `Cats </script><script>alert(1)</script> & "dogs" ${randomLetters()}`,
    description: "# Why\n\n<img src=x onerror=alert(1)> [go](javascript:alert(1)) **bold**",
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/room",
    timezone: "Asia/Kathmandu",
  });
  const pages = {
    "/": "Learning at work",
    "/login": "Login",
    "/register": "Create",
    "/forgot-password": "password",
    "/privacy-policy": "Privacy policy",
    "/events": "Cats",
    "/events?when=past": "Events",
    "/events?view=month": "Events",
    [`/events/${event.slug}`]: "Kulturhuset",
    [`/events/${event.slug}/register`]: "Cats",
  };
  for (const [path, text] of Object.entries(pages)) {
    const html = await readRendered(app.url + path);
    const visible = html.replace(/<(script|style)\b.*?<\/\1>/gs, "");
    expect(visible, path).toContain(text);
    expect(visible, path).not.toMatch(/alert\(1\)<\/script>|<img src=x|href="javascript:/);
    expect(html, path).toMatch(/<h1[^>]*>/);
  }
  for (const [isDecided, options] of [
    [true, { viewport: { width: 390, height: 844 }, colorScheme: "dark", timezoneId: "Asia/Tokyo" }],
    [false, { viewport: { width: 1440, height: 900 }, colorScheme: "light", timezoneId: "America/New_York" }],
  ] as const) {
    const context = await (isDecided ? browser.newContext(options) : undecided(browser, options));
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    for (const path of Object.keys(pages)) {
      const release = await delayScripts(page);
      await openRendered(page, app.url + path);
      await page.locator("h1").evaluate((node) => {
        (window as never as { first: Element }).first = node;
      });
      release();
      await expectHydrated(page);
      expect(
        await page.locator("h1").evaluate((node) => node === (window as never as { first: Element }).first),
        `${path} keeps its heading`,
      ).toBe(true);
      await page.unrouteAll({ behavior: "wait" });
    }
    expect(errors).toEqual([]);
    await context.close();
  }
});

test("shows events without scripts", async ({ browser, app }) => {
  const event = await addEvent(app, {
    title: `Read me ${randomLetters()}`,
    description: "What it is about",
    agenda: [{ id: crypto.randomUUID(), title: "Opening words", startsAt: "2031-01-01T10:00" }] as never,
  });
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${app.url}/events`);
  await page.getByRole("link", { name: event.title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: event.title })).toBeVisible();
  await expect(page.getByText("What it is about")).toBeVisible();
  await expect(page.getByText("Opening words")).toBeVisible();
});

test("replays input and clicks made before hydration", async ({ browser, app }) => {
  const who = await addLearner(app);
  const page = await (await browser.newContext()).newPage();
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(frame.url()));
  const release = await delayScripts(page);
  await openRendered(page, `${app.url}/login`);
  await page.getByLabel("Email", { exact: true }).fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
  release();
  await page.waitForURL("**/my-courses");
  expect(visited.filter((url) => url.includes("?"))).toEqual([]);

  const other = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const open = await delayScripts(other);
  await openRendered(other, `${app.url}/events`);
  await other.getByRole("button", { name: "Open menu" }).click();
  await other.getByText("Past", { exact: true }).click();
  open();
  await expect(other.getByRole("dialog")).toBeVisible();
  await expect(other).toHaveURL(/when=past/);
});

test(
  "keeps the scroll position and restores a form draft after hydration",
  { tag: "@long" },
  async ({ browser, app }) => {
    const questions = [
      {
        id: crypto.randomUUID(),
        label: "Do you lead a team?",
        kind: "choice" as const,
        options: ["Yes", "Not yet"],
        required: false,
      },
    ];
    const event = await addEvent(app, {
      questions: [
        ...questions,
        {
          id: crypto.randomUUID(),
          label: "How many people?",
          kind: "text",
          required: false,
          showIf: { questionId: questions[0]?.id as string, equals: "Yes" },
        },
      ],
    } as never);
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    const address = `${app.url}/events/${event.slug}/register`;
    await page.goto(address);
    await expectHydrated(page);
    await page.getByLabel("Name").fill("Liv Aune");
    await page.getByLabel("Yes", { exact: true }).check();
    await page.getByLabel("How many people?").fill("Seven");
    const release = await delayScripts(page);
    await openRendered(page, address);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    const scrolled = await page.evaluate(() => scrollY);
    await page.getByLabel("Company").fill("Halden");
    release();
    await expectHydrated(page);
    await expect(page.getByLabel("How many people?")).toHaveValue("Seven");
    await expect(page.getByLabel("Name")).toHaveValue("Liv Aune");
    await expect(page.getByLabel("Company")).toHaveValue("Halden");
    expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(300);
    expect(errors).toEqual([]);
  },
);

test("shows the cookie banner immediately, unless a decision is stored", async ({ browser, app }) => {
  for (const decided of [true, false]) {
    const page = await (decided ? await browser.newContext() : await undecided(browser)).newPage();
    const release = await delayScripts(page);
    await page.goto(app.url, withoutWaiting);
    const banner = page.getByRole("region", { name: "Your cookie choice" });
    await expect(banner).toBeVisible({ visible: !decided });
    release();
    await expectHydrated(page);
    await expect(banner).toBeVisible({ visible: !decided });
    if (!decided) await page.getByRole("button", { name: "Reject All" }).click();
    await expect(banner).toHaveCount(0);
  }
});

test("renders only public data, and only the layout for requests with a session", async ({ app }) => {
  const inside = await addEvent(app, {
    title: `Only inside ${randomLetters()}`,
    visibility: "company",
    companyId: app.company.id,
  } as never);
  const coded = await addEvent(app, {
    title: `Behind a code ${randomLetters()}`,
    visibility: "code",
    accessCode: "open-sesame-12",
  } as never);
  for (const path of ["/", "/events", `/events/${inside.slug}`, `/events/${coded.slug}`]) {
    const html = await (await fetch(app.url + path)).text();
    expect(html, path).not.toMatch(/Only inside|Behind a code/);
  }
  const html = await (
    await fetch(`${app.url}/events`, { headers: { cookie: "lyceum.session_token=anything" } })
  ).text();
  expect(html).toContain('<div id="root"><');
  expect(html).not.toMatch(/data-rendered|id="query-data"|href="\/events\/[^"]/);
});

test("limits the number and size of files of a first visit", async ({ browser, app }) => {
  const event = await addEvent(app);
  for (const [path, files, kilobytes] of [
    ["/login", 14, 235],
    ["/", 30, 320],
    ["/events", 36, 352],
    [`/events/${event.slug}`, 32, 320],
  ] as const) {
    const page = await (await browser.newContext()).newPage();
    const fileSizes: number[] = [];
    page.on(
      "requestfinished",
      (request) =>
        /\.(js|css)$/.test(request.url()) &&
        void request.sizes().then(({ responseBodySize }) => fileSizes.push(responseBodySize)),
    );
    await page.goto(app.url + path, { waitUntil: "networkidle" });
    expect(fileSizes.length, path).toBeLessThanOrEqual(files);
    expect(fileSizes.reduce((a, b) => a + b, 0) / 1000, path).toBeLessThan(kilobytes);
    await page.close();
  }
});

test("renders at most four uncached pages at a time", { tag: "@long" }, async ({ app }) => {
  const { createRenderer } = (await import(new URL("../dist/ssr/server.js", import.meta.url).href)) as {
    createRenderer: CreateRenderer;
  };
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const render = createRenderer(async () => {
    await responded;
    return Response.json({ items: [], total: 0, categories: [], languages: [] });
  });
  const academy = await (await fetch(`${app.url}${academies.read.path}`)).json();
  const search = randomLetters();
  const renderPage = (n: number) => render({ url: `/events?q=${search}${n}`, academy, signInMethods: "" });
  const four = [1, 2, 3, 4].map(renderPage);
  expect(await Promise.race([renderPage(5), four[0]])).toBeNull();
  respond();
  expect((await Promise.all(four)).map((page) => page?.html.includes("<h1"))).toEqual([true, true, true, true]);
  expect((await renderPage(6))?.html).toContain("<h1");
});
