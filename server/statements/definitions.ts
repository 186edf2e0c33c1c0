import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { keyOf } from "#server/statements/identifiers.ts";
import { listActivities } from "#server/statements/named.ts";
import type { Definition, StoredStatement } from "#shared/statements/xapi.ts";

/**
 * Stores the activity definitions in statements. Names and descriptions are merged by language; everything else is
 * replaced.
 */
export async function defineActivities(tx: Tx, companyId: string, statements: StoredStatement[]) {
  const definitions = new Map<string, { id: string; definition: Definition }>();
  for (const { id, definition } of statements.flatMap((statement) => listActivities(statement)))
    if (definition && Object.keys(definition).length > 0) {
      const key = keyOf(id);
      definitions.set(key, { id, definition: merge(definitions.get(key)?.definition ?? {}, definition) });
    }
  if (definitions.size === 0) return;
  // Always in the same order, so that two transactions cannot deadlock.
  const sorted = [...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const merged = sql`known.definition || excluded.definition || jsonb_strip_nulls(jsonb_build_object(
    'name', nullif(${mergedTexts("name")}, '{}'),
    'description', nullif(${mergedTexts("description")}, '{}')
  ))`;
  await sql`
    insert into activity_definitions as known (company_id, activity_key, activity, definition)
    select ${companyId}::uuid, sent.key, sent.activity, sent.definition
    from unnest(
      ${sorted.map(([key]) => key)}::uuid[],
      ${sorted.map(([, { id }]) => id)}::text[],
      ${sorted.map(([, { definition }]) => JSON.stringify(definition))}::jsonb[]
    ) as sent (key, activity, definition)
    where not exists (
      select from activity_definitions same
      where same.company_id = ${companyId}
        and same.activity_key = sent.key
        and same.definition @> sent.definition
    )
    on conflict (company_id, activity_key) do update
    set
      definition = ${merged},
      updated_at = now()`.execute(tx);
}

const merge = (known: Definition, sent: Definition): Definition => ({
  ...known,
  ...sent,
  ...(known.name && { name: { ...known.name, ...sent.name } }),
  ...(known.description && { description: { ...known.description, ...sent.description } }),
});

const mergedTexts = (key: string) =>
  sql`coalesce(known.definition -> ${sql.lit(key)}, '{}') || coalesce(excluded.definition -> ${sql.lit(key)}, '{}')`;
