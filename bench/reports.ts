import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { auth } from "#shared/auth.ts";
import { reports } from "#shared/reports.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { load, median, round } from "./_load.ts";

/**
 * Reports with the generator's data (`PERCENT`), at concurrency 4: latency, and its ratio to the bare statement, which groups the same
 * enrolments by status, sent directly to the same PostgreSQL and measured right before each. `DATA=folder` uses and keeps a data folder
 * that `npm run generate` has filled; `ONLY=course` runs the reports whose names contain that.
 */
const PERCENT = process.env.PERCENT ?? "1";
const SECONDS = Number(process.env.SECONDS ?? 2);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LANES = 4;

const dataDir = process.env.DATA ?? mkdtempSync(join(tmpdir(), "lyceum-reports-"));
if (!process.env.DATA) {
  const made = spawnSync(process.execPath, ["scripts/generate.ts", "--percent", PERCENT, "--skip", "session_events"], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", 2, 2],
  });
  if (made.status !== 0) throw new Error("the data could not be generated");
}
const server = await createProcess({ LOG_LEVEL: "error", DATA_DIR: dataDir });
await server.start();
const client = createClient(server.url);
const { token } = await client.call(auth.signIn, { body: ADMIN });
client.useToken(token);
const pool = new pg.Pool({ ...server.connection(), max: LANES });
/** The company and the course with most enrolments. */
const largest = async (column: "company_id" | "course_id") =>
  (
    await pool.query<{ id: string; n: number }>(
      `select ${column} as id, count(*)::int as n from enrolments group by 1 order by 2 desc, 1 limit 1`,
    )
  ).rows[0] as { id: string; n: number };
const [company, course] = await Promise.all([largest("company_id"), largest("course_id")]);
const bareOf = (column: string, id: string) => () =>
  pool.query({
    name: column,
    text: `select status, count(*), avg(score_percent), sum(active_seconds) from enrolments where ${column} = $1 group by 1`,
    values: [id],
  });
const bareCourse = bareOf("course_id", course.id);
const bareCompany = bareOf("company_id", company.id);
const issued = await client.call(reports.issue, { params: { id: course.id }, body: {} });
const at = (contract: { path: string }, id: string, query = "") => contract.path.replace(":id", id) + query;
const cases: Record<string, [path: string, bare: () => Promise<unknown>]> = {
  "course report": [at(reports.figures, course.id), bareCourse],
  "course report of yesterday": [
    at(reports.figures, course.id, `?asOf=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`),
    bareCourse,
  ],
  "course, people": [at(reports.rows, course.id), bareCourse],
  "course, overdue people": [at(reports.rows, course.id, "?group=overdue"), bareCourse],
  "course, search": [at(reports.rows, course.id, "?q=lindholm"), bareCourse],
  "course, CSV of all": [at(reports.export, course.id), bareCourse],
  "company report": [at(reports.figures, company.id), bareCompany],
  "company, people": [at(reports.rows, company.id), bareCompany],
  "company, learners and courses": [at(reports.people, company.id), bareCompany],
  "check of an issued report": [at(reports.check, issued.id), bareCourse],
  "PDF of an issued report": [at(reports.pdf, issued.id), bareCourse],
  dashboard: [`${reports.dashboard.path}?days=30`, bareCourse],
};
console.log(JSON.stringify({ courseEnrolments: course.n, companyEnrolments: company.n }));
for (const [name, [path, bare]] of Object.entries(cases)) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  const get = async () => {
    const reply = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    const body = await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${Buffer.from(body).toString()}`);
  };
  await get();
  const figures = [];
  for (let n = 0; n < ROUNDS; n++) {
    const plain = await load(LANES, SECONDS / 4, bare);
    const ours = await load(LANES, SECONDS, get);
    figures.push({ ...ours, ratio: ours.p50 / plain.p50 });
  }
  console.log(
    JSON.stringify({
      report: name,
      ratioToBare: round(median(figures.map(({ ratio }) => ratio)), 0),
      p50: round(median(figures.map(({ p50 }) => p50)), 1),
      p95: round(median(figures.map(({ p95 }) => p95)), 1),
    }),
  );
}
await pool.end();
await server.remove();
