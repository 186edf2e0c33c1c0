import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Person } from "#server/outlook/person.ts";
import { canBeTaken, dueAfterOpening, opensOn } from "#server/requirements/cycles.ts";
import type { Opening } from "#server/reminders/ahead.ts";
import { isOpen } from "#server/reminders/steps.ts";
import { MAX_EVENTS, type OutlookEvent } from "#shared/outlook/outlook.ts";

type Dated = Extract<OutlookEvent, { kind: "due" | "opens" | "expires" }>;

/** `dueDate`: of a course once it is open again. */
type Row = Dated & { enrolmentId: string | null; dueDate: string };

/** Due dates, courses that open again and completions that lose their validity, from today until `until`. */
export async function listDates(db: Db, { id, companyId, today }: Person, until: string) {
  const { rows } = await sql<Row>`
    select
      'due' as kind, enrolments.due_date as day, courses.id as course_id, courses.title as course,
      null::date as valid_until, null::uuid as enrolment_id, null::date as due_date
    from enrolments
    join courses on courses.id = enrolments.course_id and courses.status <> 'archived'
    where enrolments.user_id = ${id}
      and enrolments.company_id = ${companyId}
      and enrolments.due_date between ${today}::date and ${until}::date
      and ${isOpen}
    union all
    select
      'opens', ${opensOn(today)}, courses.id, courses.title, requirements.valid_until, enrolments.id,
      ${dueAfterOpening}
    from requirements
    join enrolments on enrolments.id = requirements.enrolment_id and enrolments.status = 'completed'
    join users on users.id = requirements.user_id
    join companies on companies.id = requirements.company_id
    join courses on courses.id = requirements.course_id
    where requirements.user_id = ${id}
      and requirements.company_id = ${companyId}
      and requirements.opened_on is null
      and ${opensOn(today)} <= ${until}::date
      and ${canBeTaken}
    union all
    select 'expires', ended.day, courses.id, courses.title, null, null, null
    from (
      select course_id, valid_until as day
      from requirements
      where user_id = ${id}
        and company_id = ${companyId}
      union all
      select course_id, max(valid_until)
      from certificates
      where person_id = ${id}
        and company_id = ${companyId}
        and revoked_at is null
        and not exists (
          select from requirements
          where requirements.user_id = ${id}
            and requirements.company_id = ${companyId}
            and requirements.course_id = certificates.course_id
        )
      group by course_id
      having count(*) = count(valid_until)
    ) ended
    join courses on courses.id = ended.course_id
    where ended.day between ${today}::date and ${until}::date
    order by day, kind, course
    limit ${MAX_EVENTS + 1}`.execute(db);
  const openings = rows.flatMap(({ enrolmentId, day, dueDate }): Opening[] =>
    enrolmentId ? [{ enrolmentId, day, dueDate }] : [],
  );
  return { dates: rows.map(({ enrolmentId: _id, dueDate: _due, ...event }): Dated => event), openings };
}
