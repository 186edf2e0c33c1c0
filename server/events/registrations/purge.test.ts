import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { purgeGuests } from "#server/events/jobs.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db, services } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const guestCall = as(null);
const endEvent = (id: string, days = 0) =>
  db
    .updateTable("events")
    .set({
      startsAt: sql`now() - make_interval(days => ${days}, hours => 2)`,
      endsAt: sql`now() - make_interval(days => ${days}, mins => 1)`,
    })
    .where("id", "=", id)
    .execute();

test("deletes answers and personal data after their retention periods", async () => {
  const [shortLived, longLived] = [
    { id: randomUUID(), label: "Diet", kind: "line" as const, retentionDays: 5 },
    { id: randomUUID(), label: "Job", kind: "line" as const },
  ];
  const event = await maker.createPublished(admin, { questions: [shortLived, longLived], retentionDays: 30 });
  const guest = await maker.registerGuest(event, { answers: { [shortLived.id]: "vegan", [longLived.id]: "nurse" } });
  await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: {} });
  await endEvent(event.id, 6);
  await purgeGuests.work(services, {});
  expect((await guestCall(eventRegistrations.mine, { params: { token: guest.token } })).body.answers).toEqual({
    [longLived.id]: "nurse",
  });
  await endEvent(event.id, 31);
  await purgeGuests.work(services, {});
  await purgeGuests.work(services, {});
  const [row] = (await as(admin)(eventRegistrations.list, { params: { id: event.id } })).body.items;
  expect(row).toMatchObject({
    name: "",
    email: "",
    company: "",
    answers: {},
    userId: null,
    state: "confirmed",
    purgedAt: expect.any(String),
    attendedAt: expect.any(String),
  });
  expect([
    await maker.mailsTo(guest.email),
    (await guestCall(eventRegistrations.mine, { params: { token: guest.token } })).status,
  ]).toEqual([[], 404]);
  const { rows } = await services.pool.query<{ texts: string }>(`
    with stored as (
      select to_jsonb(event_registrations) as row from event_registrations
      union all
      select to_jsonb(event_registration_log) from event_registration_log
      union all
      select to_jsonb(mails) from mails
    )
    select string_agg(row::text, ' ') as texts
    from stored`);
  expect(rows[0]?.texts).not.toMatch(new RegExp(`${guest.email}|nurse|vegan`));
});
