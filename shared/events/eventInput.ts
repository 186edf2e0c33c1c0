import { z } from "zod";
import { wallTime } from "#shared/core/dates.ts";
import { question } from "#shared/events/eventQuestions.ts";
import { attendanceMode, eventVisibility, registrationMode } from "#shared/events/eventPhases.ts";
import { email, personName } from "#shared/core/users.ts";

// What an organiser enters for an event

/** An IANA time zone name or alias, as browsers report it. */
export const timeZone = z.string().min(1).max(60).refine(isTimeZone, { error: "events.badZone" });
function isTimeZone(zone: string) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}
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

/** Number of seats; null means no limit. */
const capacity = z.int().min(0).max(1_000_000).nullable().default(null);
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
  /**
   * In the time zone of the event. The server converts it to an instant, and rejects a time that daylight saving skips.
   */
  startsLocal: wallTime,
  endsLocal: wallTime,
  attendanceMode: attendanceMode.default("in_person"),
  venue: venue.default({ name: "", street: "", postalCode: "", city: "", country: "", mapUrl: "" }),
  /** Shown only to confirmed guests, from `joinOpensMinutes` before the start. */
  onlineUrl: webAddress.or(z.literal("")).default(""),
  joinOpensMinutes: z.int().min(0).max(10_080).default(30),
  visibility: eventVisibility.default("public"),
  companyId: z.uuid().nullable().default(null),
  accessCode: z.string().trim().max(60).optional(),
  registrationMode: registrationMode.default("open"),
  externalUrl: webAddress.or(z.literal("")).default(""),
  registrationOpensLocal: wallTime.nullable().default(null),
  registrationClosesLocal: wallTime.nullable().default(null),
  /** In-person seats of a hybrid event, all seats of any other. */
  capacity,
  /** Online seats of a hybrid event. */
  capacityOnline: capacity,
  waitlistEnabled: z.boolean().default(true),
  waitlistMode: z.enum(["auto_offer", "manual"]).default("auto_offer"),
  offerMinutes: z.int().min(15).max(20_160).default(720),
  requireEmailConfirmation: z.boolean().default(true),
  challenge: z.enum(["none", "pow"]).default("none"),
  modificationMode: z.enum(["always", "until_close", "never"]).default("until_close"),
  questions: z.array(question).max(40).default([]),
  agenda: z.array(agendaItem).max(100).default([]),
  speakers: z.array(speaker).max(50).default([]),
  /** What the visitor agrees to. The agreed version is stored with each registration. */
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
  /** A public chatbot that visitors may ask on the page of the event. */
  chatbotId: z.uuid().nullable().default(null),
});
export type EventInput = z.infer<typeof eventInput>;

/** Groups of fields that an organiser can copy when duplicating an event. */
export const duplicatePart = z.enum([
  "description",
  "cover",
  "agenda",
  "speakers",
  "questions",
  "seats",
  "registration",
]);
export type DuplicatePart = z.infer<typeof duplicatePart>;
