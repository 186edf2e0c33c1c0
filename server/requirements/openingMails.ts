import { sql } from "kysely";
import { inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Services } from "#server/core/services.ts";
import { renewalMail, teamRenewalMail } from "#server/courses/mails.ts";
import { type Addressee, mailPeople } from "#server/courses/personMails.ts";

/** People who are notified in one transaction. */
const BATCH = 50;

/** Notifies the next people, in one email each, of their courses that are open again. False if there are none. */
export const notifyPeople = (services: Services) =>
  inTransaction(services.db, async (tx) => {
    const { rows: people } = await sql<{ userId: string }>`
      select distinct user_id
      from requirements
      where opened_on is not null
        and notified_at is null
      order by user_id
      limit ${BATCH}`.execute(tx);
    const userIds = people.map(({ userId }) => userId);
    if (userIds.length === 0) return false;
    // Marked first, so that another job that notifies the same people finds none.
    const { rows: marked } = await sql<{ id: string }>`
      update requirements
      set notified_at = now()
      where ${isOneOf("user_id", userIds)}
        and opened_on is not null
        and notified_at is null
      returning enrolment_id as id`.execute(tx);
    const enrolmentIds = marked.map(({ id }) => id);
    const { rows } = await sql<Addressee>`
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
    await mailPeople(services, tx, rows, {
      reason: "requirements.open",
      own: (person, link) => renewalMail({ ...person, link }),
      team: teamRenewalMail,
    });
    return true;
  });
