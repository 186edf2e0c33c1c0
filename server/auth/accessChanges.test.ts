import { expect, test, vi } from "vitest";
import pg from "pg";
import { sql } from "kysely";
import { companies } from "#shared/companies/companies.ts";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";

const first = await start();
const second = await first.startAnother();
const nodes = [first, second];
const { make, db } = first;
const { admin, company } = await make.classroom();
const me = async (node: typeof first | typeof second, person: Awaited<ReturnType<typeof make.learner>>) =>
  (await node.as(person)(auth.me)).status;
/** A learner whose access both nodes have cached. */
const knownLearner = async () => {
  const person = await make.learner(company.accessCode);
  await vi.waitFor(() => expect(nodes.every(({ services }) => services.accessChanges.isCurrent())).toBe(true), 10_000);
  for (const node of nodes) for (let count = 0; count < 2; count++) expect(await me(node, person)).toBe(200);
  return person;
};
const statuses = async (person: Awaited<ReturnType<typeof make.learner>>) => [
  await me(first, person),
  await me(second, person),
];
/** The statements about users that a node sends while `work` runs. */
const readsOf = async (node: typeof first | typeof second, work: () => Promise<unknown>) => {
  const texts = vi.spyOn(node.services.pool, "connect");
  await work();
  const { length } = texts.mock.calls;
  texts.mockRestore();
  return length;
};

test("the user of a cached token is not read again", async () => {
  const person = await knownLearner();
  expect(await readsOf(first, () => me(first, person))).toBe(0);
});

test("a suspension takes effect at once on every node", async () => {
  for (const node of nodes) {
    const person = await knownLearner();
    await node.as(admin)(learners.suspend, { body: { ids: [person.user.id] } });
    expect(await statuses(person)).toEqual([401, 401]);
  }
});

test("a sign-out takes effect at once on every node", async () => {
  for (const node of nodes) {
    const { user, password } = await knownLearner();
    const body = { email: user.email, password };
    const signedIn = await node.as(null)(auth.signIn, { body });
    const person = { user, password, token: signedIn.body.token };
    expect(await statuses(person)).toEqual([200, 200]);
    const cookie = (signedIn.headers["set-cookie"] as string[]).map((line) => line.split(";")[0]).join("; ");
    expect((await node.as(null, { cookie })(auth.signOut)).status).toBe(204);
    expect(await statuses(person)).toEqual([401, 401]);
  }
});

test("suspending or archiving a company takes effect at once on every node", async () => {
  for (const status of ["suspended", "archived"] as const) {
    const closedCompany = await make.company(admin);
    const person = await make.learner(closedCompany.accessCode);
    expect(await statuses(person)).toEqual([200, 200]);
    await second.as(admin)(companies.setStatus, {
      params: { id: closedCompany.id },
      body: { status, version: closedCompany.version },
    });
    expect(await statuses(person)).toEqual([401, 401]);
  }
});

test("a changed name is in the next answer of the node that changed it", async () => {
  const person = await knownLearner();
  const { version } = (await first.as(admin)(learners.get, { params: { id: person.user.id } })).body;
  await first.as(admin)(learners.update, { params: { id: person.user.id }, body: { name: "New Name", version } });
  for (const node of nodes) expect((await node.as(person)(auth.me)).body.name).toBe("New Name");
});

test("a deleted person is refused at once on every node", async () => {
  const person = await knownLearner();
  await first.as(person)(privacy.erase, { body: { uid: person.user.id } } as never);
  expect(await statuses(person)).toEqual([401, 401]);
});

test("a change made directly in the database takes effect too", async () => {
  const person = await knownLearner();
  const client = await second.services.pool.connect();
  await client.query("update users set status = 'suspended' where id = $1", [person.user.id]);
  client.release();
  await vi.waitFor(async () => expect(await statuses(person)).toEqual([401, 401]), 10_000);
});

test("a rolled back suspension changes nothing", async () => {
  const person = await knownLearner();
  const undone = new Error("undone");
  await expect(
    db.transaction().execute(async (tx) => {
      await tx.updateTable("users").set({ status: "suspended" }).where("id", "=", person.user.id).execute();
      throw undone;
    }),
  ).rejects.toBe(undone);
  expect(await statuses(person)).toEqual([200, 200]);
});

test("a node that cannot listen reads access each time, until it can", async () => {
  const person = await knownLearner();
  const cutOff = () =>
    sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database()
        and application_name = 'lyceum access listener'`.execute(db);
  await cutOff();
  await vi.waitFor(() => expect(nodes.some(({ services }) => services.accessChanges.isCurrent())).toBe(false), {
    interval: 5,
    timeout: 10_000,
  });
  await sql`update users set status = 'suspended' where id = ${person.user.id}`.execute(db);
  expect(await statuses(person)).toEqual([401, 401]);
  await vi.waitFor(() => expect(nodes.every(({ services }) => services.accessChanges.isCurrent())).toBe(true), 10_000);
  await sql`update users set status = 'active' where id = ${person.user.id}`.execute(db);
  await vi.waitFor(async () => expect(await statuses(person)).toEqual([200, 200]), 10_000);
});

/** Adds 300 active learners of the company with one statement. */
const addMany = (name: string) =>
  sql`
    insert into users (email, name, status, company_id)
    select ${name}::text || '-' || number || '@example.com', 'New', 'active', ${company.id}::uuid
    from generate_series(1, 300) number`.execute(db);

test("new people clear no cached access, and nobody waits for other nodes", async () => {
  const person = await knownLearner();
  const changedIds: (string | null)[] = [];
  const ends = nodes.map(({ services }) => services.accessChanges.subscribe((id) => changedIds.push(id)));
  const newcomers: unknown[] = [];
  ends.push(second.services.accessChanges.subscribeToNewPeople((people) => newcomers.push(people)));
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const { user } = await make.learner(company.accessCode);
  await addMany("new");
  await vi.waitFor(() => expect(newcomers).toContainEqual({ companyId: company.id }), 10_000);
  const syncs = queries.mock.calls.filter(([text]) => String(text).includes("pg_stat_activity"));
  queries.mockRestore();
  for (const end of ends) end();
  expect(newcomers).toContainEqual({ userId: user.id });
  expect(changedIds).not.toContain(null);
  expect(changedIds).not.toContain(person.user.id);
  expect(syncs).toEqual([]);
});

test("suspending hundreds at once takes effect for each of them", async () => {
  const person = await knownLearner();
  await addMany("many");
  await first.as(admin)(learners.suspend, { body: { filter: { companyId: company.id } } });
  expect(await statuses(person)).toEqual([401, 401]);
});
