import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { recordedEarlier } from "#test/earlierRecords.ts";

/** Moves the times at which everything was recorded so many days back; what happened when stays. */
export const recordEarlier = (db: Db, days: number) =>
  inTransaction(db, async (tx) => {
    for (const statement of recordedEarlier(days).split(";\n")) await sql.raw(statement).execute(tx);
  });
