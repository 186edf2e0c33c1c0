import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Reason } from "#shared/imports/importReasons.ts";

/** Rejects rows that passed the check and can no longer be imported. */
export const rejectRows = (tx: Tx, importId: string, numbers: number[], reason: Reason) =>
  sql`
    update people_import_rows
    set outcome = 'rejected',
      reasons = ${JSON.stringify([reason])}::jsonb
    where import_id = ${importId}
      and number = any(${numbers}::integer[])`.execute(tx);
