import { type ChildProcess, spawn } from "node:child_process";
import type { Page } from "@playwright/test";
import { scaled } from "#test/long.ts";
import { killableBrowser } from "./killableBrowser.ts";
import { closingPackage } from "./packages.ts";
import { addCourse, addLearner, content, expect, saved, signIn, test } from "./server.ts";

// Answers in a course survive when all processes of the browser are killed, even if they get hardly any processor time

/**
 * The age up to which an answer may be lost, in ms: the time that the browser's storage needs to write it
 * (docs/benchmarks.md).
 */
const PROMISED_MS = 200;
const ROUNDS = scaled(1, 40);
const BUSY_PROCESSES = 24;

const startBusyProcesses = () =>
  Array.from({ length: BUSY_PROCESSES }, () =>
    spawn(process.execPath, ["-e", "for (const end = Date.now() + 20_000; Date.now() < end;);"], { stdio: "ignore" }),
  );
const killAll = (processes: ChildProcess[]) => {
  for (const one of processes) one.kill("SIGKILL");
};

test("answers survive when all processes of a browser on a busy machine are killed", async ({ app }) => {
  test.setTimeout(60_000 + ROUNDS * 60_000);
  const course = await addCourse(app, closingPackage());
  const who = await addLearner(app);
  const browser = killableBrowser();
  const open = async () => {
    const page = await browser.open();
    await page.goto(course.launch);
    const login = page.getByRole("button", { name: "Login" });
    const isOpen = page.getByTitle("Course content");
    await expect(login.or(isOpen)).toBeVisible();
    if (await login.isVisible()) await signIn(page, who);
    await expect(content(page).locator("#entry")).not.toHaveText("");
    return page;
  };
  const countOf = async (page: Page) => Number(await content(page).locator("#count").textContent());

  const lostAges: number[] = [];
  let [told, count] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open();
    await saved(page);
    /** When `SetValue` returned "true" for each answer, by its number. */
    const times = new Map<number, number>();
    page.on("console", (message) => {
      const [, n, at] = /^answered (\d+) at (\d+)/.exec(message.text()) ?? [];
      if (n) times.set(Number(n), Number(at));
    });
    // The server must not help: it receives nothing while answers are given.
    process.kill(app.pid() as number, "SIGSTOP");
    const busy = startBusyProcesses();
    await content(page)
      .locator("body")
      .evaluate(() => (window as never as { answer: () => void }).answer());
    await page.waitForTimeout(300 + Math.random() * 2500);
    const killedAt = browser.kill();
    killAll(busy);
    process.kill(app.pid() as number, "SIGCONT");
    await browser.ended();
    const again = await open();
    count = await countOf(again);
    const lost = [...times].filter(([n]) => n > count).map(([, at]) => killedAt - at);
    told += times.size;
    lostAges.push(...lost);
    console.log(JSON.stringify({ round, told: times.size, lost: lost.length, ages: lost }));
    await browser.close();
  }
  browser.remove();
  console.log(JSON.stringify({ told, lost: lostAges.length, oldest: Math.max(0, ...lostAges) }));
  expect(lostAges.filter((age) => age > PROMISED_MS)).toEqual([]);
});
