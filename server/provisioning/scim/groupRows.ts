import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { type Address, groupSchema } from "#server/provisioning/scim/attributes.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import type { Columns, Column, Values } from "#server/provisioning/scim/filterSql.ts";
import type { Slice } from "#server/provisioning/scim/userRows.ts";
import { isUuid } from "#shared/core/uuid.ts";

// Groups of a company whose members its directory names, as SQL: `g` are groups

export type GroupRow = {
  id: string;
  name: string;
  externalId: string | null;
  version: number;
  count: number;
  createdAt: string;
  updatedAt: string;
};
export type MemberRow = { groupId: string; id: string; name: string };

export const groupsOf = (companyId: string) => sql`groups g
  where g.company_id = ${companyId}
    and g.provided
    and g.removed_at is null`;

export async function listGroups(
  db: Db,
  companyId: string,
  { where, order, limit, offset }: Slice,
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.id,
      g.name,
      g.external_id,
      g.version,
      g.created_at,
      g.updated_at,
      (
        select count(*)::int
        from group_provided_members named
        where named.group_id = g.id
      ) as count
    from ${groupsOf(companyId)}
      and ${where}
    order by ${order}, g.id
    limit ${limit}
    offset ${offset}`.execute(db);
  return rows;
}

export async function countGroups(db: Db, companyId: string, where: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total
    from ${groupsOf(companyId)}
      and ${where}`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function findGroup(db: Db, companyId: string, id: string): Promise<GroupRow | null> {
  const [row] = await listGroups(db, companyId, { where: sql`g.id = ${id}`, order: sql`g.id`, limit: 1, offset: 0 });
  return row ?? null;
}

/**
 * Whom the directory has put into groups. `is not distinct from` has no index and cannot be hashed: before the tables
 * have statistics, PostgreSQL would otherwise compare every member with every person of the company.
 */
export async function listMembers(db: Db, ids: string[]): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select named.group_id, users.id, coalesce(nullif(users.name, ''), users.email) as name
    from group_provided_members named
    join groups on groups.id = named.group_id
    join users on users.id = named.user_id
      and users.company_id is not distinct from groups.company_id
    where ${isOneOf("named.group_id", ids)}
    order by named.group_id, users.id`.execute(db);
  return rows;
}

const columns: Record<string, Column | Values> = {
  id: { sql: sql`g.id::text`, type: "exact" },
  externalId: { sql: sql`g.external_id`, type: "exact" },
  displayName: { sql: sql`g.name`, type: "text" },
  members: {
    from: sql`group_provided_members named join users member on member.id = named.user_id`,
    where: sql<boolean>`named.group_id = g.id and member.company_id is not distinct from g.company_id`,
    columns: {
      value: {
        sql: sql`named.user_id::text`,
        type: "exact",
        narrow: (value) =>
          isUuid(value)
            ? sql<boolean>`g.id = any(array(
                select group_id
                from group_provided_members
                where user_id = ${value}::uuid
              ))`
            : sql<boolean>`false`,
      },
      display: { sql: sql`member.name`, type: "text" },
      type: { sql: sql`'User'`, type: "text" },
    },
  },
  "meta.resourceType": { sql: sql`'Group'`, type: "exact" },
  "meta.created": { sql: sql`g.created_at`, type: "time" },
  "meta.lastModified": { sql: sql`g.updated_at`, type: "time" },
};
export const groupColumns: Columns = ({ attribute, sub }: Address) =>
  columns[attribute.multiValued || !sub ? attribute.name : `${attribute.name}.${sub.name}`] ?? null;

export const groupTag = ({ version, count }: GroupRow) => `W/"${version}-${count}"`;

export const groupResource = ({ base }: Scim, row: GroupRow, members: MemberRow[]) => ({
  schemas: [groupSchema.id],
  id: row.id,
  ...(row.externalId !== null && { externalId: row.externalId }),
  displayName: row.name,
  ...(members.length > 0 && {
    members: members.map(({ id, name }) => ({ value: id, $ref: `${base}/Users/${id}`, display: name, type: "User" })),
  }),
  meta: {
    resourceType: "Group",
    created: row.createdAt,
    lastModified: row.updatedAt,
    location: `${base}/Groups/${row.id}`,
    version: groupTag(row),
  },
});
