import { loadavg } from "node:os";
import { chromium, type CDPSession, type Page } from "@playwright/test";
import { player, SESSION_HEADER, type SessionEvent } from "#shared/player/player.ts";
import { findChromium } from "#test/chromium.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { median, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";

/**
 * The replay of a session of half an hour with 5,000 events. The processor time of the main thread for one step of the
 * scrubber (script, styles, layout and painting), as a ratio to the same key in a page with nothing but a slider, at
 * full speed and with the processor slowed four times; and the long tasks (above 50 ms) while it plays at 16×.
 */
const EVENTS = 5000;
const STEPS = Number(process.env.STEPS ?? 100);
const PLAY_SECONDS = Number(process.env.SECONDS ?? 30);

const server = await createProcess();
await server.start();
const { sessions, close } = await openSessions(server.url, 1);
const { sessionId, token, parts } = sessions[0] as (typeof sessions)[number];
const sco = parts[0]?.sco ?? "";
await server.query(`update sessions set started_at = now() - interval '31 minutes' where id = '${sessionId}'`);
const events = Array.from({ length: EVENTS }, (_, i): SessionEvent => {
  const at = { seq: i + 1, t: i * 360, sco };
  if (i === 0) return { ...at, type: "nav" };
  if (i % 10 === 0) return { ...at, type: "variable.set", key: "rating", value: String((i / 10) % 97) };
  return { ...at, type: "scorm.set", key: `cmi.objectives.${i % 50}.status`, value: String(i) };
});
for (let from = 0; from < EVENTS; from += 500) {
  const isLast = from + 500 >= EVENTS;
  const body = JSON.stringify({
    events: events.slice(from, from + 500),
    activeMs: 60_000,
    ...(isLast && { end: "exit" }),
  });
  const headers = { "content-type": "application/json", [SESSION_HEADER]: token };
  const reply = await fetch(server.url + player.commit.path.replace(":id", sessionId), {
    method: "POST",
    headers,
    body,
  });
  if (!reply.ok) throw new Error(`commit: ${reply.status}`);
}
close();

const browser = await chromium.launch({
  ...(findChromium() && { executablePath: findChromium() as string }),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
await page.goto(`${server.url}/login`);
await page.getByLabel("Email", { exact: true }).fill(ADMIN.email);
await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
await page.getByRole("button", { name: "Login" }).click();
await page.waitForURL(/dashboard/);
await page.goto(`${server.url}/reports/session/replay/${sessionId}?t=600`);
const scrubber = page.getByRole("slider", { name: "Position in the session" });
await scrubber.waitFor();
const plain = await (await browser.newContext()).newPage();
await plain.setContent('<input type="range" min="0" max="1800" aria-label="Plain">');

const busyMs = async (cdp: CDPSession) => {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
};
/** Milliseconds of the main thread for each press of an arrow key, in ascending order. */
async function measureSteps(on: Page, slider: ReturnType<Page["getByRole"]>, slowed: number) {
  const cdp = await on.context().newCDPSession(on);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  await slider.focus();
  const steps: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    const before = await busyMs(cdp);
    await on.keyboard.press("ArrowRight");
    await on.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    steps.push((await busyMs(cdp)) - before);
  }
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return steps.toSorted((a, b) => a - b);
}
const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? 0;

console.log(`load ${round(loadavg()[0] ?? 0)}`);
for (const slowed of [1, 4]) {
  const own = await measureSteps(page, scrubber, slowed);
  const bare = await measureSteps(plain, plain.getByRole("slider"), slowed);
  console.log(
    `step, processor slowed ${slowed}×: median ${round(median(own))} ms, p95 ${round(p95(own))} ms; plain slider ${round(median(bare))} ms, ratio ${round(median(own) / median(bare))}`,
  );
}
await page.getByText("16×", { exact: true }).click();
await page.getByRole("button", { name: "Play", exact: true }).click();
const long = await page.evaluate(async (seconds) => {
  const found: number[] = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => found.push(duration))).observe({
    type: "longtask",
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return found;
}, PLAY_SECONDS);
console.log(`playing ${PLAY_SECONDS} s at 16×: ${long.length} long tasks, longest ${round(Math.max(0, ...long))} ms`);
await browser.close();
await server.stop();
