import { record } from '#server/audit/service.ts'
import { checkCode } from '#server/auth/app.ts'
import { factorsOf } from '#server/auth/factors.ts'
import { isFresh, refreshProof } from '#server/auth/fresh.ts'
import { accountOf, GOOGLE, type Identity } from '#server/auth/google.ts'
import { personOfPasskey } from '#server/auth/passkeys.ts'
import type { Client } from '#server/auth/service.ts'
import { checkPassword } from '#server/auth/signIn.ts'
import { connectionFor, providerOf } from '#server/auth/ssoDomains.ts'
import type { Ctx } from '#server/core/http.ts'
import { badField, forbidden, Problem } from '#server/core/problem.ts'
import type { Services } from '#server/core/services.ts'
import { reserve } from '#server/core/throttle.ts'
import { type ProofInput, type ProofOffer, type ProofWay, proofWay } from '#shared/account.ts'
import { PROOF_MINUTES, type User } from '#shared/users.ts'

/** Failures of one person that are written down in a quarter of an hour: the log cannot be cleared of more. */
const ENTRIES = 20

/** How somebody can confirm who they are. Without a password a code of the app does; with one it would be the weaker half alone. Where a company wants its own login alone, that is the way. */
export async function offerOf({ db, config }: Services, { id: userId, email, companyId }: Pick<User, 'id' | 'email' | 'companyId'>): Promise<ProofOffer> {
  const accounts = await db.selectFrom('authAccounts').where('userId', '=', userId).select('providerId').execute()
  const factors = await factorsOf(db, userId)
  const has = (provider: string) => accounts.some(({ providerId }) => providerId === provider)
  const connection = companyId ? await connectionFor(db, email) : undefined
  const known = connection && connection.companyId === companyId && has(providerOf(connection.id)) ? connection : undefined
  const free = !(known?.enforced ?? false)
  const offered: Record<ProofWay, boolean> = {
    password: free && has('credential'), passkey: free && factors.includes('passkey'), app: free && factors.includes('app') && !has('credential'), google: free && config.google !== null && has(GOOGLE),
    company: known !== undefined,
  }
  return { ways: proofWay.options.filter((way) => offered[way]), company: known ? { connectionId: known.id, name: known.company } : null }
}

/** Refuses something delicate in a session that is not fresh; the answer names the ways to confirm. */
export async function demandProof(services: Services, user: User, sessionId: string) {
  if (await isFresh(services.db, user.id, sessionId)) return
  throw new Problem(403, 'auth.proofNeeded', { values: { minutes: PROOF_MINUTES }, details: await offerOf(services, user) })
}

/** Confirms who sits at this session. Failures are written into the audit log: somebody else may sit there. */
export async function prove(ctx: Ctx<User>, client: Client, sessionId: string, input: ProofInput) {
  const { ways } = await offerOf(ctx, ctx.user)
  if (!ways.includes(input.way)) throw forbidden()
  await check(ctx, client, input).catch(recorded(ctx, input.way))
  await refreshProof(ctx.db, ctx.user.id, sessionId)
}

async function check(ctx: Ctx<User>, client: Client, input: ProofInput) {
  const { user } = ctx
  if (input.way === 'app') return checkCode(ctx, user.id, { method: 'app', code: input.code })
  if (input.way === 'passkey') {
    const owner = await personOfPasskey(ctx, input.response).catch((error: unknown) => {
      // 401 would say that the session is over.
      throw error instanceof Problem && error.status === 401 ? new Problem(422, 'auth.passkeyFailed') : error
    })
    if (owner !== user.id) throw new Problem(403, 'auth.proofOther')
    return
  }
  const found = await checkPassword(ctx, client, user.email.toLowerCase(), input.password)
  if (found?.id !== user.id) throw badField('password', 'auth.wrongPassword')
}

/** The end of a sign-in at a provider that was asked for as a proof: it must be the same person, signed in there just now. */
export async function proveOutside(services: Services, { userId, sessionId }: { userId: string; sessionId: string }, way: 'google' | 'company', provider: string, identity: Identity) {
  const { db } = services
  const user = await db.selectFrom('users').where('id', '=', userId).select(['id', 'role']).executeTakeFirst()
  if (!user) throw new Problem(401, 'core.signedOut')
  const same = (await accountOf(db, provider, identity.subject))?.id === userId
  const stale = identity.at !== undefined && identity.at < Date.now() / 1000 - PROOF_MINUTES * 60
  if (!same || stale) await recorded({ ...services, user }, way)(new Problem(403, 'auth.proofOther'))
  await refreshProof(db, userId, sessionId)
}

const recorded = (ctx: Services & { user: Pick<User, 'id' | 'role'> }, way: ProofWay) => async (error: unknown): Promise<never> => {
  if (error instanceof Problem && (await reserve(ctx.db, ['proof failed', ctx.user.id], ENTRIES, 900))) await record(ctx.db, ctx, { act: 'account.proofFailed', people: [ctx.user.id], details: { by: way, locked: error.status === 429 } })
  throw error
}
