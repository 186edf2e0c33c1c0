import { z } from "zod";

// The states of events and registrations, and the phase a visitor sees

export const eventStatus = z.enum(["draft", "published", "cancelled", "archived"]);
export const attendanceMode = z.enum(["in_person", "online", "hybrid"]);
export const attendance = z.enum(["in_person", "online"]);
export type Attendance = z.infer<typeof attendance>;
/** Who can see an event: everyone, people with the link, learners of one company, or people with a code. */
export const eventVisibility = z.enum(["public", "unlisted", "company", "code"]);
/** How a registration is accepted: immediately, after approval, not at all, or on another website. */
export const registrationMode = z.enum(["open", "approval", "closed", "external"]);

/**
 * The phase of an event as visitors see it. Derived by `eventPhase`, never stored; listed in the order of evaluation.
 */
export const phase = z.enum([
  "cancelled",
  "ended",
  "ongoing",
  "closed",
  "not_open_yet",
  "registration_closed",
  "full",
  "waitlist_open",
  "open",
]);
export type EventPhase = z.infer<typeof phase>;

export const registrationState = z.enum([
  "pending_email",
  "pending_approval",
  "confirmed",
  "waitlisted",
  "offered",
  "rejected",
  "offer_declined",
  "offer_expired",
  "expired",
  "cancelled",
]);
export type RegistrationState = z.infer<typeof registrationState>;
/** Entries of a registration's history. */
export const registrationAction = z.enum([
  "registered",
  "mailbox_confirmed",
  "pending_approval",
  "confirmed",
  "waitlisted",
  "offered",
  "offer_declined",
  "offer_expired",
  "rejected",
  "added",
  "changed",
  "cancelled",
  "event_cancelled",
  "checked_in",
  "check_in_undone",
  "invited",
  "enrolled",
  "expired",
  "purged",
]);
export type RegistrationAction = z.infer<typeof registrationAction>;
/** States of an active registration. An email address has at most one active registration per event. */
export const ACTIVE_STATES: RegistrationState[] = [
  "pending_email",
  "pending_approval",
  "confirmed",
  "waitlisted",
  "offered",
];
/** States that occupy a seat. */
export const SEATED_STATES: RegistrationState[] = ["confirmed", "offered"];

type PhaseInput = {
  status: z.infer<typeof eventStatus>;
  cancelledAt: string | null;
  startsAt: string;
  endsAt: string;
  attendanceMode: z.infer<typeof attendanceMode>;
  registrationMode: z.infer<typeof registrationMode>;
  registrationOpensAt: string | null;
  registrationClosesAt: string | null;
  capacity: number | null;
  capacityOnline: number | null;
  waitlistEnabled: boolean;
};
/** Seats taken and people waiting. Only hybrid events count online attendance separately. */
export type Seats = { taken: number; takenOnline: number; waiting: number; waitingOnline: number };

/**
 * Number of seats that a new registration can take. Null means no limit; negative means the capacity was lowered below
 * the seats taken. Never above 0 while people wait, because free seats go to the waiting list first.
 */
export function freeSeats(
  event: Pick<PhaseInput, "attendanceMode" | "capacity" | "capacityOnline">,
  seats: Seats,
  requested: Attendance,
) {
  const isOnline = event.attendanceMode === "hybrid" && requested === "online";
  const [capacity, taken, waiting] = isOnline
    ? [event.capacityOnline, seats.takenOnline, seats.waitingOnline]
    : [event.capacity, seats.taken, seats.waiting];
  const free = capacity === null ? null : capacity - taken;
  return waiting > 0 ? Math.min(free ?? 0, 0) : free;
}

/** The phase of an event at `now`. Lists, pages, feeds and forms all use this function. */
export function eventPhase(event: PhaseInput, seats: Seats, now: Date): EventPhase {
  const nowMs = now.getTime();
  const isPast = (time: string | null) => time !== null && Date.parse(time) <= nowMs;
  if (event.cancelledAt !== null || event.status === "cancelled") return "cancelled";
  if (isPast(event.endsAt)) return "ended";
  if (isPast(event.startsAt)) return "ongoing";
  if (event.registrationMode === "closed") return "closed";
  if (event.registrationOpensAt !== null && !isPast(event.registrationOpensAt)) return "not_open_yet";
  if (isPast(event.registrationClosesAt)) return "registration_closed";
  if (event.registrationMode === "external") return "open";
  const attendances = event.attendanceMode === "hybrid" ? attendance.options : (["in_person"] as const);
  if (attendances.some((requested) => (freeSeats(event, seats, requested) ?? 1) > 0)) return "open";
  return event.waitlistEnabled ? "waitlist_open" : "full";
}
