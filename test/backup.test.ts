import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { objectAddress } from "#shared/files/files.ts";
import { learners } from "#shared/learners/learners.ts";
import { player } from "#shared/player/player.ts";
import { createClient, createWriter } from "#test/client.ts";
import { packageOf } from "#test/samplePackage.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { PASSWORD as password } from "#test/password.ts";

// `npm run backup` beside a running server with commits under way, and `npm run restore` into an empty folder. Starts
// two servers, so it takes about 30 s.

const folder = mkdtempSync(join(tmpdir(), "lyceum-backup-test-"));
const mailServer = { SMTP_URL: "smtp://127.0.0.1:9" };
const server = await createProcess(mailServer);
const copy = await createProcess(mailServer);
afterAll(async () => {
  await server.remove();
  await copy.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of package.json with the environment of a server. Resolves with its exit code and output. */
async function runScript(script: "backup" | "restore", file: string, dataDir: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `../scripts/${script}.ts`), file], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, DATA_DIR: dataDir, DEMO: "false", DATABASE_URL: "", ...mailServer },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, output };
}

const email = "lea@example.com";

/** An academy with a learner in the middle of a course, a stored file and a mail that waits for the mail server. */
async function fillServer() {
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
  const { body: course } = await admin.upload("course.zip", packageOf({ "index.html": `<title>Waves</title>` }));
  const { body: other } = await admin.upload("other.zip", packageOf());
  await admin.call(courses.setStatus, {
    params: { id: other.id },
    body: { status: "published", version: other.version },
  });
  await admin.call(courses.assign, { params: { id: other.id }, body: { companyIds: [company.id] } });
  await admin.call(learners.invite, {
    body: { companyId: company.id, people: [{ email: "ida@example.com", name: "Ida" }] },
  });
  const learner = createClient(server.url);
  await server.query("update companies set access_code = 'WAVES777' where id = $1", [company.id]);
  await learner.call(auth.register, { body: { name: "Lea", email, password, accessCode: "WAVES777" } });
  learner.useToken((await learner.call(auth.signIn, { body: { email, password } })).token);
  const launch = await learner.call(player.launch, {
    params: { companyId: company.id, courseId: other.id },
    body: { clientId: "desk-window" },
  });
  return { company, course, other, launch };
}

test("a backup of a running server is restored, and the course goes on", { timeout: 180_000 }, async () => {
  await server.start();
  const { company, other, launch } = await fillServer();
  const writer = createWriter(server.url, launch);
  writer.add([{ type: "scorm.init", sco: "i1" }]);
  const save = async (value: string) => {
    writer.add([{ type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value }]);
    expect(await writer.flush()).toBe(true);
  };
  await save("page-0");
  const before = writer.acked();

  let page = 0;
  const file = join(folder, "academy.tar.gz");
  const backup = runScript("backup", file, server.dataDir);
  let isRunning = true;
  void backup.finally(() => (isRunning = false));
  while (isRunning) await save(`page-${++page}`);
  expect(await backup).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.part`)).toBe(false);
  const ageOfBackup = async () => {
    const { lastBackup } = (await (await fetch(`${server.url}/api/health`)).json()) as { lastBackup: string };
    return Date.now() - Date.parse(lastBackup);
  };
  // A healthy answer is repeated for two seconds.
  await expect.poll(ageOfBackup, { timeout: 10_000 }).toBeLessThan(120_000);
  expect((await runScript("backup", file, server.dataDir)).output).toContain("exists already");
  await server.kill();

  expect(await runScript("restore", file, copy.dataDir)).toMatchObject({ code: 0 });
  await copy.start();
  const learner = createClient(copy.url);
  learner.useToken((await learner.call(auth.signIn, { body: { email, password } })).token);
  const again = await learner.call(player.launch, {
    params: { companyId: company.id, courseId: other.id },
    body: { clientId: "desk-window" },
  });
  const location = again.values.i1?.["cmi.core.lesson_location"] ?? "";
  expect(Number(location.replace("page-", ""))).toBeGreaterThanOrEqual(0);
  expect(again.attemptNo).toBe(1);
  const [stored] = await copy.query<{ last: number }>("select last_seq as last from sessions where id = $1", [
    launch.sessionId,
  ]);
  expect(stored?.last).toBeGreaterThanOrEqual(before);
  const next = createWriter(copy.url, again);
  next.add([{ type: "scorm.init", sco: "i1" }]);
  expect(await next.flush()).toBe(true);

  const [mail] = await copy.query<{ queued: number; jobs: number }>(
    `select (select count(*)::int from mails where status in ('queued', 'failed')) as queued,
      (select count(*)::int from graphile_worker.jobs where task_identifier = 'mails:send') as jobs`,
  );
  expect(mail).toEqual({ queued: mail?.jobs, jobs: 1 });
  const admin = createClient(copy.url);
  const { token } = await admin.call(auth.signIn, { body: ADMIN });
  const [package_] = await copy.query<{ full_path: string; size: number }>(
    "select full_path, size from files where purpose = 'course' limit 1",
  );
  const bytes = await fetch(`${copy.url}${objectAddress(package_?.full_path ?? "")}?alt=media`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await bytes.arrayBuffer()).byteLength).toBe(Number(package_?.size));

  const refused = await runScript("restore", file, server.dataDir);
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("not empty")]);
});

test("a damaged, cut or newer backup is refused, and nothing is written", { timeout: 120_000 }, async () => {
  const good = readFileSync(join(folder, "academy.tar.gz"));
  const tar = gunzipSync(good);
  const at = tar.indexOf("Norrvik Energi");
  expect(at).toBeGreaterThan(0);
  const damaged = Buffer.from(tar);
  damaged.write("Norrvik Gammal", at);
  const newer = Buffer.from(tar);
  newer.write("9999_start.sql", newer.lastIndexOf('"0001_start.sql"') + 1);
  const noise = Buffer.from(good);
  randomFillSync(noise, Math.floor(noise.length / 2), 32);
  const cases: [string, Buffer, RegExp][] = [
    ["damaged.tar.gz", gzipSync(damaged), /damaged: database\/companies/],
    ["newer.tar.gz", gzipSync(newer), /newer than this version/],
    ["noise.tar.gz", noise, /damaged/],
    ["cut.tar.gz", good, /damaged or incomplete/],
  ];
  for (const [name, bytes, reason] of cases) {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    if (name.startsWith("cut")) truncateSync(file, bytes.length - 2000);
    const target = join(folder, `target-${name}`);
    const { code, output } = await runScript("restore", file, target);
    expect([name, code, output]).toEqual([name, 1, expect.stringMatching(reason)]);
    expect(existsSync(target)).toBe(false);
  }
});
