import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { events } from "#shared/events/events.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const addGuest = (eventId: string, input: object) =>
  as(admin)(eventRegistrations.add, {
    params: { id: eventId },
    body: { name: "Hanna Added", email: `added-${randomUUID()}@example.com`, ...input },
  });

test("adds a guest beyond the capacity only if requested", async () => {
  const event = await maker.createPublished(admin, { capacity: 1 });
  const first = (await addGuest(event.id, { notify: false })).body;
  expect([first.state, first.source, await maker.mailsTo(first.email)]).toEqual(["confirmed", "admin", []]);
  expect((await addGuest(event.id, {})).code).toBe("events.noSeat");
  expect((await addGuest(event.id, { overCapacity: true })).body.state).toBe("confirmed");
  expect((await addGuest(event.id, { state: "waitlisted" })).body).toMatchObject({
    state: "waitlisted",
    waitlistPosition: 1,
  });
  expect((await as(admin)(events.get, { params: { id: event.id } })).body.counts).toMatchObject({
    confirmed: 2,
    seatsTaken: 2,
    waitlisted: 1,
  });
});

test("refuses a second active registration of an address", async () => {
  const event = await maker.createPublished(admin);
  const { email } = (await addGuest(event.id, {})).body;
  expect((await addGuest(event.id, { email })).code).toBe("events.alreadyRegistered");
});

test("messages reach active guests only", async () => {
  const event = await maker.createPublished(admin, { capacity: 2 });
  const [first] = [(await addGuest(event.id, {})).body, await addGuest(event.id, {})];
  await addGuest(event.id, { state: "waitlisted" });
  await as(admin)(eventRegistrations.cancel, { params: { id: event.id }, body: { ids: [first.id], notify: false } });
  const { total, reachable } = (await as(admin)(eventRegistrations.list, { params: { id: event.id } })).body;
  const { sent } = (
    await as(admin)(eventRegistrations.sendMessage, {
      params: { id: event.id },
      body: { filter: {}, subject: "Shoes", text: "Bring them." },
    })
  ).body;
  expect([total, reachable, sent]).toEqual([3, 2, 2]);
});

test("approves requests up to the capacity, and rejects with a reason", async () => {
  const event = await maker.createPublished(admin, { capacity: 1, registrationMode: "approval" });
  const [a, b, c] = [
    await maker.registerGuest(event),
    await maker.registerGuest(event),
    await maker.registerGuest(event),
  ];
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
