import { sql } from "kysely";
import { z } from "zod";
import { issueNextMissing } from "#server/certificates/issuing/issue.ts";
import { sealAll } from "#server/certificates/proofs/sealing.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";

/** Completions for which one transaction issues certificates. */
const BATCH = 100;

/** Seals certificates that no completion has sealed: those issued again, and those that a crash has left. */
export const sealCertificates = job("certificates:seal", z.object({}), (services) => sealAll(services), "* * * * *");

/** Issues certificates for completions of a course that have none. Repeated, it continues where it has stopped. */
export const issueMissing = job(
  "certificates:issueMissing",
  z.object({ courseId: z.uuid() }),
  async (services, { courseId }) => {
    for (let last: number | null = 0; last !== null;) {
      const after: number = last;
      last = await inTransaction(services.db, (tx) => issueNextMissing(tx, courseId, after, BATCH));
    }
    await sealAll(services);
  },
);

/** Nightly: deletes certificates whose retention after an erasure has ended. */
export const deleteRetained = job(
  "certificates:deleteRetained",
  z.object({}),
  ({ db }) =>
    inTransaction(db, async (tx) => {
      await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
      await tx
        .deleteFrom("certificates")
        .where("keepUntil", "<", sql<string>`current_date`)
        .execute();
    }),
  "40 3 * * *",
);
