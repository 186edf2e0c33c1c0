import os from "node:os";
import pg from "pg";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";
import { ENTERPRISE, GROUP, PATCH, USER } from "#shared/provisioning/schemas.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, median, processTreeOf, round } from "./_load.ts";

/**
 * SCIM with `SIZE` people: `PROVISIONED` of them are created by `/Users`, four calls at a time, the others by SQL. Then
 * the CPU of server and database for each kind of call, as a ratio to one UPDATE of a user by its id, and the time that
 * a call takes alone.
 */
const SIZE = Number(process.env.SIZE ?? 50_000);
const PROVISIONED = Math.min(Number(process.env.PROVISIONED ?? 50_000), SIZE);
const CALLS = Number(process.env.CALLS ?? 100);
const AT_ONCE = 4;

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const postmaster = server.postgresPid();
const cpuOf = () => cpuSeconds([server.pid()]) + cpuSeconds(processTreeOf(postmaster));
const say = (what: object) => console.log(JSON.stringify(what));
const pool = new pg.Pool({ ...server.connection(), max: 1 });
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const company = await admin.call(companies.create, { body: { name: "Fifty thousand" } });
// Two keys: a key has a rate.
const keys: string[] = [];
for (let at = 0; at < 20; at++) {
  const made = await admin.call(provisioning.createKey, { params: { id: company.id }, body: { name: `Key ${at}` } });
  keys.push(made.key);
}
let calls = 0;
const waits = async (ms: number) => new Promise((done) => setTimeout(done, ms));

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  for (;;) {
    const reply = await fetch(server.url + SCIM_PATH + path, {
      method,
      headers: { authorization: `Bearer ${keys[calls++ % keys.length]}`, "content-type": "application/scim+json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (reply.status === 429) {
      await waits(Number(reply.headers.get("retry-after")) * 1000);
      continue;
    }
    const text = await reply.text();
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
    return (text === "" ? null : JSON.parse(text)) as T;
  }
}

const person = (n: number) => ({
  schemas: [USER, ENTERPRISE],
  userName: `person-${n}@bench.test`,
  externalId: `hr-${n}`,
  name: { givenName: "Person", familyName: `Number ${n}` },
  emails: [{ value: `person-${n}@bench.test`, type: "work", primary: true }],
  title: `Title ${n % 100}`,
  [ENTERPRISE]: { employeeNumber: String(n), department: `Department ${n % 30}` },
});

const ids: string[] = [];
const startedAt = performance.now();
const before = cpuOf();
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < PROVISIONED) {
      const n = next++;
      ids[n] = (await call<{ id: string }>("POST", "/Users", person(n))).id;
      if (n > 0 && n % 10_000 === 0)
        say({ name: "provisioned", people: n, seconds: round((performance.now() - startedAt) / 1000, 0) });
    }
  }),
);
say({
  name: "created",
  people: PROVISIONED,
  seconds: round((performance.now() - startedAt) / 1000, 0),
  cpuMsPerCall: round(((cpuOf() - before) * 1000) / Math.max(1, PROVISIONED), 2),
  load: os.loadavg()[0],
});
if (SIZE > PROVISIONED)
  await pool.query(
    `with added as (
      insert into users (email, name, role, status, company_id)
      select 'person-' || n || '@bench.test', 'Person Number ' || n, 'learner', 'invited', $1
      from generate_series($2::int, $3::int - 1) n
      returning id, email, company_id
    )
    insert into provisioned_people (user_id, company_id, user_name, external_id, email, attributes)
    select id, company_id, email, 'x-' || email, email,
      '{"title": "Title 5", "emails": [{"own": true, "type": "work", "primary": true}]}'
    from added`,
    [company.id, PROVISIONED, SIZE],
  );
await pool.query("vacuum analyze");

const updates = CALLS * 10;
const updating = cpuOf();
for (let at = 0; at < updates; at++)
  await pool.query("update users set name = $2 where id = $1", [ids[at % ids.length], `Person Number ${at}`]);
const oneUpdate = ((cpuOf() - updating) * 1000) / updates;
say({ name: "one UPDATE", cpuMs: round(oneUpdate, 3) });

const at = (n: number) => ids[(n * 37) % ids.length];
const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations });
const search = (filter: string) => `/Users?${new URLSearchParams({ filter, count: "100" })}`;
const measured: [string, (n: number) => Promise<unknown>, number?][] = [
  ["GET one", (n) => call("GET", `/Users/${at(n)}`)],
  ["PATCH a title", (n) => call("PATCH", `/Users/${at(n)}`, patch({ op: "replace", path: "title", value: `T${n}` }))],
  ["PUT unchanged", (n) => call("PUT", `/Users/${ids[n]}`, person(n))],
  ["POST", (n) => call("POST", "/Users", person(SIZE + n))],
  ["filter by userName", (n) => call("GET", search(`userName eq "person-${n}@bench.test"`))],
  ["filter by externalId", (n) => call("GET", search(`externalId eq "hr-${n}"`))],
  ["filter by address", (n) => call("GET", search(`emails[type eq "work"].value eq "person-${n}@bench.test"`)), 10],
  ["filter by title", (n) => call("GET", search(`title eq "title ${n}"`)), 10],
  ["first page of 100", () => call("GET", "/Users?count=100"), 20],
  ["last page of 100", () => call("GET", `/Users?startIndex=${SIZE - 100}&count=100`), 20],
  ["page sorted by userName", () => call("GET", "/Users?sortBy=userName&startIndex=25000&count=100"), 20],
  [
    "suspend (within the limit)",
    (n) => call("PATCH", `/Users/${ids[n]}`, patch({ op: "replace", path: "active", value: "False" })),
  ],
  ["reactivate", (n) => call("PATCH", `/Users/${ids[n]}`, patch({ op: "replace", path: "active", value: "True" }))],
];
for (const [name, run, times = CALLS] of measured) {
  const from = cpuOf();
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await run(n);
    took.push(performance.now() - began);
  }
  const cpuMs = ((cpuOf() - from) * 1000) / times;
  say({ name, cpuMs: round(cpuMs, 2), ratio: round(cpuMs / oneUpdate, 1), ms: round(median(took), 1) });
}
const once = async (name: string, run: () => Promise<unknown>) => {
  const [from, began] = [cpuOf(), performance.now()];
  await run();
  say({ name, cpuMs: round((cpuOf() - from) * 1000, 0), ms: round(performance.now() - began, 0) });
};
const { rows } = await pool.query<{ id: string }>("select id from users where company_id = $1 order by id", [
  company.id,
]);
const all = rows.map(({ id }) => ({ value: id }));
const group = await call<{ id: string }>("POST", "/Groups", { schemas: [GROUP], displayName: "Everyone" });
const members = (op: string, value: object[]) =>
  call("PATCH", `/Groups/${group.id}`, patch({ op, path: "members", value }));
for (let from = 0; from < SIZE; from += 10_000)
  await once(`10,000 members come, ${from} are there`, () => members("add", all.slice(from, from + 10_000)));
await once("one member comes to 50,000", () => members("add", all.slice(SIZE, SIZE + 1)));
await once("one member goes", () => members("remove", all.slice(0, 1)));
await once("the group without members", () => call("GET", `/Groups/${group.id}?excludedAttributes=members`));
await once("the group with its members", () => call("GET", `/Groups/${group.id}`));
say({ load: os.loadavg()[0] });
await pool.end();
await server.remove();
