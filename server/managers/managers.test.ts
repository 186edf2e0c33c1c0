import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { audit } from "#shared/audit/audit.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { managers } from "#shared/managers/managers.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";
import { limitToCompany } from "#test/companyAdmins.ts";

const { as, make, db } = await start();
const admin = await make.admin();

/** A company with these people, none of whom leads anybody yet. */
async function team<N extends string>(...names: N[]) {
  const company = await make.company(admin);
  const people = {} as Record<N, Awaited<ReturnType<typeof make.learner>>>;
  for (const name of names) people[name] = await make.learner(company.accessCode, name);
  const idOf = (name: N) => people[name].user.id;
  const lead = (manager: N | null, ...led: N[]) =>
    as(admin)(learners.setManager, { body: { ids: led.map(idOf), managerId: manager && idOf(manager) } });
  const managerOf = async (name: N) => (await as(admin)(learners.get, { params: { id: idOf(name) } })).body.manager;
  return { company, people, idOf, lead, managerOf };
}
const leads = async (person: Awaited<ReturnType<typeof make.learner>>) =>
  (await as(person)(auth.me)).body.leadsPeople === true;

test("a manager is set for several people, and the list finds those without one", async () => {
  const { company, lead, managerOf, idOf } = await team("Ana", "Ben", "Cleo", "Dan");
  // The manager among those selected stays as they are.
  expect((await lead("Ana", "Ana", "Ben", "Cleo")).body).toEqual({ changed: 2 });
  expect((await lead("Ana", "Ben", "Cleo")).body).toEqual({ changed: 0 });
  expect([await managerOf("Ana"), await managerOf("Ben"), await managerOf("Dan")]).toEqual([null, "Ana", null]);
  const named = async (managerId: string) =>
    (await as(admin)(learners.list, { query: { companyId: company.id, managerId } })).body.items.map(
      ({ name }) => name,
    );
  expect(await named("none")).toEqual(["Ana", "Dan"]);
  expect(await named(idOf("Ana"))).toEqual(["Ben", "Cleo"]);
  expect((await lead(null, "Ben")).body).toEqual({ changed: 1 });
  expect(await named("none")).toEqual(["Ana", "Ben", "Dan"]);
  const log = (await as(admin)(audit.list, { query: { companyId: company.id } })).body.items;
  expect(log.map(({ action, person }) => `${action} ${person}`).toSorted()).toEqual(
    expect.arrayContaining(["managers.clear Ben", "managers.set Ben", "managers.set Cleo"]),
  );
});

test("a cycle is refused with the chain in words, also a long one", async () => {
  const { lead, managerOf } = await team("Ana", "Ben", "Cleo");
  await lead("Ana", "Ben");
  const short = await lead("Ben", "Ana");
  expect([short.status, short.code]).toEqual([409, "managers.cycle"]);
  expect(short.body).toMatchObject({
    error: "This would make someone their own manager: Ana leads Ben, who leads Ana.",
  });
  await lead("Ben", "Cleo");
  expect((await lead("Cleo", "Ana")).body).toMatchObject({
    error: "This would make someone their own manager: Ana leads Ben, who leads Cleo, who leads Ana.",
  });
  expect([await managerOf("Ana"), await managerOf("Ben"), await managerOf("Cleo")]).toEqual([null, "Ana", "Ben"]);
});

test("two admins at the same moment form no cycle", async () => {
  const { lead, managerOf } = await team("Ana", "Ben");
  for (let round = 0; round < 8; round++) {
    const replies = await Promise.all([lead("Ana", "Ben"), lead("Ben", "Ana")]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([await managerOf("Ana"), await managerOf("Ben")].filter(Boolean).length).toBe(1);
    await lead(null, "Ana", "Ben");
  }
});

test("the database itself refuses a cycle and a manager of another company", async () => {
  const [one, other] = [await team("Ana", "Ben"), await team("Olga")];
  await one.lead("Ana", "Ben");
  const write = (user: string, manager: string) =>
    sql`
      insert into managers (user_id, manager_id, company_id, since)
      values (${user}, ${manager}, ${one.company.id}, now())`.execute(db);
  await expect(write(one.idOf("Ana"), one.idOf("Ben"))).rejects.toThrow("nobody leads themselves");
  await expect(write(one.idOf("Ana"), other.idOf("Olga"))).rejects.toThrow("belong to one company");
});

test("a person of another company answers as one that does not exist", async () => {
  const [one, other] = [await team("Ana", "Ben"), await team("Olga", "Otto")];
  const boss = await make.admin();
  await limitToCompany(db, boss, one.company.id);
  const set = (managerId: string, ids: string[]) => as(boss)(learners.setManager, { body: { managerId, ids } });
  const unknown = await set("00000000-0000-4000-8000-000000000000", [one.idOf("Ben")]);
  const foreign = await set(other.idOf("Olga"), [one.idOf("Ben")]);
  expect(unknown.status).toBe(422);
  expect(foreign.body).toEqual(unknown.body);
  expect((await set(one.idOf("Ana"), [other.idOf("Otto")])).body).toEqual({ changed: 0 });
  expect((await as(boss)(managers.list, { params: { id: other.company.id } })).status).toBe(404);
});

test("people of a manager who moves or is erased pass to the next above", async () => {
  const { lead, managerOf, people, company, idOf } = await team("Top", "Mid", "Low", "Ada", "Bo");
  await lead("Top", "Mid");
  await lead("Mid", "Low");
  await lead("Low", "Ada", "Bo");
  const elsewhere = await make.company(admin);
  await as(admin)(learners.move, { body: { ids: [idOf("Mid")], companyId: elsewhere.id } });
  expect([await managerOf("Low"), await managerOf("Mid")]).toEqual(["Top", null]);
  expect((await as(admin)(privacy.erase, { body: { userId: idOf("Low") } })).status).toBe(200);
  expect([await managerOf("Ada"), await managerOf("Bo")]).toEqual(["Top", "Top"]);
  // Nobody is above: the people have no manager any more.
  await as(people.Top)(privacy.erase, { body: {} });
  const { body } = await as(admin)(learners.list, { query: { companyId: company.id, managerId: "none" } });
  expect(body.items.map(({ name }) => name)).toEqual(["Ada", "Bo"]);
});

test("a manager and everybody below who move together leave no row behind", async () => {
  const { lead, idOf } = await team("Top", "Mid", "Low");
  await lead("Top", "Mid");
  await lead("Mid", "Low");
  const elsewhere = await make.company(admin);
  const ids = [idOf("Low"), idOf("Mid")];
  expect((await as(admin)(learners.move, { body: { ids, companyId: elsewhere.id } })).body).toEqual({ changed: 2 });
  const rows = await db.selectFrom("managers").where("userId", "in", ids).selectAll().execute();
  expect(rows).toEqual([]);
});

test("the history tells who led whom on any day, and forgets who was erased", async () => {
  const { lead, idOf } = await team("Ana", "Ben", "Cleo");
  await lead("Ana", "Cleo");
  await lead("Ben", "Cleo");
  await lead(null, "Cleo");
  const read = () =>
    db
      .selectFrom("managerHistory")
      .where("personId", "=", idOf("Cleo"))
      .orderBy("id")
      .select(["managerId", "change", "actorId", "reason"])
      .execute();
  const by = { actorId: admin.user.id, reason: "learners.setManager" };
  expect(await read()).toEqual([
    { managerId: idOf("Ana"), change: "set", ...by },
    { managerId: idOf("Ben"), change: "changed", ...by },
    { managerId: null, change: "removed", ...by },
  ]);
  await expect(db.deleteFrom("managerHistory").execute()).rejects.toThrow("append-only");
  await as(admin)(privacy.erase, { body: { userId: idOf("Ana") } });
  const [first, second] = await read();
  expect(first?.managerId).not.toBe(idOf("Ana"));
  expect(first?.managerId).toBeTruthy();
  expect(second?.managerId).toBe(idOf("Ben"));
});

test("who was erased has one and the same number in every table of history", async () => {
  const { company, lead, idOf } = await team("Ana", "Ben");
  await lead("Ana", "Ben");
  const group = (await as(admin)(groups.create, { body: { companyId: company.id, name: "Night shift", rule: null } }))
    .body;
  await as(admin)(groups.place, { params: { id: group.id }, body: { ids: [idOf("Ben")], place: "in", until: null } });
  const tables = ["membership_history", "manager_history", "group_members"];
  const numbersOf = async (condition: RawBuilder<unknown>) => {
    const found = tables.map((table) =>
      sql<{
        id: string;
      }>`select person_id as id from ${sql.table(table)} where ${condition} order by id desc limit 1`.execute(db),
    );
    return (await Promise.all(found)).map(({ rows }) => rows[0]?.id);
  };
  const isBen = sql`person_id = ${idOf("Ben")}`;
  await expect.poll(() => numbersOf(isBen), { timeout: 10_000 }).toEqual(tables.map(() => idOf("Ben")));
  await as(admin)(privacy.erase, { body: { userId: idOf("Ben") } });
  expect(await numbersOf(isBen)).toEqual([undefined, undefined, undefined]);
  const numbers = await numbersOf(sql`company_id = ${company.id} and person_id <> ${idOf("Ana")}`);
  expect(numbers[0]).toBeTruthy();
  expect(new Set(numbers).size).toBe(1);
});

test("a deputy stands in for a period, and both ends are checked", async () => {
  const { lead, idOf, people, company } = await team("Ana", "Ben", "Dora");
  await lead("Ana", "Ben");
  const add = (fromDay: string, untilDay: string, deputyId = idOf("Dora")) =>
    as(admin)(managers.addDeputy, { params: { id: idOf("Ana") }, body: { deputyId, fromDay, untilDay } });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  expect([await leads(people.Ana), await leads(people.Dora)]).toEqual([true, false]);
  const later = await add(day(5), day(9));
  expect(later.status).toBe(200);
  expect(await leads(people.Dora)).toBe(false);
  const { body } = await add(day(-1), day(1));
  expect(await leads(people.Dora)).toBe(true);
  for (const [from, until, who] of [
    [day(3), day(2)],
    [day(-9), day(-3)],
    [day(0), day(400)],
    [day(0), day(1), idOf("Ana")],
    [day(0), day(1), (await team("Olga")).idOf("Olga")],
  ] as const)
    expect((await add(from, until, who)).status).toBe(422);
  // Two entries for one day: removing one would look as if it ended the deputyship.
  expect(JSON.stringify((await add(day(8), day(12))).body)).toContain("already a deputy on some of these days");
  const listed = (await as(admin)(managers.list, { params: { id: company.id } })).body.items;
  expect(listed.map(({ name, direct, deputies }) => [name, direct, deputies.map(({ name }) => name)])).toEqual([
    ["Ana", 1, ["Dora", "Dora"]],
  ]);
  await as(admin)(managers.removeDeputy, { params: { id: body.id } });
  expect(await leads(people.Dora)).toBe(false);
});

test("a company switches managers off, and gives the right to single ones with an end", async () => {
  const { lead, idOf, people, company } = await team("Ana", "Ben", "Cleo", "Dan");
  await lead("Ana", "Ben");
  await lead("Cleo", "Dan");
  const allow = (seePeople: boolean) => as(admin)(managers.allow, { params: { id: company.id }, body: { seePeople } });
  const both = async () => [await leads(people.Ana), await leads(people.Cleo)];
  expect(await both()).toEqual([true, true]);
  await allow(false);
  expect(await both()).toEqual([false, false]);
  await as(admin)(managers.give, { params: { id: idOf("Ana") }, body: { endsOn: null } });
  expect(await both()).toEqual([true, false]);
  const { body } = await as(admin)(managers.list, { params: { id: company.id } });
  expect(body.seePeople).toBe(false);
  expect(body.items.map(({ name, right }) => [name, right?.givenBy ?? null])).toEqual([
    ["Ana", "Ada Admin"],
    ["Cleo", null],
  ]);
  await sql`update given_rights set ends_on = now()::date - 2 where user_id = ${idOf("Ana")}`.execute(db);
  expect(await both()).toEqual([false, false]);
  await as(admin)(managers.give, { params: { id: idOf("Ana") }, body: { endsOn: null } });
  await as(admin)(managers.take, { params: { id: idOf("Ana") } });
  expect(await both()).toEqual([false, false]);
  await allow(true);
  expect(await both()).toEqual([true, true]);
});
