import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { listDefinitions, storeFieldValues } from "#server/fields/values.ts";
import type { FieldValues } from "#shared/fields/fields.ts";
import type { SaidOfPerson } from "#shared/imports/imports.ts";

/** Stores what rows say about the company's own fields, by person. A field that was archived meanwhile is left out. */
export async function storeSaidFields(tx: Tx, companyId: string, said: Map<string, SaidOfPerson | undefined>) {
  const values = new Map([...said].map(([userId, person]) => [userId, person?.fields ?? {}]));
  await storeFields(tx, companyId, values);
}

async function storeFields(tx: Tx, companyId: string, values: Map<string, FieldValues>) {
  if ([...values.values()].every((of) => Object.keys(of).length === 0)) return;
  const kinds = new Map((await listDefinitions(tx, companyId)).map(({ id, kind }) => [id, kind]));
  const changes = [...values].flatMap(([userId, of]) =>
    Object.entries(of).flatMap(([fieldId, value]) => (kinds.has(fieldId) ? [{ userId, fieldId, value }] : [])),
  );
  await storeFieldValues(tx, changes, kinds);
}

/** Gives people back the values that they had. Imports of before there were fields have none to give back. */
export async function restoreFields(tx: Tx, companyId: string, people: { userId: string; was: FieldValues }[]) {
  await sql`
    delete from field_values
    using unnest(
      ${people.map(({ userId }) => userId)}::uuid[],
      ${people.map(({ was }) => JSON.stringify(was))}::jsonb[]
    ) restored (user_id, was),
    fields
    where field_values.user_id = restored.user_id
      and fields.id = field_values.field_id
      and fields.archived_at is null
      and not restored.was ? field_values.field_id::text`.execute(tx);
  await storeFields(tx, companyId, new Map(people.map(({ userId, was }) => [userId, was])));
}
