import type { Db, Tx } from "#server/core/db.ts";
import { notFound, Problem } from "#server/core/problem.ts";

export const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/** What the links of people to this connection are stored under. */
export const ssoProviderId = (connectionId: string) => `sso:${connectionId}`;

/** The identity provider that the domain of an email belongs to, while it is switched on and its company active. */
export const findConnectionByEmail = (db: Db | Tx, email: string) =>
  db
    .selectFrom("ssoDomains")
    .innerJoin("ssoConnections", "ssoConnections.id", "ssoDomains.connectionId")
    .innerJoin("companies", "companies.id", "ssoConnections.companyId")
    .where("domain", "=", domainOf(email))
    .where("ssoConnections.enabled", "=", true)
    .where("companies.status", "=", "active")
    .select(["ssoConnections.id", "ssoConnections.enforced", "companies.id as companyId", "companies.name as company"])
    .executeTakeFirst();

/** True where the company wants its people to come through its own provider and no other way. Admins are never bound. */
export async function findEnforcedConnection(db: Db | Tx, email: string, companyId: string | null) {
  const connection = await findConnectionByEmail(db, email);
  return connection?.enforced === true && connection.companyId === companyId ? connection : null;
}

export async function refuseIfSsoEnforced(db: Db | Tx, email: string, companyId: string | null) {
  const connection = await findEnforcedConnection(db, email, companyId);
  if (connection)
    throw new Problem(403, "auth.ssoRequired", {
      values: { company: connection.company },
      details: { connectionId: connection.id, company: connection.company },
    });
}

/** A connection that may be used: switched on, of an active company. With the client secret as it is stored. */
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
