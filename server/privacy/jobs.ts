import { sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { CONSENT_RECORD_YEARS } from "#shared/consent/consent.ts";

/** Nightly: deletes expired training records and consent records. */
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
        .where("expiresAt", "<", sql<string>`now() - make_interval(years => ${CONSENT_RECORD_YEARS})`)
        .executeTakeFirst();
      log.info(
        { retainedRecords: Number(retainedRecords.numDeletedRows), consents: Number(consents.numDeletedRows) },
        "expired records deleted",
      );
    });
  },
  "20 3 * * *",
);
