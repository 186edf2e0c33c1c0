import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import { findCompany } from "#server/provisioning/findCompany.ts";
import { lockSettings } from "#server/provisioning/scim/locks.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import {
  MAX_SCIM_KEYS,
  type provisioning,
  type ProvisioningKey,
  SCIM_KEY_PREFIX,
} from "#shared/provisioning/provisioning.ts";

const SCOPE = { company: "provisioningKeys.companyId" };
/** The number of characters of a key that are shown: its prefix and some random ones. */
const SHOWN_CHARS = 10;

const selectKeys = (db: Db, user: User) =>
  db
    .selectFrom("provisioningKeys")
    .leftJoin("users", "users.id", "provisioningKeys.createdBy")
    .where(inScope(user, SCOPE))
    .select([
      "provisioningKeys.id",
      "provisioningKeys.name",
      "provisioningKeys.prefix",
      "provisioningKeys.createdAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("createdBy"),
      "provisioningKeys.expiresAt",
      "provisioningKeys.lastUsedAt",
      sql<ProvisioningKey["status"]>`case
        when revoked_at is not null then 'revoked'
        when expires_at <= now() then 'expired'
        else 'active'
      end`.as("status"),
    ]);

/** The keys of a company, those that work first. */
export const listKeys = ({ db, user }: Pick<Ctx<User>, "db" | "user">, companyId: string) =>
  selectKeys(db, user)
    .where("provisioningKeys.companyId", "=", companyId)
    .orderBy(sql`revoked_at is not null`)
    .orderBy("provisioningKeys.createdAt", "desc")
    .limit(MAX_SCIM_KEYS)
    .execute();

export async function createKey(
  ctx: Ctx<User>,
  companyId: string,
  { name, expiresInDays }: BodyOf<typeof provisioning.createKey>,
) {
  const key = SCIM_KEY_PREFIX + newToken();
  return inTransaction(ctx.db, async (tx) => {
    await findCompany({ ...ctx, db: tx }, companyId);
    await lockSettings(tx, companyId);
    const { count } = await tx
      .selectFrom("provisioningKeys")
      .where("companyId", "=", companyId)
      .where("revokedAt", "is", null)
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_SCIM_KEYS) throw conflict("provisioning.tooManyKeys", undefined, { count: MAX_SCIM_KEYS });
    const { id } = await tx
      .insertInto("provisioningKeys")
      .values({
        companyId,
        name,
        prefix: key.slice(0, SHOWN_CHARS),
        keyHash: hashToken(key),
        createdBy: ctx.user.id,
        expiresAt: expiresInDays === null ? null : sql<string>`now() + make_interval(days => ${expiresInDays})`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, {
      action: "provisioning.createKey",
      companyId,
      details: { apiKey: key.slice(0, SHOWN_CHARS) },
    });
    return { ...(await readKey(tx, ctx.user, id)), key };
  });
}

const readKey = (db: Db, user: User, id: string) =>
  selectKeys(db, user).where("provisioningKeys.id", "=", id).executeTakeFirstOrThrow(notFound);

export const revokeKey = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const { prefix } = await readKey(tx, ctx.user, id);
    const { companyId } = await tx
      .updateTable("provisioningKeys")
      .set({ revokedAt: sql<string>`coalesce(revoked_at, now())` })
      .where("id", "=", id)
      .where(inScope(ctx.user, SCOPE))
      .returning("companyId")
      .executeTakeFirstOrThrow(notFound);
    await record(tx, ctx, { action: "provisioning.revokeKey", companyId, details: { apiKey: prefix } });
    return readKey(tx, ctx.user, id);
  });
