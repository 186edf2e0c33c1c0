import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { LiveDomain } from "#shared/core/live.ts";

/** Channel of PostgreSQL on which changes are announced to all nodes. */
export const LIVE_CHANNEL = "live_changes";

/** What has changed: for one user, or for admins. `storedValues` is work for the nodes, and is not sent to browsers. */
export type LiveChange = { domain: LiveDomain; userId?: string } | { domain: "storedValues"; userId?: never };

/**
 * Tells open browsers that data has changed, once the transaction commits; equal announcements of one transaction are
 * one. Not for the transactions of commits: announcing makes PostgreSQL commit them one at a time.
 */
export const announceChange = async (db: Db, change: LiveChange) => {
  await sql`select pg_notify(${LIVE_CHANNEL}, ${JSON.stringify(change)})`.execute(db);
};
