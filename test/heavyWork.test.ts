import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startHeavyWork } from "#test/heavyWork.ts";
import { isLong, scaled } from "#test/long.ts";
import { commitMeanwhile, openClass } from "#test/openClass.ts";
import { createProcess } from "#test/process.ts";

// While each kind of heavy work runs, learners' commits are stored, the event loop is not blocked, and no request waits
// long for a connection. `bench/heavyWork.ts` measures how much slower commits are.

/**
 * Limit in ms: far above what was measured on a busy machine, and far below the delay of a blocked process or an empty
 * pool.
 */
const LONGEST_MS = { loopDelay: 3000, connectionWait: 5000 };
const LEARNERS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "lyceum-heavy-"));
const generated = spawnSync(
  process.execPath,
  ["scripts/generate.ts", "--percent", isLong ? "2" : "0.2", "--skip", "session_events"],
  { cwd: join(import.meta.dirname, ".."), env: { ...process.env, DATA_DIR: dataDir }, stdio: ["ignore", "ignore", 2] },
);
const server = await createProcess({ DATA_DIR: dataDir }, { hasProbe: true });
await server.start();
const people = await openClass(server.url, LEARNERS);
const { work, stop } = await startHeavyWork(server, {
  files: scaled(300, 3000),
  rules: scaled(500, 5000),
});
afterAll(async () => {
  stop();
  await server.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

test.each(Object.keys(work))("learners commit during: %s", { timeout: scaled(120_000, 600_000) }, async (name) => {
  expect(generated.status).toBe(0);
  await server.readProbe();
  const commits = commitMeanwhile(people, 20);
  await work[name]?.();
  const { stored, refused } = await commits.stop();
  const { loopDelayMs, connectionWaitMs } = await server.readProbe();
  expect(refused).toBe(0);
  expect(stored).toBeGreaterThan(0);
  expect(loopDelayMs).toBeLessThan(LONGEST_MS.loopDelay);
  expect(connectionWaitMs).toBeLessThan(LONGEST_MS.connectionWait);
});
