import { hasMailServer } from "#server/mails/mailServer.ts";
import type { Selectable } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Events } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { type EventRow, seatsOf, waitingOf } from "#server/events/registrations/seats.ts";
import { manageTokenOf } from "#server/events/checkin/tickets.ts";
import { waitlistPositionOf } from "#server/events/registrations/offers.ts";
import { findPublicChatbot } from "#server/events/eventChatbot.ts";
import { ambiguityNotesOf } from "#server/events/eventTimes.ts";
import { grantOf } from "#server/events/public/visibility.ts";
import {
  ACTIVE_STATES,
  eventPhase,
  freeSeats,
  type RegistrationState,
  type Seats,
} from "#shared/events/eventPhases.ts";
import type { AdminEvent, PublicEvent, PublicEventRow } from "#shared/events/eventViews.ts";
import { managePath } from "#shared/events/eventRegistrations.ts";
import { eventCalendarPath } from "#shared/events/events.ts";
import type { User } from "#shared/core/users.ts";

type WithSecret = { config: { secret: string } };
/** The columns of an event that lists need; leaves out the large ones. */
export const LIST_COLUMNS = [
  "id",
  "slug",
  "status",
  "title",
  "summary",
  "category",
  "language",
  "cover",
  "timezone",
  "startsAt",
  "endsAt",
  "attendanceMode",
  "venue",
  "visibility",
  "registrationMode",
  "registrationOpensAt",
  "registrationClosesAt",
  "capacity",
  "capacityOnline",
  "seatsTaken",
  "seatsTakenOnline",
  "waitlistEnabled",
  "cancelledAt",
  "version",
] as const;
export type ListedEvent = Pick<EventRow, (typeof LIST_COLUMNS)[number]>;
/** The largest number of free seats that visitors see. */
const FEW_SEATS = 10;

const withGrant = (ctx: WithSecret, event: ListedEvent, path: string) => {
  const grant = grantOf(ctx, event);
  return grant ? `${path}?grant=${grant}` : path;
};
export const coverUrlOf = (ctx: WithSecret, event: ListedEvent) =>
  event.cover ? withGrant(ctx, event, `/api/events/${event.slug}/cover`) : null;
const photoUrlOf = (ctx: WithSecret, event: ListedEvent, speakerId: string) =>
  withGrant(ctx, event, `/api/events/${event.slug}/photos/${speakerId}`);
export const calendarUrlOf = (ctx: WithSecret, event: ListedEvent) =>
  withGrant(ctx, event, eventCalendarPath(event.slug));

/** An event in a public list. */
export function publicRow(ctx: WithSecret, event: ListedEvent, seats: Seats, now = new Date()): PublicEventRow {
  const { id, slug, title, summary, category, language, timezone, startsAt, endsAt, attendanceMode, registrationMode } =
    event;
  const { name, city, country } = event.venue;
  const phase = eventPhase(event, seats, now);
  return {
    id,
    slug,
    title,
    summary,
    category,
    language,
    timezone,
    startsAt,
    endsAt,
    attendanceMode,
    registrationMode,
    coverUrl: coverUrlOf(ctx, event),
    venue: { name, city, country },
    phase,
    seatsLeft: phase === "open" ? seatsIfFew(freeSeats(event, seats, "in_person")) : null,
  };
}
const seatsIfFew = (free: number | null) => (free !== null && free <= FEW_SEATS ? Math.max(free, 0) : null);

/** The active registration of a user, looked up by account, never by email address. */
async function findOwnRegistration(ctx: Ctx, event: EventRow, user: User) {
  const registration = await ctx.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .where("userId", "=", user.id)
    .where("state", "in", ACTIVE_STATES)
    .selectAll()
    .executeTakeFirst();
  if (!registration) return null;
  return {
    reference: registration.reference,
    state: registration.state,
    waitlistPosition: await waitlistPositionOf(ctx.db, event, registration),
    path: managePath(manageTokenOf(ctx, registration.id)),
  };
}

/** What a visitor sees of an event. */
export async function publicView(ctx: Ctx, event: EventRow): Promise<PublicEvent> {
  const seats = await seatsOf(ctx.db, event);
  const row = publicRow(ctx, event, seats);
  const {
    description,
    questionVersion,
    externalUrl,
    registrationOpensAt,
    registrationClosesAt,
    waitlistEnabled,
    requireEmailConfirmation,
    challenge,
    privacyNotice,
    organiserName,
    organiserKind,
    organiserEmail,
    cancelReason,
    indexable,
    retentionDays,
  } = event;
  return {
    ...row,
    venue: event.venue,
    agenda: event.agenda,
    questions: event.questions,
    calendarUrl: calendarUrlOf(ctx, event),
    sendsMail: await hasMailServer(ctx),
    myRegistration: ctx.user && (await findOwnRegistration(ctx, event, ctx.user)),
    speakers: event.speakers.map(({ photo, ...speaker }) => ({
      ...speaker,
      photoUrl: photo ? photoUrlOf(ctx, event, speaker.id) : null,
    })),
    seatsLeftOnline:
      row.phase === "open" && event.attendanceMode === "hybrid" ? seatsIfFew(freeSeats(event, seats, "online")) : null,
    description,
    questionVersion,
    externalUrl,
    registrationOpensAt,
    registrationClosesAt,
    waitlistEnabled,
    requireEmailConfirmation,
    challenge,
    privacyNotice,
    organiserName,
    organiserKind,
    organiserEmail,
    cancelReason,
    indexable,
    retentionDays,
    chatbotId: await findPublicChatbot(ctx.db, event.chatbotId),
  };
}

/** Events in a public list; people waiting are counted in one query. */
export async function publicRows(ctx: WithSecret & { db: Db }, events: ListedEvent[]) {
  const waiting = await waitingOf(ctx.db, events);
  return events.map((event) =>
    publicRow(ctx, event, {
      taken: event.seatsTaken,
      takenOnline: event.seatsTakenOnline,
      waiting: 0,
      waitingOnline: 0,
      ...waiting.get(event.id),
    }),
  );
}

type Counts = AdminEvent["counts"];
const NO_COUNTS = { confirmed: 0, waitlisted: 0, offered: 0, pending: 0, cancelled: 0, attended: 0 };
const countedAs: Partial<Record<RegistrationState, keyof typeof NO_COUNTS>> = {
  confirmed: "confirmed",
  waitlisted: "waitlisted",
  offered: "offered",
  pending_email: "pending",
  pending_approval: "pending",
  cancelled: "cancelled",
};

/** Numbers of registrations by event id. */
export async function countsOf(
  db: Db,
  events: Pick<Selectable<Events>, "id" | "seatsTaken" | "seatsTakenOnline">[],
): Promise<Map<string, Counts>> {
  const countsById = new Map(
    events.map(({ id, seatsTaken, seatsTakenOnline }) => [id, { ...NO_COUNTS, seatsTaken, seatsTakenOnline }]),
  );
  if (events.length === 0) return countsById;
  const rows = await db
    .selectFrom("eventRegistrations")
    .where("eventId", "in", [...countsById.keys()])
    .groupBy(["eventId", "state"])
    .select([
      "eventId",
      "state",
      (e) => e.fn.countAll<number>().as("n"),
      (e) => e.fn.count<number>("attendedAt").as("attended"),
    ])
    .execute();
  for (const { eventId, state, n, attended } of rows) {
    const counts = countsById.get(eventId) as Counts;
    const kind = countedAs[state];
    if (kind) counts[kind] += n;
    counts.attended += attended;
  }
  return countsById;
}

/** Events in an admin list. */
export async function adminRows(ctx: WithSecret & { db: Db }, events: ListedEvent[]) {
  const [counts, waiting] = await Promise.all([countsOf(ctx.db, events), waitingOf(ctx.db, events)]);
  return events.map((event) => ({
    ...event,
    coverUrl: coverUrlOf(ctx, event),
    counts: counts.get(event.id) as Counts,
    phase: eventPhase(
      event,
      {
        taken: event.seatsTaken,
        takenOnline: event.seatsTakenOnline,
        waiting: 0,
        waitingOnline: 0,
        ...waiting.get(event.id),
      },
      new Date(),
    ),
  }));
}

/** One event with all details for its organiser. */
export async function adminView(ctx: Ctx<User>, event: EventRow): Promise<AdminEvent> {
  const [row] = await adminRows(ctx, [event]);
  const { timezone } = event;
  return {
    ...event,
    ...(row as NonNullable<typeof row>),
    photoUrls: Object.fromEntries(
      event.speakers.filter(({ photo }) => photo).map(({ id }) => [id, photoUrlOf(ctx, event, id)]),
    ),
    hasCode: event.accessCodeHash !== null,
    timeNotes: [
      ...ambiguityNotesOf(event.startsLocal, timezone, "startsLocal"),
      ...ambiguityNotesOf(event.endsLocal, timezone, "endsLocal"),
      ...ambiguityNotesOf(event.registrationOpensLocal, timezone, "registrationOpensLocal"),
      ...ambiguityNotesOf(event.registrationClosesLocal, timezone, "registrationClosesLocal"),
    ],
  };
}
