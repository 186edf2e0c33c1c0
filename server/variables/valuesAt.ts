import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { counts, momentOf, readStoredValue, selectValues } from "#server/variables/fold/values.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import { type FoldedValue, foldValue, type VariableValue } from "#shared/variables/variableTypes.ts";

/**
 * The values of variables for a learner just before a time (ISO 8601), by the id of the variable, without values that
 * were corrected or deleted since. Callers mask them.
 */
export async function readValuesAt(
  db: Db,
  { userId, companyId, courseId, attemptId }: Origin,
  variableIds: string[],
  at: string,
): Promise<Map<string, VariableValue>> {
  if (variableIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; value: VariableValue }>`
    select variables.id, past.value
    from variables
    cross join lateral (
      with counted as not materialized (
        select stored.id, stored.value, stored.happened_at
        from variable_values stored
        where stored.variable_id = variables.id
          and stored.company_id = ${companyId}
          and stored.happened_at < ${at}::timestamptz
          and stored.refusal is null
          and not stored.is_corrected
          and stored.deletion_id is null
          and not stored.preview
          and (variables.scope = 'company' or stored.user_id = ${userId}::uuid)
          and (variables.scope <> 'course' or stored.course_id = ${courseId}::uuid)
          and (variables.scope <> 'attempt' or stored.attempt_id = ${attemptId}::uuid)
      )
      select case variables.write_mode
        when 'sum' then (
          select to_jsonb(sum((value #>> '{}')::numeric))
          from counted
          where jsonb_typeof(value) = 'number'
        )
        when 'first' then (select value from counted order by happened_at, id limit 1)
        when 'max' then (select value from counted order by value desc, happened_at limit 1)
        when 'min' then (select value from counted order by value, happened_at limit 1)
        else (select value from counted order by happened_at desc, id desc limit 1)
      end as value
    ) past
    where variables.id = any(${variableIds}::uuid[])
      and past.value is not null`.execute(db);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

/** What a variable was folded to at a time (ms since the epoch), by its id; null before its first value. */
export type ValueHistory = (variableId: string, at: number) => FoldedValue | null;

/** The values of variables for a learner at any time, without those that were corrected or deleted since. */
export async function readValueHistory(db: Db, origin: Origin, variableIds: string[]): Promise<ValueHistory> {
  if (variableIds.length === 0) return () => null;
  const rows = await selectValues(db)
    .where(isOneOf("stored.variableId", variableIds))
    .where("stored.companyId", "=", origin.companyId)
    .where(sql<boolean>`(variables.scope = 'company' or stored.user_id = ${origin.userId}::uuid)`)
    .orderBy("stored.happenedAt")
    .orderBy("stored.id")
    .execute();
  const steps = new Map<string, { at: number; folded: FoldedValue }[]>();
  for (const row of rows) {
    const value = counts(row) ? readStoredValue(row) : undefined;
    if (value === undefined || subjectOf(row.scope, row) !== subjectOf(row.scope, origin)) continue;
    const list = steps.get(row.variableId) ?? [];
    const moment = momentOf(row);
    list.push({ at: moment.at, folded: foldValue(row.writeMode, list.at(-1)?.folded ?? null, { ...moment, value }) });
    steps.set(row.variableId, list);
  }
  return (variableId, at) => steps.get(variableId)?.findLast((step) => step.at <= at)?.folded ?? null;
}
