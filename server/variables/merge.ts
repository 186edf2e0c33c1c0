import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { lockFolding, refoldVariable } from "#server/variables/fold/recount.ts";

/** Moves the keys and values of a variable to another one, also for values that arrive later, and deletes it. */
export async function moveValues(tx: Tx, { from, to }: { from: string; to: string }) {
  await lockFolding(tx);
  await tx.updateTable("variableCourses").set({ variableId: to }).where("variableId", "=", from).execute();
  await tx.updateTable("variableValues").set({ variableId: to }).where("variableId", "=", from).execute();
  await tx
    .updateTable("variableDeletions")
    .set({ variableIds: sql`array_replace(variable_ids, ${from}::uuid, ${to}::uuid)` })
    .where(sql<boolean>`${from}::uuid = any(variable_ids)`)
    .execute();
  await tx.deleteFrom("variables").where("id", "=", from).execute();
  await refoldVariable(tx, to);
}
