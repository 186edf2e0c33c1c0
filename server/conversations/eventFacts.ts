import type { Db } from "#server/core/database/db.ts";

const FACTS_CHARS = 4000;

const selectOpenEvent = (db: Db, eventId: string) =>
  db
    .selectFrom("events")
    .where("id", "=", eventId)
    .where("status", "!=", "draft")
    .where("visibility", "in", ["public", "unlisted"]);

/** The event on whose page a conversation begins, if it is public and has this chatbot; otherwise null. */
export async function findEventOf(db: Db, eventId: string | null, chatbotId: string): Promise<string | null> {
  if (!eventId) return null;
  const event = await selectOpenEvent(db, eventId).where("chatbotId", "=", chatbotId).select("id").executeTakeFirst();
  return event?.id ?? null;
}

/** The facts on the page of an event: title, date, place, programme and contact. */
export async function readEventFacts(db: Db, eventId: string): Promise<[label: string, text: string][]> {
  const event = await selectOpenEvent(db, eventId)
    .select(["title", "summary", "description", "status", "startsAt", "endsAt", "timezone", "attendanceMode"])
    .select(["venue", "agenda", "organiserName", "organiserEmail"])
    .executeTakeFirst();
  if (!event) return [];
  const { venue, agenda, timezone } = event;
  const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: timezone });
  const place = [venue.name, venue.street, `${venue.postalCode} ${venue.city}`.trim(), venue.country];
  const facts: [string, string][] = [
    ["Event", event.status === "cancelled" ? `${event.title} (cancelled)` : event.title],
    ["Date", `${time.format(new Date(event.startsAt))} to ${time.format(new Date(event.endsAt))} (${timezone})`],
    ["Place", event.attendanceMode === "online" ? "Online" : place.filter(Boolean).join(", ")],
    ["Programme", agenda.map(({ startsAt, title }) => `${startsAt.slice(11)} ${title}`.trim()).join("; ")],
    ["About the event", `${event.summary}\n${event.description}`.trim()],
    ["Organiser", [event.organiserName, event.organiserEmail].filter(Boolean).join(", ")],
  ];
  return facts
    .filter(([, text]) => text !== "")
    .map(([label, text]): [string, string] => [label, text.slice(0, FACTS_CHARS)]);
}
