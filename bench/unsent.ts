import { type ChildProcess, spawn } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Frame } from "@playwright/test";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { createClient } from "#test/client.ts";
import { findChromium } from "#test/chromium.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { round } from "./_load.ts";
import { closingPackage } from "../e2e/packages.ts";

/**
 * How long an answer exists only in memory: the time from "true" to the end of the shell's own transaction, and until
 * it is in the journal of the application page, which used to be the only copy that survived a killed browser. Measured
 * while the server is stopped, with 0, 24 and 48 other processes that use all the processor time they get.
 */
const SECONDS = Number(process.env.SECONDS ?? 8);
const PASSWORD = "blue harbour violin 27 lanterns";

const server = await createProcess();
await server.start();
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
const { name, bytes } = closingPackage();
const { body: course } = await admin.upload(name, bytes);
await admin.call(courses.setStatus, {
  params: { id: course.id },
  body: { status: "published", version: course.version },
});
await admin.call(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
const email = "liv.aune@norrvik.example";
await admin.call(auth.register, {
  body: { name: "Liv Aune", email, password: PASSWORD, accessCode: company.accessCode },
});

const browser = await chromium.launch({
  ...(findChromium() && { executablePath: findChromium() as string }),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
await page.goto(`${server.url}/launch/${company.id}/${course.id}`);
await page.getByRole("button", { name: "Reject All" }).click();
await page.getByLabel("Email", { exact: true }).fill(email);
await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
await page.getByRole("button", { name: "Login" }).click();
await page
  .locator("header")
  .getByText(/Saved \d\d:\d\d/)
  .waitFor();
const frameAt = (path: string) => page.frames().find((frame) => frame.url().includes(path)) as Frame;
const shell = frameAt("/play/");

type Measured = { toStorage: number[]; toJournal: number[] };
await shell.evaluate(() => {
  const measured: Measured = { toStorage: [], toJournal: [] };
  (window as never as { measured: Measured }).measured = measured;
  const times = new Map<string, number>();
  const { setItem, removeItem } = Storage.prototype;
  const { commit } = IDBTransaction.prototype;
  let added: number[] = [];
  Storage.prototype.setItem = function (key, value) {
    times.set(key, performance.now());
    added.push(performance.now());
    setItem.call(this, key, value);
  };
  Storage.prototype.removeItem = function (key) {
    measured.toJournal.push(performance.now() - (times.get(key) ?? performance.now()));
    removeItem.call(this, key);
  };
  IDBTransaction.prototype.commit = function () {
    const own = added;
    added = [];
    this.addEventListener("complete", () => measured.toStorage.push(...own.map((at) => performance.now() - at)));
    commit.call(this);
  };
});
await frameAt("/files/").evaluate(() => (window as never as { answer: () => void }).answer());

const quantiles = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { events: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
};
for (const count of [0, 24, 48]) {
  process.kill(server.pid() as number, "SIGSTOP");
  const code = `for (const end = Date.now() + ${(SECONDS + 10) * 1000}; Date.now() < end;);`;
  const busy: ChildProcess[] = Array.from({ length: count }, () => spawn(process.execPath, ["-e", code]));
  await sleep(1000);
  await shell.evaluate(() => {
    const { measured } = window as never as { measured: Measured };
    measured.toStorage = [];
    measured.toJournal = [];
  });
  await sleep(SECONDS * 1000);
  const { toStorage, toJournal } = await shell.evaluate(() => (window as never as { measured: Measured }).measured);
  for (const one of busy) one.kill("SIGKILL");
  process.kill(server.pid() as number, "SIGCONT");
  const load = loadavg().map((value) => round(value));
  console.log(
    JSON.stringify({ busyProcesses: count, toStorage: quantiles(toStorage), toJournal: quantiles(toJournal), load }),
  );
  await sleep(3000);
}
await browser.close();
await server.remove();
