import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { createKeyRate } from "#server/core/limits/keyRate.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Directory } from "#server/provisioning/scim/context.ts";
import { ScimError } from "#server/provisioning/scim/scimError.ts";
import { SCIM_REQUESTS_PER_MINUTE } from "#shared/provisioning/provisioning.ts";

const readKey = ({ headers }: FastifyRequest) =>
  /^Bearer (lys_[\w-]{20,100})$/i.exec(headers.authorization ?? "")?.[1] ?? null;

/** A function that finds the directory whose key a request has, and counts the request; throws 401 for any other. */
export function createDirectoryVerifier(db: Db, publicUrl: string) {
  const limit = createKeyRate(SCIM_REQUESTS_PER_MINUTE);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Directory> => {
    const { origin } = request.headers;
    // A key in a browser has been published.
    if (origin && origin !== new URL(publicUrl).origin) throw new ScimError(403, "Keys are not for use in browsers.");
    const key = readKey(request);
    const row = key && (await findKey(db, key));
    if (!row) {
      reply.header("www-authenticate", 'Bearer realm="SCIM"');
      throw new ScimError(401, "The key is missing, revoked, or not valid.");
    }
    limit(row.keyId, reply);
    if (row.isStale)
      await db
        .updateTable("provisioningKeys")
        .set({ lastUsedAt: sql<string>`now()` })
        .where("id", "=", row.keyId)
        .execute();
    const { isStale: _, ...directory } = row;
    return directory;
  };
}

const findKey = (db: Db, key: string) =>
  db
    .selectFrom("provisioningKeys")
    .innerJoin("companies", "companies.id", "provisioningKeys.companyId")
    .where("companies.status", "=", "active")
    .where("keyHash", "=", hashToken(key))
    .where("revokedAt", "is", null)
    .where((e) => e.or([e("expiresAt", "is", null), e("expiresAt", ">", sql<string>`now()`)]))
    .select([
      "provisioningKeys.id as keyId",
      "provisioningKeys.companyId",
      "provisioningKeys.prefix",
      "provisioningKeys.name",
      sql<boolean>`last_used_at is null or last_used_at < now() - interval '1 minute'`.as("isStale"),
    ])
    .executeTakeFirst();
