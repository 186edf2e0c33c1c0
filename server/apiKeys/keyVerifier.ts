import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { Problem } from "#server/core/http/problem.ts";
import { createKeyRate } from "#server/core/limits/keyRate.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { KEY_REQUESTS_PER_MINUTE } from "#shared/apiKeys/apiKeys.ts";
import type { User } from "#shared/core/users.ts";

/** The API key of a request; null if it has none. */
export const apiKeyOf = ({ headers }: FastifyRequest): string | null =>
  /^Bearer (lyk_[\w-]{20,100})$/i.exec(headers.authorization ?? "")?.[1] ?? null;

/**
 * A function that identifies the admin for whom a key acts, limited to the company and scopes of the key. It sets the
 * RateLimit headers (draft-ietf-httpapi-ratelimit-headers-07), and throws 403 for pages of other origins: a key in a
 * browser has been published. Null if the key is not valid.
 */
export function createKeyVerifier({ db, config }: Services) {
  const limit = createKeyRate(KEY_REQUESTS_PER_MINUTE);
  return async (key: string, request: FastifyRequest, reply: FastifyReply): Promise<User | null> => {
    const { origin } = request.headers;
    if (origin && origin !== new URL(config.publicUrl).origin) throw new Problem(403, "apiKeys.fromBrowser");
    const row = await db
      .selectFrom("apiKeys")
      .innerJoin("users", "users.id", "apiKeys.createdBy")
      .where("apiKeys.keyHash", "=", hashToken(key))
      .where("apiKeys.revokedAt", "is", null)
      .where((e) => e.or([e("apiKeys.expiresAt", "is", null), e("apiKeys.expiresAt", ">", sql<string>`now()`)]))
      .where("users.status", "=", "active")
      .where("users.role", "=", "admin")
      .select([
        "apiKeys.id as keyId",
        "apiKeys.prefix",
        "apiKeys.scopes",
        "apiKeys.companyId",
        "users.id",
        "users.email",
        "users.name",
        "users.role",
        "users.status",
        "users.createdAt",
        "users.lastActive",
        "users.lastLoginAt",
        "users.companyId as companyOfAdmin",
        sql<boolean>`api_keys.last_used_at is null or api_keys.last_used_at < now() - interval '1 minute'`.as(
          "isStale",
        ),
      ])
      .executeTakeFirst();
    // A key acts only for its company, and only while its admin may see it.
    if (!row || (row.companyId && row.companyOfAdmin && row.companyId !== row.companyOfAdmin)) return null;
    const { keyId, prefix, scopes, isStale, companyOfAdmin, companyId, ...user } = row;
    limit(keyId, reply);
    if (isStale)
      await db
        .updateTable("apiKeys")
        .set({ lastUsedAt: sql<string>`now()` })
        .where("id", "=", keyId)
        .execute();
    return { ...user, personnelNumber: null, companyId: companyId ?? companyOfAdmin, apiKey: { prefix, scopes } };
  };
}
