import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { followUp } from "#server/events/organiser/followUps.ts";
import { expireOffers } from "#server/events/registrations/offers.ts";
import { purgeAnswers, purgeUnconfirmed, purgeRegistrations } from "#server/events/registrations/purge.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { notifyGuests, enqueueToAll } from "#server/events/notifyGuests.ts";
import { recomputeEventTimes } from "#server/events/timeZoneUpdates.ts";

const HOUR = 3_600_000;
/** A thank-you is not sent later than this after the end. */
const THANKS_DAYS = 3;

/**
 * Every minute: offers whose time is over go to the next, seats that are free are offered, mailboxes that were not confirmed in
 * time are forgotten.
 */
export const processWaitlists = job(
  "events:queues",
  z.object({}),
  async (services) => {
    const { rows } = await sql<{ id: string }>`
    select distinct event_id as id from event_registrations where state = 'offered' and offer_expires_at <= now()
    union select id from events e where status = 'published' and waitlist_mode = 'auto_offer' and starts_at > now()
      and (capacity is null or seats_taken < capacity or (attendance_mode = 'hybrid' and (capacity_online is null or seats_taken_online < capacity_online)))
      and exists (select from event_registrations r where r.event_id = e.id and state = 'waitlisted')`.execute(
      services.db,
    );
    for (const { id } of rows) await expireOffers(services, id);
    await purgeUnconfirmed(services);
  },
  "* * * * *",
);

/** Every ten minutes: registrations find the accounts whose mailbox was proven, and attendees the course that follows. */
export const findAccounts = job(
  "events:accounts",
  z.object({}),
  async (services) => {
    await followUp(services);
  },
  "*/10 * * * *",
);

/** Every minute: reminders a day and an hour before, thanks after the end; to each person once, however often it runs. */
export const remindGuests = job(
  "events:remind",
  z.object({}),
  async (services) => {
    const events = await services.db
      .selectFrom("events")
      .where("status", "=", "published")
      .where("reminders", "=", true)
      .where("startsAt", "<", sql<string>`now() + interval '24 hours'`)
      .where("endsAt", ">", sql<string>`now() - make_interval(days => ${THANKS_DAYS})`)
      .selectAll()
      .execute();
    for (const event of events) await remind(services, event, Date.now());
  },
  "* * * * *",
);

/** Whoever got a place later than the reminder is due has just had a letter and needs none. */
async function remind(services: Services, event: EventRow, now: number) {
  const [start, end] = [Date.parse(event.startsAt), Date.parse(event.endsAt)];
  const due = (hours: number) =>
    enqueueToAll(
      services,
      event,
      `reminder ${hours} ${event.startsAt}`,
      "reminder",
      (rows) =>
        rows.where("state", "=", "confirmed").where("confirmedAt", "<=", new Date(start - hours * HOUR).toISOString()),
      { hours },
    );
  if (now < start - HOUR) return due(24);
  if (now < start) return due(1);
  if (now < end) return 0;
  // Without any check-in nobody knows who was there: then everybody who had a place is thanked.
  const { n } = await services.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .select((e) => e.fn.count<number>("attendedAt").as("n"))
    .executeTakeFirstOrThrow();
  return enqueueToAll(services, event, `thanks ${event.endsAt}`, "thanks", (rows) =>
    n > 0 ? rows.where("attendedAt", "is not", null) : rows.where("state", "=", "confirmed"),
  );
}

/** Every hour: people are forgotten after the days that the event promised, single answers sooner when their question says so. */
export const purgeGuests = job(
  "events:purge",
  z.object({}),
  async (services) => {
    const [people, answers] = [await purgeRegistrations(services), await purgeAnswers(services)];
    if (people + answers > 0) services.log.info({ people, answers }, "guests of events were forgotten");
  },
  "41 * * * *",
);

export const eventJobs = [processWaitlists, findAccounts, remindGuests, purgeGuests, notifyGuests, recomputeEventTimes];
