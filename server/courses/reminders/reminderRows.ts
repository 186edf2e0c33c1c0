import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { ENROLMENT_SCOPE, isOverdue } from "#server/courses/enrolments.ts";
import { type LeftOutReason, REMINDER_PAUSE_HOURS, type ReminderTarget } from "#shared/courses/reminders.ts";
import type { User } from "#shared/core/users.ts";

/** `scope`: the enrolments that the caller may remind of, where it is not that of their role. */
export type ScopedTarget = ReminderTarget & { scope?: RawBuilder<boolean> };

/** Overdue enrolments of a target in the scope of the user, or another one, with learner, company and course. */
export function selectOverdue(
  { db, user }: Pick<Ctx<User>, "db" | "user">,
  { scope = inScope(user, ENROLMENT_SCOPE), ...target }: ScopedTarget,
) {
  const { courseId, companyId, userIds } = target;
  let rows = db
    .selectFrom("enrolments")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .innerJoin("users", "users.id", "enrolments.userId")
    .where(isOverdue)
    .where(scope);
  if (courseId) rows = rows.where("enrolments.courseId", "=", courseId);
  if (companyId) rows = rows.where("enrolments.companyId", "=", companyId);
  if (userIds) rows = rows.where(isOneOf("enrolments.userId", userIds));
  return rows;
}

/** SQL: an email about the person reaches them or, if they have no address, a manager. */
const isReachable = sql`(users.email is not null or mail_manager_of(users.id) is not null)`;
/** SQL: people who can take the course and be reached, whose account and company are active. */
export const canBeReminded = sql<boolean>`(users.status <> 'suspended'
  and users.company_id = enrolments.company_id
  and companies.status = 'active'
  and courses.status = 'published'
  and ${isReachable})`;

/** SQL: the last reminder of the enrolment is too recent, at this time, for another one. */
const wasRemindedBefore = (at: RawBuilder<unknown>) =>
  sql<boolean>`coalesce(
    enrolments.reminded_at >= ${at} - make_interval(hours => ${REMINDER_PAUSE_HOURS}),
    false
  )`;

/** SQL: the enrolment gets an email at this time. */
export const isDueForReminder = (at: RawBuilder<unknown>) =>
  sql<boolean>`(${canBeReminded} and not ${wasRemindedBefore(at)})`;

/** SQL: why it gets none. */
export const leftOutReason = sql<LeftOutReason>`case
  when users.status = 'suspended' then 'suspended'
  when users.company_id is distinct from enrolments.company_id then 'moved'
  when companies.status <> 'active' then 'companyClosed'
  when courses.status <> 'published' then 'courseClosed'
  when not ${isReachable} then 'unreachable'
  else 'reminded'
end`;
