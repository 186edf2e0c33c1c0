import type { Db } from "#server/core/database/db.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";

export const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/** Provider id under which accounts linked to this connection are stored. */
export const ssoProviderId = (connectionId: string) => `sso:${connectionId}`;

/** The enabled connection for the domain of an email, if its company is active. */
export const findConnectionByEmail = (db: Db, email: string) =>
  db
    .selectFrom("ssoDomains")
    .innerJoin("ssoConnections", "ssoConnections.id", "ssoDomains.connectionId")
    .innerJoin("companies", "companies.id", "ssoConnections.companyId")
    .where("domain", "=", domainOf(email))
    .where("ssoConnections.enabled", "=", true)
    .where("companies.status", "=", "active")
    .select(["ssoConnections.id", "ssoConnections.enforced", "companies.id as companyId", "companies.name as company"])
    .executeTakeFirst();

/**
 * The connection that this person must sign in with, or null. Never applies to admins, who have no company, and to
 * people without an address, whom no provider knows.
 */
export async function findEnforcedConnection(db: Db, email: string | null, companyId: string | null) {
  if (email === null) return null;
  const connection = await findConnectionByEmail(db, email);
  return connection?.enforced === true && connection.companyId === companyId ? connection : null;
}

export async function refuseIfSsoEnforced(db: Db, email: string | null, companyId: string | null) {
  const connection = await findEnforcedConnection(db, email, companyId);
  if (connection)
    throw new Problem(403, "auth.ssoRequired", {
      values: { company: connection.company },
      details: { connectionId: connection.id, company: connection.company },
    });
}

/** An enabled connection of an active company, with the encrypted client secret; 404 otherwise. */
export const getActiveConnection = (db: Db, id: string) =>
  db
    .selectFrom("ssoConnections")
    .innerJoin("companies", "companies.id", "ssoConnections.companyId")
    .where("ssoConnections.id", "=", id)
    .where("ssoConnections.enabled", "=", true)
    .where("companies.status", "=", "active")
    .selectAll("ssoConnections")
    .select("companies.name as company")
    .executeTakeFirstOrThrow(notFound);

export type Connection = Awaited<ReturnType<typeof getActiveConnection>>;
