import { sql } from "kysely";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { type Actor, record } from "#server/events/registrations/registrationLog.ts";
import { enqueueEventMail } from "#server/events/mails.ts";
import {
  type EventRow,
  isOnlineSeat,
  lockEvent,
  type RegistrationRow,
  releaseSeat,
  seatsOf,
  attendancesSharingSeats,
  takeSeats,
} from "#server/events/registrations/seats.ts";
import { timeText } from "#server/events/eventTimes.ts";

/** When automatic offers end, in ms since 1970: when registration closes, at the latest at the start. */
const offersEndAt = (event: EventRow) =>
  Math.min(Date.parse(event.startsAt), Date.parse(event.registrationClosesAt ?? event.startsAt));
const isTakingPlace = (event: EventRow) => event.status === "published" && event.cancelledAt === null;
/** Whether free seats are offered to the waiting list automatically at `now`. */
const canOfferSeats = (event: EventRow, now: number) =>
  isTakingPlace(event) &&
  event.waitlistMode === "auto_offer" &&
  event.registrationMode !== "closed" &&
  now < offersEndAt(event);

/** The last transaction in the queue of each event. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` in a transaction with the current event, serialised with everything else that changes its seats. Callers
 * queue in this process, in order and without a database connection, so that a rush for one event does not exhaust the
 * pool. Between several servers, the database lock decides.
 */
export async function withLockedEvent<T>(
  db: Db,
  eventId: string,
  work: (tx: Tx, event: EventRow) => Promise<T>,
): Promise<T> {
  const result = (queues.get(eventId) ?? Promise.resolve()).then(() =>
    inTransaction(db, async (tx) => {
      await lockEvent(tx, eventId);
      return work(
        tx,
        await tx.selectFrom("events").where("id", "=", eventId).selectAll().executeTakeFirstOrThrow(notFound),
      );
    }),
  );
  const settled = result.catch(() => {});
  queues.set(eventId, settled);
  try {
    return await result;
  } finally {
    if (queues.get(eventId) === settled) queues.delete(eventId);
  }
}

/** Offers free seats to those who wait longest. The caller holds the event lock. Returns the number of offers. */
export async function offerFreeSeats(services: Services, tx: Tx, eventId: string): Promise<number> {
  const event = await tx.selectFrom("events").where("id", "=", eventId).selectAll().executeTakeFirstOrThrow();
  if (!canOfferSeats(event, Date.now())) return 0;
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
      .where("attendance", "in", attendancesSharingSeats(event, attendance))
      .orderBy("queueNumber")
      .limit(free)
      .selectAll()
      .execute();
    if (next.length > 0 && (await takeSeats(tx, event, attendance, { count: next.length })))
      offered += await offerSeatsTo(services, tx, event, next, "system");
  }
  return offered;
}

/** Offers seats to these people and emails them. The caller has already taken the seats. */
export async function offerSeatsTo(services: Services, tx: Tx, event: EventRow, people: RegistrationRow[], by: Actor) {
  const now = Date.now();
  // Offers made by an organiser after registration has closed are valid until the start.
  const end = now < offersEndAt(event) ? offersEndAt(event) : Date.parse(event.startsAt);
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
    await enqueueEventMail(services, tx, "offered", event, registration);
  return changed.length;
}

/**
 * Expires offers that were not accepted in time and offers the seats to the next people. Returns the number of expired
 * offers.
 */
export const expireOffers = (services: Services, eventId: string) =>
  withLockedEvent(services.db, eventId, async (tx, event) => {
    const expired = await tx
      .updateTable("eventRegistrations")
      .set((e) => ({ state: "offer_expired", updatedAt: new Date().toISOString(), version: e("version", "+", 1) }))
      .where("eventId", "=", eventId)
      .where("state", "=", "offered")
      .where("offerExpiresAt", "<=", sql<string>`clock_timestamp()`)
      .returningAll()
      .execute();
    for (const registration of expired) {
      await releaseSeat(tx, event, registration.attendance);
      if (isTakingPlace(event) && Date.parse(event.startsAt) > Date.now())
        await enqueueEventMail(services, tx, "offerExpired", event, registration);
    }
    await record(
      tx,
      expired.map(({ id }) => id),
      "offer_expired",
      "system",
    );
    await offerFreeSeats(services, tx, eventId);
    return expired.length;
  });

/** Position on the waiting list, from 1, among those who wait for the same seats; null unless waitlisted. */
export async function waitlistPositionOf(db: Db, event: EventRow, registration: RegistrationRow) {
  if (registration.state !== "waitlisted") return null;
  const { n } = await db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", event.id)
    .where("state", "=", "waitlisted")
    .where("attendance", "in", attendancesSharingSeats(event, registration.attendance))
    .where("queueNumber", "<", registration.queueNumber)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n + 1;
}

/** Position on the waiting list, why no seat is free, and who decides, as sentences. Empty unless waitlisted. */
export async function waitlistReasonOf(db: Db, event: EventRow, registration: RegistrationRow): Promise<string> {
  const position = await waitlistPositionOf(db, event, registration);
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
    .where("attendance", "in", attendancesSharingSeats(event, registration.attendance))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  // The page shows the first sentence as a heading (web/events/registration/SelfServiceNext.tsx).
  const positionText = `You are number ${position} of ${waiting} on the waiting list.`;
  if (!isTakingPlace(event)) return `${positionText} The event will not take place.`;
  if (Date.now() >= Date.parse(event.startsAt))
    return `${positionText} The event has started; no more seats are offered.`;
  if (Date.now() >= offersEndAt(event))
    return (
      `${positionText} Registration closed on ${timeText(event.registrationClosesAt as string, event.timezone)}; ` +
      "the organiser assigns seats that become free."
    );
  const seatsText = fullText(capacity, taken, online ? "online seats" : "seats");
  return [positionText, seatsText, offersText(offers), ruleText(event)].filter(Boolean).join(" ");
}

function fullText(capacity: number | null, taken: number, seatNoun: string) {
  if (capacity === null || taken < capacity) return "";
  if (taken > capacity) {
    const excess = taken - capacity;
    return (
      `More ${seatNoun} are taken than available, so ${excess} ${excess === 1 ? "has" : "have"} ` +
      "to be given up before one becomes free."
    );
  }
  return capacity === 1 ? "The only seat is taken." : `All ${capacity} ${seatNoun} are taken.`;
}

function offersText(offers: number) {
  if (offers === 0) return "";
  const seats = offers === 1 ? "One seat is" : `${offers} seats are`;
  return `${seats} offered to people ahead of you who have not replied yet.`;
}

function ruleText(event: EventRow) {
  if (event.waitlistMode === "manual") return "The organiser chooses who is offered a seat that becomes free.";
  return (
    "When one becomes free, it is offered to the first person on the list, " +
    `who has ${durationText(event.offerMinutes)} to accept it, and then to the next person. ` +
    "We email you when it is your turn."
  );
}

const durationText = (minutes: number) =>
  minutes % 60 === 0 ? `${minutes / 60} ${minutes === 60 ? "hour" : "hours"}` : `${minutes} minutes`;
