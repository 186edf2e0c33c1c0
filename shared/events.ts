import { z } from "zod";
import { changes, del, get, listQuery, page, patch, post } from "#shared/route.ts";
import { anyone, email, containsLink, isAdmin, personName } from "#shared/users.ts";

// What an event is, what a registration is, who may do what, and how to ask for it (research/events-privacy-auth-storage, part A)

export const eventStatus = z.enum(["draft", "published", "cancelled", "archived"]);
export const attendanceMode = z.enum(["in_person", "online", "hybrid"]);
export const attendance = z.enum(["in_person", "online"]);
/** Who finds an event: everybody, those with the link, learners of one company, those with a code. */
export const eventVisibility = z.enum(["public", "unlisted", "company", "code"]);
/** How people get in: at once, after approval, not at all, or on another site. */
export const registrationMode = z.enum(["open", "approval", "closed", "external"]);
/**
 * Where an event stands for a visitor; derived, never stored (A.3). Evaluated in this order: cancelled, ended, ongoing,
 * closed, not_open_yet, registration_closed, full (or waitlist_open), open.
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

type Phased = {
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
/** Seats that are held and people who wait, in the room (or in all, when the event is not hybrid) and online. */
export type Seats = { taken: number; takenOnline: number; waiting: number; waitingOnline: number };

/** Seats that are free for somebody new; null is no limit, negative when the capacity was lowered. Who waits goes first, so then there are none. */
export function freeSeats(
  event: Pick<Phased, "attendanceMode" | "capacity" | "capacityOnline">,
  seats: Seats,
  how: z.infer<typeof attendance>,
) {
  const online = event.attendanceMode === "hybrid" && how === "online";
  const [capacity, taken, waiting] = online
    ? [event.capacityOnline, seats.takenOnline, seats.waitingOnline]
    : [event.capacity, seats.taken, seats.waiting];
  const free = capacity === null ? null : capacity - taken;
  return waiting > 0 ? Math.min(free ?? 0, 0) : free;
}

/** Where an event stands at `now`; the one place that decides it, for lists, pages, feeds and forms. */
export function eventPhase(event: Phased, seats: Seats, now: Date): EventPhase {
  const at = now.getTime();
  const past = (time: string | null) => time !== null && Date.parse(time) <= at;
  if (event.cancelledAt !== null || event.status === "cancelled") return "cancelled";
  if (past(event.endsAt)) return "ended";
  if (past(event.startsAt)) return "ongoing";
  if (event.registrationMode === "closed") return "closed";
  if (event.registrationOpensAt !== null && !past(event.registrationOpensAt)) return "not_open_yet";
  if (past(event.registrationClosesAt)) return "registration_closed";
  if (event.registrationMode === "external") return "open";
  const ways = event.attendanceMode === "hybrid" ? (["in_person", "online"] as const) : (["in_person"] as const);
  if (ways.some((how) => (freeSeats(event, seats, how) ?? 1) > 0)) return "open";
  return event.waitlistEnabled ? "waitlist_open" : "full";
}

/** An IANA zone or an alias of one, as browsers send it. */
export const timeZone = z.string().min(1).max(60).refine(isZone, { error: "events.badZone" });
function isZone(zone: string) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}
/** Wall time in the event's zone, `2026-03-29T02:30`; the instant is worked out by the server, which says so when it does not exist. */
export const wallTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, { error: "events.badTime" });
const webAddress = z.url({ protocol: /^https?$/ }).max(2000);
const text = (max: number) => z.string().trim().max(max).default("");

export const venue = z.object({
  name: text(200),
  street: text(200),
  postalCode: text(20),
  city: text(100),
  country: text(100),
  mapUrl: webAddress.or(z.literal("")).default(""),
});
export type Venue = z.infer<typeof venue>;
export const agendaItem = z.object({
  id: z.uuid(),
  startsAt: wallTime.or(z.literal("")).default(""),
  title: z.string().trim().min(1).max(200),
  description: text(1000),
  speakerIds: z.array(z.uuid()).max(20).default([]),
});
export const speaker = z.object({
  id: z.uuid(),
  name: personName,
  role: text(200),
  bio: text(2000),
  photo: z.string().max(1024).nullable().default(null),
});

export const questionKind = z.enum(["line", "text", "choice", "choices", "select", "checkbox", "date", "phone"]);
/** A question of the form. Shown only when the answer to another one is `equals`; its answers go after `retentionDays`, if that is sooner than the event's. */
export const question = z.object({
  id: z.uuid(),
  label: z.string().trim().min(1).max(300),
  help: text(500),
  kind: questionKind,
  options: z.array(z.string().trim().min(1).max(200)).max(50).default([]),
  required: z.boolean().default(false),
  showIf: z
    .object({ questionId: z.uuid(), equals: z.string().max(200) })
    .nullable()
    .default(null),
  retentionDays: z.int().min(1).max(3650).nullable().default(null),
});
export type Question = z.infer<typeof question>;
/** Answers by question: text, a list for `choices`, `'yes'` for a ticked box. */
export const answers = z.record(
  z.uuid(),
  z
    .string()
    .max(4000)
    .or(z.array(z.string().max(200)).max(50)),
);
export type Answers = z.infer<typeof answers>;

const seats = z.int().min(0).max(1_000_000).nullable().default(null);
export const eventInput = z.object({
  title: z.string().trim().min(1).max(200),
  slug: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "events.badSlug" })
    .max(120)
    .optional(),
  summary: text(200),
  /** Markdown without HTML. */
  description: text(20_000),
  category: text(60),
  language: z.string().trim().max(20).default("en"),
  /** Path of a stored file of purpose `event_cover`. */
  cover: z.string().max(1024).nullable().default(null),
  timezone: timeZone,
  startsLocal: wallTime,
  endsLocal: wallTime,
  attendanceMode: attendanceMode.default("in_person"),
  venue: venue.default({ name: "", street: "", postalCode: "", city: "", country: "", mapUrl: "" }),
  /** Only the confirmed see it, from `joinOpensMinutes` before the start. */
  onlineUrl: webAddress.or(z.literal("")).default(""),
  joinOpensMinutes: z.int().min(0).max(10_080).default(30),
  visibility: eventVisibility.default("public"),
  companyId: z.uuid().nullable().default(null),
  accessCode: z.string().trim().max(60).optional(),
  registrationMode: registrationMode.default("open"),
  externalUrl: webAddress.or(z.literal("")).default(""),
  registrationOpensLocal: wallTime.nullable().default(null),
  registrationClosesLocal: wallTime.nullable().default(null),
  /** Seats; null is no limit. Of a hybrid event the seats in the room; online seats apart. */
  capacity: seats,
  capacityOnline: seats,
  waitlistEnabled: z.boolean().default(true),
  waitlistMode: z.enum(["auto_offer", "manual"]).default("auto_offer"),
  offerMinutes: z.int().min(15).max(20_160).default(720),
  requireEmailConfirmation: z.boolean().default(true),
  challenge: z.enum(["none", "pow"]).default("none"),
  modificationMode: z.enum(["always", "until_close", "never"]).default("until_close"),
  questions: z.array(question).max(40).default([]),
  agenda: z.array(agendaItem).max(100).default([]),
  speakers: z.array(speaker).max(50).default([]),
  /** What the visitor agrees to; its text and version are kept with every registration. */
  privacyNotice: text(5000),
  retentionDays: z.int().min(1).max(3650).default(180),
  organiserName: text(120),
  organiserKind: z.enum(["person", "organisation"]).default("organisation"),
  organiserEmail: email.or(z.literal("")).default(""),
  indexable: z.boolean().default(true),
  reminders: z.boolean().default(true),
  /** Attendees are enrolled in this course once they are learners of `followUpCompanyId`. */
  followUpCourseId: z.uuid().nullable().default(null),
  followUpCompanyId: z.uuid().nullable().default(null),
});
export type EventInput = z.infer<typeof eventInput>;

const version = z.int().min(1);
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
/** An event as admins see it. `hasCode` says that a code is set; the code itself is never sent back. */
export const adminEvent = eventInput.omit({ accessCode: true }).extend({
  id: z.uuid(),
  slug: z.string(),
  status: eventStatus,
  phase,
  startsAt: z.string(),
  endsAt: z.string(),
  hasCode: z.boolean(),
  coverUrl: z.string().nullable(),
  /** Addresses of the speakers' photos by speaker. */ photoUrls: z.record(z.uuid(), z.string()),
  cancelReason: z.string(),
  publishedAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  questionVersion: z.int(),
  version,
  createdAt: z.string(),
  updatedAt: z.string(),
  counts,
  /** What is special about a time: it happens twice in the night when clocks go back (the first is meant). A time that does not exist is refused. */
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

/** An event in a public list. Seats left are said only when few are left (`seatsLeft` null otherwise). A drawn cover follows from the id. */
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
/** Everything a visitor asks before registering; never the online address, never who comes. */
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
  /** The entry for calendars; like `coverUrl` it carries a grant of some hours when the event is not for everybody. */
  calendarUrl: z.string(),
  /** The visitor's own active registration, when signed in. */
  mine: z.object({ reference: z.string(), state: registrationState }).nullable(),
});
export type PublicEvent = z.infer<typeof publicEvent>;

// Registrations (A.4)

/** States in which a person has, or waits for, a place: one of these per event and email. */
export const ACTIVE_STATES: RegistrationState[] = [
  "pending_email",
  "pending_approval",
  "confirmed",
  "waitlisted",
  "offered",
];
/** States that hold a seat. */
export const SEATED_STATES: RegistrationState[] = ["confirmed", "offered"];
/** Hours in which a mailbox has to be confirmed. */
export const CONFIRM_HOURS = 24;

/** A name without an address in it. */
export const guestName = personName.refine((name) => !containsLink(name), { error: "events.linkInName" });
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
  accessCode: z.string().trim().max(60).optional(),
  /** The solution of the challenge, when the event asks for one. */
  proof: z.string().max(4000).optional(),
  /** A field that people do not see. */
  website: z.string().max(200).default(""),
});
export type RegistrationInput = z.infer<typeof registrationInput>;
/**
 * The same answer for a new and a known address: the mail tells the truth (A.5, 7). `reference` and `state` are told only to a
 * signed-in person whose own, proven mailbox it is. `check_mail`: the link in the mail has to be opened; `done`: the mail says how it stands.
 */
export const registrationReply = z.object({
  next: z.enum(["check_mail", "done"]),
  reference: z.string().nullable(),
  state: registrationState.nullable(),
});

/** A registration as its person sees it through the link of the mail. */
export const ownRegistration = z.object({
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
  waitlistWhy: z.string(),
  mayChange: z.boolean(),
  mayCancel: z.boolean(),
  purgeAt: z.string().nullable(),
  /** Address of the room, from `joinOpensMinutes` before the start. */
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
export type OwnRegistration = z.infer<typeof ownRegistration>;

/** A registration as organisers see it. */
export const registration = z.object({
  id: z.uuid(),
  reference: z.string(),
  state: registrationState,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  company: z.string(),
  attendance,
  answers,
  questionVersion: z.int(),
  userId: z.uuid().nullable(),
  source: z.enum(["web", "admin", "invite"]),
  createdAt: z.string(),
  confirmedAt: z.string().nullable(),
  offerExpiresAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  cancelledBy: z.string().nullable(),
  waitlistPosition: z.int().nullable(),
  attendedAt: z.string().nullable(),
  marketingOptIn: z.boolean(),
  purgeAt: z.string().nullable(),
  purgedAt: z.string().nullable(),
  version,
});
export type Registration = z.infer<typeof registration>;
export const registrationLog = z.object({ at: z.string(), action: z.string(), by: z.string(), detail: z.string() });

// Who may do what

export const canManageEvents = isAdmin;
export const canSeeEvents = anyone;

// How to ask for it

/** `next`: what is still to come, the soonest first, then what is over, the latest first. */
export const eventSort = z.enum(["next", "startsAt", "-startsAt", "title", "-title", "confirmed", "-confirmed"]);
const adminList = listQuery.extend({
  status: eventStatus.optional(),
  when: z.enum(["upcoming", "past"]).optional(),
  sort: eventSort.default("next"),
});
const publicList = listQuery.extend({
  when: z.enum(["upcoming", "past"]).default("upcoming"),
  category: z.string().max(60).optional(),
  mode: attendanceMode.optional(),
  language: z.string().max(20).optional(),
  /** Days in the visitor's zone for the month view: from (included) and to (excluded). */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  timezone: timeZone.default("UTC"),
});
export const registrationFilter = z.object({
  state: registrationState.optional(),
  attended: z.boolean().or(z.stringbool()).optional(),
  attendance: attendance.optional(),
  q: z.string().trim().max(200).optional(),
});
const registrationList = listQuery.extend({
  ...registrationFilter.shape,
  sort: z.enum(["createdAt", "-createdAt", "name", "-name", "waitlistPosition"]).default("-createdAt"),
});
const slug = z.object({ slug: z.string().min(1).max(120) });
const slugQuery = z.object({ code: z.string().trim().max(60).optional() });
const token = z.object({ token: z.string().min(10).max(200) });
const bySlug = { params: slug, query: slugQuery };
const person = z.object({
  name: guestName,
  email,
  company: z.string().trim().max(120).default(""),
  attendance: attendance.optional(),
  answers: answers.default({}),
  state: z.enum(["confirmed", "waitlisted"]).default("confirmed"),
  overCapacity: z.boolean().default(false),
  notify: z.boolean().default(true),
});
const scan = z.object({
  ticket: z.string().min(10).max(300),
  device: z.string().max(60).default(""),
  at: z.string().optional(),
});
const checked = z.object({ outcome: z.enum(["checked_in", "already", "not_confirmed"]), registration });

export const events = {
  // Public
  list: get("/api/events", {
    does: "Public events",
    query: publicList,
    reply: page(publicEventRow).extend({ categories: z.array(z.string()), languages: z.array(z.string()) }),
  }),
  show: get("/api/events/:slug", {
    does: "One event; an old address answers with `movedTo`",
    ...bySlug,
    reply: z.object({ event: publicEvent.nullable(), movedTo: z.string().nullable() }),
  }),
  challenge: get("/api/events/:slug/challenge", {
    does: "A proof-of-work challenge for the form",
    ...bySlug,
    reply: z.object({
      algorithm: z.string(),
      challenge: z.string(),
      salt: z.string(),
      signature: z.string(),
      maxnumber: z.int(),
    }),
  }),
  register: post("/api/events/:slug/registrations", {
    does: "Register for an event",
    params: slug,
    body: registrationInput,
    reply: registrationReply,
  }),
  sendLink: post("/api/events/:slug/link", {
    does: "Send me the link to my registration again; the answer does not tell whether there is one",
    params: slug,
    body: z.object({ email, accessCode: z.string().trim().max(60).optional() }),
  }),
  confirmEmail: post("/api/event-registrations/:token/confirm", {
    does: "Confirm the mailbox, from the mail",
    params: token,
    reply: ownRegistration,
  }),
  own: get("/api/event-registrations/:token", {
    does: "My registration, from the link in the mail",
    params: token,
    reply: ownRegistration,
  }),
  changeOwn: patch("/api/event-registrations/:token", {
    does: "Change my registration",
    params: token,
    body: registrationInput.pick({ name: true, company: true, answers: true }).partial(),
    reply: ownRegistration,
  }),
  acceptOffer: post("/api/event-registrations/:token/accept", {
    does: "Take the offered seat",
    params: token,
    reply: ownRegistration,
  }),
  declineOffer: post("/api/event-registrations/:token/decline", {
    does: "Decline the offered seat",
    params: token,
    reply: ownRegistration,
  }),
  cancelOwn: post("/api/event-registrations/:token/cancel", {
    does: "Cancel my registration",
    params: token,
    reply: ownRegistration,
  }),
  exportOwn: get("/api/event-registrations/:token/export", {
    does: "Everything that is stored about my registration",
    params: token,
    reply: z.record(z.string(), z.unknown()),
  }),
  eraseOwn: post("/api/event-registrations/:token/erase", {
    does: "Delete my registration and my data",
    params: token,
  }),

  // Organisers
  adminList: get("/api/admin/events", {
    does: "Events by state, with numbers",
    query: adminList,
    reply: page(adminEventRow).extend({ byStatus: z.record(z.string(), z.int()) }),
  }),
  get: get("/api/admin/events/:id", { does: "One event with everything", reply: adminEvent }),
  create: post("/api/admin/events", {
    does: "A new draft; it gets the given `id` if that is free",
    body: eventInput.extend({ id: z.uuid().optional() }),
    reply: adminEvent,
  }),
  update: patch("/api/admin/events/:id", {
    does: "Change an event; 409 when someone changed it since `version`",
    body: changes(eventInput).extend({ version, notify: z.boolean().default(true) }),
    reply: adminEvent,
  }),
  duplicate: post("/api/admin/events/:id/duplicate", {
    does: "A new draft from this event",
    body: z.object({
      title: z.string().trim().min(1).max(200),
      startsLocal: wallTime,
      with: z.array(z.enum(["description", "cover", "agenda", "speakers", "questions", "seats", "registration"])),
    }),
    reply: adminEvent,
  }),
  publish: post("/api/admin/events/:id/publish", {
    does: "Publish, or take a cancellation back",
    body: z.object({ version }),
    reply: adminEvent,
  }),
  unpublish: post("/api/admin/events/:id/unpublish", {
    does: "Back to draft; refused while somebody is registered",
    body: z.object({ version }),
    reply: adminEvent,
  }),
  cancel: post("/api/admin/events/:id/cancel", {
    does: "Cancel with a reason; everybody is told",
    body: z.object({ version, reason: z.string().trim().min(1).max(1000) }),
    reply: adminEvent,
  }),
  archive: post("/api/admin/events/:id/archive", {
    does: "Out of the lists, when it is over",
    body: z.object({ version }),
    reply: adminEvent,
  }),
  remove: del("/api/admin/events/:id", { does: "Delete a draft" }),
  registrations: get("/api/admin/events/:id/registrations", {
    does: "Who comes",
    query: registrationList,
    reply: page(registration).extend({
      byState: z.record(z.string(), z.int()),
      /** How many of these a message would reach. */ reachable: z.int(),
      questions: z.array(question),
    }),
  }),
  add: post("/api/admin/events/:id/registrations", { does: "Add somebody by hand", body: person, reply: registration }),
  approve: post("/api/admin/events/:id/registrations/approve", {
    does: "Approve or reject",
    body: z.object({
      ids: z.array(z.uuid()).min(1).max(1000),
      reject: z.boolean().default(false),
      reason: z.string().trim().max(1000).default(""),
    }),
    reply: z.object({ changed: z.int(), waitlisted: z.int() }),
  }),
  promote: post("/api/admin/events/:id/registrations/promote", {
    does: "Offer seats to people of the waiting list, also after registration has closed",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(1000), overCapacity: z.boolean().default(false) }),
    reply: z.object({ offered: z.int(), full: z.int() }),
  }),
  cancelFor: post("/api/admin/events/:id/registrations/cancel", {
    does: "Cancel for somebody",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(1000), notify: z.boolean().default(true) }),
    reply: z.object({ changed: z.int() }),
  }),
  message: post("/api/admin/events/:id/registrations/message", {
    does: "Write to a filtered group",
    body: z.object({
      filter: registrationFilter,
      subject: z.string().trim().min(1).max(150),
      text: z.string().trim().min(1).max(5000),
    }),
    reply: z.object({ sent: z.int() }),
  }),
  invite: post("/api/admin/events/:id/registrations/invite", {
    does: "Invite confirmed guests as learners of a company",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(1000), companyId: z.uuid() }),
    reply: z.object({ invited: z.int(), already: z.int() }),
  }),
  log: get("/api/admin/event-registrations/:id/log", {
    does: "Who did what with a registration",
    reply: z.object({ items: z.array(registrationLog) }),
  }),
  checkIn: post("/api/admin/events/:id/check-in", { does: "Check in by ticket", body: scan, reply: checked }),
  checkInOne: post("/api/admin/event-registrations/:id/check-in", {
    does: "Check in by name",
    body: z.object({ device: z.string().max(60).default(""), at: z.string().optional() }),
    reply: checked,
  }),
  undoCheckIn: post("/api/admin/event-registrations/:id/undo-check-in", {
    does: "Undo a check-in",
    reply: registration,
  }),
};

/** Addresses that are no JSON: calendar feed, the entry of one event, the export of registrations, the ticket as a picture, cover. */
export const CALENDAR_PATH = "/api/events.ics";
export const eventCalendarPath = (slugOf: string) => `/api/events/${slugOf}/event.ics`;
export const registrationsExportPath = (id: string, kind: "csv" | "xlsx") =>
  `/api/admin/events/${id}/registrations.${kind}`;
/** Where a registration is managed; the token comes from the mail. */
export const managePath = (tokenOf: string) => `/events/registration/${tokenOf}`;
/** The ticket as a QR picture (PNG). */
export const ticketPicturePath = (tokenOf: string) => `/api/event-registrations/${tokenOf}/ticket.png`;
