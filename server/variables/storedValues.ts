import type { Db } from "#server/core/database/db.ts";
import { announceChange } from "#server/core/live/announcements.ts";

/**
 * Makes every node look for values to fold and to pass on, once the transaction commits. Needed wherever values are
 * stored outside of a player's commit, and wherever a flow may now pass on values it has held back. If no node receives
 * it, the jobs of the next minute find the same values.
 */
export const announceStoredValues = (db: Db) => announceChange(db, { domain: "storedValues" });
