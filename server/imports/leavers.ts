import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";

type OfCompany = { id: string; companyId: string };

/** SQL condition: a learner of the company who can log in or is invited. */
const isMember = (companyId: string) =>
  sql<boolean>`(users.company_id = ${companyId} and users.role = 'learner' and users.status <> 'suspended')`;

/**
 * Members of the company whom no row of the file matches. Rejected rows also match, by number, email or name, so that a
 * typing error makes no one a leaver.
 */
export const selectLeavers = (db: Pick<Db, "selectFrom">, { id, companyId }: OfCompany) => {
  // The limit makes PostgreSQL use the index even while it has no statistics for rows that were just read.
  const isMissing = (match: RawBuilder<unknown>) => sql<boolean>`(
    select number
    from people_import_rows
    where import_id = ${id}
      and ${match}
    limit 1
  ) is null`;
  return db
    .selectFrom("users")
    .leftJoin("personnelNumbers", "personnelNumbers.userId", "users.id")
    .where(isMember(companyId))
    .where(isMissing(sql`people_import_rows.user_id = users.id`))
    .where(isMissing(sql`email_key = lower(users.email)`))
    .where(isMissing(sql`number_key = lower(personnel_numbers.number)`))
    .where(
      sql<boolean>`lower(users.name) not in (
        select lower(said->>'name')
        from people_import_rows
        where import_id = ${id}
          and outcome = 'rejected'
          and said is not null
      )`,
    );
};

export const countMembers = async (db: Db, companyId: string) =>
  (
    await db
      .selectFrom("users")
      .where(isMember(companyId))
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;
