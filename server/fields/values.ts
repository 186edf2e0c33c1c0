import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { isOneOf, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, notFound } from "#server/core/http/problem.ts";
import { day } from "#shared/core/dates.ts";
import {
  type Field,
  type FieldValue,
  type FieldValues,
  isValueOf,
  MAX_FIELDS,
  readFieldFilter,
} from "#shared/fields/fields.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

/** What values are checked and shown by. */
export type Definition = Pick<Field, "id" | "key" | "name" | "kind" | "choices">;

/** The fields that the people of a company have, in order of their names; without a company, those of all companies. */
export const listDefinitions = (db: Db, companyId: string | null): Promise<Definition[]> =>
  db
    .selectFrom("fields")
    .where((e) => e.or([e("companyId", "is", null), e("companyId", "=", companyId)]))
    .where("archivedAt", "is", null)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .limit(MAX_FIELDS)
    .select(["id", "key", "name", "kind", "choices"])
    .execute();

/** SQL: a value of `field_values` as JSON. */
const valueOf = sql`coalesce(to_jsonb(field_values.text), to_jsonb(field_values.day), to_jsonb(field_values.number))`;

const valuesWhere = (isVisible: RawBuilder<unknown>) => sql<FieldValues>`coalesce((
    select jsonb_object_agg(field_values.field_id, ${valueOf})
    from field_values
    join fields on fields.id = field_values.field_id
    where field_values.user_id = users.id
      and fields.archived_at is null
      and ${isVisible}
  ), '{}')`;
/** SQL: the values of the user of `users.id` by field, without those of archived fields. */
export const valuesOfUser = valuesWhere(sql`true`);
/** SQL: those of them that `reader` may see. */
export const valuesFor = (reader: User) =>
  isAdmin(reader) ? valuesOfUser : valuesWhere(sql`fields.visible_to = 'learner'`);

/** SQL condition: the user of `users.id` has all these values (`readFieldFilter`); a text contains what is given. */
export const hasFieldValues = (filter: string) =>
  sql<boolean>`(${sql.join(
    (readFieldFilter(filter) ?? []).map(
      ([fieldId, value]) => sql`users.id in (
        select field_values.user_id
        from field_values
        join fields on fields.id = field_values.field_id
        where field_values.field_id = ${fieldId}
          and fields.archived_at is null
          and case fields.kind
            when 'choice' then lower(field_values.text) = ${value.toLowerCase()}
            when 'date' then field_values.day = ${day.safeParse(value).data ?? null}::date
            when 'number' then field_values.number = ${numberOf(value)}::double precision
            else ${searchFor(value, ["fieldValues.text"])}
          end
      )`,
    ),
    sql` and `,
  )})`;
const numberOf = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : null);

/** Values to store or, with null, to remove. */
export type ValueChange = { userId: string; fieldId: string; value: FieldValue | null };

/** Stores values that were checked. Equal ones change nothing, and write no history. */
export async function storeFieldValues(tx: Tx, changes: ValueChange[], kinds: Map<string, Field["kind"]>) {
  const removed = changes.filter(({ value }) => value === null);
  const stored = changes.filter(({ value }) => value !== null);
  if (removed.length > 0)
    await sql`
      delete from field_values
      using unnest(
        ${removed.map(({ userId }) => userId)}::uuid[],
        ${removed.map(({ fieldId }) => fieldId)}::uuid[]
      ) removed (user_id, field_id)
      where field_values.user_id = removed.user_id
        and field_values.field_id = removed.field_id`.execute(tx);
  const of = (...wanted: Field["kind"][]) =>
    stored.map(({ fieldId, value }) => (wanted.includes(kinds.get(fieldId) ?? "text") ? value : null));
  if (stored.length > 0)
    await sql`
      insert into field_values (user_id, field_id, text, day, number)
      select user_id, field_id, text, day, number
      from unnest(
        ${stored.map(({ userId }) => userId)}::uuid[],
        ${stored.map(({ fieldId }) => fieldId)}::uuid[],
        ${of("text", "choice")}::text[],
        ${of("date")}::date[],
        ${of("number")}::double precision[]
      ) stored (user_id, field_id, text, day, number)
      on conflict (user_id, field_id) do update
      set text = excluded.text,
        day = excluded.day,
        number = excluded.number
      where (field_values.text, field_values.day, field_values.number)
        is distinct from (excluded.text, excluded.day, excluded.number)`.execute(tx);
}

/** Locks fields until values are stored: nobody archives one of them, or removes a choice. */
export const lockFields = (tx: Tx, ids: string[]) =>
  tx.selectFrom("fields").where(isOneOf("id", ids)).orderBy("id").select("id").forShare().execute();

/** Checks values that an admin entered for a person of a company, and stores them. 422 for the first that is wrong. */
export async function changeFieldValues(
  tx: Tx,
  { userId, companyId }: { userId: string; companyId: string | null },
  values: Record<string, FieldValue | null>,
) {
  await lockFields(tx, Object.keys(values));
  const definitions = new Map((await listDefinitions(tx, companyId)).map((field) => [field.id, field]));
  const changes = Object.entries(values).map(([fieldId, value]) => {
    const field = definitions.get(fieldId);
    if (!field) throw badField(`fields.${fieldId}`, "fields.unknown");
    if (value !== null && !isValueOf(field, value)) throw badField(`fields.${fieldId}`, "fields.badValue");
    return { userId, fieldId, value };
  });
  await storeFieldValues(tx, changes, new Map([...definitions].map(([id, { kind }]) => [id, kind])));
}

/** A value as people read it in a file: the name of a choice, everything else as it is. */
export const textOfValue = ({ kind, choices }: Definition, value: FieldValue | undefined) =>
  kind === "choice" ? (choices.find(({ id }) => id === value)?.name ?? null) : (value ?? null);

/** The fields of one person with their values. Learners get those that they may see, and only their own. */
export async function listPersonFields({ db, user }: Ctx<User>, id: string) {
  const person = await db
    .selectFrom("users")
    .where("users.id", "=", id)
    .where("users.role", "=", "learner")
    .where(inScope(user, { company: "users.companyId", person: "users.id" }))
    .select(["users.companyId", valuesFor(user).as("values")])
    .executeTakeFirstOrThrow(notFound);
  const definitions = await listDefinitions(db, person.companyId);
  const items = definitions
    .filter((field) => isAdmin(user) || person.values[field.id] !== undefined)
    .map((field) => {
      const text = textOfValue(field, person.values[field.id]);
      return { id: field.id, name: field.name, kind: field.kind, text: text === null ? null : String(text) };
    });
  return { items };
}
