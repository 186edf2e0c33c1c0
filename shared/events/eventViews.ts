import { z } from "zod";
import { agendaItem, eventInput, speaker, venue } from "#shared/events/eventInput.ts";
import { question } from "#shared/events/eventQuestions.ts";
import { attendanceMode, eventStatus, phase, registrationMode, registrationState } from "#shared/events/eventPhases.ts";

// What organisers and visitors see of an event

const counts = z.object({
  confirmed: z.int(),
  waitlisted: z.int(),
  offered: z.int(),
  pending: z.int(),
  cancelled: z.int(),
  attended: z.int(),
  seatsTaken: z.int(),
  seatsTakenOnline: z.int(),
});
/** An event as admins see it. `hasCode`: an access code is set; the code itself is never returned. */
export const adminEvent = eventInput.omit({ accessCode: true }).extend({
  id: z.uuid(),
  slug: z.string(),
  status: eventStatus,
  phase,
  startsAt: z.string(),
  endsAt: z.string(),
  hasCode: z.boolean(),
  coverUrl: z.string().nullable(),
  /** URLs of the speakers' photos by speaker id. */
  photoUrls: z.record(z.uuid(), z.string()),
  cancelReason: z.string(),
  publishedAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  questionVersion: z.int(),
  version: z.int().min(1),
  createdAt: z.string(),
  updatedAt: z.string(),
  counts,
  /** Notes on local times that occur twice when clocks go back; the first occurrence is used. */
  timeNotes: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
});
export type AdminEvent = z.infer<typeof adminEvent>;
export const adminEventRow = adminEvent.pick({
  id: true,
  slug: true,
  title: true,
  status: true,
  phase: true,
  startsAt: true,
  endsAt: true,
  timezone: true,
  visibility: true,
  attendanceMode: true,
  venue: true,
  capacity: true,
  capacityOnline: true,
  category: true,
  coverUrl: true,
  version: true,
  counts: true,
});
export type AdminEventRow = z.infer<typeof adminEventRow>;

/**
 * An event in a public list. `seatsLeft` is null unless only a few seats are left. Without `coverUrl`, the page draws a
 * cover from the id.
 */
export const publicEventRow = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  category: z.string(),
  language: z.string(),
  coverUrl: z.string().nullable(),
  timezone: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  attendanceMode,
  venue: venue.pick({ name: true, city: true, country: true }),
  phase,
  registrationMode,
  seatsLeft: z.int().nullable(),
});
export type PublicEventRow = z.infer<typeof publicEventRow>;
/** What a visitor needs before registering. Never includes the joining link or other guests. */
export const publicEvent = publicEventRow.extend({
  description: z.string(),
  venue,
  agenda: z.array(agendaItem),
  speakers: z.array(speaker.extend({ photoUrl: z.string().nullable() }).omit({ photo: true })),
  questions: z.array(question),
  questionVersion: z.int(),
  externalUrl: z.string(),
  registrationOpensAt: z.string().nullable(),
  registrationClosesAt: z.string().nullable(),
  seatsLeftOnline: z.int().nullable(),
  waitlistEnabled: z.boolean(),
  requireEmailConfirmation: z.boolean(),
  challenge: z.enum(["none", "pow"]),
  privacyNotice: z.string(),
  organiserName: z.string(),
  organiserKind: eventInput.shape.organiserKind.unwrap(),
  organiserEmail: z.string(),
  cancelReason: z.string(),
  indexable: z.boolean(),
  retentionDays: z.int(),
  /** Whether the academy has a mail server. */
  sendsMail: z.boolean(),
  /** Null unless visitors may talk to it now. */
  chatbotId: z.uuid().nullable(),
  /** The calendar file. Like `coverUrl`, it carries a grant of some hours if the event is not visible to everyone. */
  calendarUrl: z.string(),
  /**
   * The active registration of the signed-in visitor, if their address is verified; `path` is the page of the link in
   * the emails. The position counts from 1 and is null unless they are on the waiting list.
   */
  myRegistration: z
    .object({
      reference: z.string(),
      state: registrationState,
      waitlistPosition: z.int().nullable(),
      path: z.string(),
    })
    .nullable(),
});
export type PublicEvent = z.infer<typeof publicEvent>;
