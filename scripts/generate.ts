import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { from as copyFrom } from "pg-copy-streams";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { readConfig } from "#server/core/config.ts";
import { createDb, createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { connectToPostgres } from "#server/core/postgres/commandConnection.ts";
import { foldBatch } from "#server/variables/fold/fold.ts";
import { fillHistory, publishVersions, withoutTriggers } from "./generated/history.ts";
import type { Plan } from "./generated/facts.ts";
import { type Table, tablesOf, toCopyText } from "./generated/rows.ts";

/**
 * `npm run generate -- --percent 1`: fills the database with companies, learners, enrolments, attempts, sessions and
 * events, for measurements. 100 % is 200 companies, 50,000 learners, 60 courses, 400,000 enrolments, 20 million events,
 * five million values of variables and a million messages to and from 40 chatbots. The same `--seed` and `--until` (a
 * day) make the same rows. `--skip session_events,part_states` leaves tables out that no list reads. All learners have
 * the password of `--password`. The courses have no package files.
 */
const { values: options } = parseArgs({
  options: {
    percent: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    until: { type: "string", default: new Date().toISOString().slice(0, 10) },
    password: { type: "string", default: "gravel violet lantern" },
    skip: { type: "string", default: "" },
  },
});
const share = Number(options.percent) / 100;
const until = Date.parse(options.until);
if (!(share > 0 && share <= 10) || Number.isNaN(until)) fail("Use --percent 0.1 to 1000, and --until 2026-01-31.");
const plan: Plan = {
  seed: Number(options.seed),
  companies: Math.max(5, Math.round(200 * share)),
  learners: Math.max(50, Math.round(50_000 * share)),
  courses: Math.max(12, Math.min(60, Math.round(60 * share))),
  chatbots: Math.max(6, Math.round(40 * share)),
  messages: 2 * Math.max(200, Math.round(500_000 * share)),
  until,
  passwordHash: await hashPassword(options.password),
};

const config = readConfig();
const log = createLog("error");
const embedded = config.databaseUrl ? null : await connectToPostgres(config.dataDir, log);
const pool = createPool(embedded?.connection ?? { connectionString: config.databaseUrl as string }, log, { max: 2 });
const client = await pool.connect();
try {
  await migrate(pool);
  const { rowCount } = await client.query("select from companies where slug = 'generated-0'");
  if (rowCount) throw new Error("This database has generated rows already. Use an empty one.");
  await client.query("begin");
  const startedAt = performance.now();
  const skipped = options.skip.split(",");
  await withoutTriggers(client, async () => {
    for (const table of tablesOf(plan)) if (!skipped.includes(table.name)) await fill(table);
    await publishVersions(client);
  });
  await fillHistory(client);
  await client.query("commit");
  await client.query("vacuum (analyze)");
  if (!skipped.includes("variable_values")) await foldValues();
  process.stdout.write(`done in ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  client.release(true);
  await pool.end();
  await embedded?.close();
  // A database that the server has started is watched as long as this process runs.
  process.exit();
}

/** Makes what is derived from values, as the server does. */
async function foldValues() {
  const startedAt = performance.now();
  const db = createDb(pool);
  while ((await foldBatch(db)) === "more");
  await client.query("vacuum (analyze)");
  process.stdout.write(`values folded in ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
}

async function fill({ name, columns, rows }: Table) {
  const startedAt = performance.now();
  let count = 0;
  const lines = function* () {
    let text = "";
    for (const row of rows()) {
      count++;
      text += `${row.map(toCopyText).join("\t")}\n`;
      if (text.length < 64 * 1024) continue;
      yield text;
      text = "";
    }
    yield text;
  };
  await pipeline(Readable.from(lines()), client.query(copyFrom(`copy ${name} (${columns.join(", ")}) from stdin`)));
  process.stdout.write(`${name}: ${count} rows in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
