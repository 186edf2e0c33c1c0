import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { AuthLibrary } from '#server/auth/library.ts'
import type { Db } from '#server/core/db.ts'
import { Problem } from '#server/core/problem.ts'
import type { Services } from '#server/core/services.ts'
import { giveBack, release, reserve } from '#server/core/throttle.ts'
import { ID_TOKEN_SECONDS } from '#shared/auth.ts'
import type { User } from '#shared/users.ts'

/** Wrong guesses for one e-mail from one network, and from everywhere, before guessing is refused for a quarter of an hour. */
const GUESSES = 5
const GUESSES_ANYWHERE = 50
/** Wrong guesses from one network, whatever the e-mail. */
const GUESSES_OF_NETWORK = 200
const WINDOW_SECONDS = 900

/** The columns that leave the server as a `User` (shared/users.ts). */
export const userColumns = ['users.id', 'users.email', 'users.name', 'users.role', 'users.status', 'users.companyId', 'users.createdAt', 'users.lastActive', 'users.lastLoginAt'] as const

/** People who may be signed in: active, and of an active company when they have one. */
export const activeUsers = (db: Db) =>
  db.selectFrom('users').leftJoin('companies', 'companies.id', 'users.companyId')
    .where('users.status', '=', 'active')
    .where((where) => where.or([where('users.companyId', 'is', null), where('companies.status', '=', 'active')]))

export type Client = { headers: Headers; network: string }
export type SignedIn = { user: User; token: string; expiresAt: string; cookies: string[] }

/** Signs a person in. The try is reserved before the password is looked at; a success forgets the earlier ones. */
export async function signIn(services: Services, library: AuthLibrary, client: Client, input: { email: string; password: string }): Promise<SignedIn> {
  const { db } = services
  const email = input.email.toLowerCase()
  const [here, anywhere] = [['sign-in', email, client.network], ['sign-in', email]]
  // One after the other: a network that has used up its own guesses must not use up everybody's.
  const network = ['sign-in from', client.network]
  const allowed = (await reserve(db, network, GUESSES_OF_NETWORK, WINDOW_SECONDS)) && (await reserve(db, here, GUESSES, WINDOW_SECONDS)) && (await reserve(db, anywhere, GUESSES_ANYWHERE, WINDOW_SECONDS))
  if (!allowed) throw new Problem(429, 'auth.tooManyAttempts')

  const { headers, response } = await library.api
    .signInEmail({ body: { email, password: input.password }, headers: client.headers, returnHeaders: true })
    .catch((error: { statusCode?: number }) => {
      if (error.statusCode && error.statusCode < 500) throw new Problem(401, 'auth.invalidCredentials')
      throw error
    })
  await Promise.all([release(db, here), release(db, anywhere), giveBack(db, network)])
  const user = await activeUsers(db).where('users.id', '=', response.user.id).select(userColumns).executeTakeFirst()
  if (!user) {
    await db.deleteFrom('authSessions').where('token', '=', response.token).execute()
    throw new Problem(403, 'auth.disabled')
  }
  const now = new Date().toISOString()
  await db.updateTable('users').set({ lastActive: now, lastLoginAt: now }).where('id', '=', user.id).execute()
  const cookies = headers.getSetCookie()
  const signedIn = new Headers({ cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') })
  return { user: { ...user, lastActive: now, lastLoginAt: now }, ...(await issueToken(services, library, signedIn)), cookies }
}

/** A fresh id token for the refresh cookie; 401 when it is gone, expired, or its person may not be here any more. */
export async function refresh(services: Services, library: AuthLibrary, client: Client): Promise<SignedIn> {
  const found = await library.api.getSession({ headers: client.headers, returnHeaders: true })
  if (!found.response) throw new Problem(401, 'core.signedOut')
  const user = await activeUsers(services.db).where('users.id', '=', found.response.user.id).select(userColumns).executeTakeFirst()
  if (!user) throw new Problem(401, 'core.signedOut')
  await services.db.updateTable('users').set({ lastActive: new Date().toISOString() }).where('id', '=', user.id)
    .where('lastActive', '<', new Date(Date.now() - 300_000).toISOString()).execute()
  return { user, ...(await issueToken(services, library, client.headers)), cookies: found.headers.getSetCookie() }
}

export async function signOut(library: AuthLibrary, client: Client) {
  const { headers } = await library.api.signOut({ headers: client.headers, returnHeaders: true })
  return headers.getSetCookie()
}

async function issueToken({ db, log }: Services, library: AuthLibrary, headers: Headers) {
  const { token } = await library.api.getToken({ headers }).catch(async (error: Error) => {
    if (!/decrypt/i.test(error.message)) throw error
    // DATA_DIR/secret is another one than the keys were stored with: they are of no use any more, and new ones are made.
    log.warn('the signing keys cannot be read with this secret; new ones are made')
    await db.deleteFrom('authKeys').execute()
    return library.api.getToken({ headers })
  })
  return { token, expiresAt: new Date(Date.now() + ID_TOKEN_SECONDS * 1000).toISOString() }
}

/**
 * Tells who sends a bearer id token. The signature is checked with the keys of this process; the person, the company and
 * the session are looked up each time, so that a suspension or a sign-out counts at once.
 */
export function createVerifier({ db, config, log }: Services, library: AuthLibrary) {
  let keys: ReturnType<typeof createLocalJWKSet> | null = null
  const check = async (token: string) => {
    keys ??= createLocalJWKSet((await library.api.getJwks()) as JSONWebKeySet)
    return jwtVerify(token, keys, { issuer: config.publicUrl, audience: config.publicUrl })
  }
  return async (authorization: string | undefined): Promise<User | null> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
    if (!token) return null
    const verified = await check(token).catch(async (error: Error) => {
      if (!/no applicable key/.test(error.message)) return null
      keys = null
      return check(token).catch(() => null)
    })
    if (!verified) {
      log.debug('an id token was refused')
      return null
    }
    const { sub, sid, iat = 0 } = verified.payload
    const user = await activeUsers(db)
      .innerJoin('authSessions', 'authSessions.userId', 'users.id')
      .where('users.id', '=', String(sub)).where('authSessions.id', '=', String(sid))
      .where('users.tokenValidAfter', '<=', new Date(iat * 1000 + 999).toISOString())
      .select(userColumns).executeTakeFirst()
    return user ?? null
  }
}

/** Ends every session of these people, in the browser and in courses, at once. */
export async function endSessions(db: Db, userIds: string[]) {
  if (userIds.length === 0) return
  await db.deleteFrom('authSessions').where('userId', 'in', userIds).execute()
  await db.updateTable('users').set({ tokenValidAfter: new Date().toISOString() }).where('id', 'in', userIds).execute()
  await db.updateTable('sessions').set({ endedAt: new Date().toISOString(), endReason: 'revoked' }).where('userId', 'in', userIds).where('endedAt', 'is', null).execute()
  await db.updateTable('attempts').set((e) => ({ rev: e('rev', '+', 1) })).where('userId', 'in', userIds).execute()
}
