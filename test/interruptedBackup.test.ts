import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createProcess } from "#test/process.ts";
import { isLong } from "#test/long.ts";

// What a killed backup or restore leaves behind is gone after the next one at the latest

const folder = mkdtempSync(join(tmpdir(), "lyceum-interrupted-"));
// PostgreSQL runs as another account, and its socket is below this folder.
chmodSync(folder, 0o711);
const server = await createProcess();
await server.start();
// Enough for a backup that takes some seconds.
await server.query(
  `create table ballast as
    select n, gen_random_uuid() || repeat(md5(n::text), 30) as text
    from generate_series(1, 150000) n`,
);
await server.stop();
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

function run(script: "backup" | "restore", file: string, dataDir: string, tmp = folder) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `../scripts/${script}.ts`), file], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, DATA_DIR: dataDir, DEMO: "false", DATABASE_URL: "", TMPDIR: tmp },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("exit", (code) => resolve({ code, output })),
  );
  return { child, ended };
}
const waitFor = async (isThere: () => boolean) => {
  for (const until = Date.now() + 60_000; !isThere(); await sleep(20))
    if (Date.now() > until) throw new Error("waited");
};
/** Whether PostgreSQL runs on a data folder. */
function isDatabaseRunning(dataDir: string) {
  const file = join(dataDir, "postgres/postmaster.pid");
  if (!existsSync(file)) return false;
  return spawnSync("ps", ["-p", readFileSync(file, "utf8").split("\n")[0] as string]).status === 0;
}
const newTmp = (name: string) => {
  const tmp = join(folder, name);
  mkdirSync(tmp);
  chmodSync(tmp, 0o711);
  return tmp;
};
/** What a backup leaves in the folder for temporary files. */
const spoolsIn = (tmp: string) => readdirSync(tmp).filter((name) => name.startsWith("lyceum-backup-"));

test.each(["SIGINT", "SIGTERM"] as const)(
  "a backup that gets %s removes what it wrote",
  { timeout: 90_000 },
  async (name) => {
    const [tmp, file] = [newTmp(name), join(folder, `${name}.tar.gz`)];
    const { child, ended } = run("backup", file, server.dataDir, tmp);
    await waitFor(() => existsSync(`${file}.part`) && spoolsIn(tmp).length > 0);
    child.kill(name);
    expect(await ended).toMatchObject({ code: 1, output: expect.stringContaining(name) as string });
    expect([existsSync(file), existsSync(`${file}.part`), spoolsIn(tmp)]).toEqual([false, false, []]);
    expect(readdirSync(server.dataDir).filter((one) => one.startsWith("backup.unfinished"))).toEqual([]);
    expect(isDatabaseRunning(server.dataDir)).toBe(false);
  },
);

test("a second backup to the same file is refused, and the first one is whole", { timeout: 90_000 }, async () => {
  const file = join(folder, "same.tar.gz");
  const first = run("backup", file, server.dataDir);
  await waitFor(() => existsSync(`${file}.part`));
  const second = await run("backup", file, server.dataDir).ended;
  expect(second).toMatchObject({
    code: 1,
    output: expect.stringContaining("another backup is being written") as string,
  });
  expect(await first.ended).toMatchObject({ code: 0 });
  expect(spawnSync("gzip", ["-t", file]).status).toBe(0);
});

test.skipIf(!isLong)(
  "the next backup removes what a killed one left, and stops its database",
  { timeout: 120_000 },
  async () => {
    const [tmp, first, second] = [newTmp("killed"), join(folder, "first.tar.gz"), join(folder, "second.tar.gz")];
    const { child, ended } = run("backup", first, server.dataDir, tmp);
    await waitFor(() => existsSync(`${first}.part`) && spoolsIn(tmp).length > 0);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(`${first}.part`)).toBe(true);
    expect(isDatabaseRunning(server.dataDir)).toBe(true);
    expect(await run("backup", second, server.dataDir, tmp).ended).toMatchObject({ code: 0 });
    expect([existsSync(`${first}.part`), existsSync(second), spoolsIn(tmp)]).toEqual([false, true, []]);
    expect(isDatabaseRunning(server.dataDir)).toBe(false);
  },
);

test("a backup of a folder without a server creates nothing there", { timeout: 60_000 }, async () => {
  const nothing = join(folder, "nothing");
  const { code, output } = await run("backup", join(folder, "none.tar.gz"), nothing).ended;
  expect([code, output]).toEqual([1, expect.stringMatching(/^DATA_DIR \(.*nothing\) has no secret/)]);
  expect(existsSync(nothing)).toBe(false);
  // A server with its database elsewhere, and a cron job without DATABASE_URL.
  mkdirSync(nothing);
  spawnSync("cp", [join(server.dataDir, "secret"), nothing]);
  const other = await run("backup", join(folder, "none.tar.gz"), nothing).ended;
  expect(other).toMatchObject({ code: 1, output: expect.stringContaining("DATABASE_URL") as string });
  expect(readdirSync(nothing)).toEqual(["secret"]);
});

test(
  "a killed restore is refused by the server, and repeated without any cleaning up",
  { timeout: 180_000 },
  async () => {
    const source = await createProcess();
    await source.start();
    const key = randomBytes(24).toString("base64url");
    mkdirSync(join(source.dataDir, "files/objects", key.slice(0, 2)), { recursive: true });
    const blob = join(source.dataDir, "files/objects", key.slice(0, 2), key);
    spawnSync("truncate", ["-s", "80M", blob]);
    await source.query(
      `insert into files (
        bucket, full_path, purpose, visibility, content_type, detected_type, size, md5_hash, sha256, storage_key
      )
      values (
        'lyceum', 'courses/x', 'course', 'private', 'application/zip', 'application/zip', 83886080, 'x', 'x', $1
      )`,
      [key],
    );
    const file = join(folder, "restored.tar.gz");
    expect(await run("backup", file, source.dataDir).ended).toMatchObject({ code: 0 });
    await source.remove();

    const target = await createProcess();
    const { child, ended } = run("restore", file, target.dataDir);
    await waitFor(() => existsSync(join(target.dataDir, "files/uploads", key)));
    child.kill("SIGKILL");
    await ended;
    await expect(target.start()).rejects.toThrow(/restore into DATA_DIR .* was interrupted/);
    expect(await run("restore", file, target.dataDir).ended).toMatchObject({ code: 0 });
    await target.start();
    expect((await target.query("select 1 from files where storage_key = $1", [key])).length).toBe(1);
    expect(existsSync(join(target.dataDir, "files/objects", key.slice(0, 2), key))).toBe(true);
    await target.remove();
  },
);
