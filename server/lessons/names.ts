import { sql } from "kysely";
import { inScope } from "#server/core/database/scope.ts";
import texts from "#shared/locales/en/lessonDrafts.json" with { type: "json" };
import type { User } from "#shared/core/users.ts";

/** SQL condition: people of the academy and of one's own company, whose names one may read. */
export const isColleague = (user: User, alias = "users") =>
  sql<boolean>`(
    ${sql.ref(`${alias}.companyId`)} is null
    or ${inScope(user, { company: `${alias}.companyId` })}
  )`;

/** SQL: how a person of a left join is named, never by email; null if there is none, because the account was erased. */
export const shownName = (user: User, alias = "users") =>
  sql<string | null>`case
    when ${sql.ref(`${alias}.id`)} is null then null
    when ${isColleague(user, alias)} then coalesce(nullif(${sql.ref(`${alias}.name`)}, ''), ${texts.unnamed}::text)
    else ${texts.otherCompany}::text
  end`;
