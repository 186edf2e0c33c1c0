import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { nameWithNumber, type TeamMail } from "#server/courses/mails.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail, type MailInput } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";

type CourseOfMail = { title: string; due: string | null };

/** A person with the courses that an email is about. Without an address, a manager gets the email: `managerId`. */
export type Addressee = {
  id: string;
  name: string;
  email: string | null;
  number: string | null;
  managerId: string | null;
  manager: string | null;
  managerEmail: string | null;
  companyId: string;
  company: string;
  color: string | null;
  courses: CourseOfMail[];
};

type Content = Pick<MailInput, "subject" | "body" | "html">;
type Mails<Row> = {
  reason: string;
  /** The email to a person, with a link to their courses. */
  own: (person: Row, link: string) => Content;
  /** The email to a manager about all people whom it reaches through them. */
  team: (mail: TeamMail) => Content;
};

/** Queues one email for each person, and one for each manager of people without an address. */
export async function mailPeople<Row extends Addressee>(services: Services, tx: Tx, people: Row[], mails: Mails<Row>) {
  const { publicUrl } = services.config;
  // A manager who is among the people gets both: their own email and that about others.
  const groups = Map.groupBy(people, ({ id, managerId, companyId }) =>
    managerId === null ? `own ${id} ${companyId}` : `team ${managerId} ${companyId}`,
  );
  for (const group of groups.values()) {
    const { managerId, manager, managerEmail, companyId, company, color, ...person } = group[0] as Row;
    const content =
      managerId === null
        ? mails.own(group[0] as Row, `${publicUrl}/my-courses`)
        : mails.team({
            manager: manager ?? "",
            company,
            color,
            people: group.flatMap(({ name, number, courses }) =>
              courses.map((course) => ({ person: nameWithNumber(name, number), ...course })),
            ),
            link: `${publicUrl}/team`,
          });
    await enqueueMail(services, tx, {
      userId: managerId ?? person.id,
      companyId,
      reason: mails.reason,
      recipient: (managerId === null ? person.email : managerEmail) as string,
      ...content,
    });
  }
}

/** Who reads an email about a course of a person: they themselves or, without an address, their manager. */
export type CourseReader = { learner: string; title: string; toManager: boolean };
type CourseContent = { subject: string; paragraphs: string[]; button: { label: string; path: string } };

/**
 * Queues an email about the course of an active learner, with what `content` says of it. Nothing without a mail server:
 * the course page says it.
 */
export async function mailAboutCourse(
  services: Services,
  tx: Tx,
  enrolment: RawBuilder<string>,
  { reason, content }: { reason: string; content: (reader: CourseReader & { courseId: string }) => CourseContent },
) {
  const { config } = services;
  if (!(await hasMailServer({ config, db: tx }))) return;
  const person = await tx
    .selectFrom("enrolments")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .leftJoin("users as contact", (join) =>
      join.on(sql<boolean>`contact.id = case when users.email is null then mail_manager_of(users.id) end`),
    )
    .where("enrolments.id", "=", enrolment)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "users.name", "enrolments.companyId", "enrolments.courseId"])
    .select(["contact.id as managerId", "contact.email as managerEmail", "contact.name as manager"])
    .select(["companies.name as company", "companies.color", "courses.title"])
    .executeTakeFirst();
  const recipient = person?.email ?? person?.managerEmail;
  if (!person || !recipient) return;
  const { name: learner, managerId, companyId, courseId, company, color, title } = person;
  const name = managerId ? person.manager : learner;
  const { subject, paragraphs, button } = content({ learner, title, courseId, toManager: managerId !== null });
  await enqueueMail(services, tx, {
    recipient,
    userId: managerId ?? person.userId,
    companyId,
    reason,
    subject,
    ...renderMail({
      name: company,
      color,
      paragraphs: [name ? `Hello ${name},` : "Hello,", ...paragraphs],
      button: managerId
        ? { label: "Open your team", url: `${config.publicUrl}/team` }
        : { label: button.label, url: config.publicUrl + button.path },
      footer: `You get this email because ${company} uses this academy for its training.`,
    }),
  });
}

/** “you”, or to their manager the name of a person without an address. */
export const forWhom = ({ learner, toManager }: CourseReader) =>
  toManager ? `${learner}. You get this email because they have no email address.` : "you.";
