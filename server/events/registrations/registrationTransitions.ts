import type { Tx } from "#server/core/db.ts";
import { conflict } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { type Actor, record } from "#server/events/registrations/registrationLog.ts";
import { renderEventMail } from "#server/events/mails.ts";
import { offerFreeSeats, whyWaiting } from "#server/events/registrations/offers.ts";
import {
  type EventRow,
  isSeated,
  type RegistrationRow,
  releaseSeat,
  seatsOf,
  takeSeats,
} from "#server/events/registrations/seats.ts";
import { ACTIVE_STATES, freeSeats, type Seats } from "#shared/eventStates.ts";

// What becomes of a registration (research A.4). Every function here runs under the event's lock.

type Change = Partial<
  Pick<
    RegistrationRow,
    | "state"
    | "confirmedAt"
    | "cancelledAt"
    | "cancelledBy"
    | "offerExpiresAt"
    | "emailVerifiedAt"
    | "confirmUntil"
    | "userId"
    | "name"
    | "company"
    | "ticketVersion"
  >
> & { answers?: string };

/** Writes a change to one registration and counts its version. */
export const updateRegistration = (tx: Tx, id: string, values: Change) =>
  tx
    .updateTable("eventRegistrations")
    .set((e) => ({ ...values, updatedAt: new Date().toISOString(), version: e("version", "+", 1) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Whether nobody more gets in this way, not even to the waiting list. Who asks for approval may always ask. */
export const isFull = (event: EventRow, seats: Seats, attendance: RegistrationRow["attendance"]) =>
  event.registrationMode !== "approval" && !event.waitlistEnabled && (freeSeats(event, seats, attendance) ?? 1) <= 0;

/** A registration whose mailbox counts as good: to the organiser for approval, to a seat, or to the waiting list; 409 when none of these is possible. */
export async function admitRegistration(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  known?: Seats,
): Promise<RegistrationRow> {
  if (event.registrationMode === "approval") {
    const pending = await updateRegistration(tx, registration.id, { state: "pending_approval", confirmUntil: null });
    await record(tx, [registration.id], "pending_approval", "self");
    await renderEventMail(services, tx, "pending", event, pending);
    return pending;
  }
  const seats = known ?? (await seatsOf(tx, event));
  if (isFull(event, seats, registration.attendance)) throw conflict("events.full");
  return seatRegistration(services, tx, event, registration, "self", seats);
}

/** A seat, when one is free and nobody waits for it; else the waiting list, in the order in which the forms were sent. */
export async function seatRegistration(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  by: Actor,
  seats?: Seats,
) {
  const free = freeSeats(event, seats ?? (await seatsOf(tx, event)), registration.attendance);
  const got = (free === null || free > 0) && (await takeSeats(tx, event, registration.attendance));
  return got
    ? confirmRegistration(services, tx, event, registration, by)
    : waitlistRegistration(services, tx, event, registration, by);
}

export async function confirmRegistration(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  by: Actor,
  notify = true,
) {
  const confirmed = await updateRegistration(tx, registration.id, {
    state: "confirmed",
    confirmedAt: new Date().toISOString(),
    confirmUntil: null,
    offerExpiresAt: null,
  });
  await record(tx, [registration.id], "confirmed", by);
  if (notify) await renderEventMail(services, tx, "confirmed", event, confirmed);
  return confirmed;
}

export async function waitlistRegistration(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  by: Actor,
  notify = true,
) {
  const waiting = await updateRegistration(tx, registration.id, { state: "waitlisted", confirmUntil: null });
  await record(tx, [registration.id], "waitlisted", by);
  if (notify)
    await renderEventMail(services, tx, "waitlisted", event, waiting, { why: await whyWaiting(tx, event, waiting) });
  return waiting;
}

/** Ends an active registration, gives its seat back, and offers it to the next. */
export async function cancelRegistration(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  by: Actor,
  notify = true,
) {
  const cancelledBy = by === "self" ? ("self" as const) : ("admin" as const);
  const cancelled = await updateRegistration(tx, registration.id, {
    state: "cancelled",
    cancelledAt: new Date().toISOString(),
    cancelledBy,
    offerExpiresAt: null,
    confirmUntil: null,
  });
  if (isSeated(registration.state)) await releaseSeat(tx, event, registration.attendance);
  await record(tx, [registration.id], "cancelled", by);
  if (notify && registration.state !== "pending_email")
    await renderEventMail(services, tx, "cancelled", event, cancelled);
  if (isSeated(registration.state)) await offerFreeSeats(services, tx, event.id);
  return cancelled;
}

export const isActive = ({ state }: Pick<RegistrationRow, "state">) => ACTIVE_STATES.includes(state);
