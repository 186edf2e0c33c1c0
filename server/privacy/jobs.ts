import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '#server/core/db.ts'
import { job } from '#server/core/jobs.ts'

/** Every night: proof past its date goes, of training and of consent. */
export const purgeKept = job('privacy:purge', z.object({}), async ({ db, log }) => {
  await inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx)
    const proofs = await tx.deleteFrom('retainedProofs').where('keepUntil', '<', sql<string>`current_date`).executeTakeFirst()
    const consents = await tx.deleteFrom('consentRecords').where('expiresAt', '<', sql<string>`now() - interval '3 years'`).executeTakeFirst()
    log.info({ proofs: Number(proofs.numDeletedRows), consents: Number(consents.numDeletedRows) }, 'what is past its date was removed')
  })
}, '20 3 * * *')
