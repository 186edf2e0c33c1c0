import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { search, SEARCH_LIMIT } from "#shared/search/search.ts";
import { createEventMaker } from "#test/events.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const events = createEventMaker(server);
const admin = await make.admin();

const find = async (person: Person, q: string) => (await as(person)(search.find, { query: { q } })).body;
const namesOf = async (q: string) => (await find(admin, q)).learners.items.map(({ name }) => name);
const rename = (id: string, title: string) => db.updateTable("courses").set({ title }).where("id", "=", id).execute();

test("people are ranked: full match, beginning, beginning of a word, part", async () => {
  const { accessCode } = await make.company(admin);
  for (const name of ["Ingrid Melund", "Anna Lund", "Lund Bo", "Lund", "Per Lundgren"])
    await make.learner(accessCode, name);
  expect(await namesOf("lund")).toEqual(["Lund", "Lund Bo", "Anna Lund", "Per Lundgren", "Ingrid Melund"]);
});

test("namesakes come with their email address and company", async () => {
  const [north, south] = [
    await make.company(admin, { name: "Northwind" }),
    await make.company(admin, { name: "Southwind" }),
  ];
  for (const { accessCode, name } of [north, south])
    await make.learner(accessCode, "Kari Dahl", `kari@${name.toLowerCase()}.example`);
  const { items } = (await find(admin, "kari dahl")).learners;
  expect(items.map(({ email, company }) => [email, company])).toEqual([
    ["kari@northwind.example", "Northwind"],
    ["kari@southwind.example", "Southwind"],
  ]);
  expect((await find(admin, "kari southwind")).learners.items.map(({ company }) => company)).toEqual(["Southwind"]);
});

test("the name of a company finds the company, not everybody in it", async () => {
  const company = await make.company(admin, { name: "Zeppelin Works" });
  await make.learner(company.accessCode, "Olga Solo");
  const results = await find(admin, "zeppelin");
  expect(results.companies.items.map(({ id }) => id)).toEqual([company.id]);
  expect(results.learners.items).toEqual([]);
  expect((await find(admin, company.accessCode)).companies.items.map(({ id }) => id)).toEqual([company.id]);
});

test("each kind is limited and says whether there is more", async () => {
  const company = await make.company(admin);
  const people = Array.from({ length: SEARCH_LIMIT + 1 }, (_, n) => ({
    email: `${randomUUID()}@x.example`,
    name: `Quorum Zulu${n}`,
  }));
  await as(admin)(learners.invite, { body: { companyId: company.id, people } });
  const results = (await find(admin, "quorum")).learners;
  expect([results.items.length, results.more]).toEqual([SEARCH_LIMIT, true]);
  const first = (await find(admin, "quorum zulu3")).learners;
  expect([first.items.map(({ name }) => name), first.more]).toEqual([["Quorum Zulu3"], false]);
});

test("learners find their own courses and listed events, and no people", async () => {
  const mine = await make.classroom();
  const other = await make.classroom();
  await rename(mine.course.id, "Gravity for beginners");
  await rename(other.course.id, "Gravity for experts");
  await events.createPublished(admin, { title: "Gravity evening" });
  await events.createDraft(admin, { title: "Gravity draft" });
  await events.createPublished(admin, { title: "Gravity inside", visibility: "company", companyId: other.company.id });
  await events.createPublished(admin, { title: "Gravity by link", visibility: "unlisted" });
  const results = await find(mine.learner, "gravity");
  expect(results.courses.items.map(({ title, companyId }) => [title, companyId])).toEqual([
    ["Gravity for beginners", mine.company.id],
  ]);
  expect(results.events.items.map(({ title }) => title)).toEqual(["Gravity evening"]);
  expect((await find(other.learner, "gravity")).events.items.map(({ title }) => title).toSorted()).toEqual([
    "Gravity evening",
    "Gravity inside",
  ]);
  const byOwnAddress = await find(mine.learner, mine.learner.user.email);
  expect([byOwnAddress.learners, byOwnAddress.companies]).toEqual([
    { items: [], more: false },
    { items: [], more: false },
  ]);
  const all = await find(admin, "gravity");
  expect([all.courses.items.length, all.events.items.length]).toEqual([2, 4]);
});

test("a withdrawn course is not found by the learner any more", async () => {
  const room = await make.classroom();
  await rename(room.course.id, "Withdrawn wonders");
  const params = { id: room.course.id };
  await as(room.admin)(courses.withdraw, { params, body: { userIds: [room.learner.user.id] } });
  expect((await find(room.learner, "wonders")).courses.items).toEqual([]);
});

test("signs that mean something to the database are searched as they are", async () => {
  const { accessCode } = await make.company(admin);
  await make.learner(accessCode, "100%_\\ Sure");
  expect(await namesOf("100%_\\")).toEqual(["100%_\\ Sure"]);
  for (const q of ["'", "%", "_", "\\", "a\u0000b", "{}", '"', "((", "🦉"])
    expect([q, (await as(admin)(search.find, { query: { q } })).status < 500]).toEqual([q, true]);
  expect((await as(admin)(search.find, { query: { q: "  " } })).status).toBe(422);
});

test("a search among 50,000 people reads an index, not all of them", async () => {
  const { id } = await make.company(admin, { name: "Fifty Thousand" });
  await sql`
    insert into users (email, name, company_id)
    select 'crowd' || n || '@many.example', 'Crowd ' || md5(n::text), ${id}::uuid
    from generate_series(1, 50000) n`.execute(db);
  await sql`analyze users`.execute(db);
  const readUses = async () => {
    const { rows } = await sql<{ uses: number }>`
      select sum(idx_scan)::int as uses from pg_stat_user_indexes where indexrelname like 'users_%_trigrams'`.execute(
      db,
    );
    return rows[0]?.uses ?? 0;
  };
  const before = await readUses();
  // The database counts the uses of an index a second later.
  const searchAgain = async () => {
    expect(await namesOf("c4ca42")).toEqual([`Crowd c4ca4238a0b923820dcc509a6f75849b`]);
    return readUses();
  };
  await expect.poll(searchAgain, { timeout: 15_000 }).toBeGreaterThan(before);
  expect(await namesOf("crowd1@many.example")).toHaveLength(1);
}, 90_000);
