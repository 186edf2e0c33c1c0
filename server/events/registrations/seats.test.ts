import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { processWaitlists } from "#server/events/jobs.ts";
import { lockEvent, takeSeats } from "#server/events/registrations/seats.ts";
import { events } from "#shared/events/events.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db, services } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const guestCall = as(null);
const listRegistrations = async (id: string, query: object = {}) =>
  (await as(admin)(eventRegistrations.list, { params: { id }, query: { size: 200, ...query } })).body;
const seatsTaken = async (id: string) =>
  await db
    .selectFrom("events")
    .where("id", "=", id)
    .select(["seatsTaken", "seatsTakenOnline"])
    .executeTakeFirstOrThrow();
/** Checks that the seat counter matches the seated registrations and stays within the capacity. */
async function checkSeats(id: string, capacity: number) {
  const { byState } = await listRegistrations(id);
  const seated = (byState.confirmed ?? 0) + (byState.offered ?? 0);
  expect(seated).toBe((await seatsTaken(id)).seatsTaken);
  expect(seated).toBeLessThanOrEqual(capacity);
  return byState;
}
const expireOffer = (id: string) =>
  db
    .updateTable("eventRegistrations")
    .set({ offerExpiresAt: sql`now() - interval '1 minute'` })
    .where("id", "=", id)
    .execute();

test("gives 200 simultaneous forms 10 seats and 190 waiting list positions", async () => {
  const event = await maker.createPublished(admin, { capacity: 10 });
  const forms = Array.from({ length: 200 }, (_, n) =>
    maker.form(event, { email: `many-${n}-${event.id.slice(0, 8)}@example.com` }),
  );
  const registrations = Promise.all(forms.map((form) => maker.sendForm(event.slug, form)));
  // Forms that wait for the event lock hold no database connection, so other requests are answered.
  const others = await Promise.all(Array.from({ length: 20 }, () => guestCall(events.list)));
  expect(others.every(({ status }) => status === 200)).toBe(true);
  const replies = await registrations;
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await checkSeats(event.id, 10)).toEqual({ confirmed: 10, waitlisted: 190 });
  const rows = await db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .select(["state", "queueNumber", "email"])
    .orderBy("queueNumber")
    .execute();
  expect(new Set(rows.map(({ email }) => email)).size).toBe(200);
  expect(rows.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 10 }, () => "confirmed"),
    ...Array.from({ length: 190 }, () => "waitlisted"),
  ]);
  const waiting = await listRegistrations(event.id, { state: "waitlisted", sort: "waitlistPosition" });
  expect(waiting.items.map(({ waitlistPosition }) => waitlistPosition)).toEqual(
    Array.from({ length: 190 }, (_, n) => n + 1),
  );
  expect((await guestCall(events.show, { params: { slug: event.slug } })).body.event).toMatchObject({
    phase: "waitlist_open",
    seatsLeft: null,
  });
}, 90_000);

test("the seat counter never exceeds the capacity without the lock", async () => {
  const event = await maker.createPublished(admin, { capacity: 10 });
  const row = await db.selectFrom("events").where("id", "=", event.id).selectAll().executeTakeFirstOrThrow();
  const got = await Promise.all(
    Array.from({ length: 60 }, () => db.transaction().execute((tx) => takeSeats(tx, row, "in_person"))),
  );
  expect([got.filter(Boolean).length, (await seatsTaken(event.id)).seatsTaken]).toEqual([10, 10]);
});

test("registrations of an event wait for its database lock", async () => {
  const event = await maker.createPublished(admin);
  let isRegistered = false;
  let registration: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await lockEvent(tx, event.id);
    registration = maker.registerGuest(event).then(() => (isRegistered = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isRegistered).toBe(false);
  });
  await registration;
  expect(isRegistered).toBe(true);
});

test("registers an address once, however often its form is sent", async () => {
  const event = await maker.createPublished(admin, { capacity: 5 });
  const email = `double-${randomUUID()}@example.com`;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      maker.sendForm(event.slug, maker.form(event, { email: n % 2 ? email : email.toUpperCase() })),
    ),
  );
  const taken = replies.filter(({ status }) => status === 200);
  expect(new Set(taken.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(
    replies
      .filter(({ status }) => status !== 200)
      .every(({ status, body }) => status === 429 && body.code === "events.tooManyMails"),
  ).toBe(true);
  expect(await checkSeats(event.id, 5)).toEqual({ confirmed: 1 });
  expect((await maker.mailsTo(email)).length).toBe(1);
});

test("never assigns a seat twice when everything happens at once", async () => {
  const event = await maker.createPublished(admin, { capacity: 8, offerMinutes: 15 });
  const guests = await Promise.all(Array.from({ length: 40 }, () => maker.registerGuest(event)));
  for (let round = 0; round < 5; round++) {
    const offered = await db
      .selectFrom("eventRegistrations")
      .where("eventId", "=", event.id)
      .where("state", "=", "offered")
      .select("id")
      .execute();
    const [firstOffer] = offered;
    if (firstOffer) await expireOffer(firstOffer.id);
    await Promise.all(
      guests
        .map(async ({ token, id }, n) => {
          const state = await maker.stateOf(id);
          if (state === "confirmed" && (n + round) % 3 === 0)
            return guestCall(eventRegistrations.cancelMine, { params: { token } });
          if (state === "offered")
            return guestCall(n % 2 ? eventRegistrations.acceptOffer : eventRegistrations.declineOffer, {
              params: { token },
            });
          return n % 11 === 0 ? maker.sendForm(event.slug, maker.form(event)) : undefined;
        })
        .concat([processWaitlists.work(services, {}) as never]),
    );
    await checkSeats(event.id, 8);
  }
}, 60_000);

test("offers no seats while the capacity is exceeded, then as many as it allows", async () => {
  const event = await maker.createPublished(admin, { capacity: 8 });
  for (let guest = 0; guest < 12; guest++) await maker.registerGuest(event);
  const update = async (capacity: number) => {
    const { version } = (await as(admin)(events.get, { params: { id: event.id } })).body;
    return (await as(admin)(events.update, { params: { id: event.id }, body: { version, capacity } })).body;
  };
  const lowered = await update(3);
  expect(lowered.counts).toMatchObject({ confirmed: 8, offered: 0 });
  const ids = (await listRegistrations(event.id, { state: "confirmed" })).items.slice(0, 2).map(({ id }) => id);
  await as(admin)(eventRegistrations.cancel, { params: { id: event.id }, body: { ids } });
  expect((await as(admin)(events.get, { params: { id: event.id } })).body).toMatchObject({
    phase: "waitlist_open",
    counts: { confirmed: 6, offered: 0 },
  });
  const [first] = (await listRegistrations(event.id, { state: "waitlisted", sort: "waitlistPosition", size: 1 })).items;
  expect((await update(9)).counts).toMatchObject({ confirmed: 6, offered: 3 });
  expect(await maker.stateOf(first?.id as string)).toBe("offered");
});

test("counts in-person and online seats of hybrid events separately", async () => {
  const event = await maker.createPublished(admin, {
    attendanceMode: "hybrid",
    capacity: 1,
    capacityOnline: 1,
    onlineUrl: "https://meet.example/secret-room",
  });
  expect((await maker.sendForm(event.slug, maker.form(event))).body.issues).toMatchObject([
    { path: "attendance", code: "events.attendanceNeeded" },
  ]);
  const inPerson = await maker.registerGuest(event, { attendance: "in_person" });
  const online = await maker.registerGuest(event, { attendance: "online" });
  const [nextInPerson, nextOnline] = [
    await maker.registerGuest(event, { attendance: "in_person" }),
    await maker.registerGuest(event, { attendance: "online" }),
  ];
  expect([inPerson.state, online.state, nextInPerson.state, nextOnline.state]).toEqual([
    "confirmed",
    "confirmed",
    "waitlisted",
    "waitlisted",
  ]);
  expect(await seatsTaken(event.id)).toEqual({ seatsTaken: 1, seatsTakenOnline: 1 });
  await guestCall(eventRegistrations.cancelMine, { params: { token: online.token } });
  expect([await maker.stateOf(nextInPerson.id), await maker.stateOf(nextOnline.id)]).toEqual(["waitlisted", "offered"]);
  expect((await guestCall(eventRegistrations.mine, { params: { token: nextInPerson.token } })).body).toMatchObject({
    waitlistPosition: 1,
    onlineUrl: null,
  });
});

test("a person on the waiting list who cancels, or is erased, frees no seat", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  await maker.registerGuest(event);
  const cancelled = await maker.registerGuest(event);
  await guestCall(eventRegistrations.cancelMine, { params: { token: cancelled.token } });
  expect([await maker.stateOf(cancelled.id), (await seatsTaken(event.id)).seatsTaken]).toEqual(["cancelled", 1]);
  const erased = await maker.registerGuest(event);
  await guestCall(eventRegistrations.eraseMine, { params: { token: erased.token } });
  expect((await seatsTaken(event.id)).seatsTaken).toBe(1);
  await maker.registerGuest(event);
  expect(await checkSeats(event.id, 1)).toMatchObject({ confirmed: 1, waitlisted: 1 });
});
