import { type RawBuilder, sql } from "kysely";
import { scopeOf, type User } from "#shared/core/users.ts";

/**
 * SQL condition: a row is in the scope of the user (`scopeOf`). `company` and `person` are the columns (`table.column`)
 * with the company and the user that the row belongs to. Rows without a person are never in the scope of a learner;
 * rows without a company, such as events of the academy, only in the scope of admins of the whole academy.
 */
export function inScope(user: User, columns: { company: string; person?: string }): RawBuilder<boolean> {
  const scope = scopeOf(user);
  if (scope.kind === "academy") return sql<boolean>`true`;
  if (scope.kind === "company") return sql<boolean>`${sql.ref(columns.company)} = ${scope.companyId}`;
  return columns.person ? sql<boolean>`${sql.ref(columns.person)} = ${scope.userId}` : sql<boolean>`false`;
}

/**
 * SQL condition: an API key of one company may access the course whose id is in this column, because the company has or
 * had it. Courses belong to the academy, and its people can choose any of them, but a key is used by another system.
 */
export function isCourseOfKey({ apiKey, companyId }: User, course: string): RawBuilder<boolean> {
  if (!apiKey || !companyId) return sql<boolean>`true`;
  return sql<boolean>`(
    exists (
      select from company_courses of_key
      where of_key.course_id = ${sql.ref(course)}
        and of_key.company_id = ${companyId}
    )
    or exists (
      select from enrolments of_key
      where of_key.course_id = ${sql.ref(course)}
        and of_key.company_id = ${companyId}
    )
  )`;
}

/** The same for a variable: it belongs to such a course, or to none. */
export function isVariableOfKey(user: User, variable: string): RawBuilder<boolean> {
  if (!user.apiKey || !user.companyId) return sql<boolean>`true`;
  return sql<boolean>`(
    not exists (
      select from variable_courses used
      where used.variable_id = ${sql.ref(variable)}
    )
    or exists (
      select from variable_courses used
      where used.variable_id = ${sql.ref(variable)}
        and ${isCourseOfKey(user, "used.courseId")}
    )
  )`;
}
