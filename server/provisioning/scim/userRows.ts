import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Definition } from "#server/fields/values.ts";
import { type Address } from "#server/provisioning/scim/attributes.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import type { Column, Columns, Values } from "#server/provisioning/scim/filterSql.ts";
import type { Resource } from "#server/provisioning/scim/resource.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { FieldValues } from "#shared/fields/fields.ts";
import { isMappable, type ProvisioningMapping } from "#shared/provisioning/provisioning.ts";
import { ENTERPRISE, FIELDS } from "#shared/provisioning/schemas.ts";

// The people of a company as SQL: `u` are users, `p` what their directory says, `n` numbers, `m` managers

export type UserRow = {
  id: string;
  name: string;
  email: string | null;
  isActive: boolean;
  createdAt: string;
  changedAt: string;
  userName: string;
  externalId: string | null;
  attributes: Resource;
  isProvisioned: boolean;
  /** Another address than that of the directory stays. */
  isEmailHeld: boolean;
  number: string | null;
  managerId: string | null;
  managerName: string | null;
  fields: FieldValues;
  /** Groups of the directory that it has put the person into. */
  groups: { id: string; name: string }[];
};

/** People without an account in the directory have their address or number as user name. */
const userName = sql`coalesce(p.user_name, u.email, n.number, u.id::text)`;
const attributes = sql`coalesce(p.attributes, '{}')`;

/** SQL: the people of the company whom the directory sees. */
export const peopleOf = (companyId: string) => sql`users u
  left join provisioned_people p on p.user_id = u.id
  left join personnel_numbers n on n.user_id = u.id
  left join managers m on m.user_id = u.id
  where u.company_id = ${companyId}
    and u.role = 'learner'
    and p.removed_at is null`;

const columns = sql`u.id,
  u.name,
  u.email,
  u.status <> 'suspended' as is_active,
  u.created_at,
  greatest(u.updated_at, p.updated_at) as changed_at,
  ${userName} as user_name,
  p.external_id,
  ${attributes} as attributes,
  p.user_id is not null as is_provisioned,
  coalesce(p.email_held, false) as is_email_held,
  n.number,
  m.manager_id,
  (
    select leads.name
    from users leads
    where leads.id = m.manager_id
  ) as manager_name,
  coalesce((
    select jsonb_object_agg(
      v.field_id,
      coalesce(to_jsonb(v.text), to_jsonb(v.day), to_jsonb(v.number))
    )
    from field_values v
    where v.user_id = u.id
  ), '{}') as fields,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.id)
    from group_provided_members named
    join groups g on g.id = named.group_id
    where named.user_id = u.id
      and g.removed_at is null
  ), '[]') as groups`;

/** A part of a list. */
export type Slice = { where: RawBuilder<boolean>; order: RawBuilder<unknown>; limit: number; offset: number };

/** First only the ids, so that nothing is computed for the people before the page. */
export async function listUsers(db: Db, companyId: string, { where, order, limit, offset }: Slice): Promise<UserRow[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id
    from ${peopleOf(companyId)}
      and ${where}
    order by ${order}, u.id
    limit ${limit}
    offset ${offset}`.execute(db);
  return readUsers(
    db,
    companyId,
    rows.map(({ id }) => id),
  );
}

async function readUsers(db: Db, companyId: string, ids: string[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<UserRow>`
    select ${columns}
    from ${peopleOf(companyId)}
      and ${isOneOf("u.id", ids)}
    order by array_position(${ids}::uuid[], u.id)`.execute(db);
  return rows;
}

export async function countUsers(db: Db, companyId: string, where: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total
    from ${peopleOf(companyId)}
      and ${where}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** One person of the company whom the directory sees. */
export const findUser = async (db: Db, companyId: string, id: string): Promise<UserRow | null> =>
  (await readUsers(db, companyId, [id]))[0] ?? null;

/** SQL: the value of a field of a person as text; of a choice its name. */
const fieldText = ({ id, kind }: Definition) => sql`(
  select ${
    kind === "choice"
      ? sql`(
          select choice->>'name'
          from fields
          cross join jsonb_array_elements(fields.choices) choice
          where fields.id = v.field_id
            and choice->>'id' = v.text
        )`
      : sql`coalesce(v.text, v.day::text, v.number::text)`
  }
  from field_values v
  where v.user_id = u.id
    and v.field_id = ${id}
)`;

const text = (of: RawBuilder<unknown>): Column => ({ sql: of, type: "text" });

/** SQL: a row for each entry of a list; the address that Lyceum uses is that of the account. */
const entries = (name: string, own: RawBuilder<unknown>): Values => ({
  from: sql`jsonb_array_elements(coalesce(${attributes}->${sql.lit(name)}, ${own})) entry`,
  where: sql<boolean>`true`,
  columns: {
    value: text(sql`case when entry ? 'own' then u.email else entry->>'value' end`),
    type: text(sql`entry->>'type'`),
    display: text(sql`entry->>'display'`),
    primary: { sql: sql`(entry->>'primary')::boolean`, type: "boolean" },
    ...(name === "emails" && { sort: text(sql`u.email`) }),
  },
});
const withNarrow = (values: Values, narrow: Column["narrow"]): Values => ({
  ...values,
  columns: { ...values.columns, value: { ...(values.columns.value as Column), narrow } },
});
/** The entry of people whose addresses the directory has not sent. */
const ownEmail = sql`case when u.email is null then '[]' else '[{"own":true,"type":"work","primary":true}]' end::jsonb`;

export function userColumns({ fields, mapping, directory: { companyId } }: Scim): Columns {
  const fixed: Record<string, Column | Values> = {
    id: {
      sql: sql`u.id::text`,
      type: "exact",
      narrow: (value) => (isUuid(value) ? sql<boolean>`u.id = ${value}::uuid` : sql<boolean>`false`),
    },
    externalId: {
      sql: sql`p.external_id`,
      type: "exact",
      narrow: (value) => sql<boolean>`u.id = any(array(
        select user_id
        from provisioned_people
        where company_id = ${companyId}
          and external_id = ${value}
          and removed_at is null
      ))`,
    },
    userName: {
      ...text(userName),
      narrow: (value) => sql<boolean>`u.id = any(array(
        select user_id
        from provisioned_people
        where company_id = ${companyId}
          and lower(user_name) = lower(${value})
          and removed_at is null
        union all
        select id
        from users
        where lower(email) = lower(${value})
        union all
        select user_id
        from personnel_numbers
        where company_id = ${companyId}
          and lower(number) = lower(${value})
        ${isUuid(value) ? sql`union all select ${value}::uuid` : sql``}
      ))`,
    },
    displayName: text(sql`u.name`),
    "name.formatted": text(sql`coalesce(${attributes}->'name'->>'formatted', u.name)`),
    active: { sql: sql`u.status <> 'suspended'`, type: "boolean" },
    emails: withNarrow(
      entries("emails", ownEmail),
      (value) => sql<boolean>`u.id = any(array(
        select id
        from users
        where lower(email) = lower(${value})
        union all
        select user_id
        from provisioned_people
        where company_id = ${companyId}
          and lower(attributes->>'emails')::jsonb @> jsonb_build_array(jsonb_build_object('value', lower(${value})))
      ))`,
    ),
    phoneNumbers: entries("phoneNumbers", sql`'[]'::jsonb`),
    groups: {
      from: sql`group_provided_members named join groups g on g.id = named.group_id`,
      where: sql<boolean>`named.user_id = u.id and g.removed_at is null`,
      columns: { value: { sql: sql`g.id::text`, type: "exact" }, display: text(sql`g.name`) },
    },
    "meta.resourceType": { sql: sql`'User'`, type: "exact" },
    "meta.created": { sql: sql`u.created_at`, type: "time" },
    "meta.lastModified": { sql: sql`greatest(u.updated_at, p.updated_at)`, type: "time" },
    [`${ENTERPRISE}:employeeNumber`]: {
      ...text(sql`n.number`),
      narrow: (value) => sql<boolean>`u.id = any(array(
        select user_id
        from personnel_numbers
        where company_id = ${companyId}
          and lower(number) = lower(${value})
      ))`,
    },
    [`${ENTERPRISE}:manager.value`]: { sql: sql`m.manager_id::text`, type: "exact" },
    [`${ENTERPRISE}:manager`]: { sql: sql`m.manager_id::text`, type: "exact" },
  };
  return ({ urn, attribute, sub }: Address) => {
    if (attribute.multiValued) return fixed[attribute.name] ?? null;
    const path = pathOf({ urn, attribute, sub });
    if (Object.hasOwn(fixed, path)) return fixed[path] ?? null;
    const field = fieldOf(fields, mapping, urn, path);
    if (field) return text(fieldText(field));
    if (attribute.type !== "string" && !(attribute.name === "name" && sub)) return null;
    const held = urn ? sql`${attributes}->${sql.lit(urn)}` : attributes;
    return sub
      ? text(sql`${held}->${sql.lit(attribute.name)}->>${sql.lit(sub.name)}`)
      : text(sql`${held}->>${sql.lit(attribute.name)}`);
  };
}

/** `title`, `name.givenName`, `urn:…:User:department`: as in the mapping of a company. */
const pathOf = ({ urn, attribute, sub }: Address) =>
  `${urn ? `${urn}:` : ""}${attribute.name}${sub ? `.${sub.name}` : ""}`;

/** The field in which an attribute is stored, if it is. */
export function fieldOf(fields: Definition[], mapping: ProvisioningMapping, urn: string | null, path: string) {
  if (urn === FIELDS) return fields.find(({ key }) => `${FIELDS}:${key}`.toLowerCase() === path.toLowerCase());
  return isMappable(path) ? fields.find(({ id }) => id === mapping[path]) : undefined;
}
