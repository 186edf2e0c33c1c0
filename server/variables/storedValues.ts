import type { Db } from "#server/core/database/db.ts";
import { announceChange } from "#server/core/live/announce.ts";

/**
 * Has every node look for values to fold and to pass on, once the transaction commits: whoever stores values outside of a commit calls this,
 * and whoever lets a flow pass on what it has kept. Should no node hear it, the jobs of the next minute find the same values.
 */
export const announceStoredValues = (db: Db) => announceChange(db, { domain: "storedValues" });
