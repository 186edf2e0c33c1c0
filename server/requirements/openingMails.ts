import { sql } from "kysely";
import { inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Services } from "#server/core/services.ts";
import { nameWithNumber, renewalMail, teamRenewalMail } from "#server/courses/mails.ts";
import { enqueueMail } from "#server/mails/service.ts";

/** People who are told in one transaction. */
const BATCH = 50;

type Told = {
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
  courses: { title: string; due: string | null }[];
};

/** Tells the next people, in one email each, which of their courses are open again. False if there are none. */
export const tellPeople = (services: Services) =>
  inTransaction(services.db, async (tx) => {
    const { rows: people } = await sql<{ userId: string }>`
      select distinct user_id
      from requirements
      where opened_on is not null
        and told_at is null
      order by user_id
      limit ${BATCH}`.execute(tx);
    const userIds = people.map(({ userId }) => userId);
    if (userIds.length === 0) return false;
    // Marked first: another job that tells the same people finds none.
    const { rows: marked } = await sql<{ id: string }>`
      update requirements
      set told_at = now()
      where ${isOneOf("user_id", userIds)}
        and opened_on is not null
        and told_at is null
      returning enrolment_id as id`.execute(tx);
    const enrolmentIds = marked.map(({ id }) => id);
    const { rows } = await sql<Told>`
      select
        users.id, users.name, users.email, ${personnelNumber} as number,
        contact.id as manager_id, contact.name as manager, contact.email as manager_email,
        companies.id as company_id, companies.name as company, companies.color,
        jsonb_agg(
          jsonb_build_object('title', courses.title, 'due', requirements.valid_until)
          order by lower(courses.title)
        ) as courses
      from requirements
      join enrolments
        on enrolments.id = requirements.enrolment_id
        and enrolments.status in ('assigned', 'in_progress', 'failed')
      join courses on courses.id = requirements.course_id
      join users on users.id = requirements.user_id and users.status <> 'suspended'
      join companies on companies.id = requirements.company_id and companies.id = users.company_id
      left join users contact on contact.id = case when users.email is null then mail_manager_of(users.id) end
      where ${isOneOf("enrolments.id", enrolmentIds)}
        and companies.status = 'active'
        and coalesce(users.email, contact.email) <> ''
      group by users.id, companies.id, contact.id
      order by users.id`.execute(tx);
    const link = `${services.config.publicUrl}/my-courses`;
    for (const { id, email, companyId, ...person } of rows.filter(({ managerId }) => managerId === null))
      await enqueueMail(services, tx, {
        userId: id,
        companyId,
        reason: "requirements.open",
        recipient: email as string,
        ...renewalMail({ ...person, link }),
      });
    const ofManagers = Map.groupBy(
      rows.filter(({ managerId }) => managerId !== null),
      ({ managerId, companyId }) => `${managerId} ${companyId}`,
    );
    for (const group of ofManagers.values()) {
      const { managerId, manager, managerEmail, companyId, company, color } = group[0] as Told;
      await enqueueMail(services, tx, {
        userId: managerId,
        companyId,
        reason: "requirements.open",
        recipient: managerEmail as string,
        ...teamRenewalMail({
          manager: manager ?? "",
          company,
          color,
          people: group.flatMap(({ name, number, courses }) =>
            courses.map((course) => ({ person: nameWithNumber(name, number), ...course })),
          ),
          link: `${services.config.publicUrl}/team`,
        }),
      });
    }
    return true;
  });
