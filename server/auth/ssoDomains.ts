import type { Db, Tx } from '#server/core/db.ts'
import { Problem } from '#server/core/problem.ts'

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The identity provider that the domain of an e-mail belongs to, while it is switched on and its company active. */
export const connectionFor = (db: Db | Tx, email: string) =>
  db.selectFrom('ssoDomains').innerJoin('ssoConnections', 'ssoConnections.id', 'ssoDomains.connectionId')
    .innerJoin('companies', 'companies.id', 'ssoConnections.companyId')
    .where('domain', '=', domainOf(email)).where('ssoConnections.enabled', '=', true).where('companies.status', '=', 'active')
    .select(['ssoConnections.id', 'ssoConnections.enforced', 'companies.id as companyId', 'companies.name as company']).executeTakeFirst()

/** True where the company wants its people to come through its own provider and no other way. Admins are never bound. */
export async function isEnforced(db: Db | Tx, email: string, companyId: string | null) {
  const connection = await connectionFor(db, email)
  return connection?.enforced === true && connection.companyId === companyId ? connection : null
}

export async function refuseIfEnforced(db: Db | Tx, email: string, companyId: string | null) {
  const connection = await isEnforced(db, email, companyId)
  if (connection) throw new Problem(403, 'auth.useSso', { values: { company: connection.company }, details: { connectionId: connection.id, company: connection.company } })
}
