import type { Tx } from "#server/core/database/db.ts";
import { conflict } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { type Actor, record } from "#server/events/registrations/registrationLog.ts";
import { enqueueEventMail } from "#server/events/mails.ts";
import { offerFreeSeats, waitlistReasonOf } from "#server/events/registrations/offers.ts";
import {
  type EventRow,
  isSeated,
  type RegistrationRow,
  releaseSeat,
  seatsOf,
  takeSeats,
} from "#server/events/registrations/seats.ts";
import { ACTIVE_STATES, freeSeats, type Seats } from "#shared/events/eventPhases.ts";

// State transitions of a registration. The caller holds the event lock (withLockedEvent).

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

/** Updates a registration and increments its version. */
export const updateRegistration = (tx: Tx, id: string, values: Change) =>
  tx
    .updateTable("eventRegistrations")
    .set((e) => ({ ...values, updatedAt: new Date().toISOString(), version: e("version", "+", 1) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Whether a new registration is impossible: no free seat, no waiting list. Requests for approval are always possible.
 */
export const isFull = (event: EventRow, seats: Seats, attendance: RegistrationRow["attendance"]) =>
  event.registrationMode !== "approval" && !event.waitlistEnabled && (freeSeats(event, seats, attendance) ?? 1) <= 0;

/** The state of a new registration whose address needs no confirmation; `seats` are those before it. */
export function stateOfNew(event: EventRow, seats: Seats, attendance: RegistrationRow["attendance"]) {
  if (event.registrationMode === "approval") return "pending_approval";
  return (freeSeats(event, seats, attendance) ?? 1) > 0 ? "confirmed" : "waitlisted";
}

/**
 * Continues a registration after its email address was verified: to approval, a seat or the waiting list; 409 if all
 * are full.
 */
export async function advanceRegistration(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  currentSeats?: Seats,
): Promise<RegistrationRow> {
  if (event.registrationMode === "approval") {
    const pending = await updateRegistration(tx, registration.id, { state: "pending_approval", confirmUntil: null });
    await record(tx, [registration.id], "pending_approval", "self");
    await enqueueEventMail(services, tx, "pending", event, pending);
    return pending;
  }
  const seats = currentSeats ?? (await seatsOf(tx, event));
  if (isFull(event, seats, registration.attendance)) throw conflict("events.full");
  return seatOrWaitlist(services, tx, event, registration, "self", seats);
}

/**
 * Confirms the registration if a seat is free and nobody is waiting for it; otherwise adds it to the waiting list,
 * ordered by when the form was sent.
 */
export async function seatOrWaitlist(
  services: Services,
  tx: Tx,
  event: EventRow,
  registration: RegistrationRow,
  by: Actor,
  seats?: Seats,
) {
  const free = freeSeats(event, seats ?? (await seatsOf(tx, event)), registration.attendance);
  const hasSeat = (free === null || free > 0) && (await takeSeats(tx, event, registration.attendance));
  return hasSeat
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
  if (notify) await enqueueEventMail(services, tx, "confirmed", event, confirmed);
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
    await enqueueEventMail(services, tx, "waitlisted", event, waiting, {
      waitlistReason: await waitlistReasonOf(tx, event, waiting),
    });
  return waiting;
}

/** Cancels an active registration, releases its seat, and offers it to the waiting list. */
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
    await enqueueEventMail(services, tx, "cancelled", event, cancelled);
  if (isSeated(registration.state)) await offerFreeSeats(services, tx, event.id);
  return cancelled;
}

export const isActive = ({ state }: Pick<RegistrationRow, "state">) => ACTIVE_STATES.includes(state);
