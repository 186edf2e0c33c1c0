import type { FastifyReply } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { createKeyRate } from "#server/core/limits/keyRate.ts";
import { hashToken, isSame } from "#server/core/secrets.ts";
import type { KeyClient } from "#server/statements/launches.ts";
import { CLIENT_REQUESTS_PER_MINUTE } from "#shared/statements/statements.ts";

/** User name and password of Basic authentication (RFC 7617); null if the header has none. */
export function readBasic(authorization: string | undefined) {
  const encoded = /^Basic ([\w+/=-]{1,1000})$/i.exec(authorization ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1 || text.includes("\0")) return null;
  return { userName: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Returns a function that finds the key of a request and counts the request; null if there is no such key. */
export function createClientVerifier(db: Db) {
  const limit = createKeyRate(CLIENT_REQUESTS_PER_MINUTE);
  return async (userName: string, password: string, reply: FastifyReply): Promise<KeyClient | null> => {
    const row = await db
      .selectFrom("statementClients")
      .innerJoin("companies", "companies.id", "statementClients.companyId")
      .where("companies.status", "=", "active")
      .where("userName", "=", userName)
      .where("revokedAt", "is", null)
      .select([
        "statementClients.id",
        "companyId",
        "scopes",
        "secretHash",
        sql<boolean>`last_used_at is null or last_used_at < now() - interval '1 minute'`.as("isStale"),
      ])
      .executeTakeFirst();
    if (!row || !isSame(row.secretHash, hashToken(password))) return null;
    limit(row.id, reply);
    if (row.isStale)
      await db
        .updateTable("statementClients")
        .set({ lastUsedAt: sql<string>`now()` })
        .where("id", "=", row.id)
        .execute();
    return { kind: "key", companyId: row.companyId, clientId: row.id, userName, scopes: row.scopes };
  };
}
