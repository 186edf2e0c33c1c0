import { type RawBuilder, sql } from "kysely";
import { scopeOf, type User } from "#shared/core/users.ts";

/**
 * SQL condition: a row is in the scope of the user (`scopeOf`). `company` and `person` are the columns (`table.column`) with
 * the company and the user that the row belongs to. Rows without a person are never in the scope of a learner; rows without
 * a company, such as events of the academy, only in the scope of admins of the whole academy.
 */
export function inScope(user: User, columns: { company: string; person?: string }): RawBuilder<boolean> {
  const scope = scopeOf(user);
  if (scope.kind === "academy") return sql<boolean>`true`;
  if (scope.kind === "company") return sql<boolean>`${sql.ref(columns.company)} = ${scope.companyId}`;
  return columns.person ? sql<boolean>`${sql.ref(columns.person)} = ${scope.userId}` : sql<boolean>`false`;
}
