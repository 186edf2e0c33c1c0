import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "#server/core/database/connection.ts";
import { createDb, createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { agentKeyOf, keyOf } from "#server/statements/identifiers.ts";
import type { StatementFilter } from "#server/statements/filters.ts";
import type { RecordStoreClient } from "#server/statements/launches.ts";
import { listStatements } from "#server/statements/reading.ts";
import { auth } from "#shared/auth/auth.ts";
import { type ClientScope, RECORD_STORE_PATH, statements } from "#shared/statements/statements.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { statementOf } from "#test/statementOf.ts";
import { cpuSeconds, load, median, processTreeOf, round } from "./_load.ts";

/**
 * The record store. First statements that keys store, one by one and 25 at once, beside a durable insert of the same
 * JSON with the same primary key; then lists by every filter, at growing numbers of statements (`SIZES`): the 95th
 * percentile by HTTP, and database pages that a list reads. CPU is that of server and database.
 */
const SIZES = (process.env.SIZES ?? "100000,1000000").split(",").map(Number);
const SECONDS = Number(process.env.SECONDS ?? 4);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LANES = 8;
const BATCH = 25;
const READS = 40;
const [AGENTS_EACH, ACTIVITIES, LAUNCH_STATEMENTS] = [1000, 50, 200];

const agent = (n: number) => ({ mbox: `mailto:agent-${n}@example.com` });
const activity = (n: number) => `https://example.com/activities/${n}`;
const verb = (n: number) => `https://example.com/verbs/${n}`;

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const postmaster = server.postgresPid();
const cpuOf = () => cpuSeconds([server.pid()]) + cpuSeconds(processTreeOf(postmaster));
const say = (what: object) => console.log(JSON.stringify(what));
const timeAt = (times: number[], share: number) =>
  round(times[Math.floor((times.length - 1) * share)] ?? Number.NaN, 1);
const pool = new pg.Pool({ ...server.connection(), max: LANES });

const [learner] = await openClass(server.url, 1);
const { companyId } = learner!.params;
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const [everything, mine] = [await createKey(["all"]), await createKey(["statements/write", "statements/read/mine"])];

await measureStoring();
for (const size of SIZES) await measureReading(size);
await pool.end();
await server.remove();

async function createKey(scopes: ClientScope[]) {
  const body = { name: scopes.join(), companyId, scopes };
  const { id, userName, secret } = await admin.call(statements.createClient, { body });
  const client: RecordStoreClient = { kind: "key", companyId, clientId: id, userName, scopes };
  return { client, authorization: `Basic ${Buffer.from(`${userName}:${secret}`).toString("base64")}` };
}

async function request(key: { authorization: string }, params: Record<string, string>, body?: unknown) {
  const reply = await fetch(`${server.url}${RECORD_STORE_PATH}/statements?${new URLSearchParams(params)}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: key.authorization,
      "x-experience-api-version": "1.0.3",
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  // A key has a limit of requests per minute.
  if (reply.status === 429) throw new Error("Fewer SECONDS, please: the key has reached its rate");
  if (!reply.ok) throw new Error(`${reply.status} ${text}`);
}

/** Count and CPU in ms for each statement. */
async function measured(perRequest: number, work: (lane: number) => Promise<unknown>) {
  const before = cpuOf();
  const { count, rate } = await load(LANES, SECONDS, work);
  return { perSecond: rate * perRequest, cpuMs: ((cpuOf() - before) / count / perRequest) * 1000 };
}

async function measureStoring() {
  await pool.query("create table bench_statements (id uuid primary key, statement jsonb not null)");
  const next = () =>
    statementOf({ id: randomUUID(), result: { score: { scaled: 0.5 } }, timestamp: "2026-03-01T00:00Z" });
  const insert = (count: number) => () => {
    const all = Array.from({ length: count }, next);
    return pool.query("insert into bench_statements select * from unnest($1::uuid[], $2::jsonb[])", [
      all.map(({ id }) => id),
      all.map((one) => JSON.stringify(one)),
    ]);
  };
  // Each lane has a key of its own, as other systems have.
  const keys = await Promise.all(Array.from({ length: LANES }, () => createKey(["statements/write"])));
  const post = (count: number) => (lane: number) => request(keys[lane]!, {}, Array.from({ length: count }, next));
  for (const count of [1, BATCH]) {
    await load(LANES, 1, post(count));
    const ratios = [];
    for (let n = 0; n < ROUNDS; n++) {
      const ours = await measured(count, post(count));
      const bare = await measured(count, insert(count));
      ratios.push(ours.cpuMs / bare.cpuMs);
      say({
        statementsInARequest: count,
        round: n + 1,
        perSecond: round(ours.perSecond, 0),
        cpuMs: round(ours.cpuMs, 3),
        bareInsertCpuMs: round(bare.cpuMs, 3),
        ratio: round(ours.cpuMs / bare.cpuMs),
      });
      await sleep(2000);
    }
    say({ statementsInARequest: count, cpuToBareInsert: round(median(ratios)) });
  }
}

/**
 * Fills the store up to `size` statements: of people with a thousand each, who say five things about fifty activities.
 * The first one has an instructor who is named in a few, and one attempt has two hundred.
 */
async function fill(size: number) {
  const [row] = await server.query<{ count: number }>("select count(*)::int as count from statements");
  await server.query(
    "create table if not exists bench_keys (kind text, n int, name text, key uuid, primary key (kind, n))",
  );
  const names = [
    ...Array.from({ length: size / AGENTS_EACH }, (_, n) => ["agent", n, agent(n).mbox, agentKeyOf(agent(n))]),
    ...Array.from({ length: ACTIVITIES }, (_, n) => ["activity", n, activity(n), keyOf(activity(n))]),
    ...Array.from({ length: 5 }, (_, n) => ["verb", n, verb(n), keyOf(verb(n))]),
  ];
  const column = (at: number) => names.map((one) => one[at]);
  await pool.query(
    "insert into bench_keys select * from unnest($1::text[], $2::int[], $3::text[], $4::uuid[]) on conflict do nothing",
    [column(0), column(1), column(2), column(3)],
  );
  const client = (await pool.connect()) as pg.PoolClient;
  for (let from = row!.count; from < size; from += 100_000) {
    await client.query(
      `with added as (
        insert into statements (
          company_id, id, stored_at, happened_at, client_id, registration, verb, verb_key, activity, statement
        )
        select $1, gen_random_uuid(), '2026-01-01'::timestamptz + at * interval '1 second', '2026-01-01', $2,
          md5((at / 100)::text)::uuid, verbs.name, verbs.key, activities.name,
          jsonb_build_object(
            'actor', jsonb_build_object('mbox', agents.name),
            'verb', jsonb_build_object('id', verbs.name),
            'object', jsonb_build_object('id', activities.name),
            'result', jsonb_build_object('response', repeat('answer ', 40), 'n', at)
          )
        from generate_series($3::int, $4::int) as series (at)
        join bench_keys agents on agents.kind = 'agent' and agents.n = at % $5
        join bench_keys activities on activities.kind = 'activity' and activities.n = (at / 7) % ${ACTIVITIES}
        join bench_keys verbs on verbs.kind = 'verb'
          and verbs.n = case when at % 11 = 0 and agents.n > 9 and activities.n <> 3 then 4 else (at / 3) % 4 end
        returning position, stored_at, verb_key, statement
      ), by_agent as (
        insert into statement_agents
        select $1, bench_keys.key, stored_at, position, true
        from added
        join bench_keys on kind = 'agent' and name = statement->'actor'->>'mbox'
      )
      insert into statement_activities
      select $1, bench_keys.key, stored_at, position, true, verb_key
      from added
      join bench_keys on kind = 'activity' and name = statement->'object'->>'id'`,
      [
        companyId,
        (everything.client as { clientId: string }).clientId,
        from,
        Math.min(from + 100_000, size) - 1,
        size / AGENTS_EACH,
      ],
    );
  }
  client.release();
  await server.query(
    `update statements
    set client_id = case when position % 2 = 0 then $1::uuid else client_id end,
      attempt_id = $2,
      user_id = (select user_id from attempts where id = $2)
    where position in (select position from statements order by position limit ${LAUNCH_STATEMENTS})`,
    [(mine.client as { clientId: string }).clientId, learner!.session.attemptId],
  );
  await server.query("vacuum (analyze)");
}

/** Milliseconds of each of many calls, in ascending order. */
async function timeEach(work: () => Promise<unknown>) {
  const times = [];
  for (let n = 0; n < READS; n++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b);
}

async function measureReading(size: number) {
  await fill(size);
  const [row] = await server.query<{ user_id: string; registration: string }>(
    `select user_id,
      (
        select registration
        from statements
        where registration is not null
        order by position desc
        limit 1
      ) as registration
    from attempts
    where id = $1`,
    [learner!.session.attemptId],
  );
  const { userName: _userName, ...identity } = { ...everything.client, userName: "" };
  const launch = {
    ...identity,
    kind: "launch",
    userId: row!.user_id,
    attemptId: learner!.session.attemptId,
  } as unknown as RecordStoreClient;
  const one = JSON.stringify(agent(1));
  const lists: Record<string, [{ client: RecordStoreClient; authorization?: string }, Record<string, string>]> = {
    newest: [everything, {}],
    "an agent": [everything, { agent: one }],
    "an agent, in any role": [everything, { agent: one, related_agents: "true" }],
    "an agent and a verb of others": [everything, { agent: one, verb: verb(4) }],
    "an agent and an activity": [everything, { agent: one, activity: activity(3) }],
    "an activity": [everything, { activity: activity(3) }],
    "an activity and a verb of others": [everything, { activity: activity(3), verb: verb(4) }],
    "a verb": [everything, { verb: verb(2) }],
    "a registration": [everything, { registration: row!.registration }],
    "since yesterday, ascending": [everything, { since: "2026-01-01T23:00:00Z", ascending: "true" }],
    "what a key has sent": [mine, {}],
    "what a key has sent of an activity": [mine, { activity: activity(3) }],
    "what a launch has said": [{ client: launch }, {}],
    "what a launch has said of its activity": [{ client: launch }, { activity: activity(3) }],
  };
  const db = createDb(createPool(server.connection() as Connection, createLog("error"), { max: 1 }));
  const watch = new pg.Client(server.connection());
  await watch.connect();
  const readPages = async () =>
    Number(
      (
        await watch.query(
          `select sum(
            coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0)
            + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0)
          ) as pages
          from pg_statio_user_tables
          where relname like 'statement%'`,
        )
      ).rows[0].pages,
    );
  for (const [name, [{ client, authorization }, params]] of Object.entries(lists)) {
    const filter: StatementFilter = {
      ...(params.agent && { agentKey: agentKeyOf(agent(1)) as string }),
      ...(params.verb && { verbKey: keyOf(params.verb) }),
      ...(params.activity && { activityKey: keyOf(params.activity) }),
      ...(params.registration && { registration: params.registration }),
      ...(params.since && { since: params.since }),
      relatedActivities: false,
      relatedAgents: params.related_agents === "true",
      ascending: params.ascending === "true",
      limit: 100,
      format: "exact",
      attachments: false,
    };
    const flush = () => db.selectNoFrom((eb) => eb.fn("pg_stat_force_next_flush").as("flushed")).execute();
    await flush();
    const before = await readPages();
    const { items } = await listStatements(db, client, filter, null);
    await flush();
    const pages = (await readPages()) - before;
    const times = await timeEach(() =>
      authorization
        ? request({ authorization }, { ...params, limit: "100" })
        : listStatements(db, client, filter, null),
    );
    say({
      statements: size,
      list: name,
      found: items.length,
      pages,
      p50: timeAt(times, 0.5),
      p95: timeAt(times, 0.95),
    });
  }
  await watch.end();
  await db.destroy();
}
