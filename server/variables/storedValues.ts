import type { Db } from "#server/core/database/db.ts";
import { announceChange } from "#server/core/live/announce.ts";

/**
 * Has every node look for values to fold and to pass on, once the transaction commits. Called wherever values are
 * stored outside of a commit, and wherever a flow may pass on values that it has kept. If no node receives it, the jobs
 * of the next minute find the same values.
 */
export const announceStoredValues = (db: Db) => announceChange(db, { domain: "storedValues" });
