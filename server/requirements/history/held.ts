import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { badField } from "#server/core/http/problem.ts";
import { exemptDays, stateOn } from "#server/requirements/requirementRows.ts";

/** A time as of which requirements are read: an instant, and the day of the company's zone of which it is the end. */
export type Moment = { companyId: string; at: string; day: string; zone: string };

/**
 * The end of a day of the company's zone that is over, and for some minutes, in which everything of the day is stored;
 * throws a 422 for other days.
 */
export async function endOfDay(db: Db, company: { id: string; zone: string }, day: string): Promise<Moment> {
  const { rows } = await sql<{ at: string; isOver: boolean }>`
    select at, at <= now() - interval '10 minutes' as is_over
    from (select ((${day}::date + 1)::timestamp at time zone ${company.zone}) as at) day`.execute(db);
  const [end] = rows;
  if (!end?.isOver) throw badField("asOf", "requirements.dayNotOver");
  return { companyId: company.id, at: new Date(end.at).toISOString(), day, zone: company.zone };
}

/** SQL: what the company required at the time, a row each, as `course_requirement_history` has it. */
export const termsAsOf = ({ companyId, at }: Pick<Moment, "companyId" | "at">) => sql`
    select
      requirement_id, course_id, months, counts_from, fixed_month, fixed_day, skip_days, window_days, grace_days
    from (
      select distinct on (course_id) *
      from course_requirement_history
      where company_id = ${companyId}
        and recorded_at < ${at}::timestamptz
      order by course_id, id desc
    ) latest
    where is_required`;

/**
 * SQL: the requirements of everyone who was in the company at the time, as they stood then: the columns of
 * `requirements`, `person_id`, `due_date`, `is_started` and `state`. The last rows that were recorded before count
 * (docs/decisions/0020-history.md), so that nothing that arrives later changes them. `only`: an SQL condition on
 * `enrolment_id`.
 */
export const heldAsOf = ({ companyId, at, day }: Moment, courseIds?: string[], only = sql`true`) => sql`
    select
      requirements.enrolment_id, requirements.course_id, enrolments.person_id, requirements.since,
      requirements.completed_on, requirements.valid_until, requirements.opens_on, requirements.opened_on,
      ${exemptDays(day)},
      enrolments.due_date,
      enrolments.status in ('in_progress', 'failed') as is_started,
      ${stateOn(day)} as state
    from (
      select distinct on (course_id, enrolment_id) *
      from requirement_history
      where company_id = ${companyId}
        and recorded_at < ${at}::timestamptz
        ${courseIds ? sql`and course_id = any(${courseIds}::uuid[])` : sql``}
        and ${only}
      order by course_id, enrolment_id, id desc
    ) requirements
    join lateral (
      select person_id, due_date, status
      from enrolment_history
      where enrolment_history.enrolment_id = requirements.enrolment_id
        and recorded_at < ${at}::timestamptz
      order by id desc
      limit 1
    ) enrolments on true
    join lateral (
      select company_id, role, status
      from membership_history
      where membership_history.person_id = enrolments.person_id
        and recorded_at < ${at}::timestamptz
      order by id desc
      limit 1
    ) membership on true
    where requirements.is_required
      and membership.company_id = ${companyId}
      and membership.role = 'learner'
      and membership.status <> 'suspended'`;

/** SQL condition: the person was in the group at the time. */
export const wasInGroup = (groupId: string, at: string, person: RawBuilder<unknown>) => sql<boolean>`exists (
      select from group_members
      where group_members.group_id = ${groupId}
        and group_members.person_id = ${person}
        and group_members.since < ${at}::timestamptz
        and (group_members.until is null or group_members.until >= ${at}::timestamptz)
    )`;
