import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, GROUP, patchOf, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { companies } from "#shared/companies/companies.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

// The limit of suspensions, and locks of calls at the same time

const server = await start();
const { as, db } = server;
const { company } = createDirectories(server);
const off = patchOf({ op: "replace", path: "active", value: false });
const on = patchOf({ op: "replace", path: "active", value: true });

/** A company with this many people: the learner, and those of the directory. */
async function crew(size: number) {
  const of = await company();
  const people: string[] = [];
  for (let at = 1; at < size; at++) people.push((await of.create({ userName: `p${at}`, externalId: `e${at}` })).id);
  await of.age();
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
      from users
      where company_id = ${of.company.id}
        and status = 'suspended'`.execute(db);
    return rows[0]?.count;
  };
  const params = { id: of.company.id };
  const removal = async (kind: "suspend" | "leave") => {
    const { version } = (await as(of.admin)(provisioning.get, { params })).body;
    expect((await as(of.admin)(provisioning.update, { params, body: { removal: kind, version } })).status).toBe(200);
  };
  const waiting = async () => (await as(of.admin)(provisioning.get, { params })).body.waiting;
  return { ...of, people, count, removal, waiting, params };
}

test("every way of suspending counts: PATCH, PUT, DELETE, creating again, several keys", async () => {
  const { people, call, count, removal, waiting, admin, company: of } = await crew(31);
  const [a, b, c, d, e, f] = people as [string, string, string, string, string, string];
  const second = createDirectories(server);
  const other = second.caller((await second.createKey(admin, of.id, "Okta")).key);
  expect((await call("PATCH", `/Users/${a}`, off)).status).toBe(200);
  expect((await other("PUT", `/Users/${b}`, { schemas: [USER], userName: "p2", active: false })).status).toBe(200);
  expect((await call("DELETE", `/Users/${c}`)).status).toBe(204);
  expect(await count()).toBe(3);
  await removal("leave");
  expect((await call("DELETE", `/Users/${d}`)).status).toBe(204);
  const again = { schemas: [USER], userName: "p4", externalId: "e4", active: false };
  expect((await call("POST", "/Users", again)).status).toBe(503);
  await removal("suspend");
  const replies = [
    await other("PATCH", `/Users/${e}`, off),
    await call("PUT", `/Users/${f}`, { schemas: [USER], userName: "p6", active: false }),
    await call("DELETE", `/Users/${people[7]}`),
  ];
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect([await count(), await waiting()]).toEqual([3, 4]);
});

test("people who were never linked count too", async () => {
  const { learner, call, company: of, people } = await crew(10);
  expect((await call("PATCH", `/Users/${learner.user.id}`, off)).status).toBe(200);
  const { rows } = await sql<{ id: string }>`
    insert into users (name, role, status, company_id)
    select 'Unlinked ' || number, 'learner', 'invited', ${of.id}
    from generate_series(1, 9) number
    returning id`.execute(db);
  expect((await call("PATCH", `/Users/${rows[0]?.id}`, off)).status).toBe(503);
  expect((await call("DELETE", `/Users/${people[0]}`)).status).toBe(503);
});

test("neither reactivating nor new people make room for more", async () => {
  const { people, call, create, count } = await crew(20);
  for (const at of [0, 1]) expect((await call("PATCH", `/Users/${people[at]}`, off)).status).toBe(200);
  for (const at of [0, 1]) expect((await call("PATCH", `/Users/${people[at]}`, on)).status).toBe(200);
  for (let at = 0; at < 20; at++) await create({ userName: `new${at}` });
  expect((await call("PATCH", `/Users/${people[2]}`, off)).status).toBe(503);
  expect(await count()).toBe(0);
});

test("the window is the last 24 hours, at both of its ends", async () => {
  const { people, call } = await crew(22);
  const { rows } = await sql<{ day: string }>`select now() - interval '24 hours' as day`.execute(db);
  for (const at of [0, 1]) await call("PATCH", `/Users/${people[at]}`, off);
  const shift = (at: number, by: string) =>
    sql`
      update provisioned_people
      set suspended_at = ${rows[0]?.day}::timestamptz + ${by}::interval
      where user_id = ${people[at]}`.execute(db);
  await shift(0, "1 minute");
  expect((await call("PATCH", `/Users/${people[2]}`, off)).status).toBe(503);
  expect((await call("PATCH", `/Users/${people[2]}`, on)).status).toBe(200);
  await shift(0, "-1 second");
  expect((await call("PATCH", `/Users/${people[2]}`, off)).status).toBe(200);
});

test("mixed requests at the same time never exceed the limit, and none fails", async () => {
  const { people, call, count } = await crew(41);
  const replies = await Promise.all(
    people.slice(0, 24).map((id, at) => {
      if (at % 3 === 0) return call("PATCH", `/Users/${id}`, off);
      if (at % 3 === 1) return call("DELETE", `/Users/${id}`);
      return call("PUT", `/Users/${id}`, { schemas: [USER], userName: `p${at + 1}`, active: false });
    }),
  );
  expect(replies.map(({ status }) => (status < 300 ? 200 : status)).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 200),
    ...Array.from({ length: 20 }, () => 503),
  ]);
  expect(await count()).toBe(4);
});

test("taking people out of groups suspends nobody, also by deleting the group", async () => {
  const { people, call, done, count } = await crew(12);
  const members = people.map((value) => ({ value }));
  const { id } = await done<{ id: string }>("POST", "/Groups", { schemas: [GROUP], displayName: "All", members });
  await call("PATCH", `/Groups/${id}`, patchOf({ op: "replace", path: "members", value: [] }));
  expect((await call("DELETE", `/Groups/${id}`)).status).toBe(204);
  expect(await count()).toBe(0);
});

test("people who are reactivated at the same time wait for each other", async () => {
  const { people, call, count, admin, company: of } = await crew(60);
  const { version } = (await as(admin)(companies.get, { params: { id: of.id } })).body;
  const limited = await as(admin)(companies.update, { params: { id: of.id }, body: { learnerLimit: 60, version } });
  expect(limited.status, JSON.stringify(limited.body)).toBe(200);
  await sql`
    update provisioned_people
    set inactive_since = '2026-01-01'
    where company_id = ${of.id}`.execute(db);
  await sql`
    update users
    set status = 'suspended', suspended_at = '2026-01-01'
    where company_id = ${of.id}`.execute(db);
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(
      people.slice(round * 19, round * 19 + 19).map((id) => call("PATCH", `/Users/${id}`, on)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 19 }, () => 200));
  }
  expect(await count()).toBe(3);
});

test("managers and people who change at the same time do not block each other", async () => {
  const { people, call } = await crew(9);
  const path = `${ENTERPRISE}:manager`;
  const replies = await Promise.all(
    people.flatMap((id, at) => [
      call("PATCH", `/Users/${id}`, patchOf({ op: "add", path, value: people[(at + 1) % people.length] })),
      call("PATCH", `/Users/${id}`, patchOf({ op: "add", path: "title", value: `T${at}` })),
    ]),
  );
  // The last one would close the circle.
  expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 15 }, () => 200), 400]);
});
