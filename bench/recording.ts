import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Frame, type Page } from "@playwright/test";
import { packDemo } from "#server/demo/demoPackages.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { createClient } from "#test/client.ts";
import { findChromium } from "#test/chromium.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { median, round } from "./_load.ts";
import { PASSWORD } from "#test/password.ts";

/**
 * What the recording of the page costs the browser of a learner: the work of the main thread while the first eleven
 * slides of a demo course are opened, by learners who are recorded and by learners who are not, in turn; and the bytes
 * that are stored.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const SLIDES = 11;
/** A slide is looked at for this long, in ms. */
const PAUSE_MS = 500;

const server = await createProcess();
await server.start();
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const company = await admin.call(companies.create, { body: { name: "Norrvik Energi", recordPages: true } });
const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
await packDemo("phishing", join(folder, "phishing.zip"));
const { body: course } = await admin.upload("phishing.zip", readFileSync(join(folder, "phishing.zip")));
rmSync(folder, { recursive: true });
await admin.call(courses.setStatus, {
  params: { id: course.id },
  body: { status: "published", version: course.version },
});
await admin.call(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });

const browser = await chromium.launch({
  ...(findChromium() && { executablePath: findChromium() as string }),
  args: ["--no-sandbox", "--disable-gpu"],
});

async function openCourse(choice: "Accept All" | "Reject All", number: number) {
  const email = `learner.${choice.slice(0, 6).toLowerCase()}${number}@norrvik.example`;
  await admin.call(auth.register, {
    body: { name: "Liv Aune", email, password: PASSWORD, accessCode: company.accessCode },
  });
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${server.url}/login`);
  const recorded = page.waitForResponse((reply) => reply.url().endsWith("/api/recordConsent"));
  await page.getByRole("button", { name: choice }).click();
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await recorded;
  await page.waitForURL(/my-courses/);
  return page;
}

/** Milliseconds of the main thread from the first slide until the last slide was looked at. */
async function measureWalk(page: Page) {
  await page.goto(`${server.url}/launch/${company.id}/${course.id}`);
  const slide = page.frameLocator('iframe[title="Course content"]').frameLocator("iframe");
  await slide.locator("#place").waitFor();
  // The shell and the package have a process of their own.
  const shell = page.frames().find((frame) => frame.url().includes("/play/")) as Frame;
  const cdp = await page.context().newCDPSession(shell);
  await cdp.send("Performance.enable");
  const busyMs = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
  const opened = await busyMs();
  for (let n = 0; n < SLIDES; n++) {
    await sleep(PAUSE_MS);
    await slide.locator("#next").click();
  }
  // The last chunk is sent within five seconds.
  await sleep(6000);
  return (await busyMs()) - opened;
}

const found = { off: [] as number[], on: [] as number[] };
for (let n = 0; n < ROUNDS; n++)
  for (const kind of ["off", "on"] as const) {
    const page = await openCourse(kind === "on" ? "Accept All" : "Reject All", n);
    found[kind].push(await measureWalk(page));
    await page.context().close();
  }
const stored = await server.query<{ recordings: number; bytes: number; chunks: number }>(
  "select count(*)::int as recordings, avg(bytes)::int as bytes, avg(chunks)::float8 as chunks from recordings where chunks > 0",
);
const [off, on] = [median(found.off), median(found.on)];
console.log(`load ${round(loadavg()[0] ?? 0)}, ${ROUNDS} walks of ${SLIDES} slides each`);
console.log(`not recorded: median ${round(off)} ms (${found.off.map(Math.round).join(", ")})`);
console.log(`recorded: median ${round(on)} ms (${found.on.map(Math.round).join(", ")}); ratio ${round(on / off)}`);
console.log(`stored: ${JSON.stringify(stored[0])}`);
await browser.close();
await server.stop();
