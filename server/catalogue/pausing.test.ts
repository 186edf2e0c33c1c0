import { sql } from "kysely";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Courses that are not published for a while, and companies that are not active

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, work, check, company, people, offer, join, leave, withdraw, read } = tester;
const { queue, requestOf, stateOf, requestsOf, statusOf, mailsTo, lead } = tester;

/** `isSeen`: the check of each minute has run since. */
async function setStatus(id: string, status: "archived" | "published", isSeen = true) {
  const { version } = bodyOf(await call(courses.get, { params: { id } }));
  bodyOf(await call(courses.setStatus, { params: { id }, body: { status, version } }));
  if (isSeen) await check();
}
/** As some hours later. */
async function passHours(id: string, hours: number) {
  await sql`
    update catalogue_offers
    set paused_at = paused_at - make_interval(hours => ${hours})
    where id = ${id}`.execute(db);
  await check();
}

test("the waiting list of an archived course ends a day later, unless it is back", async () => {
  const { acme, ada, ben, cleo, id, courseId } = await queue();
  await setStatus(courseId, "archived");
  bodyOf(await leave(ada, id));
  expect(bodyOf(await read(ben, id)).isPaused).toBe(true);
  await passHours(id, 23);
  expect([await stateOf(ben, acme.id), await stateOf(cleo, acme.id)]).toEqual(["waiting", "waiting"]);
  await setStatus(courseId, "published");
  expect(await requestOf(acme.id, ben)).toMatchObject({ status: "enrolled" });
  expect(await stateOf(cleo, acme.id)).toBe("waiting");
  await setStatus(courseId, "archived");
  await passHours(id, 23);
  expect([await stateOf(cleo, acme.id), await mailsTo(cleo)]).toEqual(["waiting", []]);
  await passHours(id, 2);
  expect(await requestOf(acme.id, cleo)).toMatchObject({ status: "closed", closed: "offer" });
  expect(await mailsTo(cleo)).toEqual(["closed"]);
});

test("a course that is offered again has its day again", async () => {
  const { acme, id, courseId } = await queue();
  await setStatus(courseId, "archived");
  await passHours(id, 48);
  await call(catalogue.remove, { params: { id } });
  await setStatus(courseId, "published", false);
  await offer(acme.id, { way: "request" }, courseId);
  const [eva] = (await people(acme.accessCode, "Eva")) as [Person];
  bodyOf(await join(eva, id, "ask"));
  await setStatus(courseId, "archived");
  expect(await stateOf(eva, acme.id)).toBe("open");
});

test("while a course is not published, nobody is asked, and learners see their request", async () => {
  const acme = await company();
  const [mona, ada] = (await people(acme.accessCode, "Mona", "Ada")) as [Person, Person];
  await lead(mona, ada);
  const { id, courseId } = await offer(acme.id, { way: "request" });
  bodyOf(await join(ada, id, "ask"));
  await setStatus(courseId, "archived");
  expect(await mailsTo(mona)).toEqual([]);
  expect(bodyOf(await as(mona)(catalogue.teamRequests)).total).toBe(0);
  expect(bodyOf(await as(ada)(catalogue.browse, { query: {} })).items).toMatchObject([
    { id, status: "open", can: null },
  ]);
  const [request] = await requestsOf(acme.id, { status: "open" });
  const decide = (approve: boolean) =>
    call(catalogue.decide, { params: { id: request?.id as string }, body: { approve, reason: "No budget" } });
  expect(await decide(true)).toMatchObject({ status: 409, code: "catalogue.paused" });
  await setStatus(courseId, "published");
  expect(await mailsTo(mona)).toEqual(["asked"]);
  expect(bodyOf(await as(mona)(catalogue.teamRequests)).total).toBe(1);
  await setStatus(courseId, "archived");
  expect((await decide(false)).status).toBe(200);
  await setStatus(courseId, "published");
  bodyOf(await join(ada, id, "ask"));
  bodyOf(await withdraw(ada, id));
  expect(bodyOf(await as(ada)(catalogue.browse, { query: {} })).items).toMatchObject([{ status: null, can: "ask" }]);
});

test("a place that became free while the company was suspended is free afterwards", async () => {
  const acme = await company();
  const [ada, ben] = (await people(acme.accessCode, "Ada", "Ben")) as [Person, Person];
  const { id, courseId } = await offer(acme.id, { places: 1 });
  bodyOf(await join(ada, id, "enrol"));
  const setCompany = async (status: "active" | "suspended") => {
    const { version } = bodyOf(await call(companies.get, { params: { id: acme.id } }));
    bodyOf(await call(companies.setStatus, { params: { id: acme.id }, body: { status, version } }));
    await work();
  };
  await setCompany("suspended");
  bodyOf(await call(courses.withdraw, { params: { id: courseId }, body: { userIds: [ada.user.id] } }));
  await work();
  await setCompany("active");
  // The suspension ended all sessions.
  const again = await make.signIn(ben.user.email as string);
  expect(bodyOf(await read(again, id))).toMatchObject({ can: "enrol", free: 1 });
  bodyOf(await join(again, id, "enrol"));
  expect(await statusOf(ben, courseId)).toBe("assigned");
});

test("requests that are deleted together write one change for each offer", async () => {
  const { acme, id } = await queue();
  await sql`delete from catalogue_changes`.execute(db);
  await sql`delete from catalogue_requests where company_id = ${acme.id}`.execute(db);
  const { rows } = await sql`select offer_id from catalogue_changes`.execute(db);
  expect(rows).toEqual([{ offerId: id }]);
});

test("an address that a person has in another company finds none of their requests", async () => {
  const [acme, other] = [await company(), await company()];
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id } = await offer(acme.id, { way: "request" });
  bodyOf(await join(ada, id, "ask"));
  const email = ada.user.email as string;
  expect(await requestsOf(acme.id, { q: email })).toHaveLength(1);
  bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: other.id } }));
  expect(await requestsOf(acme.id, { q: email })).toEqual([]);
  expect(await requestsOf(acme.id, { q: "Ada" })).toHaveLength(1);
});

test("a person who is taken off a waiting list reads that, and nothing of a request", async () => {
  const { acme, ben } = await queue();
  const request = await requestOf(acme.id, ben);
  const body = { approve: false, reason: "The course moves to spring" };
  bodyOf(await call(catalogue.decide, { params: { id: request?.id as string }, body }));
  expect(await stateOf(ben, acme.id)).toBe("takenOff");
  expect(await mailsTo(ben)).toEqual(["takenOff"]);
  const [line] = (await requestsOf(acme.id)).filter(({ userId }) => userId === ben.user.id);
  expect(line).toMatchObject({ status: "takenOff", reason: body.reason });
});

test("a person whose request was approved reads the answer with the course", async () => {
  const acme = await company();
  const [ada] = (await people(acme.accessCode, "Ada")) as [Person];
  const { id } = await offer(acme.id, { way: "request" });
  bodyOf(await join(ada, id, "ask"));
  const [request] = await requestsOf(acme.id, { status: "open" });
  const body = { approve: true, reason: "Start before June" };
  bodyOf(await call(catalogue.decide, { params: { id: request?.id as string }, body }));
  expect(bodyOf(await read(ada, id))).toMatchObject({ isMine: true, reason: "Start before June", isTakenOff: false });
});
