import { X509Certificate } from 'node:crypto'
import { discovery, ClientSecretPost, allowInsecureRequests } from 'openid-client'
import { record } from '#server/audit/service.ts'
import { isLoopback, returnAddress } from '#server/auth/openid.ts'
import { acsAddress, entityId } from '#server/auth/saml.ts'
import { SSO_SECRETS } from '#server/auth/sso.ts'
import { endOpenedBy, endOtherWays } from '#server/auth/ssoSessions.ts'
import { endSessions } from '#server/auth/service.ts'
import { type Db, inTransaction, isUniqueViolation, type Tx } from '#server/core/db.ts'
import type { Ctx } from '#server/core/http.ts'
import { badField, conflict, notFound } from '#server/core/problem.ts'
import { seal } from '#server/core/secrets.ts'
import type { SsoConnection, SsoInput } from '#shared/sso.ts'
import type { User } from '#shared/users.ts'

/** The connection of a company as admins see it: the secret never leaves, only whether there is one. */
export async function readSso({ db, config }: Ctx<User>, companyId: string) {
  await db.selectFrom('companies').where('id', '=', companyId).select('id').executeTakeFirstOrThrow(notFound)
  const addresses = { redirect: returnAddress(config), acs: acsAddress(config), entityId: entityId(config) }
  return { ...addresses, connection: await find(db, companyId) }
}

async function find(db: Db | Tx, companyId: string): Promise<SsoConnection | null> {
  const row = await db.selectFrom('ssoConnections').where('companyId', '=', companyId).selectAll().executeTakeFirst()
  if (!row) return null
  const domains = await db.selectFrom('ssoDomains').where('connectionId', '=', row.id).select('domain').orderBy('domain').execute()
  const { kind, issuer, clientId, clientSecret, entryPoint, certificates, enforced, enabled, version, updatedAt } = row
  return {
    kind, issuer, clientId, hasSecret: clientSecret !== null, entryPoint, certificate: certificates.join('\n'), certificateEnds: endOf(certificates),
    enforced, enabled, version, updatedAt, domains: domains.map(({ domain }) => domain),
  }
}

const endOf = (certificates: string[]) => certificates.map((pem) => new X509Certificate(pem).validToDate.toISOString()).toSorted().at(-1) ?? null

/** Sets up or changes the connection. An OpenID provider is asked for its description, so that a slip shows at once. */
export async function saveSso(ctx: Ctx<User>, companyId: string, input: SsoInput): Promise<SsoConnection> {
  const { db, config, user } = ctx
  await db.selectFrom('companies').where('id', '=', companyId).select('id').executeTakeFirstOrThrow(notFound)
  const before = await db.selectFrom('ssoConnections').where('companyId', '=', companyId).selectAll().executeTakeFirst()
  if ((before?.version ?? 0) !== input.version) throw conflict('core.conflict', { current: await find(db, companyId), changedBy: null, changedAt: before?.updatedAt ?? null })
  const values = input.kind === 'oidc' ? await oidcValues(ctx, companyId, input, isSameClient(before, input) ? (before?.clientSecret ?? null) : null) : samlValues(ctx, input)
  const row = { ...values, kind: input.kind, enforced: input.enforced, enabled: input.enabled, updatedAt: new Date().toISOString(), updatedBy: user.id }
  try {
    const { id, connection } = await inTransaction(db, async (tx) => {
      const saved = before
        ? await tx.updateTable('ssoConnections').set((e) => ({ ...row, version: e('version', '+', 1) })).where('id', '=', before.id).where('version', '=', input.version).returning('id').executeTakeFirst()
        : await tx.insertInto('ssoConnections').values({ ...row, companyId }).returning('id').executeTakeFirst()
      if (!saved) throw conflict('core.conflict', { current: await find(tx, companyId), changedBy: null, changedAt: null })
      // Another provider knows other people: who was known by the old one is matched by e-mail again.
      if (before && before.issuer !== values.issuer) await tx.deleteFrom('authAccounts').where('providerId', '=', `sso:${saved.id}`).execute()
      if (before && (before.issuer !== values.issuer || !input.enabled)) await endOpenedBy(tx, saved.id)
      await tx.deleteFrom('ssoDomains').where('connectionId', '=', saved.id).execute()
      await tx.insertInto('ssoDomains').values([...new Set(input.domains)].map((domain) => ({ domain, connectionId: saved.id }))).execute()
      if (input.enabled && input.enforced) await endOtherWays(tx, { id: saved.id, companyId })
      await record(tx, ctx, { act: 'companies.sso', companyId, details: { kind: input.kind, enabled: input.enabled, enforced: input.enforced } })
      return { id: saved.id, connection: (await find(tx, companyId)) as SsoConnection }
    })
    // Sign-ins that were let in before all this was there for others to see; later ones see it themselves (entry.ts).
    if (!input.enabled) await inTransaction(db, (tx) => endOpenedBy(tx, id))
    else if (input.enforced) await inTransaction(db, (tx) => endOtherWays(tx, { id, companyId }))
    return connection
  } catch (error) {
    if (isUniqueViolation(error, 'sso_domains_pkey')) throw badField('domains', 'sso.domainTaken')
    if (isUniqueViolation(error)) throw conflict('core.conflict', { current: await find(db, companyId), changedBy: null, changedAt: null })
    throw error
  } finally {
    ctx.log.info({ companyId, kind: input.kind, by: user.id, server: config.publicUrl }, 'single sign-on was saved')
  }
}

/** A secret is kept for the provider it was given for: to another one it would be told. */
const isSameClient = (before: { issuer: string; clientId: string } | undefined, { issuer, clientId }: SsoInput) => before?.issuer === issuer && before.clientId === clientId

/** Addresses of providers: HTTPS, without a user name; plain HTTP only from a server on this machine to one on this machine. */
function checkAddress({ config }: Ctx<User>, text: string, field: string) {
  const url = URL.parse(text)
  const fine = url && !url.username && !url.password && !url.hash && (url.protocol === 'https:' || (isLoopback(url) && isLoopback(new URL(config.publicUrl))))
  if (!fine) throw badField(field, 'sso.badAddress')
  return url
}

async function oidcValues(ctx: Ctx<User>, companyId: string, input: SsoInput, kept: string | null) {
  const url = checkAddress(ctx, input.issuer, 'issuer')
  if (!input.clientId) throw badField('clientId', 'sso.missing')
  if (!input.clientSecret && !kept) throw badField('clientSecret', 'sso.missing')
  await discovery(url, input.clientId, 'only a look', ClientSecretPost('only a look'), { timeout: 10, execute: isLoopback(url) ? [allowInsecureRequests] : [] }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'the provider did not answer')
    throw badField('issuer', 'sso.noAnswer')
  })
  const clientSecret = input.clientSecret ? seal(ctx.config.secret, SSO_SECRETS, input.clientSecret, companyId) : kept
  return { issuer: input.issuer, clientId: input.clientId, clientSecret, entryPoint: '', certificates: [] }
}

function samlValues(ctx: Ctx<User>, input: SsoInput) {
  if (!input.issuer) throw badField('issuer', 'sso.missing')
  checkAddress(ctx, input.entryPoint, 'entryPoint')
  const found = input.certificate.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [`-----BEGIN CERTIFICATE-----\n${input.certificate.replace(/\s/g, '')}\n-----END CERTIFICATE-----`]
  try {
    const certificates = found.slice(0, 5).map((pem) => new X509Certificate(pem).toString().trim())
    return { issuer: input.issuer, clientId: '', clientSecret: null, entryPoint: input.entryPoint, certificates }
  } catch {
    throw badField('certificate', 'sso.badCertificate')
  }
}

/** Takes the connection away. Who came in by it has to set a password (by mail); their sessions end. */
export async function removeSso(ctx: Ctx<User>, companyId: string) {
  await inTransaction(ctx.db, async (tx) => {
    const there = await tx.selectFrom('ssoConnections').where('companyId', '=', companyId).select('id').forUpdate().executeTakeFirst()
    if (!there) throw notFound()
    await endOpenedBy(tx, there.id)
    const gone = await tx.deleteFrom('ssoConnections').where('id', '=', there.id).returning('id').executeTakeFirstOrThrow()
    const people = await tx.deleteFrom('authAccounts').where('providerId', '=', `sso:${gone.id}`).returning('userId').execute()
    await endSessions(tx, people.map(({ userId }) => userId))
    await record(tx, ctx, { act: 'companies.ssoRemoved', companyId })
  })
}
