import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { EventRegistrations, Events } from "#server/core/database/db.types.ts";
import type { RegistrationState, Seats } from "#shared/events/eventPhases.ts";

export type EventRow = Selectable<Events>;
export type RegistrationRow = Selectable<EventRegistrations>;
type Attendance = RegistrationRow["attendance"];

/** Serialises everything that takes or releases seats of an event, until the transaction ends. */
export const lockEvent = (tx: Tx, eventId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('event ' || ${eventId}::text, 0))`.execute(tx);

/** True for online attendance of a hybrid event, which has its own capacity. */
export const isOnlineSeat = (event: Pick<EventRow, "attendanceMode">, attendance: Attendance) =>
  event.attendanceMode === "hybrid" && attendance === "online";
/** The kinds of attendance that share seats with `attendance`. */
export const attendancesSharingSeats = (
  event: Pick<EventRow, "attendanceMode">,
  attendance: Attendance,
): Attendance[] => (event.attendanceMode === "hybrid" ? [attendance] : ["in_person", "online"]);

/** Takes `count` seats in one guarded statement; true if all of them were free. `overCapacity` ignores the capacity. */
export async function takeSeats(
  tx: Tx,
  event: EventRow,
  attendance: Attendance,
  { count = 1, overCapacity = false } = {},
): Promise<boolean> {
  const [taken, capacity] = isOnlineSeat(event, attendance)
    ? (["seatsTakenOnline", "capacityOnline"] as const)
    : (["seatsTaken", "capacity"] as const);
  const updated = await tx
    .updateTable("events")
    .set((e) => ({ [taken]: e(taken, "+", count) }))
    .where("id", "=", event.id)
    .where((e) =>
      overCapacity
        ? e.lit(true)
        : e.or([e(capacity, "is", null), sql<boolean>`${sql.ref(taken)} + ${count} <= ${sql.ref(capacity)}`]),
    )
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function releaseSeat(tx: Tx, event: EventRow, attendance: Attendance) {
  const taken = isOnlineSeat(event, attendance) ? "seatsTakenOnline" : "seatsTaken";
  await tx
    .updateTable("events")
    .set((e) => ({ [taken]: e(taken, "-", 1) }))
    .where("id", "=", event.id)
    .execute();
}

/** Number of people waiting, by event id. */
export async function waitingOf(
  db: Db,
  events: Pick<EventRow, "id" | "attendanceMode" | "waitlistEnabled">[],
): Promise<Map<string, Pick<Seats, "waiting" | "waitingOnline">>> {
  const withWaitlist = events.filter(({ waitlistEnabled }) => waitlistEnabled).map(({ id }) => id);
  const rows =
    withWaitlist.length === 0
      ? []
      : await db
          .selectFrom("eventRegistrations")
          .where("eventId", "in", withWaitlist)
          .where("state", "=", "waitlisted")
          .groupBy(["eventId", "attendance"])
          .select(["eventId", "attendance", (e) => e.fn.countAll<number>().as("n")])
          .execute();
  const waitingById = new Map(events.map(({ id }) => [id, { waiting: 0, waitingOnline: 0 }]));
  const eventsById = new Map(events.map((event) => [event.id, event]));
  for (const { eventId, attendance, n } of rows) {
    const waiting = waitingById.get(eventId) as { waiting: number; waitingOnline: number };
    waiting[isOnlineSeat(eventsById.get(eventId) as EventRow, attendance) ? "waitingOnline" : "waiting"] += n;
  }
  return waitingById;
}

/** Seats taken and people waiting, for `eventPhase`. */
export async function seatsOf(db: Db, event: EventRow): Promise<Seats> {
  const waiting = (await waitingOf(db, [event])).get(event.id);
  return {
    taken: event.seatsTaken,
    takenOnline: event.seatsTakenOnline,
    waiting: waiting?.waiting ?? 0,
    waitingOnline: waiting?.waitingOnline ?? 0,
  };
}

/** Whether a registration in this state occupies a seat. */
export const isSeated = (state: RegistrationState) => state === "confirmed" || state === "offered";
