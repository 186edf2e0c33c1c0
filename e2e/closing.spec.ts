import { randomBytes } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { isLong, sampled, scaled } from "#test/long.ts";
import { closingPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, openAs, saved, type ServerFixture, test } from "./server.ts";

// What a package says while its page closes arrives, however it closes

type Manner = { terminate?: boolean; data?: string; exit?: string; busyMs?: number };
const manners: Record<string, () => Manner> = {
  "values only": () => ({}),
  "Terminate without Commit": () => ({ terminate: true }),
  "60,000 characters": () => ({ terminate: true, data: randomBytes(45_000).toString("base64") }),
};
const closings: Record<string, (page: Page, app: ServerFixture) => Promise<unknown>> = {
  "tab close": (page) => page.close({ runBeforeUnload: false }),
  "tab close with beforeunload": (page) => page.close({ runBeforeUnload: true }),
  "navigating away": (page, { url }) => page.goto(`${url}/api/health`),
  "Back in the application": (page) => page.evaluate(() => history.back()),
};

const speakOn = (page: Page, type: string, place: string, manner: Manner) =>
  content(page)
    .locator("body")
    .evaluate(
      (_, given) => (window as never as { speakOn: (...a: unknown[]) => void }).speakOn(...given),
      [type, place, manner],
    );
const storedText = async (app: ServerFixture, courseId: string) =>
  JSON.stringify(
    await app.query(
      `select session_events.events
       from session_events
       join sessions on sessions.id = session_events.session_id
       join attempts on attempts.id = sessions.attempt_id
       where attempts.course_id = $1
       order by sessions.started_at, session_events.first_seq`,
      [courseId],
    ),
  );

/**
 * Opens the course and lets its package speak on `types` while the page closes; it terminates in the last one only.
 * Returns what the server has not stored a moment later.
 */
async function play(
  app: ServerFixture,
  context: BrowserContext,
  course: { id: string; launch: string },
  { types, close, manner }: { types: string[]; close: string; manner: string },
) {
  const page = await context.newPage();
  await page.goto(`${app.url}/my-courses`);
  await page
    .locator(`a[href="${new URL(course.launch).pathname}"]`)
    .first()
    .click();
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await saved(page);
  const places = types.map((type) => `${type}, ${manner}`);
  const { terminate, data = "" } = manners[manner]?.() ?? {};
  for (const [n, type] of types.entries())
    await speakOn(page, type, places[n] as string, { data, terminate: terminate && n === types.length - 1 });
  await closings[close]?.(page, app);
  const missing = async () => {
    const stored = await storedText(app, course.id);
    return places.filter((place) => !stored.includes(place));
  };
  await expect
    .poll(missing, { timeout: 5000 })
    .toEqual([])
    .catch(() => {});
  const lost = await missing();
  await page.close();
  return lost;
}

const types = ["beforeunload", "pagehide", "visibilitychange", "unload"];
/**
 * Where `beforeunload` does not run: Playwright closes tabs without it by default, and a replaced document has none.
 */
const withoutBeforeunload = new Set(["tab close", "Back in the application"]);

for (const close of sampled("closings", Object.keys(closings), 2)) {
  test(`stores what a package says while its page closes: ${close}`, async ({ browser, app }) => {
    test.setTimeout(scaled(120_000, 900_000));
    const course = await addCourse(app, closingPackage());
    const { page, context } = await openAs(browser, await addLearner(app), `${app.url}/my-courses`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const spoken = types.filter((type) => type !== "beforeunload" || !withoutBeforeunload.has(close));
    // At full length one event at a time, otherwise all of them in one play.
    const plays = isLong ? spoken.map((type) => [type]) : [spoken];
    const lost: string[] = [];
    for (const manner of Object.keys(manners))
      for (const speaking of plays)
        lost.push(...(await play(app, context, course, { types: speaking, close, manner })));
    expect(lost).toEqual([]);
    const unused = await app.query(
      "select s.id from sessions s join attempts a on a.id = s.attempt_id where a.course_id = $1 and s.last_seq = 0",
      [course.id],
    );
    expect(unused).toEqual([]);
    await context.close();
  });
}

test(
  "a launch waits for a page that closes slowly when its learner returns at once",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addCourse(app, closingPackage());
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    const manner = { data: "all slides", busyMs: 400 };
    const comeBack: Record<string, () => Promise<unknown>> = {
      reload: () => page.reload(),
      "another page and back": async () => {
        await page.goto(`${app.url}/api/health`);
        await page.goto(course.launch);
      },
      "another tab": async () => {
        void page.close();
        await again.goto(course.launch);
      },
    };
    const again = await context.newPage();
    for (const [name, act] of Object.entries(comeBack)) {
      await expect(content(page).locator("#entry")).not.toHaveText("");
      await saved(page);
      await speakOn(page, "unload", name, manner);
      await act();
      await expect(content(page.isClosed() ? again : page).locator("#place")).toHaveText(name);
      await expect(content(page.isClosed() ? again : page).locator("#data")).toHaveText("10");
    }
    await context.close();
  },
);

test(
  "a package that terminates while it is left resumes: by Exit, and by another part",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addCourse(app, closingPackage(["one", "two"]));
    const { page, context } = await openAs(browser, await addLearner(app), course.launch);
    const speakAndLeave = async (place: string, leave: () => Promise<unknown>) => {
      await expect(content(page).locator("#entry")).not.toHaveText("");
      await saved(page);
      await speakOn(page, "unload", place, { terminate: true, exit: "" });
      await leave();
    };
    const openPart = (name: string) =>
      page
        .getByRole("button", { name: new RegExp(name) })
        .first()
        .click();
    await speakAndLeave("slide 7", () => openPart("Part two"));
    await expect(content(page).locator("#place")).toHaveText("");
    await openPart("Part one");
    await expect(content(page).locator("#place")).toHaveText("slide 7");
    await expect(content(page).locator("#entry")).toHaveText("resume");
    await speakAndLeave("slide 9", () => page.locator("header").getByRole("button", { name: "Exit" }).click());
    await expect(page).toHaveURL(/my-courses/);
    await page.goto(course.launch);
    await expect(content(page).locator("#place")).toHaveText("slide 9");
    await expect(content(page).locator("#entry")).toHaveText("resume");
    await context.close();
  },
);

test("keeps an answer that the application page had no time to store", async ({ browser, app }) => {
  const course = await addCourse(app, closingPackage());
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await saved(page);
  await app.kill();
  const devtools = await browser.newBrowserCDPSession();
  // The application page is busy until its process ends, so that it receives no more messages of the shell.
  void page
    .evaluate(() => {
      setTimeout(() => {
        for (const end = Date.now() + 5000; Date.now() < end;);
      }, 0);
    })
    .catch(() => {});
  await page.waitForTimeout(50);
  // Not through a locator, which would wait for the application page.
  const frame = page.frames().find((one) => one.url().includes("/files/"));
  const result = await frame?.evaluate(() =>
    (window as never as { call: (...a: string[]) => string }).call("SetValue", "cmi.location", "last"),
  );
  expect(result).toBe("true");
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  for (const { type, id } of processInfo) if (type === "renderer") process.kill(id, "SIGKILL");
  await page.close();
  await app.start();
  const again = await context.newPage();
  await again.goto(course.launch);
  await expect(content(again).locator("#place")).toHaveText("last");
  await context.close();
});

test("keeps every answer that returned true when server and tab end together", async ({ browser, app }) => {
  const rounds = scaled(2, 200);
  test.setTimeout(60_000 + rounds * 20_000);
  const course = await addCourse(app, closingPackage());
  const { page, context } = await openAs(browser, await addLearner(app), course.launch);
  await expect(content(page).locator("#entry")).not.toHaveText("");
  await page.close();
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    const tab = await context.newPage();
    tab.on("console", (message) => {
      const count = Number(/^answered (\d+)/.exec(message.text())?.[1] ?? 0);
      answered = Math.max(answered, count);
    });
    await tab.goto(course.launch);
    await expect(content(tab).locator("#entry")).not.toHaveText("");
    expect(Number(await content(tab).locator("#count").textContent())).toBeGreaterThanOrEqual(answered);
    await content(tab)
      .locator("body")
      .evaluate(() => (window as never as { answer: () => void }).answer());
    await tab.waitForTimeout(Math.random() * 1000);
    await app.kill();
    await tab.waitForTimeout(Math.random() * 100);
    await tab.close({ runBeforeUnload: false });
    await app.start();
  }
  const last = await context.newPage();
  await last.goto(course.launch);
  await expect(content(last).locator("#entry")).toHaveText("resume");
  expect(Number(await content(last).locator("#count").textContent())).toBeGreaterThanOrEqual(answered);
  expect(Number(await content(last).locator("#place").textContent())).toBeGreaterThanOrEqual(answered);
  expect(answered).toBeGreaterThan(rounds * 10);
  await context.close();
});
