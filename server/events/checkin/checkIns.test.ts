import { expect, test } from "vitest";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const guestCall = as(null);

test("checks a guest in once, however many devices send it", async () => {
  const event = await maker.createPublished(admin);
  const guest = await maker.registerGuest(event);
  const at = new Date(Date.now() - 600_000).toISOString();
  const replies = await Promise.all(
    [1, 2, 3].map(() =>
      as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: { device: "phone", at } }),
    ),
  );
  expect(replies.map(({ body }) => body.outcome).toSorted()).toEqual(["already", "already", "checked_in"]);
  // The time at which the device was offline counts.
  expect(replies[0]?.body.registration.attendedAt).toBe(at);
  const { total } = (await as(admin)(eventRegistrations.list, { params: { id: event.id }, query: { attended: true } }))
    .body;
  expect(total).toBe(1);
});

test("undoes a check-in and records every step", async () => {
  const event = await maker.createPublished(admin);
  const guest = await maker.registerGuest(event);
  const checkIn = () => as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: {} });
  const undo = () => as(admin)(eventRegistrations.undoCheckIn, { params: { id: guest.id } });
  await checkIn();
  expect((await undo()).body.attendedAt).toBeNull();
  expect((await undo()).status).toBe(200);
  await checkIn();
  const log = await db
    .selectFrom("eventCheckIns")
    .where("registrationId", "=", guest.id)
    .select("direction")
    .orderBy("id")
    .execute();
  expect(log.map(({ direction }) => direction)).toEqual(["in", "undo", "in"]);
});

test("replaces a check-in time in the future by the current time", async () => {
  const event = await maker.createPublished(admin);
  const guest = await maker.registerGuest(event);
  const { registration } = (
    await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: { at: "2099-01-01T00:00:00Z" } })
  ).body;
  expect(Math.abs(Date.parse(registration.attendedAt as string) - Date.now())).toBeLessThan(10_000);
});

test("checks in only confirmed guests", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  await maker.registerGuest(event);
  const waiting = await maker.registerGuest(event);
  const reply = await as(admin)(eventRegistrations.checkIn, { params: { id: waiting.id }, body: {} });
  expect(reply.body.outcome).toBe("not_confirmed");
});

test("rejects tickets of another event", async () => {
  const [event, other] = [await maker.createPublished(admin), await maker.createPublished(admin)];
  const guest = await maker.registerGuest(event);
  const { ticket } = (await guestCall(eventRegistrations.mine, { params: { token: guest.token } })).body;
  const reply = await as(admin)(eventRegistrations.checkInByTicket, {
    params: { id: other.id },
    body: { ticket: ticket as string },
  });
  expect(reply.status).toBe(404);
});
