import { sql } from "kysely";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { courses } from "#shared/courses/courses.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const { call, company, people, full, offer, change, join, leave, withdraw, read, reasonsOf, statusOf } =
  createCatalogueTester(server, admin);
const { complete } = createRequirementTester(server, admin);

const rename = (id: string, title: string) => sql`update courses set title = ${title} where id = ${id}`.execute(db);
const browse = async (person: Person, query = {}) => bodyOf(await as(person)(catalogue.browse, { query }));
const titlesOf = async (person: Person, query = {}) => (await browse(person, query)).items.map(({ title }) => title);

test("a learner finds a course with a typing error, takes it and gives it back", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id, { priceMinor: 12_000, currency: "EUR", languages: ["en"] });
  await rename(courseId, "Birds and power lines");
  const found = await browse(ada, { q: "brids" });
  expect(found).toMatchObject({ isNearest: true, total: 1, items: [{ id, can: "enrol", priceMinor: 12_000 }] });
  expect(await browse(ada, { q: "bird" })).toMatchObject({ isNearest: false, total: 1 });
  expect(await browse(ada, { q: "kilimanjaro" })).toMatchObject({ isNearest: false, total: 0 });
  const taken = bodyOf(await join(ada, id, "enrol"));
  expect(taken).toMatchObject({ isMine: true, can: null, canLeave: true });
  expect(await reasonsOf(ada, courseId)).toEqual(["self"]);
  const why = bodyOf(await as(ada)(courses.reasons, { params: { id: courseId } }));
  expect(why.items).toMatchObject([{ kind: "self", by: null }]);
  expect(bodyOf(await leave(ada, id))).toMatchObject({ isMine: false, can: "enrol" });
  expect(await statusOf(ada, courseId)).toBe("withdrawn");
  expect(bodyOf(await join(ada, id, "enrol"))).toMatchObject({ isMine: true });
});

test("a started course is not given back", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id);
  await join(ada, id, "enrol");
  await make.launch(ada, acme.id, courseId);
  expect(await leave(ada, id)).toMatchObject({ status: 409, code: "catalogue.started" });
  expect(await reasonsOf(ada, courseId)).toEqual(["self"]);
});

test("filters leave what fits, and cards tell length, languages and what comes first", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const [short, long, locked] = [
    await offer(acme.id, { languages: ["en", "nb"] }),
    await offer(acme.id, { way: "request", languages: ["nb"] }),
    await offer(acme.id),
  ];
  await rename(short.courseId, "A short one");
  await rename(long.courseId, "B long one");
  await rename(locked.courseId, "C locked one");
  await sql`update courses set minutes = 20 where id = ${short.courseId}`.execute(db);
  await sql`update courses set minutes = 200 where id = ${long.courseId}`.execute(db);
  await change(acme.id, locked.id, { requires: [short.courseId] });
  expect(await titlesOf(ada)).toEqual(["A short one", "B long one", "C locked one"]);
  expect(await titlesOf(ada, { language: "en" })).toEqual(["A short one"]);
  expect(await titlesOf(ada, { length: "long" })).toEqual(["B long one"]);
  expect(await titlesOf(ada, { length: "short" })).toEqual(["A short one"]);
  expect(await titlesOf(ada, { startable: true })).toEqual(["A short one"]);
  await join(ada, short.id, "enrol");
  expect(await titlesOf(ada, { notMine: true })).toEqual(["B long one", "C locked one"]);
  const { items, languages } = await browse(ada);
  expect(languages).toEqual(["en", "nb"]);
  expect(items[2]).toMatchObject({ can: null, requires: [{ title: "A short one", isDone: false }] });
  expect(await titlesOf(ada, { size: 2, page: 2 })).toEqual(["C locked one"]);
});

test("prerequisites lock a course until they are completed, also for the API", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const first = await offer(acme.id);
  const second = await offer(acme.id, { requires: [first.courseId] });
  expect(await join(ada, second.id, "enrol")).toMatchObject({ status: 409, code: "catalogue.missing" });
  expect(await statusOf(ada, second.courseId)).toBeNull();
  await join(ada, first.id, "enrol");
  await complete(ada, acme.id, first.courseId);
  expect(bodyOf(await read(ada, second.id))).toMatchObject({ can: "enrol", requires: [{ isDone: true }] });
  expect((await join(ada, second.id, "enrol")).status).toBe(200);
});

test("prerequisites form no circle, not even by two simultaneous changes", async () => {
  const acme = await company();
  const [a, b, c] = [await offer(acme.id), await offer(acme.id), await offer(acme.id)];
  await change(acme.id, b.id, { requires: [a.courseId] });
  await change(acme.id, c.id, { requires: [b.courseId] });
  const save = (id: string, version: number, ...requires: string[]) =>
    call(catalogue.update, { params: { id }, body: { terms: full({ requires }), version } });
  expect(await save(a.id, 1, c.courseId)).toMatchObject({ status: 422 });
  expect(await save(a.id, 1, a.courseId)).toMatchObject({ status: 422 });
  for (let round = 0; round < 10; round++) {
    const [x, y] = [await offer(acme.id), await offer(acme.id)];
    const saved = await Promise.all([save(x.id, 1, y.courseId), save(y.id, 1, x.courseId)]);
    expect(saved.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  }
});

test("a price has a currency, and both are checked", async () => {
  const acme = await company();
  const { id: courseId } = await make.course(admin);
  const save = (terms: object) =>
    call(catalogue.create, { params: { id: acme.id }, body: { courseId, terms: full(terms) } });
  for (const terms of [
    { priceMinor: 100 },
    { currency: "EUR" },
    { priceMinor: 100, currency: "eur" },
    { priceMinor: 100, currency: "ABC" },
    { priceMinor: -1, currency: "EUR" },
    { priceMinor: 1.5, currency: "EUR" },
    { places: 0 },
    { places: 100_001 },
    { requires: [courseId] },
  ])
    expect([terms, (await save(terms)).status]).toEqual([terms, 422]);
  expect((await save({ priceMinor: 100, currency: "EUR" })).status).toBe(200);
  expect(await save({})).toMatchObject({ status: 422 });
});

test("a simultaneous change of an offer is a conflict with both versions", async () => {
  const acme = await company();
  const { id } = await offer(acme.id);
  await change(acme.id, id, { places: 5 });
  const late = await call(catalogue.update, { params: { id }, body: { terms: full({ places: 6 }), version: 1 } });
  expect(late).toMatchObject({ status: 409, code: "core.conflict" });
  expect(late.body).toMatchObject({ details: { current: { places: 5, version: 2 } } });
});

test("what is not offered answers like what does not exist", async () => {
  const [acme, other] = [await company(), await company()];
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const foreign = await offer(other.id);
  const hidden = await offer(acme.id, { isVisible: false });
  const shown = await offer(acme.id);
  const archived = await offer(acme.id);
  const { version } = bodyOf(await call(courses.get, { params: { id: archived.courseId } }));
  const params = { id: archived.courseId };
  bodyOf(await call(courses.setStatus, { params, body: { status: "archived", version } }));
  const removed = await offer(acme.id);
  await call(catalogue.remove, { params: { id: removed.id } });
  const unknown = await read(ada, "00000000-0000-4000-8000-000000000000");
  expect(unknown.status).toBe(404);
  for (const { id } of [foreign, hidden, archived, removed]) {
    expect(await read(ada, id)).toMatchObject({ status: 404, body: unknown.body });
    expect((await join(ada, id, "enrol")).status).toBe(404);
  }
  expect((await browse(ada)).items.map(({ id }) => id)).toEqual([shown.id]);
  const draft = await make.course(admin, { publish: false });
  const body = { courseId: draft.id, terms: full() };
  expect((await call(catalogue.create, { params: { id: acme.id }, body })).status).toBe(422);
  expect(await browse(admin)).toMatchObject({ items: [], total: 0 });
});

test("a hidden or removed course is still given back, and a request withdrawn", async () => {
  for (const way of ["hide", "remove"]) {
    const acme = await company();
    const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
    const [taken, asked] = [await offer(acme.id), await offer(acme.id, { way: "request" })];
    bodyOf(await join(ada, taken.id, "enrol"));
    bodyOf(await join(ada, asked.id, "ask"));
    for (const { id } of [taken, asked])
      if (way === "hide") await change(acme.id, id, { isVisible: false });
      else await call(catalogue.remove, { params: { id } });
    expect(bodyOf(await read(ada, taken.id))).toMatchObject({ can: null, canLeave: true, isMine: true });
    expect(await leave(ada, taken.id)).toMatchObject({ status: 200, body: { can: null, isMine: false } });
    expect(await statusOf(ada, taken.courseId)).toBe("withdrawn");
    expect(await withdraw(ada, asked.id)).toMatchObject({ status: 200, body: { can: null, status: null } });
    expect((await join(ada, taken.id, "enrol")).status).toBe(404);
    expect((await read(ben, taken.id)).status).toBe(404);
    expect((await browse(ada)).items).toEqual([]);
  }
});

test("people who already have the course take no place by enrolling", async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  const { id, courseId } = await offer(acme.id, { places: 1 });
  bodyOf(await call(courses.assign, { params: { id: courseId }, body: { userIds: [ada.user.id] } }));
  expect(bodyOf(await join(ada, id, "enrol"))).toMatchObject({ isMine: true, canLeave: false });
  expect(await reasonsOf(ada, courseId)).toEqual(["person"]);
  expect((await join(ben, id, "enrol")).status).toBe(200);
});

test("the page shows the outline, and nothing of rules or variables", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id } = await offer(acme.id);
  const detail = bodyOf(await read(ada, id));
  expect(detail.outline.length).toBeGreaterThan(0);
  expect(Object.keys(detail.outline[0] ?? {}).toSorted()).toEqual(["depth", "title"]);
  expect(JSON.stringify(detail).toLowerCase()).not.toMatch(/rule|variable|href|given|costcentre/);
});

test("choices are a bounded number of published courses that are not offered", async () => {
  const acme = await company();
  const offered = await offer(acme.id);
  await sql`
    insert into courses (title, code, kind, status, completion_rule)
    select 'Many ' || n, 'many-' || n, 'html', 'published', (select completion_rule from courses limit 1)
    from generate_series(1, 60) n`.execute(db);
  const choose = async (query: object) =>
    bodyOf(await call(catalogue.choices, { params: { id: acme.id }, query })).items;
  expect((await choose({ q: "many" })).length).toBe(20);
  expect((await choose({ q: "many 37" })).map(({ title }) => title)).toEqual(["Many 37"]);
  const titles = (await choose({ q: offered.course })).map(({ id }) => id);
  expect(titles).not.toContain(offered.courseId);
  expect((await choose({ q: offered.code, isFor: "prerequisite" })).map(({ id }) => id)).toContain(offered.courseId);
});

test("an admin's withdrawal wins, and its undoing brings the course back", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id, courseId } = await offer(acme.id);
  await join(ada, id, "enrol");
  const params = { id: courseId };
  const { undoId } = bodyOf(await call(courses.withdraw, { params, body: { userIds: [ada.user.id] } }));
  expect(bodyOf(await read(ada, id))).toMatchObject({ can: null, isWithdrawn: true });
  expect(await browse(ada)).toMatchObject({ items: [{ can: null }] });
  expect((await browse(ada, { startable: true })).items).toEqual([]);
  expect(await join(ada, id, "enrol")).toMatchObject({ status: 409, code: "catalogue.takenBack" });
  bodyOf(await call(courses.undo, { params: { id: undoId } }));
  expect(await reasonsOf(ada, courseId)).toEqual(["self"]);
  expect(bodyOf(await read(ada, id))).toMatchObject({ isMine: true, canLeave: true });
});

test("taking a course sends no email", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id } = await offer(acme.id);
  for (let round = 0; round < 3; round++) {
    await join(ada, id, "enrol");
    await leave(ada, id);
  }
  const mails = () => db.selectFrom("mails").where("userId", "=", ada.user.id).select("reason").execute();
  const before = await mails();
  await server.runJobs();
  expect(await mails()).toEqual(before);
  expect(before.map(({ reason }) => reason).filter((reason) => /^(catalogue|courses)/.test(reason))).toEqual([]);
});
