import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { manageTokenOf } from "#server/events/checkin/tickets.ts";
import { events } from "#shared/events/events.ts";
import { eventRegistrations, managePath } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { type Person, start } from "#test/start.ts";
import { solveChallenge } from "altcha-lib/v1";

const server = await start();
const { as, make, db, services } = server;
const maker = createEventMaker(server);
const { admin, company, learner } = await make.classroom();
const guestCall = as(null);
const registrationsOf = (eventId: string) =>
  db.selectFrom("eventRegistrations").where("eventId", "=", eventId).select("id").execute();

test("sends at most three mails per hour to an address", async () => {
  const email = `bomb-${randomUUID()}@example.com`;
  const fourEvents = await Promise.all(
    [1, 2, 3, 4].map(() => maker.createPublished(admin, { requireEmailConfirmation: true })),
  );
  const statuses: number[] = [];
  for (const event of fourEvents)
    statuses.push((await maker.sendForm(event.slug, maker.form(event, { email }))).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await maker.mailsTo(email)).length).toBe(3);
});

test("replies the same for registered and unregistered addresses", async () => {
  const event = await maker.createPublished(admin, { requireEmailConfirmation: true });
  const guest = await maker.registerGuest(event);
  await guestCall(eventRegistrations.confirmEmail, { params: { token: guest.token } });
  await db
    .updateTable("eventRegistrations")
    .set({ createdAt: sql`now() - interval '1 hour'` })
    .where("id", "=", guest.id)
    .execute();
  const registered = await maker.sendForm(event.slug, maker.form(event, { email: guest.email }));
  const unregistered = await maker.sendForm(event.slug, maker.form(event));
  expect(registered).toEqual(unregistered);
  expect((await maker.mailsTo(guest.email)).at(-1)?.reason).toBe("events.already");
});

test("accepts at most 100 forms per hour from one network", async () => {
  const event = await maker.createPublished(admin);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 102; attempt++)
    statuses.push((await maker.sendForm(event.slug, maker.form(event), "10.99.99.7")).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
}, 60_000);

test("replies the same for known and unknown addresses if in-person seats are full", async () => {
  const admin = await make.admin();
  const event = await maker.createPublished(admin, {
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/x",
    capacity: 1,
    capacityOnline: 10,
    waitlistEnabled: false,
  });
  const inside = maker.form(event, { attendance: "in_person" });
  expect((await maker.sendForm(event.slug, inside)).status).toBe(200);
  const [known, unknown] = [
    await maker.sendForm(event.slug, { ...inside }),
    await maker.sendForm(event.slug, maker.form(event, { attendance: "in_person" })),
  ];
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  expect(unknown.body.code).toBe("events.full");
  expect((await maker.sendForm(event.slug, maker.form(event, { attendance: "online" }))).status).toBe(200);
});

test("emails the link to a registration again", async () => {
  const event = await maker.createPublished(admin);
  const guest = await maker.registerGuest(event);
  const sendLink = (email: string) =>
    guestCall(eventRegistrations.sendLink, { params: { slug: event.slug }, body: { email } });
  const [known, unknown] = [await sendLink(guest.email), await sendLink(`nobody-${randomUUID()}@example.com`)];
  expect([known.status, known.body, unknown.status, unknown.body]).toEqual([204, undefined, 204, undefined]);
  expect((await maker.mailsTo(guest.email)).at(-1)).toMatchObject({
    reason: "events.link",
    body: expect.stringContaining(guest.token),
  });
  expect([(await sendLink(guest.email)).status, (await sendLink(guest.email)).code]).toEqual([
    204,
    "events.tooManyMails",
  ]);
});

test("discards forms with a filled honeypot field", async () => {
  const event = await maker.createPublished(admin, { requireEmailConfirmation: true });
  const form = maker.form(event, { website: "https://spam.example" });
  expect(await maker.sendForm(event.slug, form)).toEqual({
    status: 200,
    body: { next: "check_mail", reference: null, state: null, sendsMail: false },
  });
  expect(await maker.mailsTo(form.email)).toEqual([]);
  expect(await registrationsOf(event.id)).toEqual([]);
});

test("rejects links in names, long names and missing consent", async () => {
  const event = await maker.createPublished(admin, { requireEmailConfirmation: true });
  for (const name of ["Win at https://x.example", "see www.spam.org", "bit.com/x", "x".repeat(121)])
    expect((await maker.sendForm(event.slug, maker.form(event, { name }))).body.issues).toMatchObject([
      { path: "name" },
    ]);
  const withoutConsent = { ...maker.form(event), privacyAccepted: false as never };
  expect((await maker.sendForm(event.slug, withoutConsent)).body.issues).toMatchObject([
    { path: "privacyAccepted", code: "events.privacyNeeded" },
  ]);
  expect(await registrationsOf(event.id)).toEqual([]);
});

test("accepts a proof of work once, for its own event", async () => {
  const [event, other] = [
    await maker.createPublished(admin, { challenge: "pow" }),
    await maker.createPublished(admin, { challenge: "pow" }),
  ];
  const { body } = await guestCall(eventRegistrations.challenge, { params: { slug: event.slug } });
  const solved = await solveChallenge(body.challenge, body.salt, body.algorithm, body.maxnumber).promise;
  const proofOfWork = Buffer.from(
    JSON.stringify({
      algorithm: body.algorithm,
      challenge: body.challenge,
      number: solved?.number,
      salt: body.salt,
      signature: body.signature,
    }),
  ).toString("base64");
  expect((await maker.sendForm(event.slug, maker.form(event))).body.issues).toMatchObject([
    { path: "proofOfWork", code: "events.proofOfWorkRequired" },
  ]);
  expect(
    (await maker.sendForm(event.slug, maker.form(event, { proofOfWork: `${proofOfWork.slice(0, -8)}AAAA` }))).status,
  ).toBe(422);
  expect((await maker.sendForm(other.slug, maker.form(other, { proofOfWork }))).status).toBe(422);
  const replies = await Promise.all(
    [1, 2, 3].map(() => maker.sendForm(event.slug, maker.form(event, { proofOfWork }))),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
}, 60_000);

test("confirms signed-in users with a verified address immediately", async () => {
  const event = await maker.createPublished(admin, { requireEmailConfirmation: true });
  const form = maker.form(event, { email: learner.user.email });
  expect((await maker.sendForm(event.slug, form, "10.3.3.3", learner.token)).body).toEqual({
    next: "check_mail",
    reference: null,
    state: null,
    sendsMail: false,
  });
  expect((await as(learner)(events.show, { params: { slug: event.slug } })).body.event?.myRegistration).toBeNull();
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", learner.user.id).execute();
  const row = await maker.rowOf(learner.user.email);
  const reply = (await maker.sendForm(event.slug, form, "10.3.3.3", learner.token)).body;
  expect(reply).toEqual({ next: "done", reference: row.reference, state: "confirmed", sendsMail: false });
  expect((await as(learner)(events.show, { params: { slug: event.slug } })).body.event?.myRegistration).toEqual({
    reference: row.reference,
    state: "confirmed",
    waitlistPosition: null,
    path: managePath(manageTokenOf(services, row.id)),
  });
  // Another person's address has to be confirmed, even by a signed-in user.
  expect((await maker.sendForm(event.slug, maker.form(event), "10.3.3.3", learner.token)).body.next).toBe("check_mail");
});

test("a guest is told what happens to a new registration, whether registered or not", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  const form = maker.form(event);
  expect((await maker.sendForm(event.slug, form)).body).toMatchObject({ next: "done", state: "confirmed" });
  const replies = [await maker.sendForm(event.slug, maker.form(event)), await maker.sendForm(event.slug, form)];
  for (const { body } of replies)
    expect(body).toEqual({ next: "done", reference: null, state: "waitlisted", sendsMail: false });
  const withApproval = await maker.createPublished(admin, { registrationMode: "approval" });
  expect((await maker.sendForm(withApproval.slug, maker.form(withApproval))).body.state).toBe("pending_approval");
});

test("only the owner of a verified address gets the link to a registration", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  const [owner, stranger] = [await make.learner(company.accessCode), await make.learner(company.accessCode)];
  await db
    .updateTable("users")
    .set({ emailVerified: true })
    .where("id", "in", [owner.user.id, stranger.user.id])
    .execute();
  await maker.sendForm(event.slug, maker.form(event));
  const form = maker.form(event, { email: owner.user.email });
  expect((await maker.sendForm(event.slug, form, "10.4.4.4", owner.token)).body.state).toBe("waitlisted");
  const token = manageTokenOf(services, (await maker.rowOf(owner.user.email)).id);
  const shownTo = async (who: Person | null) =>
    (await as(who)(events.show, { params: { slug: event.slug } })).body.event?.myRegistration;
  expect(await shownTo(owner)).toMatchObject({ state: "waitlisted", waitlistPosition: 1, path: managePath(token) });
  for (const who of [stranger, null]) {
    const reply = await maker.sendForm(event.slug, form, "10.5.5.5", who?.token);
    expect(reply.body).toEqual({ next: "done", reference: null, state: "waitlisted", sendsMail: false });
    expect(await shownTo(who)).toBeNull();
  }
});
