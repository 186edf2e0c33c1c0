import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";

// Every change by a directory acquires its locks in this order: the company (its seats), the settings of provisioning
// (the limit of suspensions), people by ascending id, managers, groups.

/**
 * Locks the seats of the company. Not `for update`: inserting a row that refers to the company would wait for this
 * lock, and could close a circle of waiting transactions.
 */
export const lockCompany = (tx: Tx, companyId: string) =>
  tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["id", "learnerLimit"])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

/** Locks the row by which suspensions are counted one after the other. Returns the time from which they count. */
export async function lockSettings(tx: Tx, companyId: string): Promise<string> {
  await sql`
    insert into provisioning_settings (company_id)
    values (${companyId})
    on conflict do nothing`.execute(tx);
  const { countedFrom } = await tx
    .selectFrom("provisioningSettings")
    .where("companyId", "=", companyId)
    .select(sql<string>`counted_from::text`.as("countedFrom"))
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return countedFrom;
}

/** Locks people of the company, so that nobody changes them before the transaction ends. */
export const lockPeople = (tx: Tx, companyId: string, ids: string[]) =>
  tx
    .selectFrom("users")
    .where(isOneOf("id", ids))
    .where("companyId", "=", companyId)
    .orderBy("id")
    .select("id")
    .forNoKeyUpdate()
    .execute();
