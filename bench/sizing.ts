import { loadavg } from "node:os";
import { auth } from "#shared/auth/auth.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { isChosen, ROUNDS, startGenerated } from "./_generated.ts";
import { cpuSeconds, load, median, processTreeOf, round } from "./_load.ts";

/**
 * Lists and reports with the embedded PostgreSQL sized to this machine, and with the settings before that, one after
 * the other in each round: latency in ms at concurrency 4, processor time of an answer in ms, and both as ratios of now to
 * before. `PERCENT`: share of the generator's data; `DATA`: a data folder that `npm run generate` has filled.
 */
const LANES = 4;
const SECONDS = Number(process.env.SECONDS ?? 2);
const versions = {
  before:
    "shared_buffers=128MB effective_cache_size=4GB work_mem=4MB maintenance_work_mem=64MB random_page_cost=4 " +
    "max_wal_size=1GB",
  now: "",
};
type Version = keyof typeof versions;

const generated = await startGenerated(["session_events"]);
const { dataDir } = generated.server;
const company = await generated.idOf(
  "select company_id as id from enrolments group by 1 order by count(*) desc limit 1",
);
const course = await generated.idOf("select course_id as id from enrolments group by 1 order by count(*) desc limit 1");
// The server may end first.
generated.pool.on("error", () => {});
await generated.stop();
const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const cases: Record<string, string> = {
  dashboard: "/api/dashboard",
  learners: "/api/learners?size=50",
  "learners, by -completed": "/api/learners?sort=-completed",
  "companies, 200 rows": "/api/companies?size=200",
  "enrolments, by -progress": "/api/enrolments?sort=-progress",
  audit: "/api/audit",
  "company report": `/api/reports/figures/${company}`,
  "company report as of": `/api/reports/figures/${company}?asOf=${day(180)}`,
  "course report": `/api/reports/figures/${course}`,
  "analytics of a year": `/api/conversation-analytics?from=${day(365)}&to=${day(0)}&zone=UTC`,
};
type Figures = { p50: number; p95: number; cpu: number };
const results = new Map<string, Record<Version, Figures[]>>();

for (let n = 0; n < ROUNDS; n++)
  for (const version of Object.keys(versions) as Version[]) {
    const server = await createProcess({
      LOG_LEVEL: "fatal",
      DATA_DIR: dataDir,
      POSTGRES_SETTINGS: versions[version],
    });
    await server.start();
    const { token } = await createClient(server.url).call(auth.signIn, { body: ADMIN });
    const processes = () => processTreeOf(server.pid()).concat(processTreeOf(server.postgresPid()));
    for (const [name, path] of Object.entries(cases).filter(([name]) => isChosen(name))) {
      const get = async () => {
        const reply = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
        const body = await reply.text();
        if (!reply.ok) throw new Error(`${path}: ${reply.status} ${body}`);
      };
      await get();
      const before = cpuSeconds([...new Set(processes())]);
      const { p50, p95, count } = await load(LANES, SECONDS, get);
      const cpu = (1000 * (cpuSeconds([...new Set(processes())]) - before)) / count;
      const rows = results.get(name) ?? { before: [], now: [] };
      rows[version].push({ p50, p95, cpu });
      results.set(name, rows);
    }
    await server.stop();
  }
for (const [name, rows] of results) {
  const of = (version: Version, key: keyof Figures) => median(rows[version].map((figures) => figures[key]));
  const line = Object.fromEntries(
    (["p50", "p95", "cpu"] as const).map((key) => [key, [round(of("before", key), 1), round(of("now", key), 1)]]),
  );
  const ratios = rows.now.map(({ cpu }, at) => round(cpu / (rows.before[at]?.cpu ?? Number.NaN)));
  console.log(JSON.stringify({ name, ...line, cpuRatios: ratios, load: loadavg().map((value) => round(value, 1)) }));
}
