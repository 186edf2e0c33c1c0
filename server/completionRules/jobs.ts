import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { runTurns } from "#server/completionRules/worker.ts";

const KEY = "completionRules:process";

/**
 * Works on changes of rules in turns of a few learners each, and makes room for other jobs after some seconds. Also
 * runs every minute, for changes whose server has died: a queued job only signals work, the lease of a change decides.
 */
export const processRuleChanges = job(
  KEY,
  z.object({}),
  async (services) => {
    if (await runTurns(services)) await processRuleChanges.enqueue(services.db, {}, { key: KEY });
  },
  "* * * * *",
  "rule-changes",
);

export const requestTurns = (db: Parameters<typeof processRuleChanges.enqueue>[0]) =>
  processRuleChanges.enqueue(db, {}, { key: KEY });

/** Nightly: deletes changes that can no longer be applied or undone. */
export const deleteOldChanges = job(
  "completionRules:deleteOld",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("ruleChanges")
      .where("madeAt", "<", sql<string>`now() - interval '2 days'`)
      .where(sql<boolean>`coalesce(applied_at, '-infinity') < now() - interval '2 days'`)
      .where("state", "not in", ["applying", "undoing"])
      .execute();
  },
  "15 4 * * *",
);
