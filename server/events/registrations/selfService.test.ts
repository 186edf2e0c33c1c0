import { sql } from "kysely";
import { expect, test } from "vitest";
import { processWaitlists } from "#server/events/jobs.ts";
import { events } from "#shared/events/events.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db, services } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const guestCall = as(null);
const myRegistration = async (token: string) => (await guestCall(eventRegistrations.mine, { params: { token } })).body;

test("changing the name replaces the ticket", async () => {
  const event = await maker.createPublished(admin);
  const guest = await maker.registerGuest(event);
  const before = await myRegistration(guest.token);
  const renamed = (
    await guestCall(eventRegistrations.updateMine, { params: { token: guest.token }, body: { name: "Gustav Guest" } })
  ).body;
  expect(renamed.name).toBe("Gustav Guest");
  expect(renamed.ticket).not.toBe(before.ticket);
  const scan = (ticket: string | null) =>
    as(admin)(eventRegistrations.checkInByTicket, { params: { id: event.id }, body: { ticket: ticket as string } });
  expect((await scan(before.ticket)).code).toBe("events.ticketReplaced");
  expect((await scan(`${before.ticket?.slice(0, -3)}AAA`)).code).toBe("events.ticketUnknown");
  expect((await scan(renamed.ticket)).body.outcome).toBe("checked_in");
});

test("shows the joining link only shortly before the start", async () => {
  const event = await maker.createPublished(admin, {
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/r",
    joinOpensMinutes: 60,
  });
  const guest = await maker.registerGuest(event, { attendance: "online" });
  expect(await myRegistration(guest.token)).toMatchObject({ onlineUrl: null, ticket: null });
  await db
    .updateTable("events")
    .set({ startsAt: sql`now() + interval '59 minutes'` })
    .where("id", "=", event.id)
    .execute();
  expect((await myRegistration(guest.token)).onlineUrl).toBe("https://meet.example/r");
});

test("refuses changes if the event does not allow them", async () => {
  const event = await maker.createPublished(admin, { modificationMode: "never" });
  const guest = await maker.registerGuest(event);
  const reply = await guestCall(eventRegistrations.updateMine, { params: { token: guest.token }, body: { name: "X" } });
  expect(reply.code).toBe("events.mayNotChange");
});

test("exports all stored data without secrets or names of organisers", async () => {
  const event = await maker.createPublished(admin);
  const guest = await maker.registerGuest(event);
  await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: {} });
  const exported = (await guestCall(eventRegistrations.exportMine, { params: { token: guest.token } })).body;
  expect(exported).toMatchObject({
    registration: { email: guest.email, name: "Gus Guest" },
    agreedNotice: { version: 1, text: event.privacyNotice },
    checkIns: [{ direction: "in" }],
  });
  expect(JSON.stringify(exported)).not.toMatch(/[Hh]ash|Ada Admin/);
});

test("deleting a registration removes its mails and offers the seat to the next person", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  const [guest, next] = [await maker.registerGuest(event), await maker.registerGuest(event)];
  expect((await guestCall(eventRegistrations.eraseMine, { params: { token: guest.token } })).status).toBe(204);
  expect((await guestCall(eventRegistrations.mine, { params: { token: guest.token } })).status).toBe(404);
  expect(await maker.mailsTo(guest.email)).toEqual([]);
  expect(await maker.stateOf(next.id)).toBe("offered");
});

test("answers 404 to an unknown token", async () => {
  expect((await guestCall(eventRegistrations.mine, { params: { token: "made-up-token" } })).status).toBe(404);
});

test("takes no seat before the email address is confirmed", async () => {
  const event = await maker.createPublished(admin, { capacity: 1, requireEmailConfirmation: true });
  const form = maker.form(event);
  expect((await maker.sendForm(event.slug, form)).body).toEqual({
    next: "check_mail",
    reference: null,
    state: null,
    sendsMail: false,
  });
  const { id } = await maker.rowOf(form.email);
  const [mail] = await maker.mailsTo(form.email);
  expect(mail).toMatchObject({ reason: "events.confirm", attachments: [] });
  expect(mail?.body).not.toContain(form.name);
  const token = /registration\/([\w-]+)/.exec(mail?.body ?? "")?.[1] as string;
  // Reading the page must not confirm: mail programs prefetch links.
  expect((await myRegistration(token)).state).toBe("pending_email");
  const { seatsTaken } = (await as(admin)(events.get, { params: { id: event.id } })).body.counts;
  expect(seatsTaken).toBe(0);
  await guestCall(eventRegistrations.confirmEmail, { params: { token } });
  expect(await maker.stateOf(id)).toBe("confirmed");
});

test("orders the waiting list by when the forms were sent", async () => {
  const event = await maker.createPublished(admin, { capacity: 1, requireEmailConfirmation: true });
  const [early, late] = [await maker.registerGuest(event), await maker.registerGuest(event)];
  const confirm = async (token: string) =>
    (await guestCall(eventRegistrations.confirmEmail, { params: { token } })).body;
  expect((await confirm(late.token)).state).toBe("confirmed");
  const last = await maker.registerGuest(event);
  expect((await confirm(last.token)).waitlistPosition).toBe(1);
  expect(await confirm(early.token)).toMatchObject({ state: "waitlisted", waitlistPosition: 1 });
  expect((await myRegistration(last.token)).waitlistPosition).toBe(2);
});

test("expires and purges registrations that are not confirmed in time", async () => {
  const event = await maker.createPublished(admin, { requireEmailConfirmation: true });
  const guest = await maker.registerGuest(event);
  await db
    .updateTable("eventRegistrations")
    .set({ confirmUntil: sql`now() - interval '1 minute'` })
    .where("id", "=", guest.id)
    .execute();
  expect((await guestCall(eventRegistrations.confirmEmail, { params: { token: guest.token } })).code).toBe(
    "events.linkExpired",
  );
  await processWaitlists.work(services, {});
  expect(
    await db
      .selectFrom("eventRegistrations")
      .where("id", "=", guest.id)
      .select(["state", "email", "name", "manageTokenHash"])
      .executeTakeFirst(),
  ).toEqual({ state: "expired", email: "", name: "", manageTokenHash: null });
  expect(await maker.mailsTo(guest.email)).toEqual([]);
});
