import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";

// Orders to look at the places of offers; triggers write them too (migrations/0177_catalogue.sql)

/**
 * Orders the job that looks at places. Outside of transactions pending orders are one; within them a key would make
 * transactions wait for each other.
 */
export const requestFollow = (db: Db) =>
  sql`
    select graphile_worker.add_job(
      'catalogue:follow',
      '{}',
      queue_name := 'catalogue',
      job_key := ${db.isTransaction ? null : "catalogue:follow"}
    )`.execute(db);

/** Orders the job that tells managers and admins about open requests. */
export const requestTelling = (db: Db) =>
  sql`select graphile_worker.add_job('catalogue:tell', '{}', queue_name := 'catalogueMails')`.execute(db);

/** Has the places of an offer looked at after this transaction. */
export async function storeChange(tx: Tx, offerId: string) {
  await sql`insert into catalogue_changes (offer_id) values (${offerId})`.execute(tx);
  await sql`select wake_catalogue()`.execute(tx);
}
