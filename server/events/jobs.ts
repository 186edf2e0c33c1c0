import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { followUpGuests } from "#server/events/organiser/followUps.ts";
import { expireOffers } from "#server/events/registrations/offers.ts";
import { purgeAnswers, purgeUnconfirmed, purgeRegistrations } from "#server/events/registrations/purge.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { notifyGuests, enqueueMailToAll } from "#server/events/guestMails.ts";
import { recomputeEventTimes } from "#server/events/timeZoneUpdates.ts";

const HOUR = 3_600_000;
/** The most days after the end at which thank-you emails are sent. */
const THANKS_DAYS = 3;

/**
 * Every minute: expires offers, offers free seats to the waiting list, and deletes registrations whose email was not
 * confirmed in time.
 */
export const processWaitlists = job(
  "events:queues",
  z.object({}),
  async (services) => {
    const { rows } = await sql<{ id: string }>`
      with expired_offers as (
        select distinct event_id as id
        from event_registrations
        where state = 'offered'
          and offer_expires_at <= now()
      ),
      free_seats as (
        select id
        from events
        where status = 'published'
          and waitlist_mode = 'auto_offer'
          and starts_at > now()
          and (
            capacity is null
            or seats_taken < capacity
            or (attendance_mode = 'hybrid' and (capacity_online is null or seats_taken_online < capacity_online))
          )
          and exists (
            select from event_registrations registrations
            where registrations.event_id = events.id
              and registrations.state = 'waitlisted'
          )
      )
      select id from expired_offers
      union
      select id from free_seats`.execute(services.db);
    for (const { id } of rows) await expireOffers(services, id);
    await purgeUnconfirmed(services);
  },
  "* * * * *",
);

/**
 * Every ten minutes: links registrations to accounts with a verified email, and enrols attendees in the follow-up
 * course.
 */
export const linkAccounts = job(
  "events:accounts",
  z.object({}),
  async (services) => {
    await followUpGuests(services);
  },
  "*/10 * * * *",
);

/** Every minute: reminders one day and one hour before the start, thanks after the end; one email per person. */
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

/**
 * Queues the email that is due at `now`. Guests who were confirmed after a reminder was due are left out, because they
 * have just received an email.
 */
async function remind(services: Services, event: EventRow, now: number) {
  const [start, end] = [Date.parse(event.startsAt), Date.parse(event.endsAt)];
  const sendReminder = (hours: number) =>
    enqueueMailToAll(
      services,
      event,
      `reminder ${hours} ${event.startsAt}`,
      "reminder",
      (rows) =>
        rows.where("state", "=", "confirmed").where("confirmedAt", "<=", new Date(start - hours * HOUR).toISOString()),
      { hours },
    );
  if (now < start - HOUR) return sendReminder(24);
  if (now < start) return sendReminder(1);
  if (now < end) return 0;
  // Without any check-in, attendance is unknown: thank everyone who had a seat.
  const { attended } = await services.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .select((e) => e.fn.count<number>("attendedAt").as("attended"))
    .executeTakeFirstOrThrow();
  return enqueueMailToAll(services, event, `thanks ${event.endsAt}`, "thanks", (rows) =>
    attended > 0 ? rows.where("attendedAt", "is not", null) : rows.where("state", "=", "confirmed"),
  );
}

/**
 * Every hour: deletes personal data once the retention period of the event is over, and answers whose question has a
 * shorter one.
 */
export const purgeGuests = job(
  "events:purge",
  z.object({}),
  async (services) => {
    const [people, answers] = [await purgeRegistrations(services), await purgeAnswers(services)];
    if (people + answers > 0) services.log.info({ people, answers }, "guest data purged");
  },
  "41 * * * *",
);

export const eventJobs = [processWaitlists, linkAccounts, remindGuests, purgeGuests, notifyGuests, recomputeEventTimes];
