import { sql } from "kysely";
import { z } from "zod";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { SHORT_LIVED_DAYS, shortLivedActions } from "#shared/audit/audit.ts";

const BATCH = 10_000;

/** Nightly: deletes expired training records, consent records, and logins in the audit log. */
export const purgeExpiredRecords = job(
  "privacy:purge",
  z.object({}),
  async ({ db, log }) => {
    await inTransaction(db, async (tx) => {
      await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
      const retainedRecords = await tx
        .deleteFrom("retainedTrainingRecords")
        .where("keepUntil", "<", sql<string>`current_date`)
        .executeTakeFirst();
      const consents = await tx
        .deleteFrom("consentRecords")
        .where("expiresAt", "<", sql<string>`now() - interval '3 years'`)
        .executeTakeFirst();
      log.info(
        { retainedRecords: Number(retainedRecords.numDeletedRows), consents: Number(consents.numDeletedRows) },
        "expired records deleted",
      );
    });
    while ((await purgeExpiredLogins(db)) === BATCH) log.debug({ entries: BATCH }, "expired logins deleted");
  },
  "20 3 * * *",
);

/** Deletes one batch, in its own transaction, so that a large log does not block other work. */
const purgeExpiredLogins = (db: Db) =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    const expired = tx
      .selectFrom("auditEntries")
      .where("action", "in", shortLivedActions)
      .where("at", "<", sql<string>`now() - make_interval(days => ${SHORT_LIVED_DAYS})`)
      .limit(BATCH)
      .select("id");
    return Number((await tx.deleteFrom("auditEntries").where("id", "in", expired).executeTakeFirst()).numDeletedRows);
  });
