import { sql } from "kysely";
import { z } from "zod";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { SHORT_LIVED_DAYS, shortLivedActions } from "#shared/audit/audit.ts";

const BATCH = 10_000;

/** Nightly: deletes logins and failed logins that are older than `SHORT_LIVED_DAYS`. */
export const purgeExpiredLogins = job(
  "audit:purge",
  z.object({}),
  async ({ db, log }) => {
    while ((await purgeBatch(db)) === BATCH) log.debug({ entries: BATCH }, "expired logins deleted");
  },
  "30 3 * * *",
);

/** Deletes one batch, in its own transaction, so that a large log does not block other work. */
const purgeBatch = (db: Db) =>
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
