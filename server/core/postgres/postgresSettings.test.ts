import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { totalmem, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "#server/core/config.ts";
import { createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { readSettings, settingsFor, usableMemory } from "#server/core/postgres/postgresSettings.ts";

const MB = 1024 ** 2;
const GB = 1024 * MB;
const folder = mkdtempSync(join(tmpdir(), "lyceum-sized-"));
const log = createLog("silent");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytes = (kB: string) => Number.parseInt(kB, 10) * 1024;

/** Connections of a node (server/core/database/pools.ts); each may sort in `work_mem` and hash in twice as much. */
const CONNECTIONS = 50;

test.each([256 * MB, 512 * MB, 1 * GB, 2 * GB, 4 * GB, 23 * GB, 512 * GB])("%d bytes of memory suffice", (memory) => {
  const settings = settingsFor(memory);
  expect(bytes(settings.shared_buffers)).toBeLessThanOrEqual(memory / 8);
  expect(bytes(settings.maintenance_work_mem)).toBeLessThanOrEqual(memory / 16);
  expect(bytes(settings.work_mem)).toBeGreaterThanOrEqual(4 * MB);
  const sorting = bytes(settings.work_mem) * CONNECTIONS;
  if (memory >= 4 * GB) expect(sorting * 2).toBeLessThanOrEqual(memory / 4);
  expect(bytes(settings.effective_cache_size)).toBeGreaterThanOrEqual(bytes(settings.shared_buffers));
});

test("more memory never gives PostgreSQL less", () => {
  const sizes = [0.25, 0.5, 1, 4, 16, 64, 256].map((size) => settingsFor(size * GB));
  for (const name of ["shared_buffers", "effective_cache_size", "work_mem", "maintenance_work_mem"] as const) {
    const values = sizes.map((settings) => bytes(settings[name]));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  }
});

test("memory is that of the machine, at most", () => {
  expect(usableMemory()).toBeLessThanOrEqual(totalmem());
  expect(usableMemory()).toBeGreaterThan(0);
});

/** A new control group with this limit; null if this machine does not allow any. */
function limitMemory(bytes: number) {
  for (const [parent, file] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
    ["/sys/fs/cgroup", "memory.max"],
  ] as const)
    try {
      const group = join(parent, `lyceum-${process.pid}`);
      mkdirSync(group);
      if (!existsSync(join(group, file))) throw rmdirSync(group);
      writeFileSync(join(group, file), String(bytes));
      return group;
    } catch {
      // The next version of control groups may work.
    }
  return null;
}

test("a container counts with its own memory", async ({ skip }) => {
  const group = limitMemory(512 * MB);
  if (!group) return skip("control groups cannot be made here");
  const code = `import("./server/core/postgres/postgresSettings.ts").then((m) => console.log(m.usableMemory()))`;
  const command = `echo $$ > ${group}/cgroup.procs && exec ${process.execPath} -e '${code}'`;
  const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  await sleep(200);
  rmdirSync(group);
  expect(stderr + stdout.trim()).toBe(String(512 * MB));
});

test("runs with the settings for its machine, and those of the operator", async () => {
  const server = await startPostgres(folder, log, { work_mem: "7MB", random_page_cost: "2" });
  const pool = createPool(server.connection, log);
  const { rows } = await pool.query<{ name: string; bytes: number | null; setting: string }>(`
    select name, setting, case when unit is null then null else pg_size_bytes(current_setting(name)) end as bytes
    from pg_settings
    where name = any('{shared_buffers,effective_cache_size,work_mem,maintenance_work_mem,random_page_cost}')`);
  await pool.end();
  await server.stop();
  const found = Object.fromEntries(rows.map(({ name, bytes, setting }) => [name, bytes ?? Number(setting)]));
  const expected = settingsFor(usableMemory());
  // PostgreSQL rounds to pages of 8 kB.
  const inPages = (kB: string) => expect.closeTo(bytes(kB), -4) as number;
  expect(found).toEqual({
    shared_buffers: inPages(expected.shared_buffers),
    effective_cache_size: inPages(expected.effective_cache_size),
    work_mem: 7 * MB,
    maintenance_work_mem: bytes(expected.maintenance_work_mem),
    random_page_cost: 2,
  });
});

test("refuses settings that are not for operators", () => {
  expect(readSettings("shared_buffers=2GB, work_mem=16MB random_page_cost=1.5")).toEqual({
    shared_buffers: "2GB",
    work_mem: "16MB",
    random_page_cost: "1.5",
  });
  for (const text of ["listen_addresses=*", "fsync=off", "shared_buffers", "work_mem=lots", "shared_buffers=1GB;"])
    expect(readSettings(text)).toBeNull();
  expect(() => readConfig({ DATA_DIR: folder, POSTGRES_SETTINGS: "fsync=off" })).toThrow(/POSTGRES_SETTINGS/);
});
