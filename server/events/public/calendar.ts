import { createEvent, createEvents, type EventAttributes } from "ics";
import type { Db } from "#server/core/db.ts";
import type { Services } from "#server/core/services.ts";
import type { EventRow, RegistrationRow } from "#server/events/registrations/seats.ts";
import { venueOf } from "#server/events/views.ts";

type Origin = Pick<Services, "config">;
type Guest = Pick<RegistrationRow, "id" | "name" | "email" | "attendance">;

/** Events of the feed: what ended up to so many days ago, and at most so many. */
const FEED_PAST_DAYS = 30;
const FEED_LIMIT = 1000;

/** Addresses that the library takes; others (a host in brackets) stand in the description only. */
const PLAIN_ADDRESS = /^https?:\/\/[a-z0-9.-]+(:\d{2,5})?\//i;

/** Year to minute in UTC: the library reads plain dates in the zone of the server. */
const utc = (instant: string): [number, number, number, number, number] => {
  const date = new Date(instant);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
};
const hostOf = ({ config }: Origin) => new URL(config.publicUrl).hostname;
/** Names stand in parameters of a calendar line, where quotes and separators mean something. */
const plainName = (name: string) =>
  name
    .replace(/[",;:\\\p{Cc}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

function placeOf(event: EventRow, attendance?: Guest["attendance"]) {
  const { name, street, postalCode, city, country } = venueOf(event);
  const room = [name, street, [postalCode, city].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
  if (event.attendanceMode === "online" || attendance === "online") return "Online";
  return event.attendanceMode === "hybrid" && !attendance ? `${room} or online` : room;
}

/** What stands in a calendar: never the link to a registration, a ticket or the online room, because calendars are shared. */
function entryOf(ctx: Origin, event: EventRow): EventAttributes {
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
    location: placeOf(event),
    ...(PLAIN_ADDRESS.test(address) && { url: address }),
    status: event.cancelledAt ? "CANCELLED" : "CONFIRMED",
    busyStatus: event.cancelledAt ? "FREE" : "BUSY",
    ...(event.category && { categories: [event.category] }),
  };
}

function written({ error, value }: ReturnType<typeof createEvent>) {
  if (error || !value) throw error ?? new Error("an empty calendar");
  return value;
}

/** The entry of an event, for everybody who may see it. */
export const eventCalendar = (ctx: Origin, event: EventRow) =>
  written(createEvent({ ...entryOf(ctx, event), method: "PUBLISH" }));

/** The entry of one guest, as it goes with a mail: the same UID for ever, so that a later one moves or removes it. */
export function guestCalendar(ctx: Origin, event: EventRow, guest: Guest, method: "REQUEST" | "CANCEL") {
  const sender = /<([^>]+)>/.exec(ctx.config.mailFrom)?.[1] ?? ctx.config.mailFrom;
  return written(
    createEvent({
      ...entryOf(ctx, event),
      method,
      uid: `reg-${guest.id}@${hostOf(ctx)}`,
      location: placeOf(event, guest.attendance),
      // A place that was given up is the next version of the entry, also when the event did not change.
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

/** Public events as one calendar to subscribe to. */
export async function calendarFeed(ctx: Origin & { db: Db }) {
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
  if (rows.length === 0)
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:lyceum/events\r\nMETHOD:PUBLISH\r\nX-WR-CALNAME:Events\r\nEND:VCALENDAR\r\n";
  return written(
    createEvents(
      rows.map((event) => entryOf(ctx, event)),
      { productId: "lyceum/events", method: "PUBLISH", calName: "Events" },
    ),
  );
}
