import type { Page } from "@playwright/test";
import type { CreateRenderer } from "#shared/rendering.ts";
import { academies } from "#shared/settings.ts";
import { addEvent, randomLetters } from "./eventsFixture.ts";
import { addLearner, expect, test, undecided } from "./server.ts";

// Public pages as the server draws them: readable without scripts, taken over without a difference, and for guests only

/** Holds the application back, as a slow line does, until the returned function is called. */
async function withoutApplication(page: Page) {
  let letIn = () => {};
  const open = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await open;
    await route.continue();
  });
  return letIn;
}
const early = { waitUntil: "domcontentloaded" } as const;
const isHere = (page: Page) => expect(page.locator("#root")).not.toHaveAttribute("data-rendered");

test("every public page is in the HTML, and the browser takes it over without changing a thing", async ({
  browser,
  app,
}) => {
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
  for (const [path, words] of Object.entries(pages)) {
    const html = await (await fetch(app.url + path)).text();
    const visible = html.replace(/<(script|style)\b.*?<\/\1>/gs, "");
    expect(visible, path).toContain(words);
    expect(visible, path).not.toMatch(/alert\(1\)<\/script>|<img src=x|href="javascript:/);
    expect(html, path).toMatch(/<h1[^>]*>/);
  }
  for (const [decided, look] of [
    [true, { viewport: { width: 390, height: 844 }, colorScheme: "dark", timezoneId: "Asia/Tokyo" }],
    [false, { viewport: { width: 1440, height: 900 }, colorScheme: "light", timezoneId: "America/New_York" }],
  ] as const) {
    const context = await (decided ? browser.newContext(look) : undecided(browser, look));
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(error.message));
    for (const path of Object.keys(pages)) {
      const letIn = await withoutApplication(page);
      await page.goto(app.url + path, early);
      await page.locator("h1").evaluate((node) => {
        (window as never as { first: Element }).first = node;
      });
      letIn();
      await isHere(page);
      expect(
        await page.locator("h1").evaluate((node) => node === (window as never as { first: Element }).first),
        `${path} keeps its heading`,
      ).toBe(true);
      await page.unrouteAll({ behavior: "wait" });
    }
    expect(wrong).toEqual([]);
    await context.close();
  }
});

test("without scripts an event can be found and read", async ({ browser, app }) => {
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

test("who is quicker than the application loses nothing: fields, buttons, the login, and no password in the address", async ({
  browser,
  app,
}) => {
  const who = await addLearner(app);
  const page = await (await browser.newContext()).newPage();
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(frame.url()));
  const letIn = await withoutApplication(page);
  await page.goto(`${app.url}/login`, early);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
  letIn();
  await page.waitForURL("**/my-courses");
  expect(visited.filter((url) => url.includes("?"))).toEqual([]);

  const other = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const open = await withoutApplication(other);
  await other.goto(`${app.url}/events`, early);
  await other.getByRole("button", { name: "Open menu" }).click();
  await other.getByText("Past", { exact: true }).click();
  open();
  await expect(other.getByRole("dialog")).toBeVisible();
  await expect(other).toHaveURL(/when=past/);
});

test("a drawn page stays where it was scrolled, and a draft of before comes back into a drawn form", async ({
  browser,
  app,
}) => {
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
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  const address = `${app.url}/events/${event.slug}/register`;
  await page.goto(address);
  await isHere(page);
  await page.getByLabel("Name").fill("Liv Aune");
  await page.getByLabel("Yes", { exact: true }).check();
  await page.getByLabel("How many people?").fill("Seven");
  const letIn = await withoutApplication(page);
  await page.goto(address, early);
  await page.mouse.wheel(0, 400);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  const scrolled = await page.evaluate(() => scrollY);
  await page.getByLabel("Company").fill("Halden");
  letIn();
  await isHere(page);
  await expect(page.getByLabel("How many people?")).toHaveValue("Seven");
  await expect(page.getByLabel("Name")).toHaveValue("Liv Aune");
  await expect(page.getByLabel("Company")).toHaveValue("Halden");
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(300);
  expect(wrong).toEqual([]);
});

test("who has decided about cookies sees no banner at all; everybody else sees it at once", async ({
  browser,
  app,
}) => {
  for (const decided of [true, false]) {
    const page = await (decided ? await browser.newContext() : await undecided(browser)).newPage();
    const letIn = await withoutApplication(page);
    await page.goto(app.url, early);
    const banner = page.getByRole("region", { name: "Your cookie choice" });
    await expect(banner).toBeVisible({ visible: !decided });
    letIn();
    await isHere(page);
    await expect(banner).toBeVisible({ visible: !decided });
    if (!decided) await page.getByRole("button", { name: "Reject All" }).click();
    await expect(banner).toHaveCount(0);
  }
});

test("a drawn page is a guest's: nothing of other visibility in it, and with a session nothing is drawn", async ({
  app,
}) => {
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
  expect(html).toContain('<div id="root"></div>');
});

test("a first visit stays light: few files, and no more of them than these pages need", async ({ browser, app }) => {
  const event = await addEvent(app);
  for (const [path, files, kilobytes] of [
    ["/login", 12, 230],
    ["/", 34, 340],
    ["/events", 50, 350],
    [`/events/${event.slug}`, 50, 350],
  ] as const) {
    const page = await (await browser.newContext()).newPage();
    const seen: number[] = [];
    page.on(
      "requestfinished",
      (request) =>
        /\.(js|css)$/.test(request.url()) &&
        void request.sizes().then(({ responseBodySize }) => seen.push(responseBodySize)),
    );
    await page.goto(app.url + path, { waitUntil: "networkidle" });
    expect(seen.length, path).toBeLessThanOrEqual(files);
    expect(seen.reduce((a, b) => a + b, 0) / 1000, path).toBeLessThan(kilobytes);
    await page.close();
  }
});

test("four pages that nobody asked for before are drawn at once; what comes meanwhile is drawn in the browser", async ({
  app,
}) => {
  const { createRenderer } = (await import(new URL("../dist/ssr/server.js", import.meta.url).href)) as {
    createRenderer: CreateRenderer;
  };
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const draw = createRenderer(async () => {
    await held;
    return Response.json({ items: [], total: 0, categories: [], languages: [] });
  });
  const academy = await (await fetch(`${app.url}${academies.read.path}`)).json();
  const burst = randomLetters();
  const ask = (n: number) => draw({ url: `/events?q=${burst}${n}`, academy, signInMethods: "" });
  const four = [1, 2, 3, 4].map(ask);
  expect(await Promise.race([ask(5), four[0]])).toBeNull();
  answer();
  expect((await Promise.all(four)).map((drawn) => drawn?.html.includes("<h1"))).toEqual([true, true, true, true]);
  expect((await ask(6))?.html).toContain("<h1");
});
