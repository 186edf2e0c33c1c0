import { sql } from "kysely";
import { expect, test } from "vitest";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { learners } from "#shared/learners/learners.ts";
import { managers } from "#shared/managers/managers.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createCatalogueTester } from "#test/catalogue.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Requests for courses, and who answers them

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, app, make, db } = server;
const admin = await make.admin();
const tester = createCatalogueTester(server, admin);
const { call, work, company, people, offer, change, join, read, lead, requestOf, requestsOf } = tester;
const { reasonsOf, statusOf, mailsTo } = tester;

const teamOf = async (person: Person) => bodyOf(await as(person)(catalogue.teamRequests));
const answer = (person: Person, id: string, approve: boolean, reason = "") =>
  as(person)(catalogue.decideForTeam, { params: { id }, body: { approve, reason } });
/** Mona leads Ada, who has asked for a course; Nils leads another person. */
async function asking() {
  const acme = await company();
  const [mona, nils, ada, ben] = (await people(acme.accessCode, "Mona", "Nils", "Ada", "Ben")) as [
    Person,
    Person,
    Person,
    Person,
  ];
  await lead(mona, ada);
  await lead(nils, ben);
  const made = await offer(acme.id, { way: "request", priceMinor: 9900, currency: "NOK", costCentre: "4711" });
  bodyOf(await join(ada, made.id, "ask", "For the new crane"));
  const request = await requestOf(acme.id, ada);
  return { acme, mona, nils, ada, ben, ...made, requestId: request?.id as string };
}

test("the manager reads why and approves; the learner gets the course and an email", async () => {
  const { mona, nils, ada, id, courseId, requestId } = await asking();
  expect(bodyOf(await read(ada, id))).toMatchObject({ status: "open", can: null, answers: "manager" });
  expect(await teamOf(mona)).toMatchObject({
    total: 1,
    items: [{ id: requestId, name: "Ada", note: "For the new crane", priceMinor: 9900, costCentre: "4711" }],
  });
  expect((await teamOf(nils)).total).toBe(0);
  expect((await answer(mona, requestId, true)).status).toBe(204);
  expect(await reasonsOf(ada, courseId)).toEqual(["self"]);
  expect(await mailsTo(ada)).toEqual(["approved"]);
  expect(await answer(mona, requestId, true)).toMatchObject({ status: 409, code: "catalogue.decided" });
  expect((await teamOf(mona)).total).toBe(0);
});

test("a decline needs a reason, which the learner reads, and they can ask again", async () => {
  const { mona, ada, id, courseId, requestId } = await asking();
  expect((await answer(mona, requestId, false)).status).toBe(422);
  expect((await answer(mona, requestId, false, "Ask me in spring")).status).toBe(204);
  expect(bodyOf(await read(ada, id))).toMatchObject({ status: null, can: "ask", reason: "Ask me in spring" });
  expect(await statusOf(ada, courseId)).toBeNull();
  expect(await mailsTo(ada)).toEqual(["declined"]);
  expect((await join(ada, id, "ask")).status).toBe(200);
});

test("the manager of now decides, and the one before neither sees nor decides", async () => {
  const { mona, nils, ada, requestId } = await asking();
  await lead(nils, ada);
  await expect.poll(async () => (await as(mona)(catalogue.teamRequests)).status, { timeout: 5000 }).toBe(403);
  expect((await answer(mona, requestId, true)).status).toBe(403);
  expect((await teamOf(nils)).total).toBe(1);
  expect((await answer(nils, requestId, true)).status).toBe(204);
});

test("managers of other people get the same 404 for a request", async () => {
  const { nils, requestId } = await asking();
  const foreign = await asking();
  const unknown = await answer(nils, "00000000-0000-4000-8000-000000000000", true);
  expect(unknown.status).toBe(404);
  for (const id of [requestId, foreign.requestId])
    expect(await answer(nils, id, true)).toMatchObject({ status: 404, body: unknown.body });
});

test("a deputy answers for a manager, and only while they are one", async () => {
  const { mona, nils, requestId } = await asking();
  const today = new Date().toISOString().slice(0, 10);
  const body = { deputyId: nils.user.id, fromDay: today, untilDay: today };
  const added = await call(managers.addDeputy, { params: { id: mona.user.id }, body });
  expect(added.status).toBe(200);
  expect((await teamOf(nils)).total).toBe(1);
  expect((await answer(nils, requestId, true)).status).toBe(204);
});

test("people who are suspended or have moved are not approved", async () => {
  for (const goAway of ["suspend", "move"]) {
    const { mona, ada, courseId, requestId } = await asking();
    if (goAway === "suspend") bodyOf(await call(learners.suspend, { body: { ids: [ada.user.id] } }));
    else bodyOf(await call(learners.move, { body: { ids: [ada.user.id], companyId: (await company()).id } }));
    expect([403, 404]).toContain((await answer(mona, requestId, true)).status);
    const byAdmin = await call(catalogue.decide, { params: { id: requestId }, body: { approve: true } });
    expect(byAdmin).toMatchObject({ status: 409, code: "catalogue.gone" });
    await work();
    expect(await statusOf(ada, courseId)).toBeNull();
    expect(await reasonsOf(ada, courseId)).toEqual([]);
  }
});

test("a manager gets one email a day about all requests, and a learner one of a kind", async () => {
  const { acme, mona, ada, id, requestId } = await asking();
  const [cleo] = (await people(acme.accessCode, "Cleo")) as [Person];
  await lead(mona, cleo);
  await work();
  await join(cleo, id, "ask");
  await work();
  expect(await mailsTo(mona)).toEqual(["asked"]);
  await answer(mona, requestId, false, "Not now");
  for (let round = 0; round < 3; round++) {
    await join(ada, id, "ask");
    await work();
    await answer(mona, requestId, false, "Not now either");
  }
  expect(await mailsTo(ada)).toEqual(["declined"]);
  expect(await mailsTo(mona)).toEqual(["asked"]);
  await join(ada, id, "ask");
  await sql`update catalogue_notices set sent_at = now() - interval '25 hours'`.execute(db);
  await work();
  expect(await mailsTo(mona)).toEqual(["asked", "asked"]);
});

test("admins answer for people without a manager, and everyone else", async () => {
  const { acme, ben, id, requestId } = await asking();
  await lead(null, ben);
  await join(ben, id, "ask");
  const unmanaged = await requestsOf(acme.id, { status: "open", unmanaged: true });
  expect(unmanaged.map(({ name }) => name)).toEqual(["Ben"]);
  expect(bodyOf(await read(ben, id)).answers).toBe("admin");
  const decided = await call(catalogue.decide, {
    params: { id: unmanaged[0]?.id as string },
    body: { approve: true, reason: "Welcome" },
  });
  expect(decided.body).toMatchObject({ status: "enrolled", decidedBy: "Ada Admin", reason: "Welcome" });
  expect((await call(catalogue.decide, { params: { id: requestId }, body: { approve: true } })).status).toBe(200);
});

test("an admin takes a person off the waiting list", async () => {
  const { acme, ben, id } = await asking();
  await change(acme.id, id, { way: "request", places: 1 });
  await join(ben, id, "wait");
  const waiting = await requestOf(acme.id, ben);
  const decide = (approve: boolean) =>
    call(catalogue.decide, { params: { id: waiting?.id as string }, body: { approve, reason: "Too late" } });
  expect((await decide(true)).status).toBe(409);
  expect((await decide(false)).body).toMatchObject({ status: "takenOff" });
});

test("the file has price, cost centre and status, and no formula runs in it", async () => {
  const { acme, ada, id } = await asking();
  await sql`update users set name = '=cmd()' where id = ${ada.user.id}`.execute(db);
  await change(acme.id, id, { way: "request", costCentre: "+47" });
  const file = await app.inject({
    url: `/api/companies/${acme.id}/catalogue/export`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(file.headers["x-rows"]).toBe("1");
  expect(file.body).toContain("99,NOK,4711");
  expect(file.body).toContain("'=cmd()");
});

test("requests are in the export of a person, and gone after their erasure", async () => {
  const { acme, ada, id } = await asking();
  const exported = await as(ada)(privacy.export);
  expect(JSON.stringify(exported.body)).toContain("For the new crane");
  expect((await as(ada)(privacy.erase, { body: {} })).status).toBe(200);
  await work();
  expect(await requestsOf(acme.id, { offerId: id })).toEqual([]);
});
