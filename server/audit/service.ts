import { sql } from 'kysely'
import type { Db, Tx } from '#server/core/db.ts'
import type { Ctx } from '#server/core/http.ts'
import { type Listing, searchFor } from '#server/core/listing.ts'
import type { AuditAct, AuditDetails } from '#shared/audit.ts'
import type { User } from '#shared/users.ts'

type Act = {
  act: AuditAct
  /** Whom it was about: one entry each, so that everybody finds the acts about themselves. */
  people?: string[]
  companyId?: string | null
  courseId?: string | null
  /** Counts, field names, states. Never what somebody wrote, and no names. */
  details?: AuditDetails
}

/**
 * Writes an act down in the caller's transaction: it is there if and only if the act is. Entries are append-only (the
 * database refuses to change them).
 */
export async function record(db: Db | Tx, { user }: { user: Pick<User, 'id' | 'role'> }, { act, people, companyId = null, courseId = null, details = {} }: Act) {
  if (people && people.length === 0) return
  const entry = { act, actorId: user.id, actorRole: user.role, companyId, courseId, details: JSON.stringify(details) }
  await db.insertInto('auditEntries').values((people ?? [null]).map((personId) => ({ ...entry, personId }))).execute()
}

/** Opening the same record again within this time is one opening. */
const SAME_OPENING = '10 minutes'

/** An admin looked at somebody's records. Looking at the own ones is nobody else's business and is not written down. */
export async function recordOpening(ctx: Ctx<User>, act: 'reports.open' | 'reports.session', personId: string, about: { companyId?: string | null; courseId?: string | null } = {}) {
  if (ctx.user.id === personId || ctx.user.role !== 'admin') return
  const lately = await ctx.db.selectFrom('auditEntries').where('actorId', '=', ctx.user.id).where('personId', '=', personId).where('act', '=', act)
    .where('courseId', 'is not distinct from', about.courseId ?? null).where('at', '>', sql<string>`now() - ${SAME_OPENING}::interval`).select('id').executeTakeFirst()
  if (!lately) await record(ctx.db, ctx, { act, people: [personId], ...about })
}

const entries = (db: Db) =>
  db.selectFrom('auditEntries')
    .leftJoin('users as actors', 'actors.id', 'auditEntries.actorId').leftJoin('users as people', 'people.id', 'auditEntries.personId')
    .leftJoin('companies', 'companies.id', 'auditEntries.companyId').leftJoin('courses', 'courses.id', 'auditEntries.courseId')

const nameOf = (table: 'actors' | 'people') => sql<string | null>`coalesce(nullif(${sql.ref(`${table}.name`)}, ''), ${sql.ref(`${table}.email`)})`

type Query = Listing & { act?: AuditAct; actorId?: string; personId?: string; companyId?: string; from?: string; to?: string; days?: number }

export async function listAudit({ db }: Ctx<User>, query: Query) {
  let rows = entries(db)
  const { act, actorId, personId, companyId, from, to, days, q } = query
  if (act) rows = rows.where('auditEntries.act', '=', act)
  if (actorId) rows = rows.where('auditEntries.actorId', '=', actorId)
  if (personId) rows = rows.where((e) => e.or([e('auditEntries.personId', '=', personId), e('auditEntries.actorId', '=', personId)]))
  if (companyId) rows = rows.where('auditEntries.companyId', '=', companyId)
  if (from) rows = rows.where('at', '>=', sql<string>`${from}::date::timestamp at time zone 'UTC'`)
  if (to) rows = rows.where('at', '<', sql<string>`(${to}::date + 1)::timestamp at time zone 'UTC'`)
  if (days) rows = rows.where('at', '>', sql<string>`now() - make_interval(days => ${days})`)
  if (q) rows = rows.where(searchFor(q, ['actors.name', 'actors.email', 'people.name', 'people.email', 'companies.name', 'courses.title', 'audit_entries.act']))
  const { total } = await rows.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const direction = query.sort === 'at' ? 'asc' : 'desc'
  const items = await rows
    .select([
      'auditEntries.id', 'at', sql<AuditAct>`act`.as('act'), 'actorId', nameOf('actors').as('actor'), 'actorRole', 'personId', nameOf('people').as('person'),
      'auditEntries.companyId', 'companies.name as company', 'courseId', 'courses.title as course', sql<AuditDetails>`details`.as('details'),
    ])
    .orderBy('at', direction).orderBy('auditEntries.id').limit(query.size).offset((query.page - 1) * query.size).execute()
  return { items, total }
}

/** Acts about the person who asks. */
export async function listOwnAudit({ db, user }: Ctx<User>, query: Listing) {
  const rows = entries(db).where('personId', '=', user.id)
  const { total } = await rows.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const items = await rows
    .select(['auditEntries.id', 'at', sql<AuditAct>`act`.as('act'), nameOf('actors').as('actor'), 'actorRole', 'courses.title as course', sql<boolean>`actor_id is not distinct from person_id`.as('own')])
    .orderBy('at', 'desc').orderBy('auditEntries.id').limit(query.size).offset((query.page - 1) * query.size).execute()
  return { items, total }
}
