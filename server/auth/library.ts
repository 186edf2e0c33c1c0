import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { betterAuth } from 'better-auth'
import { jwt } from 'better-auth/plugins/jwt'
import { createDb, createPool } from '#server/core/db.ts'
import { sign } from '#server/core/secrets.ts'
import type { Services } from '#server/core/services.ts'
import { ID_TOKEN_SECONDS } from '#shared/auth.ts'

export const SESSION_DAYS = 14
/** Algorithm 2 is argon2id; the library exports the number only as a const enum. */
const argon = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** argon2id, 19 MiB, two passes (OWASP Password Storage Cheat Sheet, first choice). */
export const hashPassword = (password: string) => hash(password, argon)

export type AuthLibrary = ReturnType<typeof createLibrary>

/**
 * The sign-in library on our tables. It signs people in and out, keeps their sessions and signs id tokens; who may
 * register is our own business (registration.ts), so its sign-up is off. It gets its own small pool because it needs
 * dates as `Date`.
 */
export function createLibrary({ config, connection, log }: Services) {
  const pool = createPool(connection, log, { max: 4, isoTimes: false })
  const library = betterAuth({
    baseURL: config.publicUrl,
    basePath: '/api/auth/library',
    secret: sign(config.secret, 'sign-in library'),
    database: { db: createDb(pool), type: 'postgres' },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message) => log[level === 'error' ? 'error' : 'debug']({ message }, 'sign-in library') },
    user: { modelName: 'users' },
    session: { modelName: 'authSessions', expiresIn: SESSION_DAYS * 86_400, updateAge: 86_400 },
    account: { modelName: 'authAccounts' },
    verification: { modelName: 'authVerifications', storeIdentifier: 'hashed' },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true, disableSignUp: true, autoSignIn: false, minPasswordLength: 1, maxPasswordLength: 256,
      password: { hash: hashPassword, verify: ({ hash: stored, password }) => verify(stored, password) },
    },
    advanced: {
      cookiePrefix: 'lyceum',
      useSecureCookies: config.publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: ['x-lyceum-client'] },
    },
    plugins: [
      jwt({
        schema: { jwks: { modelName: 'authKeys' } },
        jwks: { keyPairConfig: { alg: 'ES256' } },
        jwt: {
          issuer: config.publicUrl, audience: config.publicUrl, expirationTime: `${ID_TOKEN_SECONDS}s`,
          definePayload: ({ session }) => ({ sid: session.id }),
        },
      }),
    ],
  })
  return Object.assign(library, { end: () => pool.end() })
}
