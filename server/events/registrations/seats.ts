import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "#server/core/db.ts";
import type { EventRegistrations, Events } from "#server/core/db.types.ts";
import type { RegistrationState, Seats } from "#shared/eventStates.ts";

export type EventRow = Selectable<Events>;
export type RegistrationRow = Selectable<EventRegistrations>;
type Attendance = RegistrationRow["attendance"];

/** Everything that gives or takes a seat of one event happens one after the other; held until the transaction ends. */
export const lockEvent = (tx: Tx, eventId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('event ' || ${eventId}::text, 0))`.execute(tx);

/** True when this way to take part has seats of its own: online, in a hybrid event. */
export const isOnlineSeat = (event: Pick<EventRow, "attendanceMode">, attendance: Attendance) =>
  event.attendanceMode === "hybrid" && attendance === "online";
/** The ways that share the seats of `attendance`. */
export const sharing = (event: Pick<EventRow, "attendanceMode">, attendance: Attendance): Attendance[] =>
  event.attendanceMode === "hybrid" ? [attendance] : ["in_person", "online"];

/** Takes seats in one guarded statement: true when all `count` were free. `over` takes them whatever the capacity says. */
export async function takeSeats(
  tx: Tx,
  event: EventRow,
  attendance: Attendance,
  { count = 1, over = false } = {},
): Promise<boolean> {
  const [taken, capacity] = isOnlineSeat(event, attendance)
    ? (["seatsTakenOnline", "capacityOnline"] as const)
    : (["seatsTaken", "capacity"] as const);
  const done = await tx
    .updateTable("events")
    .set((e) => ({ [taken]: e(taken, "+", count) }))
    .where("id", "=", event.id)
    .where((e) =>
      over
        ? e.lit(true)
        : e.or([e(capacity, "is", null), sql<boolean>`${sql.ref(taken)} + ${count} <= ${sql.ref(capacity)}`]),
    )
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

export async function releaseSeat(tx: Tx, event: EventRow, attendance: Attendance) {
  const taken = isOnlineSeat(event, attendance) ? "seatsTakenOnline" : "seatsTaken";
  await tx
    .updateTable("events")
    .set((e) => ({ [taken]: e(taken, "-", 1) }))
    .where("id", "=", event.id)
    .execute();
}

/** People of the waiting list by event and way. */
export async function waitingOf(
  db: Db | Tx,
  events: Pick<EventRow, "id" | "attendanceMode" | "waitlistEnabled">[],
): Promise<Map<string, Pick<Seats, "waiting" | "waitingOnline">>> {
  const listed = events.filter(({ waitlistEnabled }) => waitlistEnabled).map(({ id }) => id);
  const rows =
    listed.length === 0
      ? []
      : await db
          .selectFrom("eventRegistrations")
          .where("eventId", "in", listed)
          .where("state", "=", "waitlisted")
          .groupBy(["eventId", "attendance"])
          .select(["eventId", "attendance", (e) => e.fn.countAll<number>().as("n")])
          .execute();
  const found = new Map(events.map(({ id }) => [id, { waiting: 0, waitingOnline: 0 }]));
  const modes = new Map(events.map((event) => [event.id, event]));
  for (const { eventId, attendance, n } of rows) {
    const one = found.get(eventId) as { waiting: number; waitingOnline: number };
    one[isOnlineSeat(modes.get(eventId) as EventRow, attendance) ? "waitingOnline" : "waiting"] += n;
  }
  return found;
}

/** The seats of one event as `eventPhase` wants them. */
export async function seatsOf(db: Db | Tx, event: EventRow): Promise<Seats> {
  const waiting = (await waitingOf(db, [event])).get(event.id);
  return {
    taken: event.seatsTaken,
    takenOnline: event.seatsTakenOnline,
    waiting: waiting?.waiting ?? 0,
    waitingOnline: waiting?.waitingOnline ?? 0,
  };
}

/** Whether somebody with this state holds a seat. */
export const isSeated = (state: RegistrationState) => state === "confirmed" || state === "offered";
