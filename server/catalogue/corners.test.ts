import { sql } from "kysely";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// Long waiting lists, large catalogues, renewals, and managers of people without email

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, work, company, people, offer, join, leave, read, lead, requestOf, mailsTo } = tester;
const { complete, demand, moveTo } = createRequirementTester(server, admin);

const offersOf = async (companyId: string) =>
  bodyOf(await call(catalogue.offers, { params: { id: companyId }, query: { size: 200 } })).items;
const titlesOf = async (person: Person, q: string) =>
  bodyOf(await as(person)(catalogue.browse, { query: { q } })).items.map(({ title }) => title);

test("admins are told of a request when the manager who was told of it is erased", async () => {
  const acme = await company();
  const [mona, ada] = (await people(acme.accessCode, "Mona", "Ada")) as [Person, Person];
  await lead(mona, ada);
  const { id } = await offer(acme.id, { way: "request" });
  bodyOf(await join(ada, id, "ask"));
  await work();
  expect(await mailsTo(mona)).toEqual(["asked"]);
  expect((await as(mona)(privacy.erase, { body: {} })).status).toBe(200);
  for (let round = 0; round < 2; round++) {
    await sql`update catalogue_requests set looked_at = looked_at - interval '1 hour'`.execute(db);
    await work();
  }
  const { rows } = await sql`
    select distinct key
    from notifications
    where key like ${`catalogueRequests:${acme.id}:%`}`.execute(db);
  expect(rows).toHaveLength(1);
});

test("managers get one email for many people, and none about their own answers", async () => {
  const acme = await company();
  const [mona, ...led] = (await people(acme.accessCode, "Mona", "Ada", "Ben", "Cleo", "Dan")) as [Person, ...Person[]];
  await lead(mona, ...led);
  const { id } = await offer(acme.id, { way: "request" });
  for (const person of led) bodyOf(await join(person, id, "ask"));
  await sql`update users set email = null where id = any(${led.map(({ user }) => user.id)}::uuid[])`.execute(db);
  const idOf = async (person: Person) => (await requestOf(acme.id, person))?.id ?? "";
  const [ada] = led as [Person];
  const decision = { params: { id: await idOf(ada) }, body: { approve: true, reason: "" } };
  expect((await as(mona)(catalogue.decideForTeam, decision)).status).toBe(204);
  await work();
  expect(await mailsTo(mona)).not.toContain("approved");
  await call(catalogue.remove, { params: { id } });
  await work();
  expect((await mailsTo(mona)).filter((kind) => kind === "closed")).toHaveLength(1);
});

test("a course that opens again for renewal holds no place, and is not given back", async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  const { id, courseId } = await offer(acme.id, { places: 1 });
  bodyOf(await join(ada, id, "enrol"));
  await complete(ada, acme.id, courseId);
  bodyOf(await join(ben, id, "enrol"));
  await moveTo(ada, courseId, dayIn(-340));
  await demand(acme.id, courseId, { windowDays: 60 });
  expect(bodyOf(await read(ada, id))).toMatchObject({ isMine: true, canLeave: false });
  expect(await offersOf(acme.id)).toMatchObject([{ id, enrolled: 1, held: 1, places: 1 }]);
});

test("an offer shows the places that people and open requests hold", async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  const { id } = await offer(acme.id, { way: "request", places: 1 });
  bodyOf(await join(ada, id, "ask"));
  expect(await offersOf(acme.id)).toMatchObject([{ held: 1, open: 1 }]);
  expect(bodyOf(await read(ben, id))).toMatchObject({ can: "wait", free: 0 });
});

test("a long waiting list stays exact as people join, and lists count up to 1,000", async () => {
  const acme = await company();
  const [ada, ...others] = (await people(acme.accessCode, "Ada", "B", "C", "D", "E", "F", "G")) as [
    Person,
    ...Person[],
  ];
  const { id } = await offer(acme.id, { places: 1 });
  bodyOf(await join(ada, id, "enrol"));
  await sql`
    with made as (
      insert into users (email, name, role, status, company_id)
      select 'waits-' || n || '@example.com', 'Waits', 'learner', 'active', ${acme.id}
      from generate_series(1, 20000) n
      returning id
    )
    insert into catalogue_requests (offer_id, company_id, user_id, status, waiting_since)
    select ${id}, ${acme.id}, id, 'waiting', now()
    from made`.execute(db);
  await sql`update catalogue_offers set waiting = 20000 where id = ${id}`.execute(db);
  await sql`analyze users`.execute(db);
  await sql`analyze catalogue_requests`.execute(db);
  for (const person of others) bodyOf(await join(person, id, "wait"));
  expect(await offersOf(acme.id)).toMatchObject([{ waiting: 1000 }]);
  const { rows } = await sql`select waiting from catalogue_offers where id = ${id}`.execute(db);
  expect(rows).toEqual([{ waiting: 20_006 }]);
});

test("short words with a typing error are found among many titles", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  await sql`
    with made as (
      insert into courses (title, code, kind, status, completion_rule)
      select coalesce((array['Fork lift', 'Crane', 'Fire'])[n], 'Basics of finance, form ' || n), 'typed-' || n, 'html',
        'published', (select completion_rule from courses limit 1)
      from generate_series(1, 500) n
      returning id
    )
    insert into catalogue_offers (company_id, course_id, way)
    select ${acme.id}, id, 'self'
    from made`.execute(db);
  for (const q of ["frok", "fokr", "ofrk", "fork lfit"])
    expect([q, await titlesOf(ada, q)]).toEqual([q, ["Fork lift"]]);
  expect(await titlesOf(ada, "fier")).toEqual(["Fire"]);
  // Only the first four words are compared.
  expect(await titlesOf(ada, "frok lfit frok lfit crane")).toEqual(["Fork lift"]);
  expect(await titlesOf(ada, "frok lfit frok crane fire")).toEqual([]);
});

test("people who asked for a course that is gone read why their request ended", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id } = await offer(acme.id, { way: "request" });
  bodyOf(await join(ada, id, "ask"));
  await call(catalogue.remove, { params: { id } });
  await work();
  expect(bodyOf(await read(ada, id))).toMatchObject({ isOffered: false, closed: "offer", can: null });
});

test("people who also have the course by an assignment give back only the place", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id, { places: 1 });
  bodyOf(await join(ada, id, "enrol"));
  expect(bodyOf(await read(ada, id))).toMatchObject({ canLeave: true, isKept: false });
  await tester.assign(courseId, ada);
  expect(bodyOf(await read(ada, id))).toMatchObject({ canLeave: true, isKept: true });
  expect(bodyOf(await leave(ada, id))).toMatchObject({ isMine: true, canLeave: false });
});
