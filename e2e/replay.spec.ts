import type { Page } from "@playwright/test";
import type { SessionEvent } from "#shared/player/player.ts";
import { ADMIN } from "#test/process.ts";
import { expectAccessible } from "./axe.ts";
import { variablePackage } from "./packages.ts";
import { addValueCourse } from "./rawDataFixture.ts";
import { addSession } from "./replayFixture.ts";
import { addCourse, expect, openAs, type ServerFixture, test } from "./server.ts";

// Session replay: what happened, second by second

async function openReplay(browser: Parameters<typeof openAs>[0], app: ServerFixture, path: string) {
  const { page, context } = await openAs(browser, ADMIN, `${app.url}/reports/session/replay/${path}`);
  return { page, context };
}
/** Seconds of the session that are watched while it plays: five of the clock. */
const PLAYED_SECONDS = 80;
/** The most changes of the page at one moment: those of a few events, however many the session has. */
const MAX_CHANGES = 400;

const slider = (page: Page) => page.getByRole("slider", { name: "Position in the session" });
const pane = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const rating = (page: Page) => pane(page, "Variables").getByRole("listitem").filter({ hasText: "I speak up early" });

test("an admin replays a session second by second, and shows a masked value", async ({ browser, app }) => {
  const course = await addValueCourse(app, "replay");
  const value = (seq: number, t: number, key: string, value: unknown) =>
    ({ seq, t, type: "variable.set", sco: "", key, value: JSON.stringify(value) }) as const;
  const sessionId = await addSession(app, course.id, (sco) =>
    [
      { seq: 1, t: 0, type: "nav", sco } as const,
      value(2, 20_000, "rating", 4),
      value(3, 60_000, "rating", 7),
      value(4, 70_000, "mobile", "0171 99"),
      { seq: 5, t: 600_000, type: "exit" } as const,
    ].map((event) => ("sco" in event ? { ...event, sco } : event)),
  );
  const { page, context } = await openReplay(browser, app, `${sessionId}?t=30`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Session on");
  await expect(page.getByText("Jonas Hagen can see that you opened this replay")).toBeVisible();
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /^0 minutes 30, part 1/);
  await expect(rating(page)).toContainText("4");
  await page.keyboard.press("n");
  await expect(rating(page)).toContainText("was 4, at 01:00");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "60");
  await page.keyboard.press("v");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "70");
  await page.getByRole("button", { name: "Hide Variables" }).click();
  await expect(pane(page, "Events").getByRole("listitem").filter({ hasText: "I speak up early" })).toHaveCount(0);
  await page.getByRole("button", { name: "Show Variables" }).click();

  await expect(pane(page, "Variables")).not.toContainText("0171");
  await page.getByRole("button", { name: "Show Mobile number" }).click();
  const dialog = page.getByRole("dialog", { name: "Show “Mobile number” of Jonas Hagen?" });
  await dialog.getByRole("button", { name: "Show value" }).click();
  await expect(dialog.getByText("Choose a reason.")).toBeVisible();
  await dialog.getByRole("combobox", { name: "Reason" }).click();
  await page.getByRole("option", { name: "Solving a support case" }).click();
  await dialog.getByRole("button", { name: "Show value" }).click();
  await expect(pane(page, "Variables")).toContainText("0171 99");

  await page.getByRole("switch", { name: "Shortcuts" }).press("Space");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("n");
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "70");
  await expectAccessible(page, "session replay");
  await context.close();
});

/** The part is opened, then every tenth event sets a value. */
function eventOf(i: number): Pick<SessionEvent, "type" | "key" | "value"> {
  if (i === 0) return { type: "nav" };
  if (i % 10 === 0) return { type: "variable.set", key: "rating", value: String((i / 10) % 97) };
  return { type: "scorm.set", key: `cmi.objectives.${i % 50}.status`, value: String(i) };
}

test(
  "opens the part read-only, and plays 5,000 events at 16× in small steps",
  { tag: "@long" },
  async ({ browser, app }) => {
    const course = await addCourse(app, variablePackage("replay-long.zip"));
    const sessionId = await addSession(app, course.id, (sco) =>
      Array.from({ length: 5000 }, (_, i) => ({
        seq: i + 1,
        t: i * 360,
        sco,
        ...eventOf(i),
      })),
    );
    const { page, context } = await openReplay(browser, app, `${sessionId}?t=600`);
    await pane(page, "Replay view").getByText("Course page", { exact: true }).click();
    const part = page.frameLocator('iframe[title^="The course page with"]').frameLocator("iframe");
    await expect(part.locator("#rating")).not.toBeEmpty();
    await expect(part.locator("#rating")).toHaveText(String(Math.floor(600_000 / 3600) % 97));
    await pane(page, "Replay view").getByText("Summary", { exact: true }).click();

    await page.getByText("16×", { exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    // The work of a frame, counted: changes of the page. Its time is measured by bench/replay.ts.
    const changes = await page.evaluate(async (seconds) => {
      const slider = document.querySelector('[role="slider"]') as HTMLElement;
      const second = () => Number(slider.getAttribute("aria-valuenow"));
      const counts: number[] = [];
      const observer = new MutationObserver((records) => counts.push(records.length));
      const everything = { subtree: true, childList: true, attributes: true, characterData: true };
      observer.observe(document.body, everything);
      for (const end = second() + seconds; second() < end;) await new Promise(requestAnimationFrame);
      return counts;
    }, PLAYED_SECONDS);
    expect(changes.length).toBeGreaterThan(10);
    expect(Math.max(...changes)).toBeLessThan(MAX_CHANGES);
    expect(await pane(page, "Events").getByRole("listitem").count()).toBeLessThan(60);
    await context.close();
  },
);

/** Waits a few frames, until a change such as another window height has been rendered. */
const rendered = (page: Page) =>
  page.evaluate(async () => {
    for (let i = 0; i < 4; i += 1) await new Promise(requestAnimationFrame);
  });

test("the event of a linked second is in view, and Tab reaches every event", async ({ browser, app }) => {
  const course = await addValueCourse(app, "replay-events");
  const changes = Array.from({ length: 39 }, (_, i) => (i + 1) * 10);
  const sessionId = await addSession(app, course.id, (sco) => [
    { seq: 1, t: 0, sco, type: "nav" },
    ...changes.map((second, i) => {
      const value = String((i % 9) + 1);
      return { seq: i + 2, t: second * 1000, sco: "", type: "variable.set", key: "rating", value } as const;
    }),
    { seq: 41, t: 400_000, sco: "", type: "exit" },
  ]);
  const { page, context } = await openReplay(browser, app, `${sessionId}?t=340`);
  const events = pane(page, "Events");
  const current = events.locator('[aria-current="true"]');
  await expect(current).toContainText("05:40");
  await rendered(page);
  await expect(current).toBeInViewport({ ratio: 0.9 });
  await page.goto(`${app.url}/reports/session/replay/${sessionId}?t=400`);
  await expect(current).toContainText("Selected Exit");
  // The list gets its height after it is drawn, and another one with the window.
  for (const height of [1200, 800]) {
    await page.setViewportSize({ width: 1440, height });
    await rendered(page);
    await expect(current).toBeInViewport({ ratio: 0.9 });
  }

  await slider(page).press("Home");
  await events.getByRole("group", { name: "Events" }).focus();
  const reached: string[] = [];
  const count = await events.getByRole("listitem").first().getAttribute("aria-setsize");
  for (let i = 0; i < Number(count); i += 1) {
    await page.keyboard.press("Tab");
    await rendered(page);
    reached.push(await page.evaluate(() => document.activeElement?.textContent.slice(0, 5) ?? ""));
  }
  const pad = (number: number) => String(number).padStart(2, "0");
  expect([...new Set(reached)]).toEqual(
    [0, ...changes, 400].map((second) => `${pad(Math.floor(second / 60))}:${pad(second % 60)}`),
  );
  await context.close();
});

test("shows hostile events as text: nothing runs, and nothing leaves the page", async ({ browser, app }) => {
  const foreign = "http://foreign.example";
  const run = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
  const hostile = [
    run,
    `"><iframe src="${foreign}"></iframe>`,
    `javascript:window.hacked=1`,
    `<svg onload="window.hacked=1"><style>@import "${foreign}"</style>`,
    `${foreign}/leak.png`,
    "{{constructor.constructor('window.hacked=1')()}}",
    "\u202e\u0000\ud800".repeat(50),
    "x".repeat(60_000),
    JSON.stringify({ __proto__: null, toString: 1 }),
  ];
  const keys = [
    "cmi.comments",
    "cmi.suspend_data",
    "__proto__",
    "constructor.prototype",
    `cmi.${run}`,
    "k".repeat(250),
  ];
  const course = await addCourse(app, variablePackage("replay-hostile.zip"));
  const sessionId = await addSession(app, course.id, (sco) => {
    const events = hostile.flatMap((value, n): Omit<SessionEvent, "seq" | "t">[] => [
      ...keys.map((key) => ({ type: "scorm.set" as const, sco, key, value })),
      { type: "scorm.set", sco, key: `cmi.interactions.${n}.id`, value },
      { type: "scorm.set", sco, key: `cmi.interactions.${n}.student_response`, value },
      { type: "scorm.set", sco, key: `cmi.interactions.${n}.result`, value: "wrong" },
      { type: "variable.set", sco, key: "rating", value: JSON.stringify(value) },
    ]);
    return [{ type: "nav" as const, sco }, ...events].map((event, n) => ({ ...event, seq: n + 1, t: n * 1000 }));
  });
  const { page, context } = await openReplay(browser, app, `${sessionId}?t=1`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await expect(slider(page)).toHaveAttribute("aria-valuenow", "1");
  for (let event = 0; event < hostile.length * 10; event++) {
    await page.keyboard.press("n");
    await page.evaluate(() => new Promise(requestAnimationFrame));
    if (event === 10) await expect(pane(page, "Replay view")).toContainText("<script>window.hacked=1</script>");
  }
  await expect(slider(page)).toHaveAttribute("aria-valuenow", String(hostile.length * 10));
  expect(await page.evaluate(() => ("hacked" in window ? "ran" : "inert"))).toBe("inert");
  expect(await page.locator("iframe, main img[src='x'], main a[href^='javascript:']").count()).toBe(0);
  expect(asked.filter((url) => url.includes("foreign.example"))).toEqual([]);
  expect(dialogs).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await context.close();
});
