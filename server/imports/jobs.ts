import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { runImports } from "#server/imports/worker.ts";
import { IMPORT_DAYS } from "#shared/imports/imports.ts";

/**
 * Works on imports until none is left. Also runs every minute, for imports whose server has died. A queued job only
 * signals work; the lease of an import decides which server works on it.
 */
export const processImports = job("imports:process", z.object({}), (services) => runImports(services), "* * * * *");

/** Nightly: deletes imports with their rows a month after the upload. */
export const deleteOldImports = job(
  "imports:deleteOld",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("peopleImports")
      .where("createdAt", "<", sql<string>`now() - make_interval(days => ${IMPORT_DAYS})`)
      .where("state", "not in", ["applying", "undoing"])
      .execute();
  },
  "50 3 * * *",
);
