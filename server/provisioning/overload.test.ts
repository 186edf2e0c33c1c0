import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";
import { createClient } from "#test/client.ts";
import { patchOf, type ScimList, USER } from "#test/directory.ts";
import { scaled } from "#test/long.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// A directory that asks for more than the server can do slows down nobody but itself

const PEOPLE = scaled(3000, 50_000);
const server = await createProcess();
await server.start();
afterAll(() => server.remove());
const admin = createClient(server.url);
const { token } = await admin.call(auth.signIn, { body: ADMIN });
admin.useToken(token);

async function openDirectory(name: string) {
  const { id } = await admin.call(companies.create, { body: { name } });
  const made = await admin.call(provisioning.createKey, { params: { id }, body: { name } });
  return { id, key: made.key };
}
const greedy = await openDirectory("Greedy");
const modest = await openDirectory("Modest");
await server.query(
  `insert into users (email, name, role, status, company_id, created_at)
  select 'person-' || n || '@greedy.test', 'Person ' || n, 'learner', 'invited', $1, now() - interval '2 days'
  from generate_series(1, $2::int) n`,
  [greedy.id, PEOPLE],
);
await server.query(
  `insert into provisioned_people (user_id, company_id, user_name, email, attributes)
  select id, company_id, email, email, '{"emails": [{"own": true, "type": "work", "primary": true}]}'
  from users
  where company_id = $1`,
  [greedy.id],
);

async function send({ key }: { key: string }, method: string, path: string, body?: object, signal?: AbortSignal) {
  const reply = await fetch(server.url + SCIM_PATH + path, {
    method,
    signal: signal ?? null,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/scim+json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), body: JSON.parse(text) as unknown };
}
/** Ten comparisons with each address of each person, who are then sorted. */
const filter = Array.from({ length: 10 }, (_, at) => `emails.display ew "nothing ${at}"`).join(" or ");
const expensive = `/Users?${new URLSearchParams({ filter, sortBy: "displayName", count: "200" })}`;

/** The largest number of statements about the people of a directory that the database runs at the same time. */
function watchStatements() {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    const client = new pg.Client(server.connection());
    await client.connect();
    while (!isOver) {
      const { rows } = await client.query<{ running: number }>(`
        select count(*)::int as running
        from pg_stat_activity
        where state = 'active'
          and pid <> pg_backend_pid()
          and backend_type = 'client backend'
          and query like '%from users u%left join provisioned_people p%'`);
      most = Math.max(most, rows[0]?.running ?? 0);
      await sleep(20);
    }
    await client.end();
    return most;
  })();
  return () => {
    isOver = true;
    return watching;
  };
}

/** Lets no statement read the people of directories until the returned function is called. */
async function lockPeople() {
  const client = new pg.Client(server.connection());
  await client.connect();
  await client.query("begin");
  await client.query("lock table provisioned_people in access exclusive mode");
  return () => client.end();
}

test("pages and other directories are answered while one runs expensive filters", async () => {
  expect((await send(modest, "POST", "/Users", { schemas: [USER], userName: "one@modest.test" })).status).toBe(201);
  const [person] = await server.query<{ id: string }>("select id from users where email = 'person-7@greedy.test'");
  let isOver = false;
  const statuses = new Set<number>();
  let lists = 0;
  const flood = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      const { status } = await send(greedy, "GET", expensive);
      statuses.add(status);
      lists++;
    }
  });
  const stopWatching = watchStatements();
  await sleep(1000);
  let pages = 0;
  for (const until = Date.now() + scaled(4000, 8000); Date.now() < until; pages++) {
    const page = await admin.call(learners.list, { query: { companyId: greedy.id, size: 50 } });
    expect(page.items).toHaveLength(50);
    const found = await send(
      modest,
      "GET",
      `/Users?${new URLSearchParams({ filter: 'userName eq "one@modest.test"' })}`,
    );
    expect([found.status, (found.body as ScimList).totalResults]).toEqual([200, 1]);
  }
  const off = patchOf({ op: "replace", path: "active", value: false });
  const from = performance.now();
  expect((await send(greedy, "PATCH", `/Users/${person?.id}`, off)).status).toBe(200);
  const suspendedMs = performance.now() - from;
  isOver = true;
  const most = await stopWatching();
  await Promise.all(flood);
  // One of each of the two directories.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
  expect([...statuses].filter((status) => ![200, 400, 429].includes(status))).toEqual([]);
  expect(pages).toBeGreaterThan(lists / 4);
  expect(suspendedMs).toBeLessThan(5000);
}, 120_000);

test("lists whose senders have left keep their turn until they end", async () => {
  const unlock = await lockPeople();
  const stopWatching = watchStatements();
  const left = [];
  for (let at = 0; at < 20; at++)
    left.push(await send(greedy, "GET", expensive, undefined, AbortSignal.timeout(100)).catch(() => "left"));
  const most = await stopWatching();
  await unlock();
  expect(new Set(left)).toEqual(new Set(["left"]));
  expect(most).toBe(1);
  expect((await send(greedy, "GET", "/Users?count=1")).status).toBe(200);
}, 60_000);

test("more calls than can wait are refused with 429 and a time to come back", async () => {
  const unlock = await lockPeople();
  const calls = Array.from({ length: 130 }, () => send(greedy, "GET", "/Users?count=1"));
  const refused = await Promise.race(
    calls.map(async (call) => ((await call).status === 429 ? call : new Promise<never>(() => {}))),
  );
  expect(refused).toMatchObject({ status: 429, retryAfter: "5", body: { status: "429" } });
  // A statement that takes too long is ended.
  const [first] = await Promise.all(calls.slice(0, 1));
  expect([first?.status, first?.body]).toMatchObject([400, { scimType: "tooMany" }]);
  await unlock();
  const replies = await Promise.all(calls);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 400, 429]));
  expect((await send(modest, "GET", "/Users?count=1")).status).toBe(200);
}, 60_000);
