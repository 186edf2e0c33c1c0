import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Origin } from "#server/variables/subjects.ts";
import type { VariableValue } from "#shared/variables/variableValues.ts";

/**
 * The values that variables had for a learner just before a time (ISO 8601), by the id of the variable: as captured,
 * without what was corrected or deleted since. Not masked: callers do that.
 */
export async function readValuesAt(
  db: Db,
  { userId, companyId, courseId, attemptId }: Origin,
  variableIds: string[],
  at: string,
): Promise<Map<string, VariableValue>> {
  if (variableIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; value: VariableValue }>`
    select variables.id, found.value
    from variables
    cross join lateral (
      with counted as not materialized (
        select v.id, v.value, v.happened_at from variable_values v
        where v.variable_id = variables.id and v.company_id = ${companyId} and v.happened_at < ${at}::timestamptz
          and v.refusal is null and not v.is_corrected and v.deletion_id is null and not v.preview
          and (variables.scope = 'company' or v.user_id = ${userId}::uuid)
          and (variables.scope <> 'course' or v.course_id = ${courseId}::uuid)
          and (variables.scope <> 'attempt' or v.attempt_id = ${attemptId}::uuid))
      select case variables.write_mode
        when 'sum' then (select to_jsonb(sum((value #>> '{}')::numeric)) from counted where jsonb_typeof(value) = 'number')
        when 'first' then (select value from counted order by happened_at, id limit 1)
        when 'max' then (select value from counted order by value desc, happened_at limit 1)
        when 'min' then (select value from counted order by value, happened_at limit 1)
        else (select value from counted order by happened_at desc, id desc limit 1)
      end as value) found
    where variables.id = any(${variableIds}::uuid[]) and found.value is not null`.execute(db);
  return new Map(rows.map(({ id, value }) => [id, value]));
}
