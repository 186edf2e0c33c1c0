import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { LiveDomain } from "#shared/core/live.ts";

/** Channel of PostgreSQL on which changes are announced to all nodes. */
export const LIVE_CHANNEL = "live_changes";

/** What has changed: for one user, or for admins. `storedValues` is for the nodes only and not sent to browsers. */
export type LiveChange = { domain: LiveDomain; userId?: string } | { domain: "storedValues"; userId?: never };

/**
 * Tells open browsers that data has changed, once the transaction commits; equal announcements of one transaction are
 * sent once. Must not be used in the transactions of the player's commits: PostgreSQL commits transactions that notify
 * one at a time.
 */
export const announceChange = async (db: Db, change: LiveChange) => {
  await sql`select pg_notify(${LIVE_CHANNEL}, ${JSON.stringify(change)})`.execute(db);
};
