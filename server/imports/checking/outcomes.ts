import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Reason } from "#shared/imports/importReasons.ts";
import type { Outcome } from "#shared/imports/imports.ts";

type Judged = { number: number; outcome: Outcome; reasons: Reason[]; userId: string | null };

/** Stores what becomes of rows, and why. */
export const storeOutcomes = (tx: Tx, importId: string, judged: Judged[]) =>
  sql`
    update people_import_rows
    set outcome = judged.outcome,
      reasons = judged.reasons,
      user_id = judged.user_id
    from unnest(
      ${judged.map(({ number }) => number)}::integer[],
      ${judged.map(({ outcome }) => outcome)}::text[],
      ${judged.map(({ reasons }) => JSON.stringify(reasons))}::jsonb[],
      ${judged.map(({ userId }) => userId)}::uuid[]
    ) judged (number, outcome, reasons, user_id)
    where people_import_rows.import_id = ${importId}
      and people_import_rows.number = judged.number`.execute(tx);
