import type { Db, Tx } from "#server/core/db.ts";
import type { Services } from "#server/core/services.ts";
import { guestCalendar } from "#server/events/public/calendar.ts";
import type { EventRow, RegistrationRow } from "#server/events/registrations/seats.ts";
import { manageTokenOf, ticketOf, ticketPicture } from "#server/events/checkin/tickets.ts";
import { spanText, timeText } from "#server/events/eventTimes.ts";
import { venueOf } from "#server/events/views.ts";
import { renderMail, type MailContent } from "#server/mails/template.ts";
import { type Attachment, enqueueMail } from "#server/mails/service.ts";
import { CONFIRM_HOURS, managePath } from "#shared/eventRegistrations.ts";

/** What a letter may need besides the event and the registration. */
export type Extra = { why?: string; reason?: string; subject?: string; text?: string; hours?: number };
type Words = {
  subject: string;
  paragraphs: MailContent[];
  /** The button; without one the letter leads nowhere. */
  button?: string;
  calendar?: "REQUEST" | "CANCEL";
  ticket?: boolean;
  /** Without time and place, where they are of no use. */
  bare?: boolean;
};
type Case = { event: EventRow; registration: RegistrationRow } & Extra;

/**
 * The words of every letter. The confirmation of a mailbox holds nothing that a stranger typed: it is the one letter that goes to
 * people who may not have asked for it.
 */
const letters = {
  confirm: ({ event }) => ({
    subject: `Confirm your registration: ${event.title}`,
    button: "Confirm my registration",
    paragraphs: [
      `Somebody, we hope you, registered this address for “${event.title}”. Confirm it within ${CONFIRM_HOURS} hours to complete the registration. A seat is only taken then; what counts in a waiting list is the time at which the form was sent.`,
    ],
  }),
  already: ({ event }) => ({
    subject: `Your registration: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `You registered for “${event.title}” again. Your registration from before is there and nothing has changed; the link shows how it stands.`,
    ],
  }),
  link: ({ event }) => ({
    subject: `Your registration: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `Here is the link to your registration for “${event.title}”. If you did not ask for it, nothing has changed.`,
    ],
  }),
  pending: ({ event }) => ({
    subject: `We have your registration: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `Thank you for registering for “${event.title}”. The organiser looks at every registration and decides; we write to you then.`,
    ],
  }),
  confirmed: ({ event, registration }) => ({
    subject: `You are registered: ${event.title}`,
    button: "Open my registration",
    calendar: "REQUEST",
    ticket: registration.attendance === "in_person",
    paragraphs: [
      `Your place at “${event.title}” is confirmed.`,
      registration.attendance === "online"
        ? `The link to take part stands on the page of your registration, from ${event.joinOpensMinutes} minutes before the start.`
        : {
            html: "Show the code below at the door, on your phone or printed. It is yours alone.",
            text: "Your ticket is enclosed as a picture. Show its code at the door, on your phone or printed. It is yours alone.",
          },
    ],
  }),
  waitlisted: ({ event, why }) => ({
    subject: `You are on the waiting list: ${event.title}`,
    button: "Open my registration",
    paragraphs: [`All seats of “${event.title}” are taken at the moment. You are on the waiting list.`, why ?? ""],
  }),
  offered: ({ event, registration }) => ({
    subject: `A seat for you: ${event.title}`,
    button: "Take or decline the seat",
    paragraphs: [
      `A seat has become free at “${event.title}”. It is kept for you until ${registration.offerExpiresAt ? timeText(registration.offerExpiresAt, event.timezone) : "the event starts"}. If you do not take it, it goes to the next person.`,
    ],
  }),
  offerExpired: ({ event }) => ({
    subject: `The seat went on: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `The seat at “${event.title}” that was kept for you was not taken in time and goes to the next person. If you still want to come, register again: you are then at the end of the waiting list.`,
    ],
  }),
  changed: ({ event, registration }) => ({
    subject: `Changed: ${event.title}`,
    button: "Open my registration",
    ...(registration.state === "confirmed" && { calendar: "REQUEST" as const }),
    paragraphs: [
      `Time or place of “${event.title}” has changed. This is how it is now; your registration stays as it is.`,
      "If you cannot come any more, give your place back on the page of your registration.",
    ],
  }),
  cancelled: ({ event, registration, reason }) => ({
    subject: `Cancelled: your registration for ${event.title}`,
    ...(registration.confirmedAt && { calendar: "CANCEL" as const }),
    paragraphs: [
      `Your registration for “${event.title}” was cancelled.`,
      reason ?? "",
      "If this was a mistake, register again.",
    ],
  }),
  eventCancelled: ({ event, registration }) => ({
    subject: `The event is cancelled: ${event.title}`,
    ...(registration.confirmedAt && { calendar: "CANCEL" as const }),
    paragraphs: [`“${event.title}” does not take place.`, event.cancelReason],
  }),
  republished: ({ event }) => ({
    subject: `It takes place after all: ${event.title}`,
    paragraphs: [
      `“${event.title}” was cancelled and takes place after all. Your registration was cancelled too; if you want to come, register again.`,
    ],
  }),
  rejected: ({ event, reason }) => ({
    subject: `Your registration: ${event.title}`,
    bare: true,
    paragraphs: [`We are sorry: the organiser of “${event.title}” could not accept your registration.`, reason ?? ""],
  }),
  reminder: ({ event, registration, hours = 24 }) => ({
    subject: `${hours === 1 ? "In one hour" : "Tomorrow"}: ${event.title}`,
    button: "Open my registration",
    ticket: registration.attendance === "in_person",
    paragraphs: [
      hours === 1 ? `“${event.title}” starts in about an hour.` : `“${event.title}” takes place within the next day.`,
      registration.attendance === "online"
        ? "The link to take part stands on the page of your registration."
        : { html: "Your ticket is below.", text: "Your ticket is enclosed as a picture." },
      "If you cannot come, give your place back on the page of your registration: somebody else may be waiting for it.",
    ],
  }),
  thanks: ({ event }) => ({
    subject: `Thank you: ${event.title}`,
    bare: true,
    paragraphs: [`Thank you for taking part in “${event.title}”. It was good to have you there.`],
  }),
  message: ({ event, subject = event.title, text = "" }) => ({
    subject,
    button: "Open my registration",
    paragraphs: [text],
  }),
} satisfies Record<string, (one: Case) => Words>;
export type EventMailKind = keyof typeof letters;

/** Puts one letter about a registration into the outbox, in the caller's transaction. */
export async function renderEventMail(
  services: Services,
  tx: Db | Tx,
  kind: EventMailKind,
  event: EventRow,
  registration: RegistrationRow,
  extra: Extra = {},
) {
  const words: Words = letters[kind]({ event, registration, ...extra });
  const known = registration.emailVerifiedAt !== null || registration.source === "admin";
  const attachments: Attachment[] = [];
  if (words.ticket)
    attachments.push({
      name: "ticket.png",
      type: "image/png",
      cid: "ticket",
      content: (await ticketPicture(ticketOf(services, registration))).toString("base64"),
    });
  if (words.calendar)
    attachments.push({
      name: "event.ics",
      type: "text/calendar",
      method: words.calendar,
      content: Buffer.from(guestCalendar(services, event, registration, words.calendar)).toString("base64"),
    });
  const sheet = renderMail({
    name: event.organiserName || event.title,
    paragraphs: [known && registration.name ? `Hello ${registration.name},` : "Hello,", ...words.paragraphs].filter(
      Boolean,
    ),
    facts: words.bare ? [] : factsOf(event, registration, !["confirm", "already", "link"].includes(kind)),
    ...(words.ticket && { picture: { cid: "ticket", alt: `Ticket: ticket.png, reference ${registration.reference}` } }),
    ...(words.button && {
      button: {
        label: words.button,
        url: `${services.config.publicUrl}${managePath(manageTokenOf(services, registration.id))}`,
      },
    }),
    footer:
      kind === "confirm"
        ? "If it was not you, ignore this mail: nothing happens, and the address is deleted after a day."
        : footerOf(event, words.button !== undefined),
  });
  await enqueueMail(services, tx, {
    recipient: registration.email,
    userId: registration.userId,
    companyId: event.companyId,
    subject: words.subject.replace(/\s+/g, " "),
    reason: `events.${kind}`,
    attachments,
    replyTo: event.organiserEmail || null,
    registrationId: registration.id,
    ...sheet,
  });
}

function footerOf({ title, organiserName }: EventRow, linked: boolean): MailContent {
  const why = `You get this mail because of your registration for “${title}”${organiserName ? ` by ${organiserName}` : ""}.`;
  const there =
    "leads to your own page: change or cancel there, see your data or delete them. Do not pass the link on.";
  return linked ? { html: `${why} The button ${there}`, text: `${why} The link above ${there}` } : why;
}

/** When and where, always with the zone by its name. */
function factsOf(event: EventRow, registration: RegistrationRow, withReference: boolean): [string, string][] {
  const { name, street, postalCode, city, country } = venueOf(event);
  const room = [name, street, [postalCode, city].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
  return [
    ["When", spanText(event)],
    ["Where", registration.attendance === "online" ? "Online" : room || "To be announced"],
    ...(withReference ? [["Reference", registration.reference] as [string, string]] : []),
  ];
}
