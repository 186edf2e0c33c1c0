import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { valuesOfUser } from "#server/fields/values.ts";

// People before and after an import changed them: undoing compares them with the second state and restores the first

/** SQL: the columns of a person that an import may change, as JSON with the precision of the database. */
const stateOf = sql`jsonb_build_object(
  'name', users.name,
  'email', users.email,
  'email_verified', users.email_verified,
  'status', users.status,
  'suspended_at', users.suspended_at,
  'suspended_reason', users.suspended_reason,
  'invitation_hash', users.invitation_hash,
  'invited_at', users.invited_at,
  'invited_by', users.invited_by,
  'invitation_expires_at', users.invitation_expires_at,
  'token_valid_after', users.token_valid_after,
  'version', users.version,
  'updated_at', users.updated_at,
  'number', (
    select number
    from personnel_numbers
    where personnel_numbers.user_id = users.id
  ),
  'fields', ${valuesOfUser}
)`;

/**
 * Locks those of these people who are learners of the company, so that nobody changes them before the transaction ends.
 * Returns their ids. Statements that follow see what was changed before the lock.
 */
export async function lockLearners(tx: Tx, companyId: string, userIds: string[]): Promise<Set<string>> {
  const people = await tx
    .selectFrom("users")
    .where(isOneOf("users.id", userIds))
    .where("companyId", "=", companyId)
    .where("role", "=", "learner")
    .orderBy("id")
    .forUpdate()
    .select("id")
    .execute();
  return new Set(people.map(({ id }) => id));
}

type ChangeTable = "people_import_rows" | "people_import_leavers";

/** Stores the people of an import before they are changed. */
export const storeBefore = (tx: Tx, table: ChangeTable, importId: string, userIds: string[]) =>
  sql`
    update ${sql.table(table)}
    set applied_at = now(),
      before = jsonb_build_object('was', ${stateOf})
    from users
    where ${sql.ref(`${table}.import_id`)} = ${importId}
      and ${sql.ref(`${table}.user_id`)} = users.id
      and users.id = any(${userIds}::uuid[])
      and ${sql.ref(`${table}.applied_at`)} is null
      ${table === "people_import_rows" ? sql`and outcome = 'update'` : sql``}`.execute(tx);

/** Stores them again after they were changed. */
export const storeAfter = (tx: Tx, table: ChangeTable, importId: string, userIds: string[]) =>
  sql`
    update ${sql.table(table)}
    set before = before || jsonb_build_object('now', ${stateOf})
    from users
    where ${sql.ref(`${table}.import_id`)} = ${importId}
      and ${sql.ref(`${table}.user_id`)} = users.id
      and users.id = any(${userIds}::uuid[])
      and before is not null`.execute(tx);
