import os from "node:os";
import pg from "pg";
import { auth } from "#shared/auth/auth.ts";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import type { Sent } from "#shared/core/route.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { median, round } from "./_load.ts";

/**
 * The catalogue of a company that offers 5,000 courses to 50,000 people, with a request or place of each of them, by
 * HTTP.
 */
const COURSES = Number(process.env.COURSES ?? 5000);
const PEOPLE = Number(process.env.PEOPLE ?? 50_000);
const ROUNDS = Number(process.env.ROUNDS ?? 15);

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const say = (what: object) => console.log(JSON.stringify(what));
const pool = new pg.Pool({ ...server.connection(), max: 2 });
const [learner, holder, ...others] = await openClass(server.url, ROUNDS + 2);
const { companyId, courseId } = learner!.params;
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const params = { id: companyId };

await fill();
const reader = createClient(server.url);
reader.useToken(learner!.token);
type Browse = Sent<typeof catalogue.browse>["query"];
const browse = (query: Browse) => () => reader.call(catalogue.browse, { query });
const [offer] = (await reader.call(catalogue.browse, { query: { notMine: "true" } })).items;
type Requests = Sent<typeof catalogue.requests>["query"];
const requests = (query: Requests) => () => admin.call(catalogue.requests, { params, query });
await timed("first page", browse({}));
await timed("last page", browse({ page: 200 }));
await timed("search", browse({ q: "ladder 42" }));
await timed("search with a typing error", browse({ q: "lader 4242" }));
await timed("can start now, short", browse({ startable: "true", length: "short" }));
await timed("a course", () => reader.call(catalogue.get, { params: { id: offer!.id } }));
await timed("offers, first page", () => admin.call(catalogue.offers, { params, query: {} }));
await timed("choices", () => admin.call(catalogue.choices, { params, query: { q: "42" } }));
await timed("requests, first page", requests({}));
await timed("requests by name", requests({ q: "Person 49" }));
await timed("requests without a manager", requests({ status: "open", unmanaged: "true" }));
await compareJoins();
await compareProgress();
await pool.end();
await server.remove();

async function fill() {
  await pool.query(
    `insert into courses
    select copy.*
    from courses original, generate_series(1, $2) n,
      jsonb_populate_record(original, jsonb_build_object(
        'id', gen_random_uuid(), 'code', 'COPY-' || n, 'title', (array['Ladder', 'Crane', 'Cable', 'Meter'])[n % 4 + 1]
          || ' work ' || n, 'minutes', n % 200 + 1
      )) copy
    where original.id = $1`,
    [courseId, COURSES],
  );
  await pool.query(
    `insert into catalogue_offers (company_id, course_id, way, places, languages)
    select $1, id, case when row_number() over () % 2 = 0 then 'self' else 'request' end,
      case when row_number() over () % 3 = 0 then 50 end, '{en}'
    from courses
    where code like 'COPY-%'`,
    [companyId],
  );
  await pool.query(
    `insert into catalogue_prerequisites (company_id, course_id, required_id)
    select $1, course_id, $2
    from catalogue_offers
    order by id
    limit 1000`,
    [companyId, courseId],
  );
  await pool.query(
    `insert into users (email, name, role, status, company_id)
    select 'person-' || n || '@example.com', 'Person ' || n, 'learner', 'active', $1
    from generate_series(1, $2) n`,
    [companyId, PEOPLE],
  );
  await pool.query(
    `insert into catalogue_requests (offer_id, company_id, user_id, status, waiting_since, asked_at)
    select offers[1 + n % cardinality(offers)], $1, id, (array['open', 'waiting', 'enrolled', 'declined'])[n % 4 + 1],
      now(), now() - n * interval '1 minute'
    from (select id, row_number() over () as n from users where company_id = $1) people
    cross join (select array_agg(id) as offers from catalogue_offers) all_offers`,
    [companyId],
  );
  await pool.query(
    `insert into managers (user_id, manager_id, company_id, since)
    select id, (select id from users where name = 'Person 1'), $1, current_date
    from users
    where company_id = $1
      and name <> 'Person 1'
      and name not like '%7'`,
    [companyId],
  );
  await pool.query("vacuum analyze");
}

/** Joining a waiting list of 20,000 people, and one of nobody, in turns. */
async function compareJoins() {
  const offers = await pool.query<{ id: string }>(
    `update catalogue_offers
    set way = 'self', places = 1
    where id in (select id from catalogue_offers order by id desc limit 2)
    returning id`,
  );
  const [short, long] = offers.rows.map(({ id }) => id) as [string, string];
  await pool.query("delete from catalogue_requests where offer_id = any($1::uuid[])", [[short, long]]);
  const join = async (token: string, id: string, as: "enrol" | "wait") => {
    const client = createClient(server.url);
    client.useToken(token);
    const start = performance.now();
    await client.call(catalogue.join, { params: { id }, body: { as } });
    return performance.now() - start;
  };
  for (const id of [short, long]) await join(holder!.token, id, "enrol");
  await pool.query(
    `insert into catalogue_requests (offer_id, company_id, user_id, status, waiting_since)
    select $1, $2, id, 'waiting', now()
    from users
    where company_id = $2
      and email like 'person-%'
    limit 20000`,
    [long, companyId],
  );
  await pool.query("update catalogue_offers set waiting = 20000 where id = $1", [long]);
  const times = { short: [] as number[], long: [] as number[] };
  for (const { token } of others) {
    times.short.push(await join(token, short, "wait"));
    times.long.push(await join(token, long, "wait"));
  }
  compare("joining a waiting list of 20,000", times.long, times.short);
}

/** Changes of progress with the trigger that follows enrolments, and without it, in turns. */
async function compareProgress() {
  const { rows } = await pool.query<{ id: string }>("select id from enrolments limit 1");
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < ROUNDS; round++)
    for (const way of ["with", "without"] as const) {
      await pool.query(
        `alter table enrolments ${way === "with" ? "enable" : "disable"} trigger follow_enrolments_for_catalogue`,
      );
      const start = performance.now();
      for (let n = 0; n < 200; n++)
        await pool.query("update enrolments set progress = $2 where id = $1", [rows[0]?.id, n % 100]);
      times[way].push((performance.now() - start) / 200);
    }
  await pool.query("alter table enrolments enable trigger follow_enrolments_for_catalogue");
  compare("a change of progress, with the trigger", times.with, times.without);
}

function compare(name: string, ones: number[], others: number[]) {
  const ratios = ones.map((one, n) => one / (others[n] ?? 1)).toSorted((a, b) => a - b);
  say({
    name,
    ms: round(median(ones), 2),
    ratio: round(median(ratios), 2),
    spread: [ratios[0], ratios.at(-1)].map((ratio) => round(ratio ?? 0, 2)),
    load: round(os.loadavg()[0] ?? 0, 1),
  });
}

async function timed(name: string, read: () => Promise<unknown>) {
  const times: number[] = [];
  for (let n = -2; n < ROUNDS; n++) {
    const start = performance.now();
    await read();
    if (n >= 0) times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const load = round(os.loadavg()[0] ?? 0, 1);
  say({ name, ms: round(median(times), 0), spread: [sorted[0], sorted.at(-1)].map((ms) => round(ms ?? 0, 0)), load });
}
