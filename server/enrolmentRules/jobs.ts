import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { QUEUE } from "#server/enrolmentRules/checking.ts";
import { runTurns } from "#server/enrolmentRules/runs.ts";
import { UNDO_HOURS } from "#shared/enrolmentRules/enrolmentRules.ts";

const KEY = "enrolmentRules:process";

/**
 * Applies activated rules in batches of people, and makes room for other jobs after some seconds. Also runs every
 * minute, for runs of a killed server: a queued job only announces work, the lease of a run decides.
 */
export const processRuns = job(
  KEY,
  z.object({}),
  async (services) => {
    if (await runTurns(services)) await processRuns.enqueue(services.db, {}, { key: KEY });
  },
  "* * * * *",
  QUEUE,
);

export const requestTurns = (db: Parameters<typeof processRuns.enqueue>[0]) =>
  processRuns.enqueue(db, {}, { key: KEY });

/** Nightly: deletes runs that can no longer be undone. */
export const deleteOldRuns = job(
  "enrolmentRules:deleteOldRuns",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("enrolmentRuleRuns")
      .where("madeAt", "<", sql<string>`now() - make_interval(hours => ${UNDO_HOURS * 2})`)
      .where("state", "in", ["applied", "undone"])
      .execute();
  },
  "25 4 * * *",
);
