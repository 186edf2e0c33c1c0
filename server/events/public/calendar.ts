import { createEvent, createEvents, type EventAttributes } from "ics";
import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import type { EventRow, RegistrationRow } from "#server/events/registrations/seats.ts";
import { readSenderAddress } from "#server/mails/mailServer.ts";
import { readSettings } from "#server/settings/service.ts";

type WithConfig = Pick<Services, "config">;
type Guest = Pick<RegistrationRow, "id" | "name" | "email" | "attendance">;

/** The feed contains events that ended at most this many days ago, and at most this many of them. */
const FEED_PAST_DAYS = 30;
const FEED_LIMIT = 1000;

/** URLs that the `ics` library accepts; others, such as an IPv6 host, appear in the description only. */
const PLAIN_ADDRESS = /^https?:\/\/[a-z0-9.-]+(:\d{2,5})?\//i;

/** Year to minute in UTC: the library would read a plain date in the time zone of the server. */
const utc = (instant: string): [number, number, number, number, number] => {
  const date = new Date(instant);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
};
const hostOf = ({ config }: WithConfig) => new URL(config.publicUrl).hostname;
/** Removes quotes and separators, which have a meaning in calendar parameters (RFC 5545, section 3.2). */
const plainName = (name: string) =>
  name
    .replace(/[",;:\\\p{Cc}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

function locationOf(event: EventRow, attendance?: Guest["attendance"]) {
  const { name, street, postalCode, city, country } = event.venue;
  const address = [name, street, [postalCode, city].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
  if (event.attendanceMode === "online" || attendance === "online") return "Online";
  return event.attendanceMode === "hybrid" && !attendance ? `${address} or online` : address;
}

/**
 * The calendar entry. It must not contain the link to a registration, a ticket or the joining link, because calendars
 * are shared.
 */
function calendarEntryOf(ctx: WithConfig, event: EventRow): EventAttributes {
  const address = `${ctx.config.publicUrl}/events/${event.slug}`;
  return {
    uid: `event-${event.id}@${hostOf(ctx)}`,
    productId: "lyceum/events",
    sequence: event.icsSequence,
    start: utc(event.startsAt),
    end: utc(event.endsAt),
    startInputType: "utc",
    startOutputType: "utc",
    endInputType: "utc",
    endOutputType: "utc",
    created: utc(event.createdAt),
    lastModified: utc(event.updatedAt),
    title: event.title,
    description: [event.summary, address].filter(Boolean).join("\n\n"),
    location: locationOf(event),
    ...(PLAIN_ADDRESS.test(address) && { url: address }),
    status: event.cancelledAt ? "CANCELLED" : "CONFIRMED",
    busyStatus: event.cancelledAt ? "FREE" : "BUSY",
    ...(event.category && { categories: [event.category] }),
  };
}

function calendarText({ error, value }: ReturnType<typeof createEvent>) {
  if (error || !value) throw error ?? new Error("The calendar library returned nothing");
  return value;
}

/** The calendar file of an event, for everyone who may see it. */
export const eventCalendar = (ctx: WithConfig, event: EventRow) =>
  calendarText(createEvent({ ...calendarEntryOf(ctx, event), method: "PUBLISH" }));

/**
 * The calendar entry of one guest, attached to emails. Its UID never changes, so that a later entry moves or removes
 * it.
 */
export async function guestCalendar(
  ctx: WithConfig & Pick<Services, "db">,
  event: EventRow,
  guest: Guest,
  method: "REQUEST" | "CANCEL",
) {
  const sender = await readSenderAddress(ctx);
  return calendarText(
    createEvent({
      ...calendarEntryOf(ctx, event),
      method,
      uid: `reg-${guest.id}@${hostOf(ctx)}`,
      location: locationOf(event, guest.attendance),
      // A cancellation needs a higher sequence number even if the event has not changed (RFC 5546).
      sequence: event.icsSequence + (method === "CANCEL" ? 1 : 0),
      status: method === "CANCEL" ? "CANCELLED" : "CONFIRMED",
      organizer: { name: plainName(event.organiserName || "Events"), email: event.organiserEmail || sender },
      attendees: [
        {
          name: plainName(guest.name) || guest.email,
          email: guest.email,
          rsvp: false,
          role: "REQ-PARTICIPANT",
          partstat: method === "CANCEL" ? "DECLINED" : "ACCEPTED",
        },
      ],
    }),
  );
}

/** A calendar feed of all public events, named after the academy. */
export async function calendarFeed(ctx: WithConfig & { db: Db }) {
  const rows = await ctx.db
    .selectFrom("events")
    .where("status", "in", ["published", "cancelled"])
    .where("visibility", "=", "public")
    .where("endsAt", ">", new Date(Date.now() - FEED_PAST_DAYS * 86_400_000).toISOString())
    .selectAll()
    .orderBy("startsAt")
    .orderBy("id")
    .limit(FEED_LIMIT)
    .execute();
  const { academyName } = await readSettings(ctx.db);
  const name = plainName(academyName);
  if (rows.length === 0)
    return [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:lyceum/events",
      "METHOD:PUBLISH",
      `X-WR-CALNAME:${name}`,
      "END:VCALENDAR",
      "",
    ].join("\r\n");
  return calendarText(
    createEvents(
      rows.map((event) => calendarEntryOf(ctx, event)),
      { productId: "lyceum/events", method: "PUBLISH", calName: name },
    ),
  );
}
