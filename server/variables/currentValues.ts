import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import { counts, momentOf, readStoredValue, selectValues, toFolded } from "#server/variables/folding.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type FoldedValue, foldValue } from "#shared/variableValues.ts";

/**
 * What the values of subjects add up to, by variable: as folded, and with the values that are not folded yet, so that readers
 * find what was stored a moment ago. `subjects` has one subject per variable.
 */
export async function readCurrentValues(db: Db, subjects: Map<string, string>): Promise<Map<string, FoldedValue>> {
  if (subjects.size === 0) return new Map();
  const stored = await db
    .selectFrom("variableCurrent")
    .where(
      sql<boolean>`(variable_id, subject) in
        (select * from unnest(${[...subjects.keys()]}::uuid[], ${[...subjects.values()]}::text[]))`,
    )
    .selectAll()
    .execute();
  const folded = new Map<string, FoldedValue>(stored.map((row) => [row.variableId, toFolded(row)]));
  const unfolded = await selectValues(db)
    .innerJoin("variableFold", (join) => join.onTrue())
    .where("v.variableId", "in", [...subjects.keys()])
    .where(sql<boolean>`(v.tx, v.id) > (variable_fold.tx, variable_fold.value_id)`)
    .orderBy("v.tx")
    .orderBy("v.id")
    .execute();
  for (const row of unfolded) {
    const value = counts(row) ? readStoredValue(row) : undefined;
    if (value === undefined || subjectOf(row.scope, row) !== subjects.get(row.variableId)) continue;
    const event = { ...momentOf(row), value };
    folded.set(row.variableId, foldValue(row.writeMode, folded.get(row.variableId) ?? null, event));
  }
  return folded;
}
