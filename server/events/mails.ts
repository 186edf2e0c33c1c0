import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { guestCalendar } from "#server/events/public/calendar.ts";
import type { EventRow, RegistrationRow } from "#server/events/registrations/seats.ts";
import { manageTokenOf, ticketOf, ticketPicture } from "#server/events/checkin/tickets.ts";
import { spanText, timeText } from "#server/events/eventTimes.ts";
import { renderMail, type MailContent } from "#server/mails/template.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { CONFIRM_HOURS, managePath } from "#shared/events/eventRegistrations.ts";
import type { MailAttachment } from "#shared/mails/mails.ts";

/** What an email may contain besides the event and the registration. */
export type MailDetails = {
  waitlistReason?: string;
  reason?: string;
  subject?: string;
  text?: string;
  /** Hours until the start, for reminders. */
  hours?: number;
};
type MailTemplate = {
  subject: string;
  paragraphs: MailContent[];
  /** Label of the button that opens the registration; no button without it. */
  button?: string;
  /** Method of the attached calendar entry (iTIP, RFC 5546). */
  calendar?: "REQUEST" | "CANCEL";
  ticket?: boolean;
  /** Leaves out time, location and reference. */
  withoutFacts?: boolean;
};
type MailInput = { event: EventRow; registration: RegistrationRow } & MailDetails;

/**
 * Texts of all emails about events. `confirm` contains no text from the form, because it may go to somebody else than
 * the person who filled it in.
 */
const templates = {
  confirm: ({ event }) => ({
    subject: `Confirm your registration: ${event.title}`,
    button: "Confirm my registration",
    paragraphs: [
      `This address was used to register for “${event.title}”. ` +
        `Confirm it within ${CONFIRM_HOURS} hours to complete the registration. ` +
        "No seat is reserved until then. Your position on a waiting list depends on when the form was sent.",
    ],
  }),
  already: ({ event }) => ({
    subject: `Your registration: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `You registered for “${event.title}” again. Your existing registration is unchanged; the link shows its status.`,
    ],
  }),
  link: ({ event }) => ({
    subject: `Your registration: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `Here is the link to your registration for “${event.title}”. ` +
        "If you did not request it, you can ignore this email; nothing has changed.",
    ],
  }),
  pending: ({ event }) => ({
    subject: `Registration received: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `Thank you for registering for “${event.title}”. ` +
        "The organiser reviews every registration. We email you the decision.",
    ],
  }),
  confirmed: ({ event, registration }) => ({
    subject: `You are registered: ${event.title}`,
    button: "Open my registration",
    calendar: "REQUEST",
    ticket: registration.attendance === "in_person",
    paragraphs: [
      `Your seat at “${event.title}” is confirmed.`,
      registration.attendance === "online"
        ? `The joining link appears on your registration page ${event.joinOpensMinutes} minutes before the start.`
        : {
            html: "Show the code below at check-in, on your phone or printed. It is personal.",
            text:
              "Your ticket is attached as an image. " +
              "Show its code at check-in, on your phone or printed. It is personal.",
          },
    ],
  }),
  waitlisted: ({ event, waitlistReason }) => ({
    subject: `You are on the waiting list: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `All seats of “${event.title}” are taken at the moment. You are on the waiting list.`,
      waitlistReason ?? "",
    ],
  }),
  offered: ({ event, registration }) => ({
    subject: `A seat for you: ${event.title}`,
    button: "Accept or decline the seat",
    paragraphs: [
      `A seat has become free at “${event.title}”. ` +
        `It is reserved for you until ${offerEndText(event, registration)}. ` +
        "If you do not accept it, it is offered to the next person.",
    ],
  }),
  offerExpired: ({ event }) => ({
    subject: `Your offer has expired: ${event.title}`,
    button: "Open my registration",
    paragraphs: [
      `You did not accept the seat at “${event.title}” in time, so it is offered to the next person. ` +
        "If you still want to attend, register again to join the end of the waiting list.",
    ],
  }),
  changed: ({ event, registration }) => ({
    subject: `Changed: ${event.title}`,
    button: "Open my registration",
    ...(registration.state === "confirmed" && { calendar: "REQUEST" as const }),
    paragraphs: [
      `The time or location of “${event.title}” has changed. ` +
        "The current details are below; your registration is unchanged.",
      "If you can no longer attend, cancel on your registration page.",
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
    paragraphs: [`“${event.title}” will not take place.`, event.cancelReason],
  }),
  republished: ({ event }) => ({
    subject: `Taking place after all: ${event.title}`,
    paragraphs: [
      `“${event.title}” was cancelled but will take place after all. ` +
        "Your registration was cancelled with the event. To attend, register again.",
    ],
  }),
  rejected: ({ event, reason }) => ({
    subject: `Your registration: ${event.title}`,
    withoutFacts: true,
    paragraphs: [`Unfortunately, the organiser of “${event.title}” could not accept your registration.`, reason ?? ""],
  }),
  reminder: ({ event, registration, hours = 24 }) => ({
    subject: `${hours === 1 ? "In one hour" : "Tomorrow"}: ${event.title}`,
    button: "Open my registration",
    ticket: registration.attendance === "in_person",
    paragraphs: [
      hours === 1 ? `“${event.title}” starts in about an hour.` : `“${event.title}” starts within the next 24 hours.`,
      registration.attendance === "online"
        ? "The joining link is on your registration page."
        : { html: "Your ticket is below.", text: "Your ticket is attached as an image." },
      "If you cannot attend, cancel on your registration page; someone else may be waiting for your seat.",
    ],
  }),
  thanks: ({ event }) => ({
    subject: `Thank you: ${event.title}`,
    withoutFacts: true,
    paragraphs: [`Thank you for taking part in “${event.title}”.`],
  }),
  message: ({ event, subject = event.title, text = "" }) => ({
    subject,
    button: "Open my registration",
    paragraphs: [text],
  }),
} satisfies Record<string, (input: MailInput) => MailTemplate>;
export type EventMailKind = keyof typeof templates;

const offerEndText = ({ timezone }: EventRow, { offerExpiresAt }: RegistrationRow) =>
  offerExpiresAt ? timeText(offerExpiresAt, timezone) : "the event starts";

/** Adds an email about a registration to the outbox, in the caller's transaction. */
export async function enqueueEventMail(
  services: Services,
  tx: Db,
  kind: EventMailKind,
  event: EventRow,
  registration: RegistrationRow,
  details: MailDetails = {},
) {
  const template: MailTemplate = templates[kind]({ event, registration, ...details });
  const isNameTrusted = registration.emailVerifiedAt !== null || registration.source === "admin";
  const attachments: MailAttachment[] = [];
  if (template.ticket)
    attachments.push({
      name: "ticket.png",
      type: "image/png",
      cid: "ticket",
      content: (await ticketPicture(ticketOf(services, registration))).toString("base64"),
    });
  if (template.calendar)
    attachments.push({
      name: "event.ics",
      type: "text/calendar",
      method: template.calendar,
      content: Buffer.from(
        await guestCalendar({ config: services.config, db: tx }, event, registration, template.calendar),
      ).toString("base64"),
    });
  const content = renderMail({
    name: event.organiserName || event.title,
    paragraphs: [
      isNameTrusted && registration.name ? `Hello ${registration.name},` : "Hello,",
      ...template.paragraphs,
    ].filter(Boolean),
    facts: template.withoutFacts ? [] : factsOf(event, registration, !["confirm", "already", "link"].includes(kind)),
    ...(template.ticket && {
      picture: { cid: "ticket", alt: `Ticket: ticket.png, reference ${registration.reference}` },
    }),
    ...(template.button && {
      button: {
        label: template.button,
        url: `${services.config.publicUrl}${managePath(manageTokenOf(services, registration.id))}`,
      },
    }),
    footer:
      kind === "confirm"
        ? "If this was not you, ignore this email. The address is deleted after a day."
        : footerOf(event, template.button !== undefined),
  });
  await enqueueMail(services, tx, {
    recipient: registration.email,
    userId: registration.userId,
    companyId: event.companyId,
    subject: template.subject.replace(/\s+/g, " "),
    reason: `events.${kind}`,
    attachments,
    replyTo: event.organiserEmail || null,
    registrationId: registration.id,
    ...content,
  });
}

function footerOf({ title, organiserName }: EventRow, hasLink: boolean): MailContent {
  const organiser = organiserName ? ` by ${organiserName}` : "";
  const reason = `You receive this email because of your registration for “${title}”${organiser}.`;
  const purpose =
    "opens your registration page, where you can change or cancel it, and view or delete your data. " +
    "Do not share the link.";
  return hasLink ? { html: `${reason} The button ${purpose}`, text: `${reason} The link above ${purpose}` } : reason;
}

/** Time, location and reference. The time always names its time zone. */
function factsOf(event: EventRow, registration: RegistrationRow, withReference: boolean): [string, string][] {
  const { name, street, postalCode, city, country } = event.venue;
  const location = [name, street, [postalCode, city].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
  return [
    ["When", spanText(event)],
    ["Where", registration.attendance === "online" ? "Online" : location || "To be announced"],
    ...(withReference ? [["Reference", registration.reference] as [string, string]] : []),
  ];
}
