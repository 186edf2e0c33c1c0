import { sql } from "kysely";
import type { LockedOffer } from "#server/catalogue/places.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { forWhom } from "#server/courses/personMails.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";

/** Time between two emails of a kind to one person about one course, or to a manager about all requests. */
export const NOTICE_PAUSE = "1 day";

export type NoticeKind = "asked" | "approved" | "declined" | "takenOff" | "placed" | "closed";

/** Claims the email of a day. False if the person got one of this kind about the same less than a day ago. */
export async function claimNotice(tx: Tx, userId: string, kind: NoticeKind, about: string, ofPeople = false) {
  const { rows } = await sql`
    insert into catalogue_notices (user_id, kind, about, of_people)
    values (${userId}, ${kind}, ${about}, ${ofPeople})
    on conflict (user_id, kind, about, of_people) do update
    set sent_at = now()
    where catalogue_notices.sent_at < now() - ${NOTICE_PAUSE}::interval
    returning user_id`.execute(tx);
  return rows.length > 0;
}

type Reader = { learner: string; title: string; toManager: boolean };
type Text = { subject: string; lines: (reader: Reader, reason: string) => string[] };

const texts: Record<Exclude<NoticeKind, "asked">, Text> = {
  approved: {
    subject: "Approved",
    lines: (reader, reason) => [
      `The course “${reader.title}” was approved for ${forWhom(reader)}`,
      ...(reason ? [`The answer: ${reason}`] : []),
    ],
  },
  declined: {
    subject: "Not approved",
    lines: (reader, reason) => [
      `The course “${reader.title}” was not approved for ${forWhom(reader)}`,
      `The reason: ${reason}`,
    ],
  },
  takenOff: {
    subject: "Waiting list",
    lines: (reader, reason) => [
      `From the waiting list of “${reader.title}”, an admin removed ${forWhom(reader)}`,
      `The reason: ${reason}`,
    ],
  },
  placed: {
    subject: "A free place",
    lines: (reader) => [`A place became free in the course “${reader.title}” and was given to ${forWhom(reader)}`],
  },
  closed: {
    subject: "No longer offered",
    lines: (reader) => [
      `The course “${reader.title}” is no longer offered in the catalogue and was not given to ${forWhom(reader)}`,
    ],
  },
};

/** For managers, who get one email for all. */
const OTHERS =
  "If it applies to others of your people without an email address, you get no further email about it today.";

type Notice = {
  userId: string;
  kind: Exclude<NoticeKind, "asked">;
  reason?: string;
  /** The person who decided. */
  by?: string | null;
};

type Addressee = {
  name: string;
  email: string | null;
  managerId: string | null;
  manager: string | null;
  managerEmail: string | null;
  company: string;
  color: string | null;
};

/**
 * Tells an active person what became of their request; without an address, their manager, unless they decided. Each of
 * them at most once a day for a kind and course.
 */
export async function notifyPerson(
  services: Services,
  tx: Tx,
  offer: LockedOffer,
  { userId, kind, reason = "", by = null }: Notice,
) {
  const { rows } = await sql<Addressee>`
    select users.name, users.email, contact.id as manager_id, contact.name as manager,
      contact.email as manager_email, companies.name as company, companies.color
    from users
    join companies on companies.id = users.company_id
      and companies.status = 'active'
    left join users contact on contact.id = case when users.email is null then mail_manager_of(users.id) end
    where users.id = ${userId}
      and users.company_id = ${offer.companyId}
      and users.status = 'active'`.execute(tx);
  const [person] = rows;
  const recipient = person?.email ?? person?.managerEmail;
  if (!person || !recipient) return;
  const { managerId, company, color } = person;
  const toManager = managerId !== null;
  if (toManager && managerId === by) return;
  if (!(await claimNotice(tx, managerId ?? userId, kind, offer.id, toManager))) return;
  const name = toManager ? person.manager : person.name;
  const { subject, lines } = texts[kind];
  await enqueueMail(services, tx, {
    recipient,
    userId: managerId ?? userId,
    companyId: offer.companyId,
    reason: `catalogue.${kind}`,
    subject: toManager ? `${subject}, ${person.name}: ${offer.course}` : `${subject}: ${offer.course}`,
    ...renderMail({
      name: company,
      color,
      paragraphs: [
        name ? `Hello ${name},` : "Hello,",
        ...lines({ learner: person.name, title: offer.course, toManager }, reason),
        ...(toManager ? [OTHERS] : []),
      ],
      button: toManager
        ? { label: "Open your team", url: `${services.config.publicUrl}/team` }
        : { label: "Open the catalogue", url: `${services.config.publicUrl}/catalogue/${offer.id}` },
      footer: `You get this email because ${company} uses this academy for its training.`,
    }),
  });
}

type Manager = { id: string; name: string; email: string; company: string; color: string | null };

/** Tells a manager that people ask for courses. */
export const mailManager = (
  services: Services,
  tx: Tx,
  companyId: string,
  { id, name, email, company, color }: Manager,
  count: number,
) =>
  enqueueMail(services, tx, {
    recipient: email,
    userId: id,
    companyId,
    reason: "catalogue.asked",
    subject: count === 1 ? "A request for a course" : `${count} requests for courses`,
    ...renderMail({
      name: company,
      color,
      paragraphs: [
        name ? `Hello ${name},` : "Hello,",
        count === 1
          ? "One of your people asks for a course from the catalogue, and waits for your answer."
          : `${count} requests of your people for courses from the catalogue wait for your answer.`,
      ],
      button: { label: "Open your team", url: `${services.config.publicUrl}/team` },
      footer: `You get this email because you answer requests at ${company}. There is at most one a day.`,
    }),
  });
