import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { from as copyFrom } from "pg-copy-streams";
import type pg from "pg";
import { expect, test } from "vitest";
import { audit } from "#shared/audit.ts";
import { analyticsRows } from "#shared/analysis.ts";
import { companies } from "#shared/companies.ts";
import { conversations } from "#shared/conversations.ts";
import { courses } from "#shared/courses.ts";
import { learners } from "#shared/learners.ts";
import { tablesOf, toCopyText } from "../scripts/_generatedRows.ts";
import { start } from "#test/start.ts";

// What lists read, from the plans that PostgreSQL reports while they run: a page must not read the tables behind it

const { app, make, services } = await start();
const admin = await make.admin();
const LEARNERS = 3000;
const client = await services.pool.connect();
for (const { name, columns, rows } of tablesOf({
  seed: 1,
  companies: 20,
  learners: LEARNERS,
  courses: 60,
  chatbots: 8,
  messages: 20_000,
  until: Date.parse("2026-06-01"),
  passwordHash: "none",
}).filter((table) => !["session_events", "part_states", "mails"].includes(table.name))) {
  const lines = Array.from(rows(), (row) => `${row.map(toCopyText).join("\t")}\n`);
  await pipeline(Readable.from(lines), client.query(copyFrom(`copy ${name} (${columns.join(", ")}) from stdin`)));
}
// For few rows PostgreSQL reads the table rather than an index.
await client.query(
  "insert into users (email, name, status, company_id) select 'zz-' || n || '@example.com', 'zz ' || md5(n::text), 'active', (array(select id from companies))[1 + n % 20] from generate_series(1, 30000) n",
);
await client.query("vacuum (analyze)");
client.release();

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
};
const listening = new Set<pg.PoolClient>();
const plans: { text: string; plan: Plan }[] = [];
/** Makes every connection report the plan of every statement, with what it has read. */
services.pool.on("acquire", (connection: pg.PoolClient) => {
  if (listening.has(connection)) return;
  listening.add(connection);
  connection.on("notice", ({ message = "" }) => {
    const json = message.slice(message.indexOf("{"));
    if (!message.startsWith("duration:")) return;
    const report = JSON.parse(json) as { "Query Text": string; Plan: Plan };
    plans.push({ text: report["Query Text"], plan: report.Plan });
  });
  void connection.query(
    "load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_format = 'json'; set auto_explain.log_level = 'notice'",
  );
});

/** Rows that a plan takes from tables and indexes, whether it uses them or not. */
const readBy = (plan: Plan): number =>
  (plan["Relation Name"] ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"] : 0) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), 0);
const read = async (path: string) => {
  const get = () => app.inject({ url: path, headers: { authorization: `Bearer ${admin.token}` } });
  // The first call loads the module that reports plans.
  await get();
  plans.length = 0;
  const reply = await get();
  expect(reply.statusCode).toBe(200);
  // Counting all rows of a list reads all of them, from an index.
  return plans
    .filter(({ text }) => !text.startsWith('select count(*) as "total"'))
    .reduce((sum, { plan }) => sum + readBy(plan), 0);
};

/** Rows per page, and for each row what it shows: a learner has 8 enrolments, with the company of each. */
const SIZE = 10;
const PER_ROW = 60;
test.each([
  `${learners.list.path}?size=${SIZE}`,
  `${learners.list.path}?size=${SIZE}&sort=-name`,
  `${learners.list.path}?size=${SIZE}&sort=email`,
  `${learners.list.path}?size=${SIZE}&sort=-lastActive`,
  `${learners.list.path}?size=${SIZE}&sort=lastActive`,
  `${learners.list.path}?size=${SIZE}&status=active`,
  `${courses.enrolments.path}?size=${SIZE}`,
  `${courses.enrolments.path}?size=${SIZE}&sort=dueDate`,
  `${courses.enrolments.path}?size=${SIZE}&sort=-dueDate`,
  `${audit.list.path}?size=${SIZE}`,
  `${conversations.all.path}?size=${SIZE}`,
  `${conversations.all.path}?size=${SIZE}&page=20`,
  `${analyticsRows.conversations.path}?size=${SIZE}&from=2025-08-01&to=2026-06-01`,
])("%s reads a bounded number of rows for each that it returns", async (path) => {
  expect(await read(path)).toBeLessThan(SIZE * PER_ROW);
});

test("a search of learners reads the rows that it finds", async () => {
  const found = await app.inject({
    url: `${learners.list.path}?q=quist`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const { total } = found.json() as { total: number };
  expect(total).toBeGreaterThan(10);
  expect(await read(`${learners.list.path}?q=quist&size=${SIZE}`)).toBeLessThan(total * 10 + SIZE * PER_ROW);
});

test("a page of companies reads the enrolments of these companies, and no others", async () => {
  const page = await app.inject({
    url: `${companies.list.path}?size=2`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const { items } = page.json() as { items: { assigned: number; learners: number }[] };
  const shown = items.reduce((sum, { assigned, learners: people }) => sum + assigned + people, 0);
  expect(shown).toBeLessThan(LEARNERS * 4);
  expect(await read(`${companies.list.path}?size=2`)).toBeLessThan(shown * 2 + 500);
});
