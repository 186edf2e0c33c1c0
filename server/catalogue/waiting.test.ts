import { sql } from "kysely";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";

// What people who wait keep, and what frees a place

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, work, check, company, people, offer, change, join, read } = tester;
const { queue, requestOf, stateOf, reasonsOf, statusOf, mailsTo } = tester;
const { complete } = createRequirementTester(server, admin);

const withdrawFrom = (courseId: string, ...from: Person[]) =>
  call(courses.withdraw, { params: { id: courseId }, body: { userIds: from.map(({ user }) => user.id) } });

async function setStatus(id: string, status: "active" | "suspended" | "archived") {
  const { version } = bodyOf(await call(companies.get, { params: { id } }));
  bodyOf(await call(companies.setStatus, { params: { id }, body: { status, version } }));
}

test("nobody moves up or is told while the company is suspended or archived", async () => {
  for (const status of ["suspended", "archived"] as const) {
    const { acme, ada, ben, courseId } = await queue();
    await setStatus(acme.id, status);
    bodyOf(await withdrawFrom(courseId, ada));
    await check();
    expect([status, await statusOf(ben, courseId), await mailsTo(ben)]).toEqual([status, null, []]);
    await setStatus(acme.id, "active");
    await work();
    expect([status, await statusOf(ben, courseId)]).toEqual([status, "assigned"]);
  }
});

test("suspended people are passed over, and wait or ask again when they are back", async () => {
  const { acme, ada, ben, cleo, id, courseId } = await queue();
  const asked = await offer(acme.id, { way: "request" });
  bodyOf(await join(ben, asked.id, "ask"));
  const body = { ids: [ada.user.id, ben.user.id] };
  bodyOf(await call(learners.suspend, { body }));
  await work();
  expect(await statusOf(cleo, courseId)).toBe("assigned");
  bodyOf(await call(learners.reactivate, { body }));
  await check();
  expect((await requestOf(acme.id, ben, id))?.status).toBe("waiting");
  expect((await requestOf(acme.id, ben, asked.id))?.status).toBe("open");
  bodyOf(await withdrawFrom(courseId, ada, cleo));
  await work();
  expect(await statusOf(ben, courseId)).toBe("assigned");
  expect(await mailsTo(ben)).toEqual(["placed"]);
});

test("people who lack a new prerequisite are passed over until they complete it", async () => {
  const { acme, ben, cleo, id, courseId } = await queue();
  const first = await make.course(admin);
  bodyOf(await call(courses.assign, { params: { id: first.id }, body: { userIds: [ben.user.id, cleo.user.id] } }));
  await complete(cleo, acme.id, first.id);
  await change(acme.id, id, { places: 3, requires: [first.id] });
  await work();
  expect([await stateOf(ben, acme.id), await statusOf(cleo, courseId)]).toEqual(["waiting", "assigned"]);
  await complete(ben, acme.id, first.id);
  await check();
  expect(await statusOf(ben, courseId)).toBe("assigned");
});

test("an archived prerequisite locks nothing until it is published again", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const first = await make.course(admin);
  const { id } = await offer(acme.id, { requires: [first.id] });
  expect((await join(ada, id, "enrol")).status).toBe(409);
  const { version } = bodyOf(await call(courses.get, { params: { id: first.id } }));
  bodyOf(await call(courses.setStatus, { params: { id: first.id }, body: { status: "archived", version } }));
  expect(bodyOf(await read(ada, id))).toMatchObject({ can: "enrol", requires: [] });
  expect(bodyOf(await as(ada)(catalogue.browse, { query: {} })).items[0]).toMatchObject({ can: "enrol" });
  const [shown] = bodyOf(await call(catalogue.offers, { params: { id: acme.id }, query: {} })).items;
  expect(shown).toMatchObject({ requires: [first.id], archived: [first.id] });
  expect((await join(ada, id, "enrol")).status).toBe(200);
  const [eva] = (await people(acme.accessCode, "Eva")) as [Person];
  const again = {
    status: "published" as const,
    version: bodyOf(await call(courses.get, { params: { id: first.id } })).version,
  };
  bodyOf(await call(courses.setStatus, { params: { id: first.id }, body: again }));
  expect(bodyOf(await read(eva, id))).toMatchObject({ can: null, requires: [{ isDone: false }] });
  expect((await join(eva, id, "enrol")).status).toBe(409);
});

test("a completed course frees its place", async () => {
  const { acme, ada, ben, courseId } = await queue();
  await complete(ada, acme.id, courseId);
  await work();
  expect(await statusOf(ben, courseId)).toBe("assigned");
  expect(await statusOf(ada, courseId)).toBe("completed");
});

test("requests are fulfilled when people may enrol themselves", async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  const { id, courseId } = await offer(acme.id, { way: "request", places: 2 });
  for (const person of [ada, ben]) bodyOf(await join(person, id, "ask"));
  await change(acme.id, id, { way: "self", places: 1 });
  await work();
  expect([await statusOf(ada, courseId), await stateOf(ben, acme.id)]).toEqual(["assigned", "waiting"]);
  expect(await reasonsOf(ada, courseId)).toEqual(["self"]);
});

test("a statement writes one change for each offer, whatever the order of its rows", async () => {
  const acme = await company();
  const everyone = await people(acme.accessCode, "Ada", "Ben", "Cleo");
  const offers = [await offer(acme.id, { places: 5 }), await offer(acme.id, { places: 5 })];
  for (const person of everyone) for (const { id } of offers) bodyOf(await join(person, id, "enrol"));
  await sql`delete from catalogue_changes`.execute(db);
  await sql`update enrolments set status = 'withdrawn' where company_id = ${acme.id}`.execute(db);
  const { rows } = await sql<{ offerId: string }>`select offer_id from catalogue_changes`.execute(db);
  expect(rows.map(({ offerId }) => offerId).toSorted()).toEqual(offers.map(({ id }) => id).toSorted());
});

test("only what an admin withdrew reads so, and is not among the enrolled", async () => {
  const acme = await company();
  const [ada, ben, cleo] = (await people(acme.accessCode, "Ada", "Ben", "Cleo")) as [Person, Person, Person];
  const { id, courseId } = await offer(acme.id);
  for (const person of [ada, ben, cleo]) bodyOf(await join(person, id, "enrol"));
  bodyOf(await withdrawFrom(courseId, ada));
  bodyOf(await call(learners.move, { body: { ids: [ben.user.id], companyId: (await company()).id } }));
  expect(await stateOf(ada, acme.id)).toBe("taken");
  expect(await stateOf(cleo, acme.id)).toBe("enrolled");
  const enrolled = await tester.requestsOf(acme.id, { status: "enrolled" });
  expect(enrolled.map(({ name }) => name)).not.toContain("Ada");
  expect(await stateOf(ben, acme.id)).toBe("enrolled");
});
