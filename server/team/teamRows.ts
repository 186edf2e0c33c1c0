import { type RawBuilder, sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { isCurrent } from "#server/certificates/validity.ts";
import { peopleOf } from "#server/managers/scope.ts";
import {
  type CourseState,
  DUE_SOON_DAYS,
  ENDING_DAYS,
  type TeamCourse,
  type TeamFilter,
  type TeamHome,
  type TeamMember,
} from "#shared/team/team.ts";
import type { User } from "#shared/core/users.ts";

// Every query of a manager begins with `peopleOf`, so that no row of anybody else can be in its result.

/** SQL: today in the time zone of `companies`. */
const today = sql`(now() at time zone companies.timezone)::date`;
const isOpen = sql`(enrolments.status not in ('completed', 'withdrawn'))`;
const isOverdue = sql`is_overdue(enrolments.due_date, companies.timezone, enrolments.status)`;
const isDueSoon = sql`(
  ${isOpen}
  and not ${isOverdue}
  and coalesce(enrolments.due_date <= ${today} + ${sql.lit(DUE_SOON_DAYS)}, false)
)`;
/** SQL: how one course of a person stands. */
const courseState = sql<CourseState>`case
  when enrolments.status = 'completed' then 'done'
  when ${isOverdue} then 'overdue'
  when ${isDueSoon} then 'dueSoon'
  when enrolments.status = 'assigned' then 'notStarted'
  else 'inProgress'
end`;
const endsSoon = sql`certificates.valid_until between ${today} and ${today} + ${sql.lit(ENDING_DAYS)}`;

/** The people of a manager, each with numbers of their courses, as the table `member`. */
const members = (manager: User) => sql`(
  select people.user_id as id, users.name, users.email, ${personnelNumber} as personnel_number,
    users.status = 'active' as joined, people.is_direct as direct,
    coalesce(nullif(leader.name, ''), leader.email) as manager, work.*, certified.ending,
    case
      when work.overdue > 0 then 'overdue'
      when work.due_soon > 0 then 'dueSoon'
      when work.not_started > 0 then 'notStarted'
      when work.assigned > work.completed then 'inProgress'
      when work.assigned > 0 then 'done'
      else 'none'
    end as state
  from ${peopleOf(manager)} people
  join users on users.id = people.user_id
  join companies on companies.id = users.company_id
  left join managers on managers.user_id = users.id
  left join users leader on leader.id = managers.manager_id
  cross join lateral (
    select count(*)::int as assigned,
      count(*) filter (where enrolments.status = 'completed')::int as completed,
      count(*) filter (where ${isOverdue})::int as overdue,
      count(*) filter (where ${isDueSoon})::int as due_soon,
      count(*) filter (where enrolments.status = 'assigned')::int as not_started,
      min(enrolments.due_date) filter (where ${isOpen}) as next_due
    from enrolments
    where enrolments.user_id = people.user_id
      and enrolments.company_id = users.company_id
      and enrolments.status <> 'withdrawn'
  ) work
  cross join lateral (
    select count(*)::int as ending
    from certificates
    where certificates.person_id = people.user_id
      and certificates.company_id = users.company_id
      and certificates.course_id is not null
      and ${isCurrent}
      and ${endsSoon}
  ) certified
) member`;

const inFilter: Record<TeamFilter, RawBuilder<unknown>> = {
  overdue: sql`member.overdue > 0`,
  dueSoon: sql`member.due_soon > 0`,
  notStarted: sql`member.not_started > 0`,
  inProgress: sql`member.state = 'inProgress'`,
  done: sql`member.state = 'done'`,
  none: sql`member.state = 'none'`,
  inOrder: sql`(member.assigned > 0 and member.overdue = 0 and member.due_soon = 0)`,
  idle: sql`(member.assigned > 0 and member.assigned = member.not_started)`,
  ending: sql`member.ending > 0`,
};

export type MemberQuery = {
  q?: string | undefined;
  state?: TeamFilter | undefined;
  reports?: "direct" | "indirect" | undefined;
  courseId?: string | undefined;
  id?: string;
};
/** SQL: the people of a manager that match, as the table `member`. */
function matchMembers(manager: User, { q, state, reports, courseId, id }: MemberQuery) {
  const conditions = [
    state && inFilter[state],
    reports && sql`member.direct = ${sql.lit(reports === "direct")}`,
    courseId &&
      sql`exists (
        select from enrolments
        where enrolments.user_id = member.id
          and enrolments.course_id = ${courseId}
          and enrolments.company_id = ${manager.companyId}
          and enrolments.status <> 'withdrawn'
      )`,
    id && sql`member.id = ${id}`,
    q && searchFor(q, ["member.name", "member.email", "member.personnel_number"]),
  ].filter((one) => one !== undefined && one !== "");
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  return sql`${members(manager)} ${where}`;
}

/** SQL: the people of a manager that match, in order. */
export const selectMembers = (manager: User, { sort, ...query }: MemberQuery & { sort: string }) =>
  sql<TeamMember & { total: number }>`
    select member.*, count(*) over ()::int as total
    from ${matchMembers(manager, query)}
    order by ${orderOf(sort)}, lower(coalesce(nullif(member.name, ''), member.email)), member.id`;

export const countMembers = (manager: User, query: MemberQuery) =>
  sql<{ count: number }>`
    select count(*)::int as count
    from ${matchMembers(manager, query)}`;

const orders: Record<string, RawBuilder<unknown>> = {
  due: sql`member.next_due`,
  name: sql`lower(coalesce(nullif(member.name, ''), member.email))`,
  completed: sql`member.completed`,
  overdue: sql`member.overdue`,
};
const orderOf = (sort: string) => {
  const order = orders[sort.replace("-", "")] ?? sql`member.next_due`;
  return sort.startsWith("-") ? sql`${order} desc nulls last` : sql`${order} nulls last`;
};

/** SQL: figures of the people of a manager. */
export const selectFigures = (manager: User) => {
  const count = (condition: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${condition})::int`;
  return sql<TeamHome["figures"] & { people: number; direct: number; idle: number }>`
    select count(*)::int as people,
      ${count(sql`member.direct`)} as direct,
      ${count(inFilter.inOrder)} as in_order,
      ${count(inFilter.overdue)} as overdue,
      ${count(inFilter.dueSoon)} as due_soon,
      ${count(inFilter.notStarted)} as not_started,
      ${count(inFilter.ending)} as ending,
      ${count(inFilter.idle)} as idle
    from ${members(manager)}`;
};

const dayOf = (time: string) => sql`(${sql.ref(time)} at time zone companies.timezone)::date`;

/** SQL: courses of the people of a manager, as the table `rows`. */
const courses = (manager: User) => sql`(
  select enrolments.id, enrolments.user_id, users.name, users.email, ${personnelNumber} as personnel_number,
    enrolments.course_id, courses.title as course,
    ${courseState} as state,
    ${dayOf("enrolments.assigned_at")} as assigned_on,
    ${dayOf("enrolments.first_started_at")} as started_on,
    ${dayOf("enrolments.completed_at")} as completed_on,
    enrolments.due_date,
    ${today} - enrolments.due_date as days_over,
    enrolments.reminded_at,
    (
      select jsonb_build_object(
        'validUntil', certificates.valid_until,
        'state', case
          when certificates.valid_until < ${today} then 'ended'
          when ${endsSoon} then 'ending'
          else 'valid'
        end
      )
      from certificates
      where certificates.person_id = enrolments.user_id
        and certificates.course_id = enrolments.course_id
        and certificates.company_id = enrolments.company_id
        and ${isCurrent}
      limit 1
    ) as certificate
  from ${peopleOf(manager)} people
  join users on users.id = people.user_id
  join companies on companies.id = users.company_id
  join enrolments on enrolments.user_id = users.id
    and enrolments.company_id = users.company_id
    and enrolments.status <> 'withdrawn'
  join courses on courses.id = enrolments.course_id
) rows`;

/** SQL: the courses of one of a manager's people. */
export const selectCourses = (manager: User, userId: string, limit: number) => sql<TeamCourse>`
  select *
  from ${courses(manager)}
  where user_id = ${userId}
  order by state = 'done', due_date nulls last, completed_on desc nulls last, lower(course), id
  limit ${limit}`;

/** SQL: courses of a manager's people that are overdue, and that are due soon, the first of each by due date. */
export const selectUrgent = (manager: User, limit: number) => sql<TeamCourse>`
  select *
  from (
    select *, row_number() over (partition by state order by due_date, lower(course), lower(name), id) as place
    from ${courses(manager)}
    where state in ('overdue', 'dueSoon')
  ) urgent
  where place <= ${limit}
  order by place`;

/** SQL: how far the people of a manager are in each course, those that need them most first. */
export const selectProgress = (manager: User, limit: number) => sql<{
  id: string;
  title: string;
  assigned: number;
  completed: number;
  inProgress: number;
  notStarted: number;
  overdue: number;
}>`
  select courses.id, courses.title,
    count(*)::int as assigned,
    count(*) filter (where enrolments.status = 'completed')::int as completed,
    count(*) filter (where enrolments.status in ('in_progress', 'failed') and not ${isOverdue})::int as in_progress,
    count(*) filter (where enrolments.status = 'assigned' and not ${isOverdue})::int as not_started,
    count(*) filter (where ${isOverdue})::int as overdue
  from ${peopleOf(manager)} people
  join users on users.id = people.user_id
  join companies on companies.id = users.company_id
  join enrolments on enrolments.user_id = users.id
    and enrolments.company_id = users.company_id
    and enrolments.status <> 'withdrawn'
  join courses on courses.id = enrolments.course_id
  group by courses.id
  order by count(*) filter (where ${isOverdue}) desc, count(*) filter (where ${isOpen}) desc, lower(courses.title)
  limit ${limit}`;
