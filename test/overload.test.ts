import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { events } from "#shared/events/events.ts";
import { learners } from "#shared/learners/learners.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { createClient } from "#test/client.ts";
import { scaled } from "#test/long.ts";
import { commitMeanwhile, openClass } from "#test/openClass.ts";
import { startBusyProcesses, startMixedLoad } from "#test/overload.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// What learners do goes first if the server has more to do than it can. `bench/overload.ts` measures the
// waiting time.

const dataDir = mkdtempSync(join(tmpdir(), "lyceum-overload-"));
const generated = spawnSync(
  process.execPath,
  ["scripts/generate.ts", "--percent", String(scaled(0.2, 2)), "--skip", "session_events"],
  { cwd: join(import.meta.dirname, ".."), env: { ...process.env, DATA_DIR: dataDir }, stdio: ["ignore", "ignore", 2] },
);
const server = await createProcess({ DATA_DIR: dataDir });
await server.start();
const people = await openClass(server.url, 8);
const [anyone] = people;
const { token } = await createClient(server.url).call(auth.signIn, { body: ADMIN });
afterAll(async () => {
  await server.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const get = async (path: string, bearer?: string) => {
  const sentAt = performance.now();
  const reply = await fetch(server.url + path, { ...(bearer && { headers: { authorization: `Bearer ${bearer}` } }) });
  const text = await reply.text();
  return { status: reply.status, text, retryAfter: reply.headers.get("retry-after"), ms: performance.now() - sentAt };
};
const exportPath = `${rawData.export.path}?format=csv`;

/** Keeps others from using tables, until the returned function is called. */
async function block(locks: string[]) {
  const client = new pg.Client(server.connection());
  await client.connect();
  await client.query("begin");
  for (const lock of locks) await client.query(`lock table ${lock}`);
  return async () => {
    await client.query("commit");
    await client.end();
  };
}

test("slow commits let exports and guests wait, but neither learners nor pages", async () => {
  expect(generated.status).toBe(0);
  const unblock = await block([
    "attempts in exclusive mode",
    "variable_values in access exclusive mode",
    "events in access exclusive mode",
  ]);
  const commits = commitMeanwhile(people.slice(0, 2), 50);
  for (let n = 0; n < 20; n++) {
    await get(learners.list.path, token);
    await sleep(100);
  }
  const blocked = [get(exportPath, token), get(events.list.path)];
  await sleep(200);
  const waiting = get(`${learners.export.path}?format=csv`, token);
  const refused = await get(events.list.path);
  expect(refused).toMatchObject({ status: 503, retryAfter: "5" });
  expect(JSON.parse(refused.text)).toEqual({
    code: "core.overloaded",
    error: "The server has too much to do right now. Try again in 5 seconds.",
  });
  for (const [path, bearer] of [
    [courses.mine.path, anyone?.token],
    [learners.list.path, token],
  ] as const) {
    const { status, ms } = await get(path, bearer);
    expect(status).toBe(200);
    expect(ms).toBeLessThan(3000);
  }
  await unblock();
  expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual([200, 200]);
  const waited = await waiting;
  expect(waited.status).toBe(200);
  expect(waited.ms).toBeGreaterThan(3000);
  expect(await commits.stop()).toMatchObject({ refused: 0 });
}, 60_000);

const LANES = { pages: 6, reports: 12, exports: 8, guests: 12 };

test(
  "beside 24 busy processes and everything at once, nothing of learners is refused",
  async () => {
    const seconds = scaled(8, 120);
    const end = startBusyProcesses(24);
    onTestFinished(end);
    const mixed = await startMixedLoad(server, token, people.slice(5), LANES);
    const commits = commitMeanwhile(people.slice(0, 5), 100);
    await sleep(seconds * 1000);
    end();
    // On a slow machine the first commit is still on its way.
    for (const until = Date.now() + 90_000; commits.stored() === 0 && Date.now() < until;) await sleep(200);
    const [answers, { stored }] = await Promise.all([mixed.stop(), commits.stop()]);
    expect(stored).toBeGreaterThan(0);
    for (const { writer } of people.slice(0, 5)) {
      // A browser that has waited for too long sends its events again.
      if (writer.held() > 0) await writer.flush();
      const { refusals, held, acked, last } = writer;
      expect({ refusals: refusals(), held: held(), acked: acked() }).toEqual({ refusals: [], held: 0, acked: last() });
    }
    expect(Object.keys(answers["launch"]?.statuses ?? {})).toEqual(["200"]);
    expect(Object.keys(answers["my courses"]?.statuses ?? {})).toEqual(["200"]);
    // Everything else was served or refused in our words, but never broke.
    for (const { statuses, withoutRetry } of Object.values(answers)) {
      expect(Object.keys(statuses).filter((status) => !["200", "429", "503"].includes(status))).toEqual([]);
      expect(withoutRetry).toBe(0);
    }
    expect((await get(learners.list.path, token)).status).toBe(200);
  },
  scaled(240_000, 420_000),
);

test("everybody is served again when the load has ended", async () => {
  const until = Date.now() + 20_000;
  let last = await get(exportPath, token);
  while (last.status !== 200 && Date.now() < until) last = await get(exportPath, token);
  expect(last.status).toBe(200);
  expect((await get(events.list.path)).status).toBe(200);
}, 60_000);
