import { z } from "zod";
import { timeZone, venue } from "#shared/events/eventInput.ts";
import { answers, question } from "#shared/events/eventQuestions.ts";
import { attendance, registrationState } from "#shared/events/eventPhases.ts";
import { publicEventRow } from "#shared/events/eventViews.ts";
import { challenge, solution } from "#shared/auth/auth.ts";
import { defineContracts, get, listQuery, page, patch, post, KIB, MAX_SELECTED } from "#shared/core/route.ts";
import { email, containsLink, personName } from "#shared/core/users.ts";
import { registration, registrationFilter, registrationLog } from "#shared/events/registrationRows.ts";

// Registrations, and what guests and organisers can do with them

/** Hours within which an email address has to be confirmed. */
export const CONFIRM_HOURS = 24;

/** A name without a web address in it. */
export const guestName = personName.refine((name) => !containsLink(name), { error: "events.linkInName" });
const accessCode = z.string().trim().max(60).optional();
export const registrationInput = z.object({
  name: guestName,
  email,
  company: z
    .string()
    .trim()
    .max(120)
    .refine((name) => !/https?:|www\./i.test(name), { error: "events.linkInName" })
    .default(""),
  attendance: attendance.optional(),
  answers: answers.default({}),
  questionVersion: z.int(),
  privacyAccepted: z.literal(true, { error: "events.privacyNeeded" }),
  marketingOptIn: z.boolean().default(false),
  timezone: timeZone.default("UTC"),
  accessCode,
  /** Solution of the proof-of-work challenge, if the event requires one. */
  proofOfWork: solution.optional(),
  /** Honeypot: a hidden field that only bots fill in. */
  website: z.string().max(200).default(""),
});
export type RegistrationInput = z.infer<typeof registrationInput>;
/**
 * The reply is the same for new and known addresses, so that it does not reveal who is registered. A signed-in user who
 * registers with their own verified address gets `reference` and `state` of the registration; all others get the state
 * that a new registration would have, or null if the address has to be confirmed first. `check_mail`: the link in the
 * email has to be opened; `done`: the email contains the status of the registration. `sendsMail`: false if the academy
 * has no mail server, so that nobody gets this email.
 */
export const registrationReply = z.object({
  next: z.enum(["check_mail", "done"]),
  reference: z.string().nullable(),
  state: registrationState.nullable(),
  sendsMail: z.boolean(),
});

/** A registration as its guest sees it, opened by the link in the email. */
export const myRegistration = z.object({
  reference: z.string(),
  state: registrationState,
  name: z.string(),
  email: z.string(),
  company: z.string(),
  attendance,
  answers,
  questions: z.array(question),
  createdAt: z.string(),
  confirmedAt: z.string().nullable(),
  offerExpiresAt: z.string().nullable(),
  waitlistPosition: z.int().nullable(),
  /** Position on the waiting list, why no seat is free, and who decides, as text. Empty unless waitlisted. */
  waitlistReason: z.string(),
  canChange: z.boolean(),
  canCancel: z.boolean(),
  purgeAt: z.string().nullable(),
  /** Joining link; null until `joinOpensMinutes` before the start. */
  onlineUrl: z.string().nullable(),
  ticket: z.string().nullable(),
  ticketUrl: z.string().nullable(),
  event: publicEventRow.extend({
    venue,
    calendarUrl: z.string(),
    organiserName: z.string(),
    organiserEmail: z.string(),
    cancelReason: z.string(),
  }),
});
export type MyRegistration = z.infer<typeof myRegistration>;

const registrationList = listQuery.extend({
  ...registrationFilter.shape,
  sort: z.enum(["createdAt", "-createdAt", "name", "-name", "waitlistPosition"]).default("-createdAt"),
});
const slug = z.object({ slug: z.string().min(1).max(120) });
const token = z.object({ token: z.string().min(10).max(200) });
const ids = z.array(z.uuid()).min(1).max(MAX_SELECTED);
const addedRegistration = z.object({
  name: guestName,
  email,
  company: z.string().trim().max(120).default(""),
  attendance: attendance.optional(),
  answers: answers.default({}),
  state: z.enum(["confirmed", "waitlisted"]).default("confirmed"),
  overCapacity: z.boolean().default(false),
  notify: z.boolean().default(true),
});
/** The device that checked a guest in, and the time if it was offline. */
const checkInSource = z.object({ device: z.string().max(60).default(""), at: z.string().optional() });
const checkInResult = z.object({ outcome: z.enum(["checked_in", "already", "not_confirmed"]), registration });

export const eventRegistrations = defineContracts("eventRegistrations", {
  // Guests
  challenge: get("/api/events/:slug/challenge", {
    does: "Get a proof-of-work challenge for the registration form",
    params: slug,
    query: z.object({ code: accessCode }),
    reply: challenge,
  }),
  register: post("/api/events/:slug/registrations", {
    maxBytes: 128 * KIB,
    does: "Register for an event",
    params: slug,
    body: registrationInput,
    reply: registrationReply,
  }),
  sendLink: post("/api/events/:slug/link", {
    does: "Email the link to a registration again; the reply does not reveal whether there is one",
    params: slug,
    body: z.object({ email, accessCode }),
  }),
  confirmEmail: post("/api/event-registrations/:token/confirm", {
    does: "Confirm the email address of my registration",
    params: token,
    reply: myRegistration,
  }),
  mine: get("/api/event-registrations/:token", {
    does: "Get my registration by the link in the email",
    params: token,
    reply: myRegistration,
  }),
  updateMine: patch("/api/event-registrations/:token", {
    maxBytes: 128 * KIB,
    does: "Change my registration",
    params: token,
    body: registrationInput.pick({ name: true, company: true, answers: true }).partial(),
    reply: myRegistration,
  }),
  acceptOffer: post("/api/event-registrations/:token/accept", {
    does: "Accept the offered seat",
    params: token,
    reply: myRegistration,
  }),
  declineOffer: post("/api/event-registrations/:token/decline", {
    does: "Decline the offered seat",
    params: token,
    reply: myRegistration,
  }),
  cancelMine: post("/api/event-registrations/:token/cancel", {
    does: "Cancel my registration",
    params: token,
    reply: myRegistration,
  }),
  exportMine: get("/api/event-registrations/:token/export", {
    does: "Export all data stored about my registration",
    params: token,
    reply: z.record(z.string(), z.unknown()),
  }),
  eraseMine: post("/api/event-registrations/:token/erase", {
    does: "Delete my registration and my data",
    params: token,
  }),

  // Organisers
  list: get("/api/admin/events/:id/registrations", {
    does: "List the registrations of an event",
    query: registrationList,
    reply: page(registration).extend({
      byState: z.record(z.string(), z.int()),
      /** Number of these that can receive a message. */
      reachable: z.int(),
      questions: z.array(question),
    }),
  }),
  add: post("/api/admin/events/:id/registrations", {
    maxBytes: 128 * KIB,
    does: "Add a registration on behalf of a guest",
    body: addedRegistration,
    reply: registration,
  }),
  approve: post("/api/admin/events/:id/registrations/approve", {
    maxBytes: 256 * KIB,
    does: "Approve or reject requests",
    body: z.object({
      ids,
      reject: z.boolean().default(false),
      reason: z.string().trim().max(1000).default(""),
    }),
    reply: z.object({ changed: z.int(), waitlisted: z.int() }),
  }),
  offerSeats: post("/api/admin/events/:id/registrations/promote", {
    maxBytes: 256 * KIB,
    does: "Offer seats to people on the waiting list, also after registration has closed",
    body: z.object({ ids, overCapacity: z.boolean().default(false) }),
    reply: z.object({ offered: z.int(), full: z.int() }),
  }),
  cancel: post("/api/admin/events/:id/registrations/cancel", {
    maxBytes: 256 * KIB,
    does: "Cancel registrations on behalf of guests",
    body: z.object({ ids, notify: z.boolean().default(true) }),
    reply: z.object({ changed: z.int() }),
  }),
  sendMessage: post("/api/admin/events/:id/registrations/message", {
    does: "Email a filtered group of guests",
    body: z.object({
      filter: registrationFilter,
      subject: z.string().trim().min(1).max(150),
      text: z.string().trim().min(1).max(5000),
    }),
    reply: z.object({ sent: z.int() }),
  }),
  invite: post("/api/admin/events/:id/registrations/invite", {
    maxBytes: 256 * KIB,
    does: "Invite confirmed guests as learners of a company",
    body: z.object({ ids, companyId: z.uuid() }),
    reply: z.object({ invited: z.int(), already: z.int() }),
  }),
  log: get("/api/admin/event-registrations/:id/log", {
    does: "Get the history of a registration",
    reply: z.object({ items: z.array(registrationLog) }),
  }),
  checkInByTicket: post("/api/admin/events/:id/check-in", {
    does: "Check in by ticket",
    body: checkInSource.extend({ ticket: z.string().min(10).max(300) }),
    reply: checkInResult,
  }),
  checkIn: post("/api/admin/event-registrations/:id/check-in", {
    does: "Check in by registration",
    body: checkInSource,
    reply: checkInResult,
  }),
  undoCheckIn: post("/api/admin/event-registrations/:id/undo-check-in", {
    does: "Undo a check-in",
    reply: registration,
  }),
});

/** Page where a guest manages their registration; the token comes from the email. */
export const managePath = (manageToken: string) => `/events/registration/${manageToken}`;
/** The ticket as a PNG image of a QR code. */
export const ticketPicturePath = (manageToken: string) => `/api/event-registrations/${manageToken}/ticket.png`;
export const registrationsExportPath = (eventId: string, kind: "csv" | "xlsx") =>
  `/api/admin/events/${eventId}/registrations.${kind}`;
