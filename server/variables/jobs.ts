import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { foldBatch } from "#server/variables/fold/fold.ts";

/** Most batches of one run; the rest is folded by the next one. */
const MAX_BATCHES = 1000;

/**
 * Folds, every minute, values of a server that ended before it could do so. Values of transactions that are still
 * running are left to the next run.
 */
export const foldStoredValues = job(
  "variables:fold",
  z.object({}),
  async ({ db }) => {
    for (let batch = 0; batch < MAX_BATCHES && (await foldBatch(db)) === "more"; batch++);
  },
  "* * * * *",
);
