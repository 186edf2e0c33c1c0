import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { nameWithNumber, type TeamMail } from "#server/courses/mails.ts";
import { enqueueMail, type MailInput } from "#server/mails/service.ts";

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
  const groups = Map.groupBy(people, ({ id, managerId, companyId }) => `${managerId ?? id} ${companyId}`);
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
