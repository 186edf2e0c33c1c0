import { performance } from "node:perf_hooks";
import pg from "pg";
import { auth } from "#shared/auth/auth.ts";
import { events } from "#shared/events/events.ts";
import { createClient } from "#test/client.ts";
import { draftInput } from "#test/events.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { load, median, round } from "./_load.ts";

/**
 * The public list with 5,000 events, as a ratio to the SQL query of one page sent directly to the same PostgreSQL with
 * the same concurrency. Then registrations per second for one event; each takes the lock of the event and writes a
 * mail.
 */
const EVENTS = Number(process.env.EVENTS ?? 5000);
const SECONDS = Number(process.env.SECONDS ?? 4);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LANES = 10;

const server = await createProcess({ TRUST_PROXY: "loopback" });
await server.start();
const client = createClient(server.url);
client.useToken((await client.call(auth.signIn, { body: ADMIN })).token);
const first = await client.call(events.create, { body: draftInput({ description: "Words. ".repeat(300) }) });
await client.call(events.publish, { params: { id: first.id }, body: { version: first.version } });
const pool = new pg.Pool({
  ...server.connection(),
  max: LANES,
});
const { rows: columns } = await pool.query<{ name: string }>(
  `select column_name as name from information_schema.columns where table_name = 'events' and is_generated = 'NEVER' and column_name not in ('id', 'slug', 'title', 'category', 'starts_at', 'ends_at')`,
);
const copied = columns.map(({ name }) => `e.${name}`).join(", ");
await pool.query(
  `insert into events (${columns.map(({ name }) => name).join(", ")}, id, slug, title, category, starts_at, ends_at)
  select ${copied}, gen_random_uuid(), 'bench-' || n, 'Event number ' || n, 'category ' || n % 12, now() + n * interval '1 hour', now() + n * interval '1 hour' + interval '2 hours' from events e, generate_series(1, $1) n where e.id = $2`,
  [EVENTS, first.id],
);
await pool.query("vacuum analyze events");

const queryPage = () =>
  pool.query(
    `select * from events where status in ('published', 'cancelled') and visibility = 'public' and ends_at > now() order by starts_at, id limit 25`,
  );
const list = (query: string) => async () =>
  void (await (await fetch(`${server.url}/api/events${query}`)).arrayBuffer());
const requests = {
  list: list(""),
  page100: list("?page=100"),
  search: list("?q=number+49"),
  category: list("?category=category+3"),
  admin: async () => client.call(events.listAll, { query: {} as never }),
};
const figures: Record<string, { ratio: number[]; p50: number[]; p99: number[] }> = {};
for (let n = 0; n < ROUNDS; n++) {
  const baseline = await load(LANES, SECONDS, queryPage);
  for (const [name, work] of Object.entries(requests)) {
    const result = await load(LANES, SECONDS, work);
    const figure = (figures[name] ??= { ratio: [], p50: [], p99: [] });
    figure.ratio.push(result.rate / baseline.rate);
    figure.p50.push(result.p50);
    figure.p99.push(result.p99);
  }
}

const busy = await client.call(events.create, { body: draftInput({ capacity: 1000 }) });
await client.call(events.publish, { params: { id: busy.id }, body: { version: busy.version } });
let guest = 0;
const startedAt = performance.now();
const refused: number[] = [];
const registered = await load(LANES, SECONDS, async () => {
  const n = guest++;
  const reply = await fetch(`${server.url}/api/events/${busy.slug}/registrations`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `10.${n % 250}.${Math.floor(n / 250) % 250}.1` },
    body: JSON.stringify({
      name: "Gus Guest",
      email: `guest-${n}@example.com`,
      questionVersion: 1,
      privacyAccepted: true,
    }),
  });
  if (!reply.ok) refused.push(reply.status);
});
const { counts } = await client.call(events.get, { params: { id: busy.id } });
console.log(
  JSON.stringify({
    events: EVENTS,
    lists: Object.fromEntries(
      Object.entries(figures).map(([name, { ratio, p50, p99 }]) => [
        name,
        { ratioToSql: round(median(ratio)), p50: round(median(p50), 1), p99: round(median(p99), 1) },
      ]),
    ),
    registrations: {
      perSecond: round(registered.rate, 0),
      p50: round(registered.p50, 0),
      p99: round(registered.p99, 0),
      seconds: round((performance.now() - startedAt) / 1000, 1),
      refused: refused.length,
      counts,
    },
  }),
);
await pool.end();
await server.remove();
