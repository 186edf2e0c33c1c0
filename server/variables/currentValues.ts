import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import { counts, momentOf, readStoredValue, selectValues, toFolded } from "#server/variables/folding.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type FoldedValue, foldValue } from "#shared/variableValues.ts";

/** The key of a subject of a variable in a map. */
export const currentKey = (variableId: string, subject: string) => `${variableId} ${subject}`;

/** What the values of subjects add up to, by variable. `subjects` has one subject per variable. */
export async function readCurrentValues(db: Db, subjects: Map<string, string>): Promise<Map<string, FoldedValue>> {
  const found = await readCurrentValuesOf(db, [...subjects]);
  return new Map(
    [...subjects].flatMap(([variableId, subject]): [string, FoldedValue][] => {
      const folded = found.get(currentKey(variableId, subject));
      return folded ? [[variableId, folded]] : [];
    }),
  );
}

/**
 * What the values of any subjects add up to, by `currentKey`: as folded, and with the values that are not folded yet, so that readers
 * find what was stored a moment ago.
 */
export async function readCurrentValuesOf(
  db: Db,
  subjects: [variableId: string, subject: string][],
): Promise<Map<string, FoldedValue>> {
  if (subjects.length === 0) return new Map();
  const wanted = new Map(subjects.map((pair) => [currentKey(...pair), pair]));
  const variableIds = [...new Set(subjects.map(([variableId]) => variableId))];
  const pairs = [...wanted.values()];
  const stored = await db
    .selectFrom("variableCurrent")
    .where(
      sql<boolean>`(variable_id, subject) in
        (select * from unnest(${pairs.map(([id]) => id)}::uuid[], ${pairs.map(([, subject]) => subject)}::text[]))`,
    )
    .selectAll()
    .execute();
  const folded = new Map(stored.map((row) => [currentKey(row.variableId, row.subject), toFolded(row)]));
  const unfolded = await selectValues(db)
    .innerJoin("variableFold", (join) => join.onTrue())
    .where("v.variableId", "in", variableIds)
    .where(sql<boolean>`(v.tx, v.id) > (variable_fold.tx, variable_fold.value_id)`)
    .orderBy("v.tx")
    .orderBy("v.id")
    .execute();
  for (const row of unfolded) {
    const value = counts(row) ? readStoredValue(row) : undefined;
    const subject = subjectOf(row.scope, row);
    if (value === undefined || subject === null) continue;
    const key = currentKey(row.variableId, subject);
    if (!wanted.has(key)) continue;
    folded.set(key, foldValue(row.writeMode, folded.get(key) ?? null, { ...momentOf(row), value }));
  }
  return folded;
}
