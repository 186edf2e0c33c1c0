import { sql } from 'kysely'
import { hashPassword } from '#server/auth/library.ts'
import { enrolByCompany } from '#server/courses/enrolments.ts'
import { type Db, inTransaction, isUniqueViolation, type Tx } from '#server/core/db.ts'
import { Problem } from '#server/core/problem.ts'
import { hashToken } from '#server/core/secrets.ts'
import type { Services } from '#server/core/services.ts'
import { giveBack, reserve } from '#server/core/throttle.ts'
import type { Registration } from '#shared/auth.ts'
import { normalCode } from '#shared/companies.ts'
import { email as emailShape } from '#shared/users.ts'

/** Shortest password; length beats character classes (NIST SP 800-63B, 3.1.1). */
const PASSWORD_CHARS = 8
/** Code guesses from one network in a quarter of an hour. */
const CODE_GUESSES = 60

/**
 * Registers a person (spec sections 4 and 5; research C.4). A record without `lastActive` and without a password is
 * claimed and keeps its company; everybody else needs a company's access code. One statement decides each race.
 */
export async function register({ db }: Services, input: Registration, network: string): Promise<{ email: string }> {
  const parsed = emailShape.safeParse(input.email)
  if (!parsed.success) throw new Problem(422, 'auth.emailInvalid')
  const email = parsed.data
  if (input.password.length < PASSWORD_CHARS) throw new Problem(422, 'auth.passwordWeak')

  const known = await db.selectFrom('users').leftJoin('authAccounts', 'authAccounts.userId', 'users.id')
    .where(sql`lower(users.email)`, '=', email).select(['users.id', 'users.lastActive', 'authAccounts.id as account']).executeTakeFirst()
  if (known?.lastActive) throw new Problem(409, 'auth.alreadyActive')
  if (known?.account) throw new Problem(409, 'auth.emailInUse')
  if (!known && !input.accessCode) throw new Problem(422, 'auth.codeRequired')
  if (!known && !(await reserve(db, ['code', network], CODE_GUESSES, 900))) throw new Problem(429, 'core.tooMany', { values: { seconds: 900 } })

  const password = await hashPassword(input.password)
  try {
    await inTransaction(db, async (tx) => {
      if (known) await claim(tx, known.id, input.name, password, 'claim')
      else await join(tx, { ...input, email, accessCode: input.accessCode ?? '' }, password)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Problem(409, 'auth.emailInUse')
    throw error
  }
  // Only wrong codes count: an office that registers together is no burglar.
  if (!known) await giveBack(db, ['code', network])
  return { email }
}

/** Completes an invited record: role learner, name, company kept. Of several at once exactly one wins. */
async function claim(tx: Tx, userId: string, name: string, password: string, via: 'claim' | 'invitation') {
  const won = await tx.updateTable('users')
    .set({ name, role: 'learner', status: 'active', activatedVia: via, invitationHash: null, updatedAt: new Date().toISOString() })
    .where('id', '=', userId).where('lastActive', 'is', null).where('status', '=', 'invited').where('role', '=', 'learner')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('authAccounts').select('id').where('userId', '=', userId))))
    .returning('companyId').executeTakeFirst()
  if (!won?.companyId) throw new Problem(409, 'auth.emailInUse')
  await addPassword(tx, userId, password)
  await enrolByCompany(tx, userId, won.companyId, 'invitation')
}

/** A new learner in the company of the code; the use of the code is counted in the same statement that checks it. */
async function join(tx: Tx, input: Registration & { accessCode: string }, password: string) {
  const company = await usableCompany(tx, input.accessCode)
  const domain = input.email.slice(input.email.lastIndexOf('@') + 1)
  if (!company || (company.allowedDomains.length > 0 && !company.allowedDomains.includes(domain))) throw new Problem(422, 'auth.codeInvalid')
  const counted = await tx.updateTable('companies').set((e) => ({ codeUsedCount: e('codeUsedCount', '+', 1) }))
    .where('id', '=', company.id)
    .where((e) => e.or([e('codeMaxUses', 'is', null), e('codeUsedCount', '<', e.ref('codeMaxUses'))]))
    .returning('learnerLimit').executeTakeFirst()
  if (!counted) throw new Problem(422, 'auth.codeInvalid')
  if (counted.learnerLimit !== null && (await countLearners(tx, company.id)) >= counted.learnerLimit) {
    throw new Problem(409, 'companies.full', { values: { limit: counted.learnerLimit } })
  }
  const user = await tx.insertInto('users')
    .values({ email: input.email, name: input.name, role: 'learner', status: 'active', companyId: company.id, activatedVia: 'code' })
    .returning('id').executeTakeFirstOrThrow()
  await addPassword(tx, user.id, password)
  await enrolByCompany(tx, user.id, company.id, 'code')
}

/** Everybody who takes a place: invited and active learners. */
export async function countLearners(db: Db | Tx, companyId: string) {
  const row = await db.selectFrom('users').where('companyId', '=', companyId).where('status', '!=', 'suspended')
    .select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return row.n
}

/** The active company that a code opens: its current code, or the previous one within its days of grace. */
export const usableCompany = (db: Db | Tx, typed: string) => {
  const code = normalCode(typed)
  return db.selectFrom('companies').where('status', '=', 'active').where('codeEnabled', '=', true)
    .where((e) => e.or([e('codeExpiresAt', 'is', null), e('codeExpiresAt', '>', sql<string>`now()`)]))
    .where((e) => e.or([e('accessCode', '=', code), e.and([e('previousCode', '=', code), e('previousCodeUntil', '>', sql<string>`now()`)])]))
    .selectAll().executeTakeFirst()
}

export async function addPassword(tx: Db | Tx, userId: string, password: string) {
  await tx.insertInto('authAccounts').values({ userId, accountId: userId, providerId: 'credential', password }).execute()
}

const invited = (db: Db, token: string) =>
  db.selectFrom('users').innerJoin('companies', 'companies.id', 'users.companyId')
    .where('invitationHash', '=', hashToken(token)).where('invitationExpiresAt', '>', sql<string>`now()`)
    .where('users.status', '=', 'invited').where('companies.status', '=', 'active')
    .select(['users.id', 'users.email', 'users.name', 'companies.name as company', 'companies.color'])

export async function readInvitation({ db }: Services, token: string) {
  const found = await invited(db, token).executeTakeFirst()
  if (!found) throw new Problem(404, 'auth.invitationGone')
  return found
}

/** The link came by mail, so it also proves the mailbox. */
export async function acceptInvitation(services: Services, token: string, input: { name: string; password: string }) {
  const found = await readInvitation(services, token)
  if (input.password.length < PASSWORD_CHARS) throw new Problem(422, 'auth.passwordWeak')
  const password = await hashPassword(input.password)
  await inTransaction(services.db, async (tx) => {
    await claim(tx, found.id, input.name, password, 'invitation')
    await tx.updateTable('users').set({ emailVerified: true }).where('id', '=', found.id).execute()
  })
  return { email: found.email }
}

/** The company behind a code, for the registration page; guessing is slowed down. */
export async function previewCode({ db }: Services, code: string, network: string) {
  if (!(await reserve(db, ['code', network], CODE_GUESSES, 900))) throw new Problem(429, 'core.tooMany', { values: { seconds: 900 } })
  const company = await usableCompany(db, code)
  if (!company) throw new Problem(404, 'auth.codeInvalid')
  await giveBack(db, ['code', network])
  const { name, color, welcome } = company
  return { name, color, welcome, logo: company.logo ? `data:${company.logoType};base64,${company.logo.toString('base64')}` : null }
}
