import { type Selectable, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { VariableCurrent } from "#server/core/database/db.types.ts";
import { isAfter, toFolded } from "#server/variables/fold/fold.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { counts, momentOf, readStoredValue, selectValues } from "#server/variables/valueRows.ts";
import { type FoldedValue, foldValue } from "#shared/variables/variableValues.ts";

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

/** The last value that is folded. */
type Cursor = { tx: string; valueId: number };
type Stored = Cursor & Selectable<VariableCurrent>;

/**
 * What the values of any subjects add up to, by `currentKey`: as folded, and with the values that are not folded yet,
 * so that readers find what was stored a moment ago.
 */
export async function readCurrentValuesOf(
  db: Db,
  subjects: [variableId: string, subject: string][],
): Promise<Map<string, FoldedValue>> {
  if (subjects.length === 0) return new Map();
  const wanted = new Map(subjects.map((pair) => [currentKey(...pair), pair]));
  const variableIds = [...new Set(subjects.map(([variableId]) => variableId))];
  const pairs = [...wanted.values()];
  // In one statement: what is folded between two would be in neither, or in both.
  const { rows } = await sql<Stored | (Cursor & { variableId: null })>`
    select c.*, f.tx, f.value_id from variable_fold f left join lateral (
      select current.* from unnest(${pairs.map(([id]) => id)}::uuid[], ${pairs.map(([, subject]) => subject)}::text[]) as wanted (variable_id, subject)
      join variable_current current using (variable_id, subject)) c on true`.execute(db);
  const stored = rows.filter((row): row is Stored => row.variableId !== null);
  const folded = new Map(stored.map((row) => [currentKey(row.variableId, row.subject), toFolded(row)]));
  const [cursor] = rows;
  if (!cursor) return folded;
  const unfolded = await selectValues(db)
    .where("v.variableId", "in", variableIds)
    .where(isAfter(cursor))
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
