import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { hashToken } from "#server/core/secrets.ts";
import { type ApiKey, type apiKeys, KEY_PREFIX } from "#shared/apiKeys/apiKeys.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const SCOPE = { company: "apiKeys.companyId" };
/** The number of characters of a key that are shown: its prefix and some random ones. */
const SHOWN_CHARS = 10;

const selectKeys = (db: Db, user: User) =>
  db
    .selectFrom("apiKeys")
    .innerJoin("users", "users.id", "apiKeys.createdBy")
    .leftJoin("companies", "companies.id", "apiKeys.companyId")
    .where(inScope(user, SCOPE))
    .select([
      "apiKeys.id",
      "apiKeys.name",
      "apiKeys.prefix",
      "apiKeys.scopes",
      "apiKeys.companyId",
      "companies.name as company",
      "apiKeys.createdAt",
      sql<string>`coalesce(nullif(users.name, ''), users.email)`.as("createdBy"),
      "apiKeys.expiresAt",
      "apiKeys.lastUsedAt",
      sql<ApiKey["status"]>`case
        when revoked_at is not null or users.status <> 'active' or users.role <> 'admin' then 'revoked'
        when expires_at <= now() then 'expired'
        else 'active'
      end`.as("status"),
    ]);

const readKey = (db: Db, user: User, id: string): Promise<ApiKey> =>
  selectKeys(db, user).where("apiKeys.id", "=", id).executeTakeFirstOrThrow(notFound);

export async function listKeys({ db, user }: Ctx<User>, { q, page, size }: QueryOf<typeof apiKeys.list>) {
  const match = q ? searchFor(q, ["apiKeys.name", "apiKeys.prefix"]) : sql<boolean>`true`;
  const { total } = await db
    .selectFrom("apiKeys")
    .where(inScope(user, SCOPE))
    .where(match)
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await selectKeys(db, user)
    .where(match)
    .orderBy("apiKeys.createdAt", "desc")
    .orderBy("apiKeys.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

/** Creates a key. A key by an admin of one company is always limited to this company. */
export async function createKey(ctx: Ctx<User>, { expiresInDays, ...input }: BodyOf<typeof apiKeys.create>) {
  const companyId = input.companyId ?? ctx.user.companyId;
  if (companyId)
    await ctx.db
      .selectFrom("companies")
      .where("id", "=", companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .select("id")
      .executeTakeFirstOrThrow(notFound);
  const key = KEY_PREFIX + randomBytes(32).toString("base64url");
  return inTransaction(ctx.db, async (tx) => {
    const { id } = await tx
      .insertInto("apiKeys")
      .values({
        ...input,
        companyId,
        prefix: key.slice(0, SHOWN_CHARS),
        keyHash: hashToken(key),
        createdBy: ctx.user.id,
        expiresAt: expiresInDays === null ? null : sql<string>`now() + make_interval(days => ${expiresInDays})`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, {
      action: "apiKeys.create",
      companyId,
      details: { apiKey: key.slice(0, SHOWN_CHARS), scopes: input.scopes.join(" ") },
    });
    return { ...(await readKey(tx, ctx.user, id)), key };
  });
}

export async function revokeKey(ctx: Ctx<User>, id: string) {
  return inTransaction(ctx.db, async (tx) => {
    const { prefix, companyId } = await readKey(tx, ctx.user, id);
    await tx
      .updateTable("apiKeys")
      .set({ revokedAt: sql<string>`coalesce(revoked_at, now())` })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "apiKeys.revoke", companyId, details: { apiKey: prefix } });
    return readKey(tx, ctx.user, id);
  });
}
