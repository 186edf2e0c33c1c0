import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { RECORD_STORE_PATH, type statements } from "#shared/statements/statements.ts";

const SCOPE = { company: "statementClients.companyId" };
/** A prefix by which scanners recognise a secret that was published by mistake. */
const SECRET_PREFIX = "lyr_";

const selectClients = (db: Db, user: User) =>
  db
    .selectFrom("statementClients")
    .innerJoin("companies", "companies.id", "statementClients.companyId")
    .leftJoin("users", "users.id", "statementClients.createdBy")
    .where(inScope(user, SCOPE))
    .select([
      "statementClients.id",
      "statementClients.name",
      "statementClients.userName",
      "statementClients.scopes",
      "statementClients.companyId",
      "companies.name as company",
      "statementClients.createdAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("createdBy"),
      "statementClients.lastUsedAt",
      sql<boolean>`statement_clients.revoked_at is not null`.as("isRevoked"),
    ]);

const readClient = (db: Db, user: User, id: string) =>
  selectClients(db, user).where("statementClients.id", "=", id).executeTakeFirstOrThrow(notFound);

export async function listClients(
  { db, user, config }: Ctx<User>,
  { q, page, size }: QueryOf<typeof statements.listClients>,
) {
  const match = q ? searchFor(q, ["statementClients.name", "statementClients.userName"]) : sql<boolean>`true`;
  const { total } = await db
    .selectFrom("statementClients")
    .where(inScope(user, SCOPE))
    .where(match)
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await selectClients(db, user)
    .where(match)
    .orderBy("statementClients.createdAt", "desc")
    .orderBy("statementClients.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total, endpoint: config.publicUrl + RECORD_STORE_PATH };
}

export async function createClient(ctx: Ctx<User>, input: BodyOf<typeof statements.createClient>) {
  await ctx.db
    .selectFrom("companies")
    .where("id", "=", input.companyId)
    .where(inScope(ctx.user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);
  const secret = SECRET_PREFIX + newToken();
  const userName = `lrs_${randomBytes(9).toString("base64url")}`;
  return inTransaction(ctx.db, async (tx) => {
    const { id } = await tx
      .insertInto("statementClients")
      .values({ ...input, userName, secretHash: hashToken(secret), createdBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, {
      action: "statements.createClient",
      companyId: input.companyId,
      details: { apiKey: userName, scopes: input.scopes.join(" ") },
    });
    return { ...(await readClient(tx, ctx.user, id)), secret };
  });
}

export const revokeClient = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const { userName, companyId } = await readClient(tx, ctx.user, id);
    await tx
      .updateTable("statementClients")
      .set({ revokedAt: sql<string>`coalesce(revoked_at, now())` })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "statements.revokeClient", companyId, details: { apiKey: userName } });
    return readClient(tx, ctx.user, id);
  });
