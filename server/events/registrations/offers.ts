import { sql } from "kysely";
import { type Db, inTransaction, type Tx } from "#server/core/db.ts";
import { notFound } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { type Actor, record } from "#server/events/registrations/registrationLog.ts";
import { renderEventMail } from "#server/events/mails.ts";
import {
  type EventRow,
  isOnlineSeat,
  lockEvent,
  type RegistrationRow,
  releaseSeat,
  seatsOf,
  sharing,
  takeSeats,
} from "#server/events/registrations/seats.ts";
import { timeText } from "#server/events/eventTimes.ts";

/** Until when seats are offered without anybody's doing: the close of registration, at the latest the start. */
const offersEnd = (event: EventRow) =>
  Math.min(Date.parse(event.startsAt), Date.parse(event.registrationClosesAt ?? event.startsAt));
const takesPlace = (event: EventRow) => event.status === "published" && event.cancelledAt === null;
/** Whether free seats go to the waiting list by themselves at `now`. */
const mayOffer = (event: EventRow, now: number) =>
  takesPlace(event) &&
  event.waitlistMode === "auto_offer" &&
  event.registrationMode !== "closed" &&
  now < offersEnd(event);

const lines = new Map<string, Promise<unknown>>();

/**
 * Runs `work` in a transaction with the event as it is then, and everything that changes its seats held back until it is over.
 * Whoever has to wait waits here, in order and without a connection to the database: a rush for one event takes nothing from others.
 * Between several servers the lock of the database decides.
 */
export async function withEvent<T>(db: Db, eventId: string, work: (tx: Tx, event: EventRow) => Promise<T>): Promise<T> {
  const turn = (lines.get(eventId) ?? Promise.resolve()).then(() =>
    inTransaction(db, async (tx) => {
      await lockEvent(tx, eventId);
      return work(
        tx,
        await tx.selectFrom("events").where("id", "=", eventId).selectAll().executeTakeFirstOrThrow(notFound),
      );
    }),
  );
  const done = turn.catch(() => {});
  lines.set(eventId, done);
  try {
    return await turn;
  } finally {
    if (lines.get(eventId) === done) lines.delete(eventId);
  }
}

/** Offers free seats to those who have waited longest. The caller holds the event's lock. Returns how many were offered. */
export async function offerFreeSeats(services: Services, tx: Tx, eventId: string): Promise<number> {
  const event = await tx.selectFrom("events").where("id", "=", eventId).selectAll().executeTakeFirstOrThrow();
  if (!mayOffer(event, Date.now())) return 0;
  let offered = 0;
  for (const attendance of event.attendanceMode === "hybrid"
    ? (["in_person", "online"] as const)
    : (["in_person"] as const)) {
    const [capacity, taken] = isOnlineSeat(event, attendance)
      ? [event.capacityOnline, event.seatsTakenOnline]
      : [event.capacity, event.seatsTaken];
    const free = capacity === null ? 10_000 : capacity - taken;
    if (free <= 0) continue;
    const next = await tx
      .selectFrom("eventRegistrations")
      .where("eventId", "=", eventId)
      .where("state", "=", "waitlisted")
      .where("attendance", "in", sharing(event, attendance))
      .orderBy("queueNumber")
      .limit(free)
      .selectAll()
      .execute();
    if (next.length > 0 && (await takeSeats(tx, event, attendance, { count: next.length })))
      offered += await offerTo(services, tx, event, next, "system");
  }
  return offered;
}

/** Makes offers to these people, whose seats are taken already, and writes to them. */
export async function offerTo(services: Services, tx: Tx, event: EventRow, people: RegistrationRow[], by: Actor) {
  const now = Date.now();
  // What an organiser offers after the close is theirs to take until the start.
  const end = now < offersEnd(event) ? offersEnd(event) : Date.parse(event.startsAt);
  const until = new Date(Math.min(now + event.offerMinutes * 60_000, end)).toISOString();
  const changed = await tx
    .updateTable("eventRegistrations")
    .set((e) => ({
      state: "offered",
      offeredAt: new Date(now).toISOString(),
      offerExpiresAt: until,
      updatedAt: new Date(now).toISOString(),
      version: e("version", "+", 1),
    }))
    .where(
      "id",
      "in",
      people.map(({ id }) => id),
    )
    .where("state", "=", "waitlisted")
    .returningAll()
    .execute();
  await record(
    tx,
    changed.map(({ id }) => id),
    "offered",
    by,
  );
  for (const registration of changed.toSorted((a, b) => a.queueNumber - b.queueNumber))
    await renderEventMail(services, tx, "offered", event, registration);
  return changed.length;
}

/** Offers whose time is over go to the next; the person stays off the list and may register again. Returns how many expired. */
export const expireOffers = (services: Services, eventId: string) =>
  withEvent(services.db, eventId, async (tx, event) => {
    const late = await tx
      .updateTable("eventRegistrations")
      .set((e) => ({ state: "offer_expired", updatedAt: new Date().toISOString(), version: e("version", "+", 1) }))
      .where("eventId", "=", eventId)
      .where("state", "=", "offered")
      .where("offerExpiresAt", "<=", sql<string>`clock_timestamp()`)
      .returningAll()
      .execute();
    for (const registration of late) {
      await releaseSeat(tx, event, registration.attendance);
      if (takesPlace(event) && Date.parse(event.startsAt) > Date.now())
        await renderEventMail(services, tx, "offerExpired", event, registration);
    }
    await record(
      tx,
      late.map(({ id }) => id),
      "offer_expired",
      "system",
    );
    await offerFreeSeats(services, tx, eventId);
    return late.length;
  });

/** The place in the waiting list: one more than those before with the same seats. */
export async function positionOf(db: Db | Tx, event: EventRow, registration: RegistrationRow) {
  if (registration.state !== "waitlisted") return null;
  const { n } = await db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .where("state", "=", "waitlisted")
    .where("attendance", "in", sharing(event, registration.attendance))
    .where("queueNumber", "<", registration.queueNumber)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n + 1;
}

/** Why somebody waits, in words: the place, what has to happen, and who decides. Empty for everybody else. */
export async function whyWaiting(db: Db | Tx, event: EventRow, registration: RegistrationRow): Promise<string> {
  const position = await positionOf(db, event, registration);
  if (position === null) return "";
  const online = isOnlineSeat(event, registration.attendance);
  const seats = await seatsOf(db, event);
  const [capacity, taken, waiting] = online
    ? [event.capacityOnline, seats.takenOnline, seats.waitingOnline]
    : [event.capacity, seats.taken, seats.waiting];
  const { n: offers } = await db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .where("state", "=", "offered")
    .where("attendance", "in", sharing(event, registration.attendance))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  const place = `You are number ${position} of ${waiting} on the waiting list.`;
  if (!takesPlace(event)) return `${place} The event does not take place.`;
  if (Date.now() >= Date.parse(event.startsAt)) return `${place} The event has started; no more seats are offered.`;
  if (Date.now() >= offersEnd(event))
    return `${place} Registration closed on ${timeText(event.registrationClosesAt as string, event.timezone)}; seats that get free now are given by the organiser.`;
  const kind = online ? "online seats" : "seats";
  const full =
    capacity === null
      ? ""
      : taken > capacity
        ? `There are ${taken - capacity} more places given than there are ${kind}, so that many have to be given back before one gets free.`
        : taken === capacity
          ? capacity === 1
            ? "The only seat is taken."
            : `All ${capacity} ${kind} are taken.`
          : "";
  const open =
    offers > 0
      ? `${offers === 1 ? "One seat is" : `${offers} seats are`} offered to others before you who have not answered yet.`
      : "";
  const rule =
    event.waitlistMode === "manual"
      ? "The organiser chooses who gets a seat that becomes free."
      : `When one gets free, it is offered to the first on the list, who has ${hours(event.offerMinutes)} to take it; then to the next. We write to you.`;
  return [place, full, open, rule].filter(Boolean).join(" ");
}
const hours = (minutes: number) =>
  minutes % 60 === 0 ? `${minutes / 60} ${minutes === 60 ? "hour" : "hours"}` : `${minutes} minutes`;
