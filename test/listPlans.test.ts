import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { from as copyFrom } from "pg-copy-streams";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { team } from "#shared/team/team.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { reports } from "#shared/reports/reports.ts";
import { tablesOf, toCopyText } from "../scripts/generated/rows.ts";
import { createPlanReader, nodesOf, type Plan, readBy, rowsOf } from "#test/plans.ts";
import { probes } from "#test/probes.ts";
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

const { plans, read } = createPlanReader({ app, services }, admin.token);

/** Rows per page, and for each row what it shows: a learner has 8 enrolments, with the company of each. */
const SIZE = 10;
const PER_ROW = 60;
test.each(probes.flatMap(({ boundedPages = [] }) => boundedPages))(
  "%s reads a bounded number of rows for each that it returns",
  async (path) => {
    const sized = `${path}${path.includes("?") ? "&" : "?"}size=${SIZE}`;
    expect(await read(sized)).toBeLessThan(SIZE * PER_ROW);
  },
);

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

const idOf = async (text: string) => ((await services.pool.query(text)).rows[0] as { id: string }).id;
const countIn = async (text: string) => Number(((await services.pool.query(text)).rows[0] as { n: number }).n);

test("a page of a report reads the states of its course once", async () => {
  const course = await idOf("select course_id as id from enrolments group by 1 order by count(*) desc, 1 limit 1");
  const states = await countIn(`select count(*) as n from enrolment_history where course_id = '${course}'`);
  const path = `${reports.rows.path.replace(":id", course)}?size=${SIZE}&group=completed`;
  expect(await read(path)).toBeLessThan(states * 3 + SIZE * PER_ROW);
  const counters = plans.filter(({ text }) => text.includes("enrolment_activity"));
  expect(counters.length).toBeGreaterThan(0);
  expect(counters.reduce((sum, { plan }) => sum + readBy(plan), 0)).toBeLessThan(SIZE * PER_ROW);
});

test("the learners of a report are read without the counters of others", async () => {
  const company = await idOf("select company_id as id from enrolments group by 1 order by count(*) desc, 1 limit 1");
  await read(`${reports.people.path.replace(":id", company)}?size=${SIZE}`);
  const counters = plans.filter(({ text }) => text.includes("enrolment_activity"));
  expect(counters.length).toBeGreaterThan(0);
  expect(counters.reduce((sum, { plan }) => sum + readBy(plan), 0)).toBeLessThan(SIZE * PER_ROW);
});

test("figures of a company read its history and enrolments once", async () => {
  const company = await idOf("select company_id as id from enrolments group by 1 order by count(*) desc, 1 limit 1");
  await read(reports.figures.path.replace(":id", company));
  const figures = plans.find(({ text }) => text.includes("enrolment_history") && text.includes("percentile_cont"));
  const states = await countIn(`select count(*) as n from enrolment_history where company_id = '${company}'`);
  expect(rowsOf(figures?.plan as Plan, "enrolment_history")).toBe(states);
  expect(rowsOf(figures?.plan as Plan, "enrolments")).toBeLessThan(states);
});

test("the dashboard reads sessions that have ended from an index", async () => {
  await services.pool.query(
    "update sessions set started_at = now() - interval '10 days' where id in (select id from sessions order by id limit 2000)",
  );
  await services.pool.query("vacuum (analyze) sessions");
  await read(`${reports.dashboard.path}?days=30`);
  const summary = plans.find(({ text }) => text.includes("active_learners"));
  const nodes = nodesOf(summary?.plan as Plan).filter((node) => node["Relation Name"] === "sessions");
  const [ended, others] = [true, false].map((isEnded) =>
    nodes.filter((node) => (node["Node Type"] === "Index Only Scan") === isEnded),
  ) as [Plan[], Plan[]];
  expect(ended.reduce((sum, node) => sum + readBy(node), 0)).toBe(2000);
  expect(others.reduce((sum, node) => sum + readBy(node), 0)).toBe(0);
});

test("pages of a manager read the rows of their people, and not of the company", async () => {
  const company = await make.company(admin);
  const leader = await make.learner(company.accessCode, "Lena Leader");
  // 2,500 people in teams of 12 below 200 managers, whom others lead again; each has three courses.
  const courses = "(select array_agg(id) from (select id from courses limit 3) chosen)";
  await services.pool.query(
    `with people as (
      insert into users (email, name, status, company_id)
      select 'led-' || n || '@example.com', 'Led ' || md5(n::text), 'active', $1
      from generate_series(1, 2500) n
      returning id
    ), numbered as (
      select id, row_number() over () - 1 as n
      from people
    ), led as (
      insert into managers (user_id, manager_id, company_id, since)
      select one.id, case when one.n between 200 and 211 then $2 else leads.id end, $1, now()
      from numbered one
      join numbered leads on leads.n = case when one.n < 200 then (one.n - 1) / 12 else (one.n - 200) / 12 end
      where one.n > 0
    )
    insert into enrolments (user_id, company_id, course_id, source, due_date)
    select numbered.id, $1, unnest(${courses}), 'manual', now()::date - 20 + (numbered.n % 40)::int
    from numbered`,
    [company.id, leader.user.id],
  );
  await services.pool.query("vacuum (analyze) users, managers, enrolments");
  const PEOPLE = 12;
  for (const path of [team.home.path, team.list.path, `${team.list.path}?state=overdue&sort=name&q=led`])
    expect(await read(path, leader.token), path).toBeLessThan(PEOPLE * PER_ROW * (path === team.home.path ? 6 : 1));
});

test("lists of a catalogue read one company, and requests no more than their page", async () => {
  const company = await make.company(admin);
  const learner = await make.learner(company.accessCode);
  const OFFERS = 40;
  await services.pool.query(
    `with offers as (
      insert into catalogue_offers (company_id, course_id, way, places)
      select companies.id, courses.id, 'request', 5
      from ((select id from companies where id <> $1::uuid limit 10) union all select $1::uuid) companies
      cross join (select id from courses where status = 'published' order by id limit $2::int) courses
      returning id, company_id
    )
    insert into catalogue_requests (offer_id, company_id, user_id, status, asked_at)
    select one.id, $1, users.id, (array['open', 'declined'])[1 + users.n % 2], now() - users.n * interval '1 minute'
    from (select id, row_number() over () as n from offers where company_id = $1::uuid) one
    join (select id, row_number() over () as n from users limit 20000) users on users.n % $2::int = one.n - 1`,
    [company.id, OFFERS],
  );
  await services.pool.query("vacuum (analyze) catalogue_offers, catalogue_requests");
  const own = catalogue.requests.path.replace(":id", company.id);
  for (const query of ["", "&status=open", "&status=open&sort=-asked", "&status=open&unmanaged=true"])
    expect(await read(`${own}?size=${SIZE}${query}`), query).toBeLessThan(SIZE * PER_ROW);
  for (const query of ["", "?q=safety", "?q=sfaety", "?startable=true"])
    expect(await read(catalogue.browse.path + query, learner.token), query).toBeLessThan(OFFERS * 12);
});

test("a small team is read without the managers of others, however large", async () => {
  const company = await make.company(admin);
  const leader = await make.learner(company.accessCode, "Lena Leader");
  // 4,000 people in teams of 100, and a leader of one person, who leads 5.
  await services.pool.query(
    `with people as (
      insert into users (email, name, status, company_id)
      select 'large-' || n || '@example.com', 'Large ' || md5(n::text), 'active', $1
      from generate_series(1, 4000) n
      returning id
    ), numbered as (
      select id, row_number() over () - 1 as n
      from people
    )
    insert into managers (user_id, manager_id, company_id, since)
    select one.id, case when one.n = 40 then $2 else leads.id end, $1, now()
    from numbered one
    join numbered leads on leads.n = case when one.n between 41 and 45 then 40 else one.n % 40 end
    where one.n >= 40`,
    [company.id, leader.user.id],
  );
  await services.pool.query("vacuum (analyze) users, managers");
  expect(await read(team.list.path, leader.token)).toBeLessThan(6 * PER_ROW);
});

test("an export of values reads batch by batch, and sorts no more than that", { timeout: 180_000 }, async () => {
  const BATCH = 250;
  const { rows: ids } = await services.pool.query<{ id: string }>(
    `insert into variables (key, label, type, scope, status)
    select 'v' || n, 'V', 'number', case when n = 1 then 'attempt' else 'learner' end, 'active'
    from generate_series(1, 2) n
    returning id`,
  );
  const values = `
    select v.id, u.id, u.company_id, 'api', to_jsonb(n), now() - make_interval(secs => n)
    from variables v, users u`;
  const insert = "insert into variable_values (variable_id, user_id, company_id, source, value, happened_at)";
  const isLearner = "u.company_id is not null and u.role = 'learner' and u.email !~ '^(zz|led|large)-'";
  for (const [variable, count] of [
    [0, 1],
    [1, 4],
  ] as const)
    await services.pool.query(`${insert} ${values}, generate_series(1, $2::int) n where v.id = $1 and ${isLearner}`, [
      ids[variable]?.id,
      count,
    ]);
  // One person with a long history.
  await services.pool.query(
    `${insert} ${values}, generate_series(5, 3000) n
    where v.id = $1 and u.id = (select id from users where company_id is not null limit 1)`,
    [ids[1]?.id],
  );
  await services.pool.query("vacuum (analyze) variable_values");
  const stored = await services.pool.query<{ n: number }>("select count(*)::int as n from variable_values");
  expect(stored.rows[0]?.n).toBeGreaterThan(12_000);
  for (const filter of ["&source=api", `&variableId=${ids[1]?.id}`]) {
    await read(`${rawData.export.path}?format=jsonl${filter}`);
    const others = plans.filter(({ text }) => !text.includes("max("));
    expect(others.length, filter).toBeGreaterThan(6);
    const isList = (text: string) => text.startsWith("declare exported");
    // The ids are read in one pass over the table, including the values that the filter leaves out.
    const listed = others.filter(({ text }) => isList(text)).map(({ plan }) => readBy(plan));
    expect(listed, filter).toEqual([expect.any(Number)]);
    expect(listed[0], filter).toBeLessThanOrEqual(stored.rows[0]?.n ?? 0);
    // A batch sorts only its own rows. What it joins may be read whole where a table is small, but never the values.
    for (const { text, plan } of others) {
      const sorted = nodesOf(plan).filter((node) => /Sort|Window|Materialize/.test(node["Node Type"]));
      const most = Math.max(0, ...sorted.flatMap(({ Plans = [] }) => Plans.map((inner) => inner["Actual Rows"])));
      expect(most, `${filter} ${text.slice(0, 200)}`).toBeLessThanOrEqual(BATCH);
      if (!isList(text)) expect(rowsOf(plan, "variable_values"), filter).toBeLessThan(BATCH * 10);
    }
  }
});
