import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { audit } from "#shared/audit.ts";
import { auth } from "#shared/auth.ts";
import { companies } from "#shared/companies.ts";
import { courses } from "#shared/courses.ts";
import { learners } from "#shared/learners.ts";
import { privacy } from "#shared/privacy.ts";
import { reports } from "#shared/reports.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { load, median, round } from "./_load.ts";

/**
 * Lists with the generator's data (`PERCENT`), at concurrency 4: latency, and as the main figure its ratio to the bare page, which is
 * 25 rows of `users` by primary key, sent directly to the same PostgreSQL and measured right before each. `DATA=folder` uses and keeps
 * a data folder that `npm run generate` has filled; `ONLY=dashboard` runs the lists whose names contain that.
 */
const PERCENT = process.env.PERCENT ?? "1";
const SECONDS = Number(process.env.SECONDS ?? 2);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LANES = 4;

const dataDir = process.env.DATA ?? mkdtempSync(join(tmpdir(), "lyceum-lists-"));
if (!process.env.DATA) {
  const made = spawnSync(process.execPath, ["scripts/generate.ts", "--percent", PERCENT], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", 2, 2],
  });
  if (made.status !== 0) throw new Error("the data could not be generated");
}
const server = await createProcess({ LOG_LEVEL: "error", DATA_DIR: dataDir });
await server.start();
const { token } = await createClient(server.url).call(auth.signIn, { body: ADMIN });
const pool = new pg.Pool({ ...server.connection(), max: LANES });
const idOf = async (text: string) => (await pool.query<{ id: string }>(text)).rows[0]?.id as string;
const [companyId, courseId, userId] = await Promise.all([
  idOf("select id from companies where slug = 'generated-0'"),
  idOf("select id from courses where code = 'GEN-0'"),
  idOf("select user_id as id from enrolments group by 1 order by count(*) desc, 1 limit 1"),
]);
const { rows: sample } = await pool.query<{ id: string }>("select id from users order by id limit 25");
const ids = sample.map(({ id }) => id);
const barePage = () =>
  pool.query({ name: "page", text: "select id, email, name from users where id = any($1)", values: [ids] });

const last = async (table: string) =>
  Math.max(1, Math.floor(Number((await pool.query(`select count(*) as n from ${table}`)).rows[0].n) / 25) - 2);
const lists: Record<string, string> = {
  dashboard: `${reports.dashboard.path}?days=30`,
  learners: learners.list.path,
  "learners, by -name": `${learners.list.path}?sort=-name`,
  "learners, by email": `${learners.list.path}?sort=email`,
  "learners, by company": `${learners.list.path}?sort=company`,
  "learners, by -lastActive": `${learners.list.path}?sort=-lastActive`,
  "learners, by -overdue": `${learners.list.path}?sort=-overdue`,
  "learners, by -completed": `${learners.list.path}?sort=-completed`,
  "learners, last page": `${learners.list.path}?page=${await last("users")}`,
  "learners, search": `${learners.list.path}?q=lindholm`,
  "learners, two words": `${learners.list.path}?q=anna+berg`,
  "learners of a company": `${learners.list.path}?companyId=${companyId}`,
  "learners of a course": `${learners.list.path}?courseId=${courseId}`,
  "learners, overdue": `${learners.list.path}?progress=overdue`,
  "learners, not started": `${learners.list.path}?progress=notStarted`,
  "learners, completed": `${learners.list.path}?progress=completed`,
  enrolments: courses.enrolments.path,
  "enrolments of a course": `${courses.enrolments.path}?courseId=${courseId}`,
  "enrolments of a course, by -lastActivityAt": `${courses.enrolments.path}?courseId=${courseId}&sort=-lastActivityAt`,
  "enrolments, by dueDate": `${courses.enrolments.path}?sort=dueDate`,
  "enrolments, by -progress": `${courses.enrolments.path}?sort=-progress`,
  "enrolments, overdue": `${courses.enrolments.path}?overdue=true`,
  "enrolments, search": `${courses.enrolments.path}?q=lindholm`,
  companies: companies.list.path,
  "companies, 200 rows": `${companies.list.path}?size=200`,
  "companies, by -overdue": `${companies.list.path}?sort=-overdue`,
  "companies, by -lastActivity": `${companies.list.path}?sort=-lastActivity`,
  "companies, search": `${companies.list.path}?q=energy`,
  courses: courses.list.path,
  "courses, by -learners": `${courses.list.path}?sort=-learners`,
  "courses, search": `${courses.list.path}?q=fire`,
  audit: audit.list.path,
  "audit, logins": `${audit.list.path}?kind=accounts`,
  "audit, search": `${audit.list.path}?q=lindholm`,
  "audit, search of a course": `${audit.list.path}?q=fire`,
  "privacy preview": `${privacy.preview.path}?userId=${userId}`,
  "learner report": reports.learner.path.replace(":id", userId),
};

for (const [name, path] of Object.entries(lists)) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  const get = async () => {
    const reply = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
  };
  await get();
  const figures = [];
  for (let n = 0; n < ROUNDS; n++) {
    const bare = await load(LANES, SECONDS / 4, barePage);
    const ours = await load(LANES, SECONDS, get);
    figures.push({ ...ours, ratio: ours.p50 / bare.p50 });
  }
  console.log(
    JSON.stringify({
      list: name,
      ratioToPage: round(median(figures.map(({ ratio }) => ratio)), 0),
      p50: round(median(figures.map(({ p50 }) => p50)), 1),
      p95: round(median(figures.map(({ p95 }) => p95)), 1),
    }),
  );
}

if (!process.env.ONLY || "export".includes(process.env.ONLY)) console.log(JSON.stringify(await measureExport()));
await pool.end();
await server.remove();

/** The CSV of all learners, as a ratio to COPY of the same columns of `users`, and the memory that the server grows by meanwhile. */
async function measureExport() {
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;
  const client = await pool.connect();
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const copyAt = performance.now();
    const copied = client.query(
      copyTo(
        "copy (select name, email, status, last_active, invited_at, created_at from users order by name) to stdout csv",
      ),
    );
    for await (const _ of copied);
    const copyMs = performance.now() - copyAt;
    const idle = rss();
    let peak = idle;
    const timer = setInterval(() => (peak = Math.max(peak, rss())), 20);
    const sentAt = performance.now();
    const reply = await fetch(server.url + learners.export.path, { headers: { authorization: `Bearer ${token}` } });
    let bytes = 0;
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    const ms = performance.now() - sentAt;
    clearInterval(timer);
    rounds.push({ rows: Number(reply.headers.get("x-rows")), bytes, ms, ratio: ms / copyMs, grownMb: peak - idle });
  }
  return {
    export: "learners, CSV",
    rows: rounds[0]?.rows,
    megabytes: round((rounds[0]?.bytes ?? 0) / 1024 ** 2, 1),
    ms: round(median(rounds.map(({ ms }) => ms)), 0),
    ratioToCopy: round(median(rounds.map(({ ratio }) => ratio)), 1),
    grownMb: round(Math.max(...rounds.map(({ grownMb }) => grownMb)), 0),
  };
}
