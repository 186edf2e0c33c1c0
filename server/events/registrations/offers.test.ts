import { sql } from "kysely";
import { expect, test } from "vitest";
import { processWaitlists } from "#server/events/jobs.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db, services } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const guestCall = as(null);
const expireOffer = (id: string) =>
  db
    .updateTable("eventRegistrations")
    .set({ offerExpiresAt: sql`now() - interval '1 minute'` })
    .where("id", "=", id)
    .execute();

test("offers a free seat in waiting list order until someone accepts", async () => {
  const event = await maker.createPublished(admin, { capacity: 1, offerMinutes: 60 });
  const first = await maker.registerGuest(event);
  const [a, b, c] = [
    await maker.registerGuest(event),
    await maker.registerGuest(event),
    await maker.registerGuest(event),
  ];
  const waiting = (await guestCall(eventRegistrations.mine, { params: { token: b.token } })).body;
  expect(waiting).toMatchObject({
    state: "waitlisted",
    waitlistPosition: 2,
    waitlistReason: expect.stringMatching(
      /^You are number 2 of 3 on the waiting list. The only seat is taken. When one becomes free.*1 hour/,
    ),
  });
  const cancelled = await guestCall(eventRegistrations.cancelMine, { params: { token: first.token } });
  expect([cancelled.status, cancelled.body.state, cancelled.body.canCancel]).toEqual([200, "cancelled", false]);
  const offer = (await guestCall(eventRegistrations.mine, { params: { token: a.token } })).body;
  expect(offer.state).toBe("offered");
  expect(Math.abs(Date.parse(offer.offerExpiresAt as string) - Date.now() - 3_600_000)).toBeLessThan(20_000);
  expect((await guestCall(eventRegistrations.mine, { params: { token: b.token } })).body.waitlistReason).toContain(
    "One seat is offered",
  );
  // Reading the registration changes nothing, and declining twice is allowed.
  expect(await maker.stateOf(a.id)).toBe("offered");
  expect((await guestCall(eventRegistrations.declineOffer, { params: { token: a.token } })).body.state).toBe(
    "offer_declined",
  );
  expect((await guestCall(eventRegistrations.declineOffer, { params: { token: a.token } })).status).toBe(200);
  expect(await maker.stateOf(b.id)).toBe("offered");
  await expireOffer(b.id);
  expect((await guestCall(eventRegistrations.acceptOffer, { params: { token: b.token } })).code).toBe(
    "events.offerExpired",
  );
  await Promise.all([processWaitlists.work(services, {}), processWaitlists.work(services, {})]);
  expect([await maker.stateOf(b.id), await maker.stateOf(c.id)]).toEqual(["offer_expired", "offered"]);
  expect((await maker.mailsTo(b.email)).map(({ reason }) => reason)).toEqual([
    "events.waitlisted",
    "events.offered",
    "events.offerExpired",
  ]);
  const again = await maker.registerGuest(event, { email: b.email });
  expect((await guestCall(eventRegistrations.mine, { params: { token: again.token } })).body).toMatchObject({
    state: "waitlisted",
    waitlistPosition: 1,
  });
  const accepted = await Promise.all([
    guestCall(eventRegistrations.acceptOffer, { params: { token: c.token } }),
    guestCall(eventRegistrations.acceptOffer, { params: { token: c.token } }),
  ]);
  expect(accepted.map(({ body }) => body.state)).toEqual(["confirmed", "confirmed"]);
  expect((await maker.mailsTo(c.email)).filter(({ reason }) => reason === "events.confirmed").length).toBe(1);
  expect((await as(admin)(eventRegistrations.list, { params: { id: event.id } })).body.byState).toEqual({
    cancelled: 1,
    offer_declined: 1,
    offer_expired: 1,
    confirmed: 1,
    waitlisted: 1,
  });
});

test("makes no automatic offers after registration has closed", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  const [first, second, third] = [
    await maker.registerGuest(event),
    await maker.registerGuest(event),
    await maker.registerGuest(event),
  ];
  await db
    .updateTable("events")
    .set({ registrationClosesAt: sql`now() - interval '1 minute'` })
    .where("id", "=", event.id)
    .execute();
  await guestCall(eventRegistrations.cancelMine, { params: { token: first.token } });
  await processWaitlists.work(services, {});
  expect(await maker.stateOf(second.id)).toBe("waitlisted");
  expect((await guestCall(eventRegistrations.mine, { params: { token: second.token } })).body.waitlistReason).toContain(
    "Registration closed on",
  );
  const offered = await as(admin)(eventRegistrations.offerSeats, {
    params: { id: event.id },
    body: { ids: [third.id, second.id] },
  });
  expect([offered.status, offered.body]).toEqual([200, { offered: 1, full: 1 }]);
  expect([await maker.stateOf(second.id), await maker.stateOf(third.id)]).toEqual(["offered", "waitlisted"]);
  expect(
    (
      await as(admin)(eventRegistrations.offerSeats, {
        params: { id: event.id },
        body: { ids: [third.id], overCapacity: true },
      })
    ).body,
  ).toEqual({ offered: 1, full: 0 });
  await db
    .updateTable("events")
    .set({
      registrationClosesAt: null,
      startsAt: sql`now() - interval '1 minute'`,
      endsAt: sql`now() + interval '1 hour'`,
    })
    .where("id", "=", event.id)
    .execute();
  await db
    .updateTable("eventRegistrations")
    .set({ offerExpiresAt: sql`now()` })
    .where("eventId", "=", event.id)
    .where("state", "=", "offered")
    .execute();
  await processWaitlists.work(services, {});
  expect([await maker.stateOf(second.id), await maker.stateOf(third.id)]).toEqual(["offer_expired", "offer_expired"]);
});

test("leaves free seats of a manual waiting list to the organiser", async () => {
  const event = await maker.createPublished(admin, { capacity: 1, waitlistMode: "manual" });
  const [first, second] = [await maker.registerGuest(event), await maker.registerGuest(event)];
  await guestCall(eventRegistrations.cancelMine, { params: { token: first.token } });
  const third = await maker.registerGuest(event);
  expect([second.state, third.state, await maker.stateOf(second.id)]).toEqual([
    "waitlisted",
    "waitlisted",
    "waitlisted",
  ]);
  expect((await guestCall(eventRegistrations.mine, { params: { token: third.token } })).body.waitlistReason).toContain(
    "The organiser chooses",
  );
});
