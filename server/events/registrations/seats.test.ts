import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { processWaitlists } from "#server/events/jobs.ts";
import { lockEvent, takeSeats } from "#server/events/registrations/seats.ts";
import { events } from "#shared/events.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const tools = await start();
const { as, make, db, services } = tools;
const maker = createEventMaker(tools);
const admin = await make.admin();
const open = as(null);
const list = async (id: string, query: object = {}) =>
  (await as(admin)(eventRegistrations.list, { params: { id }, query: { size: 200, ...query } })).body;
const seatsTaken = async (id: string) =>
  await db
    .selectFrom("events")
    .where("id", "=", id)
    .select(["seatsTaken", "seatsTakenOnline"])
    .executeTakeFirstOrThrow();
/** The counter, the people who hold a seat, and the capacity must agree at any time. */
async function checkSeats(id: string, capacity: number) {
  const { byState } = await list(id);
  const held = (byState.confirmed ?? 0) + (byState.offered ?? 0);
  expect(held).toBe((await seatsTaken(id)).seatsTaken);
  expect(held).toBeLessThanOrEqual(capacity);
  return byState;
}
const expireOffer = (id: string) =>
  db
    .updateTable("eventRegistrations")
    .set({ offerExpiresAt: sql`now() - interval '1 minute'` })
    .where("id", "=", id)
    .execute();

test("200 at once for 10 seats: exactly 10 get one, 190 wait in the order of their forms, nobody is lost", async () => {
  const event = await maker.published(admin, { capacity: 10 });
  const forms = Array.from({ length: 200 }, (_, n) =>
    maker.form(event, { email: `many-${n}-${event.id.slice(0, 8)}@example.com` }),
  );
  const rush = Promise.all(forms.map((form) => maker.send(event.slug, form)));
  // Nobody else notices: whoever waits for a seat holds no connection to the database.
  const others = await Promise.all(Array.from({ length: 20 }, () => open(events.list)));
  expect(others.every(({ status }) => status === 200)).toBe(true);
  const replies = await rush;
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
  const waiting = await list(event.id, { state: "waitlisted", sort: "waitlistPosition" });
  expect(waiting.items.map(({ waitlistPosition }) => waitlistPosition)).toEqual(
    Array.from({ length: 190 }, (_, n) => n + 1),
  );
  expect((await open(events.show, { params: { slug: event.slug } })).body.event).toMatchObject({
    phase: "waitlist_open",
    seatsLeft: null,
  });
}, 90_000);

test("between servers: the guard alone never gives a seat twice, and the lock of the database makes everybody wait", async () => {
  const event = await maker.published(admin, { capacity: 10 });
  const row = await db.selectFrom("events").where("id", "=", event.id).selectAll().executeTakeFirstOrThrow();
  const got = await Promise.all(
    Array.from({ length: 60 }, () => db.transaction().execute((tx) => takeSeats(tx, row, "in_person"))),
  );
  expect([got.filter(Boolean).length, (await seatsTaken(event.id)).seatsTaken]).toEqual([10, 10]);
  let waited = false;
  const other = await maker.published(admin);
  let sent: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await lockEvent(tx, other.id);
    sent = maker.guest(other).then(() => (waited = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(waited).toBe(false);
  });
  await sent;
  expect(waited).toBe(true);
});

test("20 times the same address at once is one registration and one seat; the answers do not differ", async () => {
  const event = await maker.published(admin, { capacity: 5 });
  const email = `double-${randomUUID()}@example.com`;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      maker.send(event.slug, maker.form(event, { email: n % 2 ? email : email.toUpperCase() })),
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

test("offers go in order, once, with a deadline; declined and expired ones go on; who comes back stands at the end", async () => {
  const event = await maker.published(admin, { capacity: 1, offerMinutes: 60 });
  const first = await maker.guest(event);
  const [a, b, c] = [await maker.guest(event), await maker.guest(event), await maker.guest(event)];
  const why = (await open(eventRegistrations.mine, { params: { token: b.token } })).body;
  expect(why).toMatchObject({
    state: "waitlisted",
    waitlistPosition: 2,
    waitlistReason: expect.stringMatching(
      /^You are number 2 of 3 on the waiting list. The only seat is taken. When one gets free.*1 hour/,
    ),
  });
  const left = await open(eventRegistrations.cancelMine, { params: { token: first.token } });
  expect([left.status, left.body.state, left.body.canCancel]).toEqual([200, "cancelled", false]);
  const offer = (await open(eventRegistrations.mine, { params: { token: a.token } })).body;
  expect(offer.state).toBe("offered");
  expect(Math.abs(Date.parse(offer.offerExpiresAt as string) - Date.now() - 3_600_000)).toBeLessThan(20_000);
  expect((await open(eventRegistrations.mine, { params: { token: b.token } })).body.waitlistReason).toContain(
    "One seat is offered",
  );
  // The page reads; nothing has changed by looking. Reading twice, confirming, and doing it twice is fine.
  expect(await maker.stateOf(a.id)).toBe("offered");
  expect((await open(eventRegistrations.declineOffer, { params: { token: a.token } })).body.state).toBe(
    "offer_declined",
  );
  expect((await open(eventRegistrations.declineOffer, { params: { token: a.token } })).status).toBe(200);
  expect(await maker.stateOf(b.id)).toBe("offered");
  await expireOffer(b.id);
  expect((await open(eventRegistrations.acceptOffer, { params: { token: b.token } })).code).toBe("events.offerExpired");
  await Promise.all([processWaitlists.work(services, {}), processWaitlists.work(services, {})]);
  expect([await maker.stateOf(b.id), await maker.stateOf(c.id)]).toEqual(["offer_expired", "offered"]);
  expect((await maker.mailsTo(b.email)).map(({ reason }) => reason)).toEqual([
    "events.waitlisted",
    "events.offered",
    "events.offerExpired",
  ]);
  const again = await maker.guest(event, { email: b.email });
  expect((await open(eventRegistrations.mine, { params: { token: again.token } })).body).toMatchObject({
    state: "waitlisted",
    waitlistPosition: 1,
  });
  const accepted = await Promise.all([
    open(eventRegistrations.acceptOffer, { params: { token: c.token } }),
    open(eventRegistrations.acceptOffer, { params: { token: c.token } }),
  ]);
  expect(accepted.map(({ body }) => body.state)).toEqual(["confirmed", "confirmed"]);
  expect((await maker.mailsTo(c.email)).filter(({ reason }) => reason === "events.confirmed").length).toBe(1);
  expect(await checkSeats(event.id, 1)).toEqual({
    cancelled: 1,
    offer_declined: 1,
    offer_expired: 1,
    confirmed: 1,
    waitlisted: 1,
  });
});

test("cancel, accept, decline, expire, register and change the capacity all at once: seats are never sold twice", async () => {
  const event = await maker.published(admin, { capacity: 8, offerMinutes: 15 });
  const guests = await Promise.all(Array.from({ length: 40 }, () => maker.guest(event)));
  for (let round = 0; round < 5; round++) {
    const offered = await db
      .selectFrom("eventRegistrations")
      .where("eventId", "=", event.id)
      .where("state", "=", "offered")
      .select("id")
      .execute();
    const some = offered[0];
    if (some) await expireOffer(some.id);
    await Promise.all(
      guests
        .map(async ({ token, id }, n) => {
          const state = await maker.stateOf(id);
          if (state === "confirmed" && (n + round) % 3 === 0)
            return open(eventRegistrations.cancelMine, { params: { token } });
          if (state === "offered")
            return open(n % 2 ? eventRegistrations.acceptOffer : eventRegistrations.declineOffer, {
              params: { token },
            });
          return n % 11 === 0 ? maker.send(event.slug, maker.form(event)) : undefined;
        })
        .concat([processWaitlists.work(services, {}) as never]),
    );
    await checkSeats(event.id, 8);
  }
  const now = (await as(admin)(events.get, { params: { id: event.id } })).body;
  const down = (
    await as(admin)(events.update, { params: { id: event.id }, body: { version: now.version, capacity: 3 } })
  ).body;
  expect(down.counts.confirmed + down.counts.offered).toBe(8);
  const out = (await list(event.id, { state: "confirmed" })).items.slice(0, 2).map(({ id }) => id);
  const offersBefore = down.counts.offered;
  await as(admin)(eventRegistrations.cancel, { params: { id: event.id }, body: { ids: out } });
  const after = (await as(admin)(events.get, { params: { id: event.id } })).body;
  expect(after.counts.offered).toBe(offersBefore);
  expect(after.phase).toBe("waitlist_open");
  const waiting = (await list(event.id, { state: "waitlisted", sort: "waitlistPosition", size: 1 })).items[0];
  const why = await db
    .selectFrom("eventRegistrations")
    .where("id", "=", waiting?.id as string)
    .select("id")
    .executeTakeFirstOrThrow();
  expect(why).toBeDefined();
  // Raised again: the first of the list get offers, as many as there are seats.
  const up = (
    await as(admin)(events.update, { params: { id: event.id }, body: { version: after.version, capacity: 10 } })
  ).body;
  expect(up.counts.confirmed + up.counts.offered).toBe(10);
  expect(await maker.stateOf(waiting?.id as string)).toBe("offered");
});

test("no offer after the close of registration, nor after the start; a person may still be promoted until then", async () => {
  const event = await maker.published(admin, { capacity: 1 });
  const [first, second, third] = [await maker.guest(event), await maker.guest(event), await maker.guest(event)];
  await db
    .updateTable("events")
    .set({ registrationClosesAt: sql`now() - interval '1 minute'` })
    .where("id", "=", event.id)
    .execute();
  await open(eventRegistrations.cancelMine, { params: { token: first.token } });
  await processWaitlists.work(services, {});
  expect(await maker.stateOf(second.id)).toBe("waitlisted");
  expect((await open(eventRegistrations.mine, { params: { token: second.token } })).body.waitlistReason).toContain(
    "Registration closed on",
  );
  const promoted = await as(admin)(eventRegistrations.offerSeats, {
    params: { id: event.id },
    body: { ids: [third.id, second.id] },
  });
  expect([promoted.status, promoted.body]).toEqual([200, { offered: 1, full: 1 }]);
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

test("a waiting list by hand: free seats wait for the organiser, newcomers do not jump the queue", async () => {
  const event = await maker.published(admin, { capacity: 1, waitlistMode: "manual" });
  const [first, second] = [await maker.guest(event), await maker.guest(event)];
  await open(eventRegistrations.cancelMine, { params: { token: first.token } });
  const third = await maker.guest(event);
  expect([second.state, third.state, await maker.stateOf(second.id)]).toEqual([
    "waitlisted",
    "waitlisted",
    "waitlisted",
  ]);
  expect((await open(eventRegistrations.mine, { params: { token: third.token } })).body.waitlistReason).toContain(
    "The organiser chooses",
  );
});

test("hybrid: the room and the online seats are counted apart, each with its own list", async () => {
  const event = await maker.published(admin, {
    attendanceMode: "hybrid",
    capacity: 1,
    capacityOnline: 1,
    onlineUrl: "https://meet.example/secret-room",
  });
  expect((await maker.send(event.slug, maker.form(event))).body.issues).toMatchObject([
    { path: "attendance", code: "events.attendanceNeeded" },
  ]);
  const room = await maker.guest(event, { attendance: "in_person" });
  const online = await maker.guest(event, { attendance: "online" });
  const [nextRoom, nextOnline] = [
    await maker.guest(event, { attendance: "in_person" }),
    await maker.guest(event, { attendance: "online" }),
  ];
  expect([room.state, online.state, nextRoom.state, nextOnline.state]).toEqual([
    "confirmed",
    "confirmed",
    "waitlisted",
    "waitlisted",
  ]);
  expect(await seatsTaken(event.id)).toEqual({ seatsTaken: 1, seatsTakenOnline: 1 });
  await open(eventRegistrations.cancelMine, { params: { token: online.token } });
  expect([await maker.stateOf(nextRoom.id), await maker.stateOf(nextOnline.id)]).toEqual(["waitlisted", "offered"]);
  expect((await open(eventRegistrations.mine, { params: { token: nextRoom.token } })).body).toMatchObject({
    waitlistPosition: 1,
    onlineUrl: null,
  });
});

test("confirmation of the mailbox: no seat before, the time of the form counts, the link ends after a day", async () => {
  const event = await maker.published(admin, { capacity: 1, requireEmailConfirmation: true });
  const form = maker.form(event);
  expect((await maker.send(event.slug, form)).body).toEqual({ next: "check_mail", reference: null, state: null });
  const early = await maker.rowOf(form.email);
  const late = await maker.guest(event);
  expect([early.state, late.state, (await seatsTaken(event.id)).seatsTaken]).toEqual([
    "pending_email",
    "pending_email",
    0,
  ]);
  const [mail] = await maker.mailsTo(form.email);
  expect(mail).toMatchObject({ reason: "events.confirm", attachments: [] });
  expect(mail?.body).not.toContain(form.name);
  const token = /registration\/([\w-]+)/.exec(mail?.body ?? "")?.[1] as string;
  await open(eventRegistrations.mine, { params: { token } });
  expect(await maker.stateOf(early.id)).toBe("pending_email");
  expect((await open(eventRegistrations.confirmEmail, { params: { token: late.token } })).body.state).toBe("confirmed");
  expect((await open(eventRegistrations.confirmEmail, { params: { token } })).body).toMatchObject({
    state: "waitlisted",
    waitlistPosition: 1,
  });
  const later = await maker.guest(event);
  await open(eventRegistrations.confirmEmail, { params: { token: later.token } });
  expect((await open(eventRegistrations.mine, { params: { token: later.token } })).body.waitlistPosition).toBe(2);
  const never = await maker.guest(event);
  await db
    .updateTable("eventRegistrations")
    .set({ confirmUntil: sql`now() - interval '1 minute'` })
    .where("id", "=", never.id)
    .execute();
  expect((await open(eventRegistrations.confirmEmail, { params: { token: never.token } })).code).toBe(
    "events.linkExpired",
  );
  await processWaitlists.work(services, {});
  expect(
    await db
      .selectFrom("eventRegistrations")
      .where("id", "=", never.id)
      .select(["state", "email", "name", "manageTokenHash"])
      .executeTakeFirst(),
  ).toEqual({ state: "expired", email: "", name: "", manageTokenHash: null });
  expect(await maker.mailsTo(never.email)).toEqual([]);
});

test("approval: nobody is in before the organiser said so; beyond the seats they wait; a refusal has a reason", async () => {
  const event = await maker.published(admin, { capacity: 1, registrationMode: "approval" });
  const [a, b, c] = [await maker.guest(event), await maker.guest(event), await maker.guest(event)];
  expect(a.state).toBe("pending_approval");
  expect(
    (await as(admin)(eventRegistrations.approve, { params: { id: event.id }, body: { ids: [b.id, a.id] } })).body,
  ).toEqual({
    changed: 2,
    waitlisted: 1,
  });
  expect([await maker.stateOf(a.id), await maker.stateOf(b.id)]).toEqual(["confirmed", "waitlisted"]);
  expect(
    (
      await as(admin)(eventRegistrations.approve, {
        params: { id: event.id },
        body: { ids: [c.id, a.id], reject: true, reason: "Only members" },
      })
    ).body,
  ).toEqual({ changed: 1, waitlisted: 0 });
  expect((await maker.mailsTo(c.email)).at(-1)).toMatchObject({
    reason: "events.rejected",
    body: expect.stringContaining("Only members"),
  });
  expect((await as(admin)(eventRegistrations.log, { params: { id: c.id } })).body.items).toMatchObject([
    { action: "rejected", by: "Ada Admin", detail: "Only members" },
    { action: "pending_approval" },
    { action: "registered", by: "self" },
  ]);
});
