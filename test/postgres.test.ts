import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { createProcess } from "#test/process.ts";

const folder = mkdtempSync(join(tmpdir(), "lyceum-pg-"));
const log = createLog("silent");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("keeps its data below a folder that its account cannot enter", async () => {
  const closed = join(folder, "closed");
  mkdirSync(join(closed, "data"), { recursive: true });
  chmodSync(closed, 0o700);
  const first = await startPostgres(join(closed, "data"), log);
  const pool = createPool(first.connection, log);
  await pool.query("create table stored as select 'here' as what");
  await pool.end();
  await first.stop();
  const second = await startPostgres(join(closed, "data"), log);
  const again = createPool(second.connection, log);
  expect((await again.query("select what from stored")).rows).toEqual([{ what: "here" }]);
  await again.end();
  await second.stop();
}, 60_000);

test("is restarted after it was killed", async () => {
  const data = join(folder, "killed");
  mkdirSync(data);
  const server = await startPostgres(data, log);
  const pool = createPool(server.connection, log);
  await pool.query("create table stored as select 1 as one");
  const before = server.pid();
  process.kill(before, "SIGKILL");
  let found: unknown = null;
  for (let tries = 0; tries < 100 && !(found && server.pid() !== before); tries++) {
    await sleep(100);
    found = await pool.query("select one from stored").then(
      ({ rows }) => rows,
      () => null,
    );
  }
  expect(found).toEqual([{ one: 1 }]);
  expect(server.pid()).not.toBe(before);
  await pool.end();
  await server.stop();
}, 60_000);

test("the next start adopts the database of a killed server, a second one does not", async () => {
  const server = await createProcess();
  await server.start();
  const before = server.postgresPid();
  await server.kill();
  expect(spawnSync("ps", ["-p", String(before)]).status).toBe(0);
  await server.start();
  expect(server.postgresPid()).toBe(before);
  const second = await createProcess({ DATA_DIR: server.dataDir });
  await expect(second.start()).rejects.toThrow(/Another Lyceum runs on/);
  await second.remove();
  expect((await fetch(`${server.url}/api/health`)).ok).toBe(true);
  await server.stop();
  expect(spawnSync("ps", ["-p", String(before)]).status).toBe(1);
  await server.remove();
}, 90_000);

test("names all wrong environment variables in one message", async () => {
  const server = await createProcess({ PORT: "many", PUBLIC_URL: "somewhere" });
  await expect(server.start()).rejects.toThrow(/PORT[\s\S]*PUBLIC_URL/);
  await server.remove();
});
