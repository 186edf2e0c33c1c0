import { type NotNull, sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Admin, admins } from "#shared/auth/admins.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The accounts of admins of the whole academy, including invited and removed ones. */
export const academyAdmins = (db: Db) =>
  db.selectFrom("users").where("users.role", "=", "admin").where("users.companyId", "is", null);

const activeAdmins = (db: Db) => academyAdmins(db).where("users.status", "=", "active");

/**
 * The ids of the admins who can log in. Locks their rows, so that concurrent removals cannot remove the last admin.
 * Call it first in every transaction that ends the access of an admin.
 */
export async function lockActiveAdmins(tx: Tx) {
  const rows = await activeAdmins(tx).select("users.id").orderBy("users.id").forUpdate().execute();
  return rows.map(({ id }) => id);
}

/** True for the only admin of the academy who can log in. */
export async function isLastAdmin(db: Db, userId: string) {
  const rows = await activeAdmins(db).select("users.id").limit(2).execute();
  return rows.length === 1 && rows[0]?.id === userId;
}

const STATUS = sql<Admin["status"]>`case users.status when 'suspended' then 'removed' else users.status end`;

/** Admins by name: first those who can log in, then invited ones, then removed ones. */
export async function listAdmins({ db }: Ctx<User>, { q, status, page, size }: QueryOf<typeof admins.list>) {
  let rows = academyAdmins(db);
  if (q) rows = rows.where(searchFor(q, ["users.name", "users.email"]));
  if (status) rows = rows.where(STATUS, "=", status);
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .select([
      "users.id",
      "users.name",
      "users.email",
      STATUS.as("status"),
      "users.lastActive",
      hasFactor.as("hasFactor"),
      sql<string | null>`case when users.status = 'invited' then users.invitation_expires_at end`.as(
        "invitationExpiresAt",
      ),
      countApiKeys.as("apiKeys"),
      sql<boolean>`users.status = 'active' and (${activeAdmins(db).select((e) => e.fn.countAll().as("count"))}) = 1`.as(
        "isLast",
      ),
    ])
    .orderBy(sql`array_position(array['active', 'invited', 'suspended'], users.status)`)
    .orderBy(sql`lower(coalesce(nullif(users.name, ''), users.email))`)
    .orderBy("users.id")
    .$narrowType<{ email: NotNull }>()
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

const countApiKeys = sql<number>`(
  select count(*)::int
  from api_keys
  where created_by = users.id
    and revoked_at is null
    and coalesce(expires_at > now(), true)
)`;

const hasFactor = sql<boolean>`
  exists (
    select from auth_factors factors
    where factors.user_id = users.id
      and factors.confirmed_at is not null
  )
  or exists (
    select from auth_passkeys passkeys
    where passkeys.user_id = users.id
  )`;

/** The admins who can log in, in the scope of the user. */
export async function listAssignableAdmins({ db, user }: Ctx<User>) {
  const items = await db
    .selectFrom("users")
    .where("role", "=", "admin")
    .where("status", "=", "active")
    .where(inScope(user, { company: "users.companyId" }))
    .select(["id", "name", "email"])
    .$narrowType<{ email: NotNull }>()
    .orderBy("email")
    .execute();
  return { items, total: items.length };
}
