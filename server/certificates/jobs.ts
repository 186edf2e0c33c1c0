import { sql } from "kysely";
import { z } from "zod";
import { issueNextMissing } from "#server/certificates/issuing/courseCertificates.ts";
import { issueNextMissingOfPath } from "#server/certificates/issuing/pathCertificates.ts";
import { timestampHeads } from "#server/certificates/proofs/timestamps.ts";
import { sealAll } from "#server/certificates/proofs/sealing.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";

/** Completions for which one transaction issues certificates. */
const BATCH = 100;
/** Before every id. */
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Seals certificates that no completion has sealed: those issued again, and those that a crash has left. */
export const sealCertificates = job("certificates:seal", z.object({}), (services) => sealAll(services), "* * * * *");

export const requestSealing = (db: Db) => sealCertificates.enqueue(db, {}, { key: "certificates:seal" });

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

/** The same for a learning path. */
export const issueMissingOfPath = job(
  "certificates:issueMissingOfPath",
  z.object({ pathId: z.uuid() }),
  async (services, { pathId }) => {
    for (let last: string | null = FIRST_ID; last !== null;) {
      const after: string = last;
      last = await inTransaction(services.db, (tx) => issueNextMissingOfPath(tx, pathId, after, BATCH));
    }
    await sealAll(services);
  },
);

/** Has the roots of days that have ended time-stamped, if the operator has named an authority. */
export const stampHeads = job(
  "certificates:stampHeads",
  z.object({}),
  timestampHeads,
  "25 * * * *",
  "certificates:stampHeads",
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
