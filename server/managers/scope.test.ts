import { sql } from "kysely";
import { expect, test } from "vitest";
import { managers } from "#shared/managers/managers.ts";
import { requirements } from "#shared/requirements/requirements.ts";
import { team } from "#shared/team/team.ts";
import { scaled } from "#test/long.ts";
import { createRandom } from "#server/demo/random.ts";
import { createRequirementTester } from "#test/requirements.ts";
import { pick } from "#test/schemaInput.ts";
import { start } from "#test/start.ts";

// Whatever the tree, the deputies, the suspensions and the rights are: a manager gets exactly the people whom a slow
// and simple reading of the rules gives them (docs/decisions/0060-managers.md)

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const SEED = Number(process.env.SEED ?? 60);
const random = createRandom(SEED);
const admin = await make.admin();
const PEOPLE = 12;
const { room, demand } = createRequirementTester(server, admin);

/** A company that requires a course of everyone. */
async function office(prefix: string) {
  const { company, course } = await room([]);
  const people = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await make.learner(company.accessCode, `${prefix}${n}`));
  await demand(company.id, course.id);
  return { company, people, ids: people.map(({ user }) => user.id) };
}
const offices = [await office("A"), await office("B")];
type Office = (typeof offices)[number];

type Facts = {
  managerOf: Map<string, string>;
  status: Map<string, string>;
  /** The managers for whom this person is a deputy today. */
  standsInFor: Map<string, string[]>;
  allowed: boolean;
  rights: Set<string>;
};

async function shuffle({ company, ids }: Office): Promise<Facts> {
  const facts: Facts = {
    managerOf: new Map(),
    status: new Map(),
    standsInFor: new Map(),
    allowed: random() < 0.75,
    rights: new Set(),
  };
  await sql`delete from managers where company_id = ${company.id}`.execute(db);
  await sql`delete from manager_deputies where company_id = ${company.id}`.execute(db);
  await sql`delete from given_rights where company_id = ${company.id}`.execute(db);
  // People are in a random order; each is led by one who comes earlier, or has no manager.
  const order = ids.toSorted(() => random() - 0.5);
  for (const [at, id] of order.entries()) {
    const manager = at > 0 && random() < 0.85 ? (order[Math.floor(random() * at)] as string) : null;
    if (manager) facts.managerOf.set(id, manager);
    facts.status.set(id, pick(random, ["active", "active", "active", "active", "invited", "suspended"]));
    await sql`update users set status = ${facts.status.get(id)} where id = ${id}`.execute(db);
    if (manager)
      await sql`
        insert into managers (user_id, manager_id, company_id, since)
        values (${id}, ${manager}, ${company.id}, now())`.execute(db);
  }
  for (let n = 0; n < 4; n++) {
    const [manager, deputy] = [pick(random, ids), pick(random, ids)];
    if (manager === deputy) continue;
    const [from, until] = pick(random, [
      [-3, 3],
      [0, 0],
      [2, 5],
      [-9, -2],
    ]);
    await sql`
      insert into manager_deputies (manager_id, deputy_id, company_id, from_day, until_day)
      select ${manager}, ${deputy}, id, today + ${from}::int, today + ${until}::int
      from companies, lateral (select (now() at time zone timezone)::date as today) days
      where id = ${company.id}`.execute(db);
    if (from <= 0 && until >= 0) facts.standsInFor.set(deputy, [...(facts.standsInFor.get(deputy) ?? []), manager]);
  }
  for (const id of ids) {
    if (random() > 0.3) continue;
    const ended = random() < 0.3;
    if (!ended) facts.rights.add(id);
    await sql`
      insert into given_rights (user_id, company_id, kind, ends_on)
      values (${id}, ${company.id}, 'manager', ${ended ? sql`now()::date - 2` : null})`.execute(db);
  }
  const body = { seePeople: facts.allowed };
  expect((await as(admin)(managers.allow, { params: { id: company.id }, body })).status).toBe(200);
  return facts;
}

/** Those above a person, from the nearest on. */
function chainAbove({ managerOf }: Facts, id: string) {
  const chain: string[] = [];
  for (let at = managerOf.get(id); at; at = managerOf.get(at)) chain.push(at);
  return chain;
}
/** The people a manager sees, and whether each is a direct report: the rules written out, without SQL. */
function seenBy(facts: Facts, viewer: string, ids: string[]) {
  const seen = new Map<string, boolean>();
  if (facts.status.get(viewer) !== "active" || !(facts.allowed || facts.rights.has(viewer))) return seen;
  const places = [viewer, ...(facts.standsInFor.get(viewer) ?? [])];
  for (const id of ids) {
    if (id === viewer || facts.status.get(id) === "suspended") continue;
    const chain = chainAbove(facts, id);
    const at = chain.map((above, n) => (places.includes(above) ? n : -1)).filter((n) => n >= 0);
    if (at.length === 0) continue;
    const isDirect = at.some((n) => chain.slice(0, n).every((between) => facts.status.get(between) !== "active"));
    seen.set(id, isDirect);
  }
  return seen;
}

test(`no query returns a person outside the scope (seed ${SEED})`, { timeout: 600_000 }, async () => {
  let found = 0;
  for (let round = 0; round < scaled(8, 200); round++) {
    const facts: Facts[] = [];
    for (const one of offices) facts.push(await shuffle(one));
    for (const [at, { people, ids }] of offices.entries()) {
      const own = facts[at] as Facts;
      const strangers = (offices[1 - at] as Office).ids;
      for (const person of people) {
        if (own.status.get(person.user.id) !== "active") continue;
        const expected = seenBy(own, person.user.id, ids);
        const asPerson = as(person);
        const list = await asPerson(team.list, { query: { size: 200 } });
        const where = `round ${round}, ${person.user.name}`;
        if (list.status === 403) {
          expect(expected.size, where).toBe(0);
          continue;
        }
        const direct = new Map(list.body.items.map((row) => [row.id, row.direct]));
        expect(direct, where).toEqual(expected);
        found += direct.size;
        const held = (await asPerson(requirements.team, { query: { size: 200 } })).body;
        expect(new Set(held.items.map(({ userId }) => userId)), where).toEqual(new Set(expected.keys()));
        const home = (await asPerson(team.home)).body;
        expect([home.people, home.direct], where).toEqual([
          expected.size,
          [...expected.values()].filter(Boolean).length,
        ]);
        for (const id of [pick(random, ids), pick(random, ids), pick(random, strangers)]) {
          const { status } = await asPerson(team.get, { params: { id } });
          expect(status, `${where} reads ${id}`).toBe(expected.has(id) ? 200 : 404);
        }
      }
    }
  }
  expect(found).toBeGreaterThan(100);
});
