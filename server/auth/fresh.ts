import { sql } from 'kysely'
import type { Db, Tx } from '#server/core/db.ts'
import { PROOF_MINUTES } from '#shared/users.ts'

/** Whether this session of this person was opened, or confirmed, within the last PROOF_MINUTES. */
export const isFresh = async (db: Db | Tx, userId: string, sessionId: string) =>
  Boolean(await db.selectFrom('authSessions').where('id', '=', sessionId).where('userId', '=', userId)
    .where(sql<string>`greatest(created_at, proven_at)`, '>', sql<string>`now() - make_interval(mins => ${PROOF_MINUTES})`).select('id').executeTakeFirst())

/** The person has just confirmed who they are: this session is fresh, no other one of theirs. */
export const refreshProof = (db: Db | Tx, userId: string, sessionId: string) =>
  db.updateTable('authSessions').set({ provenAt: sql<string>`now()` }).where('id', '=', sessionId).where('userId', '=', userId).execute()
