import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";

/** Deletes, every night, recordings that exceed the retention of their company. */
export const deleteOldRecordings = job(
  "recordings:purge",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("recordings")
      .where(
        sql<boolean>`started_at < now() - make_interval(days => (
          select recording_days
          from companies
          where companies.id = recordings.company_id
        ))`,
      )
      .execute();
  },
  "50 2 * * *",
);
