import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { foldBatch } from "#server/variables/fold/fold.ts";

/** The most batches of a run; the next one continues. */
const MAX_BATCHES = 1000;

/**
 * Folds, every minute, the values that a stopped server left. Values of running transactions are left to the next run.
 */
export const foldStoredValues = job(
  "variables:fold",
  z.object({}),
  async ({ db }) => {
    for (let batch = 0; batch < MAX_BATCHES && (await foldBatch(db)) === "more"; batch++);
  },
  "* * * * *",
);
