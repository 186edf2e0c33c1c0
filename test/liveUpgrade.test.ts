import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { scaled } from "#test/long.ts";
import { commitMeanwhile, openClass } from "#test/openClass.ts";
import { createProcess } from "#test/process.ts";

// The previous version continues to store commits while the migrations of this one run, and after them

/** The last migration of the previous version. */
const PREVIOUS = "migrations/0063_report_speed.sql";
const LEARNERS = 5;
const ATTEMPTS = scaled(5000, 400_000);
/**
 * No commit waits longer than this for a lock of a migration, in ms: a migration keeps a lock for less than a second,
 * and requests it again.
 */
const LONGEST_WAIT_MS = 10_000;

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "lyceum-previous-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, maxBuffer: 1024 ** 3 });

/** The code of the last commit without later migrations; null where the history of the project is not there. */
function checkOutPrevious() {
  const added = (path: string) => git("log", "--diff-filter=A", "--format=%H", "--reverse", "--", path);
  if (!existsSync(join(root, ".git")) || added(PREVIOUS).length === 0) return null;
  const later = git("ls-tree", "--name-only", "HEAD", "migrations/").toString().trim().split("\n");
  const next = later.find((path) => path > PREVIOUS);
  if (!next) return null;
  const commit = `${added(next).toString().split("\n")[0]}^`;
  // A clone without history has no earlier commit.
  if (spawnSync("git", ["rev-parse", "--verify", "--quiet", commit], { cwd: root }).status !== 0) return null;
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", commit) });
  for (const name of ["node_modules", "dist"]) symlinkSync(join(root, name), join(folder, name));
  return folder;
}
const previous = checkOutPrevious();

/** Runs the migrations of this version beside a running server. */
const migrate = ({ host, port, user, password, database }: ReturnType<Server["connection"]>) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const socket = `host=${encodeURIComponent(String(host))}&port=${port}`;
    const url = `postgres://${user}:${password as string}@/${database}?${socket}`;
    const child = spawn(process.execPath, ["scripts/migrate.ts"], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, DATA_DIR: join(folder, "data"), DEMO: "false" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
    child.once("exit", (code) => resolve({ code, output }));
  });
type Server = Awaited<ReturnType<typeof createProcess>>;

/** Completed attempts, so that a migration that reads or rewrites them takes a while. */
const FILL = `
  insert into attempts (enrolment_id, user_id, company_id, course_id, version_id, no, completion, completed_at)
  select e.id, e.user_id, e.company_id, e.course_id, c.live_version_id, 100 + n, 'complete', now()
  from generate_series(1, ${ATTEMPTS / LEARNERS}) n, enrolments e
  join courses c on c.id = e.course_id`;

test.skipIf(!previous)(
  "the previous version stores every commit while this one migrates, and after it",
  { timeout: scaled(180_000, 900_000) },
  async () => {
    const old = await createProcess({}, { root: previous as string });
    await old.start();
    const people = await openClass(old.url, LEARNERS);
    await old.query(FILL);

    const commits = commitMeanwhile(people, 10);
    const migrated = await migrate(old.connection());
    expect(migrated).toMatchObject({ code: 0, output: expect.stringContaining("up to date") });
    await sleep(1000);
    const { stored: commitsStored, refused, longestMs } = await commits.stop();
    expect(refused).toBe(0);
    expect(commitsStored).toBeGreaterThan(0);
    expect(longestMs).toBeLessThan(LONGEST_WAIT_MS);
    await old.stop();

    const server = await createProcess({ DATA_DIR: old.dataDir });
    await server.start();
    const stored = await server.query<{ id: string; last_seq: string }>("select id, last_seq from sessions");
    for (const { session, writer } of people)
      expect(Number(stored.find(({ id }) => id === session.sessionId)?.last_seq)).toBe(writer.last());
    const [counts] = await server.query<{ complete: string; recorded: string }>(
      `select
        (select count(*) from attempts where completed_at is not null) as complete,
        (select count(*) from completion_history) as recorded`,
    );
    expect(counts?.recorded).toBe(counts?.complete);
    expect(Number(counts?.complete)).toBeGreaterThanOrEqual(ATTEMPTS * 0.9);
    await server.remove();
    await old.remove();
  },
);
