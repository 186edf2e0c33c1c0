import { type Selectable, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { VariableCurrent } from "#server/core/database/db.types.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { counts, isAfter, momentOf, readStoredValue, selectValues, toFolded } from "#server/variables/fold/values.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type FoldedValue, foldValue } from "#shared/variables/variableTypes.ts";

/** The key of a subject of a variable in a map. */
export const currentKey = (variableId: string, subject: string) => `${variableId} ${subject}`;

/** The current values of subjects by the id of the variable. `subjects` has one subject for each variable. */
export async function readCurrentValues(db: Db, subjects: Map<string, string>): Promise<Map<string, FoldedValue>> {
  const values = await readCurrentValuesOf(db, [...subjects]);
  return new Map(
    [...subjects].flatMap(([variableId, subject]): [string, FoldedValue][] => {
      const folded = values.get(currentKey(variableId, subject));
      return folded ? [[variableId, folded]] : [];
    }),
  );
}

/** The last folded value. */
type Cursor = { tx: string; valueId: number };
type Stored = Cursor & Selectable<VariableCurrent>;

/**
 * The current values of any subjects by `currentKey`. Values that are not folded yet are included, so that readers find
 * what was stored a moment ago.
 */
export async function readCurrentValuesOf(
  db: Db,
  subjects: [variableId: string, subject: string][],
): Promise<Map<string, FoldedValue>> {
  if (subjects.length === 0) return new Map();
  const requested = new Map(subjects.map((pair) => [currentKey(...pair), pair]));
  const variableIds = [...new Set(subjects.map(([variableId]) => variableId))];
  const pairs = [...requested.values()];
  // In one statement: a value that is folded between two would be in neither, or in both.
  const { rows } = await sql<Stored | (Cursor & { variableId: null })>`
    select current.*, fold.tx, fold.value_id
    from variable_fold fold
    left join lateral (
      select variable_current.*
      from unnest(
        ${pairs.map(([id]) => id)}::uuid[],
        ${pairs.map(([, subject]) => subject)}::text[]
      ) as requested (variable_id, subject)
      join variable_current using (variable_id, subject)
    ) current on true`.execute(db);
  const stored = rows.filter((row): row is Stored => row.variableId !== null);
  const folded = new Map(stored.map((row) => [currentKey(row.variableId, row.subject), toFolded(row)]));
  const [cursor] = rows;
  if (!cursor) return folded;
  const unfolded = await selectValues(db)
    .where(isOneOf("stored.variableId", variableIds))
    .where(isAfter(cursor))
    .orderBy("stored.tx")
    .orderBy("stored.id")
    .execute();
  for (const row of unfolded) {
    const value = counts(row) ? readStoredValue(row) : undefined;
    const subject = subjectOf(row.scope, row);
    if (value === undefined || subject === null) continue;
    const key = currentKey(row.variableId, subject);
    if (!requested.has(key)) continue;
    folded.set(key, foldValue(row.writeMode, folded.get(key) ?? null, { ...momentOf(row), value }));
  }
  return folded;
}
